import { quote } from '../../../../diagnostics/index.ts';
import { has, listAt, mappingAt, numberAt, parseDuration, textAt } from '../../../../kube/index.ts';
import { isJsonObject } from '../../../../model/index.ts';
import type { Json, JsonObject, KubeObject, Path } from '../../../../model/index.ts';
import type { ValueOf } from '../../documents/field.ts';
import { checkFilters, hasRedirect, listFilterBackends } from '../../routing/check-filters.ts';
import { createBackends } from '../../routing/create-backends.ts';
import type { Backends } from '../../routing/create-backends.ts';
import { httprouteProblems } from '../../routing/httproute-problems.ts';
import { nameRoute } from '../../routing/check-hosts.ts';
import { routingProblems } from '../../routing/problems.ts';
import { mostHosts, parentRefs, routeRule } from '../../routing/route-properties.ts';
import { networkPolicy, routingProperties } from '../../routing/routing-properties.ts';
import { defineTrait } from '../define.ts';
import type { PropertiesOf, ReportAt } from '../define.ts';
import { defined, filled } from '../defined.ts';

type Timeouts = ValueOf<typeof routeRule.timeouts>;

const millisecond = 1_000_000n;
// Gateway API allows at most five digits per unit.
const longest = 99_999n;

function createTimeouts(timeouts: Timeouts, path: Path, report: ReportAt): JsonObject {
  const { request, backendRequest } = timeouts;
  if (request === undefined && backendRequest === undefined) {
    report(httprouteProblems.create('httproute-timeouts-empty', {}), path, 'key');
  }
  const [whole, one] = [parseDuration(request ?? '0') ?? 0n, parseDuration(backendRequest ?? '0') ?? 0n];
  if (whole !== 0n && one > whole) {
    const args = { request: request!, backendRequest: backendRequest! };
    report(httprouteProblems.create('httproute-timeout-order', args), [...path, 'backendRequest']);
  }
  const write = (field: 'request' | 'backendRequest', nanoseconds: bigint): string | undefined => {
    const text = timeouts[field];
    if (text === undefined) return undefined;
    const reason = explainDuration(nanoseconds);
    if (reason === undefined) return formatGatewayDuration(nanoseconds);
    report(httprouteProblems.create('httproute-timeout', { field, text, reason }), [...path, field]);
    return text;
  };
  return defined({ request: write('request', whole), backendRequest: write('backendRequest', one) });
}

function explainDuration(nanoseconds: bigint): string | undefined {
  if (nanoseconds % millisecond !== 0n) return 'must be a multiple of 1ms';
  return hoursOf(nanoseconds) > longest ? `must be at most ${longest} hours` : undefined;
}

function hoursOf(nanoseconds: bigint): bigint {
  return nanoseconds / (3_600_000n * millisecond);
}

/** The format of Go without fractions, which Gateway API does not support: `1m30s`, `1s500ms`, `0s`. */
export function formatGatewayDuration(nanoseconds: bigint): string {
  const total = nanoseconds / millisecond;
  const [hours, minutes] = [hoursOf(nanoseconds), (total / 60_000n) % 60n];
  const [seconds, milliseconds] = [(total / 1000n) % 60n, total % 1000n];
  if (total < 1000n) return total === 0n ? '0s' : `${total}ms`;
  const parts = [
    hours > 0n ? `${hours}h` : '',
    hours > 0n || minutes > 0n ? `${minutes}m` : '',
    `${seconds}s`,
    milliseconds > 0n ? `${milliseconds}ms` : '',
  ];
  return parts.join('');
}

/** Matches of a rule, with default types. */
function createMatches(matches: readonly Json[], path: Path, report: ReportAt): readonly Json[] {
  return matches.map((match, index) => {
    if (!isJsonObject(match)) return match;
    const ofPath = mappingAt(match, 'path');
    const value = textAt(ofPath, 'value');
    const reason = textAt(ofPath, 'type') === 'RegularExpression' ? undefined : explainPath(value ?? '/');
    if (reason !== undefined) {
      const place = [...path, index, 'path', 'value'];
      report(httprouteProblems.create('httproute-path-invalid', { path: value!, reason }), place);
    }
    return {
      ...match,
      ...(ofPath === undefined ? {} : { path: complete(ofPath, { type: 'PathPrefix', value: '/' }) }),
      ...completeAll(match, 'headers'),
      ...completeAll(match, 'queryParams'),
    };
  });
}

