import { annotationsOf } from '../../../kube/index.ts';
import type { Diagnostic } from '../../../model/index.ts';
import { groupBy } from '../../../provenance/index.ts';
import type { Inspect, ReportAt, TraitInput, TraitResult } from '../catalog/define.ts';
import { defined } from '../catalog/present-fields.ts';
import { createHttpRoute, placeRules } from './create-http-route.ts';
import type { PlacedRule } from './create-http-route.ts';
import { exposeProblems } from './expose-problems.ts';
import {
  checkHosts,
  checkPaths,
  checkRoutedHosts,
  joinRoutes,
  listHostRoutes,
  nameRoute,
  placeHosts,
  readForm,
  refuseWildcards,
} from './host-routes.ts';
import type { HostPath, HostRoute, RouteObject } from './host-routes.ts';
import { isForIngress } from './reserved-annotations.ts';
import { mostHosts } from './routing-properties.ts';
import type { ExposeProperties } from './routing-properties.ts';

type Input = TraitInput<ExposeProperties>;

/** Exposes a component with HTTPRoutes: one, or one per host if the hosts have different paths. */
export function exposeThroughGateway(input: Input): TraitResult {
  const { properties, report } = input;
  checkProperties(properties, report);
  const form = isOfEveryHost(properties) ? 'matches' : readForm(properties, report);
  if (form === undefined) return {};
  const routes = form === 'matches' ? [createFromMatches(input)] : createFromHosts(input);
  return { ...joinRoutes(routes), inspectOwn: inspectRoute };
}

function createFromHosts(input: Input): readonly RouteObject[] {
  const { component, properties, report } = input;
  const routes = listHostRoutes(properties, 'gateway', report);
  if (routes.length === 0) return [];
  refuseWildcards(checkRoutedHosts(routes, properties, report), 'gateway', report);
  checkPathTypes(routes, report);
  const groups = groupByHost(routes);
  const own = nameRoute({ ...properties, component: component.name, kind: 'httproute' });
  return groups.map(({ hosts, paths }) => {
    const first = hosts[0]!.host;
    const name = groups.length === 1 ? own : `${own}-${first.replace('*', 'wildcard')}`;
    checkPaths([{ host: first, paths }], report);
    // Paths with the same backend become one rule. Order does not matter, because the most specific match wins.
    const keyOf = ({ backend, port, portName, backendSelector }: HostPath): string =>
      JSON.stringify([backend, port, portName, backendSelector]);
    const rules = Array.from(groupBy(paths, keyOf).values(), createRule);
    const hostnames = hosts.map(({ host }) => host);
    return createHttpRoute(rules, { ...input, properties: { ...properties, name, hostnames } });
  });
}

/** Empty rules without hosts match every host of the Gateway, which only Gateway API supports. */
function isOfEveryHost({ rules = [], hostnames = [] }: ExposeProperties): boolean {
  return hostnames.length === 0 && rules.every((rule) => Object.keys(rule).length === 0);
}

/** Gateway API rules are passed on unchanged; wildcard hosts have the meaning of Gateway API. */
function createFromMatches(input: Input): RouteObject {
  const { hostnames, rules = [], allowedHostnameWildcard: allowed } = input.properties;
  const hosts = placeHosts(hostnames);
  checkHosts(hosts, { allowed, isDeep: true, report: input.report });
  if (hosts.length === 0 && allowed !== undefined) {
    input.report(exposeProblems.create('expose-every-host', { allowed }), ['rules']);
  }
  return createHttpRoute(placeRules(rules), input);
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

function createRule(paths: readonly HostPath[]): PlacedRule {
  const { backend, port, portName, backendSelector, at, backendAt } = paths[0]!;
  const isNamed = [backend, port, portName, backendSelector].some((value) => value !== undefined);
  // An empty rule stays empty and matches every path.
  const isEmpty = paths.every(({ isEmptyRule }) => isEmptyRule === true);
  const matches = paths.map(({ path, pathType }) => ({
    path: { type: pathType === 'Exact' ? 'Exact' : 'PathPrefix', value: path },
  }));
  return {
    rule: {
      ...(isEmpty ? {} : { matches }),
      ...(isNamed ? { backendRefs: [defined({ name: backend, port, portName, backendSelector })] } : {}),
    },
    at,
    valuesAt: paths.map(({ valueAt }) => valueAt),
    backendsAt: [backendAt],
  };
}
