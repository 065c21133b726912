import { annotationsOf } from '../../../kube/index.ts';
import type { Diagnostic, Json, JsonObject, Path } from '../../../model/index.ts';
import { groupBy } from '../../../provenance/index.ts';
import type { Inspect, LoweredTrait, ReportAt, TraitInput } from '../catalog/define.ts';
import { defined, pickFields } from '../catalog/present-fields.ts';
import { exposeProblems } from './expose-problems.ts';
import {
  checkHosts,
  checkPaths,
  checkRoutedHosts,
  listHostRoutes,
  nameRoute,
  placeHosts,
  readForm,
  refuseWildcards,
} from './host-routes.ts';
import type { HostPath, HostRoute } from './host-routes.ts';
import { isForIngress } from './reserved-annotations.ts';
import { loweredProperties, mostHosts } from './routing-properties.ts';
import type { ExposeProperties } from './routing-properties.ts';

type Input = TraitInput<ExposeProperties>;

/** Converts an `expose` trait to `httproute` traits: one, or one per host if the hosts have different paths. */
export function lowerToGateway(input: Input): readonly LoweredTrait[] {
  const { properties, report } = input;
  checkProperties(properties, report);
  const form = isOfEveryHost(properties) ? 'matches' : readForm(properties, report);
  if (form === undefined) return [];
  if (form === 'matches') return [lowerMatches(input)];
  const routes = listHostRoutes(properties, 'gateway', report);
  if (routes.length === 0) return [];
  refuseWildcards(checkRoutedHosts(routes, properties, report), 'gateway', report);
  checkPathTypes(routes, report);
  const groups = groupByHost(routes);
  return groups.map(({ hosts, paths }) => {
    const own = nameRoute({ ...properties, component: input.component.name, kind: 'httproute' });
    const first = hosts[0]!.host;
    const name = groups.length === 1 ? properties.name : `${own}-${first.replace('*', 'wildcard')}`;
    checkPaths(
      paths.map((path) => ({ ...path, host: first })),
      report,
    );
    // Paths with the same backend become one rule. Order does not matter, because the most specific match wins.
    const keyOf = ({ backend, port, portName, backendSelector }: HostPath): string =>
      JSON.stringify([backend, port, portName, backendSelector]);
    const byBackend = [...groupBy(paths, keyOf).values()];
    const route = { name, hostnames: hosts.map(({ host }) => host), rules: byBackend.map(createRule) };
    return lower(properties, route, (path) => placeOf(path, hosts, byBackend));
  });
}

/** Empty rules without hosts match every host of the Gateway, which only Gateway API supports. */
function isOfEveryHost({ rules = [], hostnames = [] }: ExposeProperties): boolean {
  return hostnames.length === 0 && rules.every((rule) => Object.keys(rule).length === 0);
}

type Routed = Readonly<Record<'name' | 'hostnames' | 'rules', Json | undefined>>;

function lower(properties: ExposeProperties, routed: Routed, pathOf: (path: Path) => Path): LoweredTrait {
  const { gatewayName = '', gatewayNamespace = 'gateway-system' } = properties;
  const parentRefs = [{ name: gatewayName, namespace: gatewayNamespace }];
  const lowered = defined({ ...pickFields(loweredProperties, properties), ...routed, parentRefs });
  return { type: 'httproute', properties: lowered, pathOf, inspectOwn: inspectRoute };
}

/** Gateway API rules are passed on unchanged; wildcard hosts have the meaning of Gateway API. */
function lowerMatches(input: Input): LoweredTrait {
  const { name, hostnames, rules, allowedHostnameWildcard: allowed } = input.properties;
  const hosts = placeHosts(hostnames);
  checkHosts(hosts, { allowed, isDeep: true, report: input.report });
  if (hosts.length === 0 && allowed !== undefined) {
    input.report(exposeProblems.create('expose-every-host', { allowed }), ['rules']);
  }
  return lower(input.properties, { name, hostnames, rules }, (path) => path);
}

/** Properties that only Ingress supports, and what to do instead. */
const ofIngresses = {
  ingressClassName: 'remove it; the platform selects the Gateway',
  sslRedirect: 'remove it; the Gateway controls redirects for all routes',
  forceSslRedirect: 'remove it; the Gateway controls redirects for all routes',
  allowedGroups: 'use a rule with a filter of type ExternalAuth',
  authSigninURL: 'use a rule with a filter of type ExternalAuth',
  secretName: 'remove it; TLS is terminated at the Gateway',
} as const;