// Gateways normalize paths before matching, so these would never match.
const lost = ['//', '/./', '/../', '%2f', '%2F', '#'];
const lostEnds = ['/..', '/.'];

function explainPath(path: string): string | undefined {
  if (!path.startsWith('/')) return 'must start with "/"';
  const part = lost.find((one) => path.includes(one)) ?? lostEnds.find((one) => path.endsWith(one));
  if (part !== undefined) return `must not contain ${quote(part)}`;
  return /^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|%[0-9a-fA-F]{2})+$/.test(path)
    ? undefined
    : 'must contain only characters that are valid in URL paths; escape others, such as %20';
}

function completeAll(match: JsonObject, key: string): JsonObject {
  return has(match, key) ? { [key]: listAt(match, key).map((one) => complete(one, { type: 'Exact' })) } : {};
}

/** Returns the same object if it is complete, so that it keeps its location. */
function complete(mapping: Json, usual: JsonObject): Json {
  const missing = Object.keys(usual).filter((key) => !has(mapping, key));
  if (missing.length === 0 || !isJsonObject(mapping)) return mapping;
  const added = Object.fromEntries(missing.map((key) => [key, usual[key]!]));
  return { ...added, ...mapping, ...added };
}

const properties = {
  parentRefs,
  hostnames: {
    type: 'array',
    description:
      'Hosts of the requests. *.example.com matches any name below it. Defaults to all hosts of the Gateway.',
    items: { type: 'string', format: 'host' },
  },
  rules: {
    type: 'array',
    description: 'Routing rules.',
    required: true,
    minItems: 1,
    items: { type: 'object', description: 'A routing rule.', properties: routeRule },
  },
  gatewayName: {
    type: 'string',
    description: 'Name of the Gateway, if "parentRefs" is not set. The platform can set the default.',
    format: 'dns-subdomain',
  },
  gatewayNamespace: {
    type: 'string',
    description: 'Namespace of the Gateway. Defaults to gateway-system.',
    format: 'dns-label',
  },
  ...routingProperties,
  networkPolicy,
} as const;

type Asked = PropertiesOf<typeof properties>;
type Rule = Asked['rules'][number];
type BackendRef = NonNullable<Rule['backendRefs']>[number];

interface Rendering {
  readonly namespace: string;
  readonly backends: Backends;
  readonly report: ReportAt;
}

export const httproute = defineTrait({
  type: 'httproute',
  summary: 'Gateway API HTTPRoute.',
  properties,
  problems: { definitions: { ...routingProblems.definitions, ...httprouteProblems.definitions } },
  render({ component, namespace, properties: asked, serviceOf, report }) {
    const backends = createBackends({ component, properties: asked, serviceOf, needsNumbers: true, report });
    const { name: app } = component;
    const { hostnames = [] } = asked;
    if (hostnames.length > mostHosts) {
      const args = { count: hostnames.length, most: mostHosts };
      report(httprouteProblems.create('httproute-hostnames', args), ['hostnames'], 'key');
    }
    const route: KubeObject = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: defined({
        name: nameRoute({ ...asked, component: app, kind: 'httproute' }),
        labels: { app },
        annotations: asked.annotations,
      }),
      spec: defined({
        parentRefs: createParentRefs(asked, report),
        hostnames: filled(hostnames),
        rules: asked.rules.map((rule, index) => createRule(rule, ['rules', index], { namespace, backends, report })),
      }),
    };
    return { objects: [route], routes: backends.listRoutes() };
  },
});

