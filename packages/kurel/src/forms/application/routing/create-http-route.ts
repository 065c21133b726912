import { quote } from '../../../diagnostics/index.ts';
import { has, mappingAt, numberAt, textAt } from '../../../kube/index.ts';
import type { Json, JsonObject, KubeObject, Path } from '../../../model/index.ts';
import type { PropertiesOf, ReportAt, TraitInput } from '../catalog/define.ts';
import { defined, filled } from '../catalog/present-fields.ts';
import { createBackends } from './create-backends.ts';
import type { Backends, PlacedBackend } from './create-backends.ts';
import { nameRoute } from './host-routes.ts';
import type { RouteObject } from './host-routes.ts';
import { checkFilters, createMatches, createTimeouts, hasRedirect, httprouteProblems } from './http-rules.ts';
import { routingProblems } from './problems.ts';
import { mostHosts } from './routing-properties.ts';
import type { RouteProperties, routeRule } from './routing-properties.ts';

type Rule = PropertiesOf<typeof routeRule>;
type BackendRef = NonNullable<Rule['backendRefs']>[number];

/** A rule, with the paths of its properties. */
export interface PlacedRule {
  readonly rule: Rule;
  readonly at: Path;
  /** Paths of the request paths of its matches. */
  readonly valuesAt: readonly Path[];
  readonly backendsAt: readonly PlacedBackend[];
}

/** Rules of the property "rules". */
export function placeRules(rules: readonly Rule[]): readonly PlacedRule[] {
  return rules.map((rule, index) => {
    const at = ['rules', index];
    const inRule = (...steps: Path): Path => [...at, ...steps];
    const { matches = [], backendRefs = [] } = rule;
    return {
      rule,
      at,
      valuesAt: matches.map((_, position) => inRule('matches', position, 'path', 'value')),
      backendsAt: backendRefs.map((_, position) => ({ path: inRule('backendRefs', position), key: 'name' })),
    };
  });
}

interface HttpRouteProperties extends RouteProperties {
  readonly hostnames?: readonly string[];
  readonly parentRefs?: readonly Json[];
  readonly gatewayName?: string;
  readonly gatewayNamespace?: string;
}

type Input = Pick<TraitInput<HttpRouteProperties>, 'component' | 'namespace' | 'properties' | 'serviceOf' | 'report'>;

/** An HTTPRoute. Findings about rules are located by their paths. */
export function createHttpRoute(rules: readonly PlacedRule[], input: Input): RouteObject {
  const { component, properties, report } = input;
  const backends = createBackends({ ...input, needsNumbers: true });
  const { name: app } = component;
  const { hostnames = [] } = properties;
  if (hostnames.length > mostHosts) {
    const args = { count: hostnames.length, most: mostHosts };
    report(httprouteProblems.create('httproute-hostnames', args), ['hostnames'], 'key');
  }
  const route: KubeObject = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: defined({
      name: nameRoute({ ...properties, component: app, kind: 'httproute' }),
      labels: { app },
      annotations: properties.annotations,
    }),
    spec: defined({
      parentRefs: createParentRefs(properties, report),
      hostnames: filled(hostnames),
      rules: createRules(rules, backends, input),
    }),
  };
  return { object: route, traffic: backends.listRoutes() };
}

function createParentRefs(
  { parentRefs: own = [], gatewayName, gatewayNamespace }: HttpRouteProperties,
  report: ReportAt,
): Json {
  if (own.length > 0) return own;
  if (gatewayName === undefined) report(httprouteProblems.create('httproute-gateway-missing', {}), []);
  return [{ name: gatewayName ?? '', namespace: gatewayNamespace ?? 'gateway-system' }];
}

function createRules(
  rules: readonly PlacedRule[],
  backends: Backends,
  { namespace, report }: Input,
): readonly JsonObject[] {
  return rules.map((placed) => {
    const { rule, at, valuesAt } = placed;
    const { name, matches, filters = [], timeouts, retry } = rule;
    readFilters(filters, [...at, 'filters'], matches);
    return defined({
      name,
      matches: filled(createMatches(matches ?? [], valuesAt, report)),
      filters: filled(filters),
      backendRefs: createBackendRefs(placed),
      timeouts: timeouts === undefined ? undefined : createTimeouts(timeouts, [...at, 'timeouts'], report),
      retry,
    });
  });

  /** A rule without backends routes to the component, unless it redirects all requests. */
  function createBackendRefs({ rule, at, backendsAt }: PlacedRule): readonly Json[] | undefined {
    const { backendRefs, filters = [], matches } = rule;
    const isRedirect = hasRedirect(filters);
    if (backendRefs === undefined) {
      if (isRedirect) return undefined;
      const { service, number } = backends.resolve({ name: undefined, port: undefined, path: at, key: 'name' });
      return [defined({ name: service, port: number })];
    }
    if (backendRefs.length === 0) return undefined;
    if (isRedirect) {
      report(httprouteProblems.create('httproute-redirect-backends', {}), [...at, 'backendRefs'], 'key');
      return undefined;
    }
    return backendRefs.map((backend, index) => {
      const place = backendsAt[index]!;
      readFilters(backend.filters ?? [], [...place.path, 'filters'], matches);
      return createBackendRef(backend, place);
    });
  }

  function createBackendRef(backend: BackendRef, place: PlacedBackend): JsonObject {
    const { group, kind, name, namespace: other, port, portName, weight, filters, backendSelector: selector } = backend;
    if (!isServiceOf(backend, namespace)) {
      checkOtherBackend(backend, place.path, { namespace, report });
      return defined({ group, kind, name, namespace: other, port, weight, filters });
    }
    const { service, number } = backends.resolve({ name, port, portName, selector, ...place });
    return defined({ group, kind, name: service, namespace: other, port: number, weight, filters });
  }

  /** Filters can also send requests to Services. */
  function readFilters(filters: readonly Json[], path: Path, matches: Rule['matches'] | undefined): void {
    checkFilters(filters, { path, matches, report });
    for (const [index, filter] of filters.entries()) {
      for (const block of ['requestMirror', 'externalAuth']) {
        const backend = mappingAt(mappingAt(filter, block), 'backendRef') ?? {};
        const name = textAt(backend, 'name');
        if (!has(backend, 'name') || !isServiceOf(backend, namespace)) continue;
        const at = [...path, index, block, 'backendRef'];
        backends.resolve({ name, port: numberAt(backend, 'port'), path: at, key: 'name' });
      }
    }
  }
}

/** Nothing is known about a backend of another kind or namespace. */
function checkOtherBackend(
  backend: BackendRef,
  path: Path,
  { namespace, report }: Pick<Input, 'namespace' | 'report'>,
): void {
  const { name, kind = 'Service', namespace: other = namespace, portName, backendSelector } = backend;
  const what = other === namespace ? `of kind ${quote(kind)}` : `in namespace ${quote(other)}`;
  if (name === undefined) report(routingProblems.create('backend-name-missing', { what }), path);
  if (portName !== undefined) {
    const args = { service: name ?? '', portName };
    report(routingProblems.create('backend-port-number', args), [...path, 'portName']);
  }
  if (backendSelector !== undefined) {
    const reason = `the backend is ${what}`;
    report(routingProblems.create('backend-selector-own', { reason }), [...path, 'backendSelector'], 'key');
  }
}

/** Whether it is a Service in the namespace of the application. */
function isServiceOf(backend: JsonObject, namespace: string): boolean {
  const { group = '', kind = 'Service', namespace: other = namespace } = backend;
  return group === '' && kind === 'Service' && other === namespace;
}