function checkProperties(properties: ExposeProperties, report: ReportAt): void {
  for (const [key, advice] of Object.entries(ofIngresses)) {
    if (properties[key as keyof typeof ofIngresses] === undefined) continue;
    const args = { what: `"${key}"`, controller: 'gateway', advice } as const;
    report(exposeProblems.create('expose-not-expressible', args), [key], 'key');
  }
  for (const annotation of Object.keys(properties.annotations).filter(isForIngress)) {
    report(refuseAnnotation(annotation), ['annotations', annotation], 'key');
  }
  if (properties.tls !== undefined) report(exposeProblems.create('expose-tls-at-gateway', {}), ['tls'], 'key');
}

/** The annotation may restrict access to an Ingress. On a route it would have no effect, leaving it open to everyone. */
function refuseAnnotation(annotation: string): Diagnostic {
  const advice = 'remove it; restrict access with filters in the rules or a policy of the Gateway';
  const args = { what: `annotation ${annotation}`, controller: 'gateway', advice } as const;
  return exposeProblems.create('expose-not-expressible', args);
}

/** Annotations also come from the application and the component. */
const inspectRoute: Inspect = (object, report) => {
  for (const annotation of Object.keys(annotationsOf(object)).filter(isForIngress)) {
    report(refuseAnnotation(annotation), ['metadata', 'annotations', annotation]);
  }
};

function checkPathTypes(routes: readonly HostRoute[], report: ReportAt): void {
  for (const { pathType, at } of new Set(routes.flatMap(({ paths }) => paths))) {
    if (pathType !== 'ImplementationSpecific') continue;
    const args = { what: `pathType ${pathType}`, controller: 'gateway', advice: 'use Prefix or Exact' } as const;
    report(exposeProblems.create('expose-not-expressible', args), [...at, 'pathType']);
  }
}

/** One group if all hosts have the same rules, otherwise one per host. */
function groupByHost(routes: readonly HostRoute[]) {
  const groups = Array.from(groupBy(routes, ({ host }) => host).values(), (ofHost) => ({
    hosts: ofHost.slice(0, 1),
    paths: ofHost.flatMap(({ paths }) => paths),
    rules: ofHost.map(({ rule }) => rule).join(),
  }));
  const [first] = groups;
  const isOne = groups.length <= mostHosts && groups.every(({ rules }) => rules === first!.rules);
  return isOne ? [{ hosts: groups.flatMap(({ hosts }) => hosts), paths: first!.paths }] : groups;
}

function createRule(paths: readonly HostPath[]): JsonObject {
  const { backend, port, portName, backendSelector } = paths[0]!;
  const isNamed = [backend, port, portName, backendSelector].some((value) => value !== undefined);
  return defined({
    // An empty rule stays empty and matches every path.
    matches: paths.every(({ isEmptyRule }) => isEmptyRule === true)
      ? undefined
      : paths.map(({ path, pathType }) => ({
          path: { type: pathType === 'Exact' ? 'Exact' : 'PathPrefix', value: path },
        })),
    backendRefs: isNamed ? [defined({ name: backend, port, portName, backendSelector })] : undefined,
  });
}

/** The path of the property that an HTTPRoute property comes from. */
function placeOf(path: Path, hosts: readonly HostRoute[], rules: readonly (readonly HostPath[])[]): Path {
  const [list, index, part, position, ...rest] = path;
  if (list === 'hostnames') return hosts[Number(index)]?.at ?? path;
  const rule = list === 'rules' ? rules[Number(index)] : undefined;
  if (rule === undefined) return path;
  const [first] = rule;
  if (part === 'backendRefs' && position === 0) {
    return [...first!.at, ...(rest[0] === 'name' ? ['backend', ...rest.slice(1)] : rest)];
  }
  const match = part === 'matches' ? rule[Number(position)] : undefined;
  if (match === undefined) return [...first!.at, ...path.slice(2)];
  return [...match.at, ...(rest[1] === 'value' ? ['path'] : rest)];
}