function createParentRefs({ parentRefs: own = [], gatewayName, gatewayNamespace }: Asked, report: ReportAt): Json {
  if (own.length > 0) return own;
  if (gatewayName === undefined) report(httprouteProblems.create('httproute-gateway-missing', {}), []);
  return [{ name: gatewayName ?? '', namespace: gatewayNamespace ?? 'gateway-system' }];
}

function createRule(rule: Rule, path: Path, rendering: Rendering): JsonObject {
  const { name, matches, filters = [], timeouts, retry } = rule;
  const { report } = rendering;
  checkFilters(filters, { path: [...path, 'filters'], matches, report });
  resolveFilterBackends(filters, [...path, 'filters'], rendering);
  return defined({
    name,
    matches:
      matches === undefined || matches.length === 0 ? undefined : createMatches(matches, [...path, 'matches'], report),
    filters: filters.length === 0 ? undefined : filters,
    backendRefs: createBackendRefs(rule, path, rendering),
    timeouts: timeouts === undefined ? undefined : createTimeouts(timeouts, [...path, 'timeouts'], report),
    retry,
  });
}

/** A rule without backends routes to the component, unless it redirects all requests. */
function createBackendRefs(rule: Rule, path: Path, rendering: Rendering): readonly Json[] | undefined {
  const { backendRefs, filters = [], matches } = rule;
  const { backends, report } = rendering;
  const place = [...path, 'backendRefs'];
  const isRedirect = hasRedirect(filters);
  if (backendRefs === undefined) {
    if (isRedirect) return undefined;
    const { service, number } = backends.resolve({ name: undefined, port: undefined, path, key: 'name' });
    return [defined({ name: service, port: number })];
  }
  if (backendRefs.length === 0) return undefined;
  if (isRedirect) {
    report(httprouteProblems.create('httproute-redirect-backends', {}), place, 'key');
    return undefined;
  }
  return backendRefs.map((backend, index) => {
    const at = [...place, index];
    const { filters: own = [] } = backend;
    checkFilters(own, { path: [...at, 'filters'], matches, report });
    resolveFilterBackends(own, [...at, 'filters'], rendering);
    return createBackendRef(backend, at, rendering);
  });
}

function createBackendRef(backend: BackendRef, path: Path, { namespace, backends, report }: Rendering): JsonObject {
  const { group, kind, namespace: other, weight, filters, backendSelector, portName } = backend;
  const isService = isServiceOf(backend, namespace);
  if (isService) {
    const { name, port } = backend;
    const { service, number } = backends.resolve({
      name,
      port,
      portName,
      selector: backendSelector,
      path,
      key: 'name',
    });
    return defined({ group, kind, name: service, namespace: other, port: number, weight, filters });
  }
  const what =
    other === undefined || other === namespace ? `of kind ${quote(kind ?? 'Service')}` : `in namespace ${quote(other)}`;
  if (backend.name === undefined) report(routingProblems.create('backend-name-missing', { what }), path);
  if (portName !== undefined) {
    const args = { service: backend.name ?? '', portName };
    report(routingProblems.create('backend-port-number', args), [...path, 'portName']);
  }
  if (backendSelector !== undefined) {
    const reason = `the backend is ${what}`;
    report(routingProblems.create('backend-selector-own', { reason }), [...path, 'backendSelector'], 'key');
  }
  return defined({ group, kind, name: backend.name, namespace: other, port: backend.port, weight, filters });
}

/** Whether it is a Service in the namespace of the application. */
function isServiceOf(backend: JsonObject, namespace: string): boolean {
  const { group = '', kind = 'Service', namespace: other = namespace } = backend;
  return group === '' && kind === 'Service' && other === namespace;
}

/** Filters can also send requests to Services. */
function resolveFilterBackends(filters: readonly Json[], path: Path, { namespace, backends }: Rendering): void {
  for (const { backend, path: at } of listFilterBackends(filters, path)) {
    if (!has(backend, 'name') || !isServiceOf(backend as JsonObject, namespace)) continue;
    backends.resolve({ name: textAt(backend, 'name'), port: numberAt(backend, 'port'), path: at, key: 'name' });
  }
}
