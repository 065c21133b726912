import { annotationsOf } from '../../../kube/index.ts';
import type { Diagnostic, JsonObject, Path } from '../../../model/index.ts';
import type { Inspect, LoweredTrait, ReportAt, TraitInput } from '../catalog/define.ts';
import { defined } from '../catalog/defined.ts';
import { checkHosts, checkPaths, nameRoute } from './check-hosts.ts';
import { exposeProblems } from './expose-problems.ts';
import type { ExposeProperties } from './expose-properties.ts';
import { createPathMap, listHostRoutes, listHosts, readForm, warnAboutUnrouted } from './host-routes.ts';
import type { HostPath, HostRoute } from './host-routes.ts';
import { isForIngress } from './reserved-annotations.ts';
import { mostHosts } from './route-properties.ts';

type Input = TraitInput<ExposeProperties>;

/** Converts an `expose` trait to `httproute` traits: one, or one per host if the hosts have different paths. */
export function lowerToGateway(input: Input): readonly LoweredTrait[] {
  const { properties, report } = input;
  checkProperties(properties, report);
  const form = isOfEveryHost(properties) ? 'matches' : readForm(properties, report);
  if (form === undefined) return [];
  if (form === 'matches') return [lowerMatches(input)];
  const routes = listHostRoutes(properties, { controller: 'gateway', report });
  if (routes.length === 0) return [];
  warnAboutUnrouted(routes, properties, report);
  checkRoutes(routes, properties, report);
  const groups = groupByHost(routes);
  const { component, properties: asked } = input;
  return groups.map((group) => {
    const { hosts, paths } = group;
    const own = { ...asked, component: component.name, kind: 'httproute' } as const;
    const name = groups.length === 1 ? asked.name : `${nameRoute(own)}-${hosts[0]!.host.replace('*', 'wildcard')}`;
    checkPaths(
      paths.map((path) => ({ ...path, host: hosts[0]!.host })),
      report,
    );
    const byBackend = groupByBackend(paths);
    const rules = byBackend.map(createRule);
    const places = [
      ...hosts.map(({ at }, index): readonly [Path, Path] => [['hostnames', index], at]),
      ...byBackend.flatMap(placesOf),
    ];
    return lower(input, { name, hostnames: hosts.map(({ host }) => host), rules }, createPathMap(places));
  });
}

/** Empty rules without hosts match every host of the Gateway, which only Gateway API supports. */
function isOfEveryHost({ rules = [], hostnames = [] }: ExposeProperties): boolean {
  return hostnames.length === 0 && rules.every((rule) => Object.keys(rule).length === 0);
}

interface Routed {
  readonly name: string | undefined;
  readonly hostnames: readonly string[] | undefined;
  readonly rules: readonly JsonObject[] | undefined;
}

function lower({ properties }: Input, { name, hostnames, rules }: Routed, pathOf: (path: Path) => Path): LoweredTrait {
  const { scope, annotations, servicePort, serviceName, portName, networkPolicy, gatewayName, gatewayNamespace } =
    properties;
  const lowered = defined({
    name,
    scope,
    parentRefs: [{ name: gatewayName ?? '', namespace: gatewayNamespace ?? 'gateway-system' }],
    hostnames,
    rules,
    annotations,
    servicePort,
    serviceName,
    portName,
    networkPolicy,
  });
  return { type: 'httproute', properties: lowered, pathOf, inspectOwn: inspectRoute };
}

/** Gateway API rules are passed on unchanged; wildcard hosts have the meaning of Gateway API. */
function lowerMatches(input: Input): LoweredTrait {
  const { name, hostnames, rules, allowedHostnameWildcard: allowed } = input.properties;
  const hosts = (hostnames ?? []).map((host, index) => ({ host, at: ['hostnames', index] }));
  checkHosts(hosts, { allowed, isDeep: true, report: input.report });
  if (hosts.length === 0 && allowed !== undefined) {
    input.report(exposeProblems.create('expose-every-host', { allowed }), ['rules']);
  }
  return lower(input, { name, hostnames, rules }, (path) => path);
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

/** Rejects settings with a different meaning in Gateway API. */
function checkRoutes(routes: readonly HostRoute[], properties: ExposeProperties, report: ReportAt): void {
  const hosts = listHosts(routes, properties);
  checkHosts(hosts, { allowed: properties.allowedHostnameWildcard, report });
  for (const { host, at } of hosts) {
    if (!host.startsWith('*.')) continue;
    report(exposeProblems.create('expose-wildcard-host', { host, controller: 'gateway' }), at);
  }
  for (const path of new Set(routes.flatMap(({ paths }) => paths))) {
    const refuse = (what: string, key: string, advice: string): void => {
      const args = { what, controller: 'gateway', advice } as const;
      report(exposeProblems.create('expose-not-expressible', args), [...path.at, key]);
    };
    if (path.pathType === 'ImplementationSpecific') {
      refuse('pathType ImplementationSpecific', 'pathType', 'use Prefix or Exact');
    }
  }
}

interface HostGroup {
  readonly hosts: readonly HostRoute[];
  readonly paths: readonly HostPath[];
}

/** One group if all hosts have the same rules, otherwise one per host. */
function groupByHost(routes: readonly HostRoute[]): readonly HostGroup[] {
  const byHost = new Map<string, HostRoute[]>();
  for (const route of routes) {
    const ofHost = byHost.get(route.host);
    if (ofHost === undefined) byHost.set(route.host, [route]);
    else ofHost.push(route);
  }
  const groups = Array.from(byHost.values(), (ofHost) => ({
    hosts: ofHost.slice(0, 1),
    paths: ofHost.flatMap(({ paths }) => paths),
    rules: ofHost.map(({ rule }) => rule).join(),
  }));
  const [first] = groups;
  const isOne = groups.length <= mostHosts && groups.every(({ rules }) => rules === first!.rules);
  return isOne ? [{ hosts: groups.flatMap(({ hosts }) => hosts), paths: first!.paths }] : groups;
}

/** Paths with the same backend become one rule. Order does not matter, because the most specific match wins. */
function groupByBackend(paths: readonly HostPath[]): readonly (readonly HostPath[])[] {
  const byBackend = new Map<string, HostPath[]>();
  for (const path of paths) {
    const key = JSON.stringify([path.backend, path.port, path.portName, path.backendSelector]);
    const known = byBackend.get(key);
    if (known === undefined) byBackend.set(key, [path]);
    else known.push(path);
  }
  return [...byBackend.values()];
}

function createRule(paths: readonly HostPath[]): JsonObject {
  const { backend, port, portName, backendSelector } = paths[0]!;
  const isNamed = [backend, port, portName, backendSelector].some((one) => one !== undefined);
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

/** Paths of HTTPRoute properties and of the properties they come from. */
function placesOf(paths: readonly HostPath[], index: number): readonly (readonly [Path, Path])[] {
  const rule = ['rules', index];
  const { at, backendAt, nameAt } = paths[0]!;
  return [
    [rule, at],
    [[...rule, 'backendRefs', 0], backendAt],
    [[...rule, 'backendRefs', 0, 'name'], nameAt],
    ...paths.flatMap((path, position): readonly (readonly [Path, Path])[] => [
      [[...rule, 'matches', position], path.at],
      [[...rule, 'matches', position, 'path', 'value'], path.pathAt],
    ]),
  ];
}
