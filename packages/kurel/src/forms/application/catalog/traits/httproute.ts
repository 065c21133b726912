import { quote } from '../../../../diagnostics/index.ts';
import { has, mappingAt, numberAt, textAt } from '../../../../kube/index.ts';
import type { Json, JsonObject, KubeObject, Path } from '../../../../model/index.ts';
import { createBackends } from '../../routing/create-backends.ts';
import type { Backends } from '../../routing/create-backends.ts';
import { nameRoute } from '../../routing/host-routes.ts';
import {
  checkFilters,
  createMatches,
  createTimeouts,
  hasRedirect,
  httprouteProblems,
} from '../../routing/http-rules.ts';
import { routingProblems } from '../../routing/problems.ts';
import {
  mostHosts,
  networkPolicy,
  parentRefs,
  routeRule,
  routingProperties,
} from '../../routing/routing-properties.ts';
import { defineTrait } from '../define.ts';
import type { PropertiesOf, ReportAt } from '../define.ts';
import { defined, filled } from '../present-fields.ts';
import { textField } from '../fields.ts';

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
  gatewayName: textField(
    'dns-subdomain',
    'Name of the Gateway, if "parentRefs" is not set. The platform can set the default.',
  ),
  gatewayNamespace: textField('dns-label', 'Namespace of the Gateway. Defaults to gateway-system.'),
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
        rules: createRules(asked.rules, { namespace, backends, report }),
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

function createRules(rules: readonly Rule[], rendering: Rendering): readonly JsonObject[] {
  const { backends, report } = rendering;
  return rules.map((rule, index) => {
    const { name, matches, filters = [], timeouts, retry } = rule;
    const path = ['rules', index];
    readFilters(filters, [...path, 'filters'], matches);
    return defined({
      name,
      matches: filled(createMatches(matches ?? [], [...path, 'matches'], report)),
      filters: filled(filters),
      backendRefs: createBackendRefs(rule, path),
      timeouts: timeouts === undefined ? undefined : createTimeouts(timeouts, [...path, 'timeouts'], report),
      retry,
    });
  });

  /** A rule without backends routes to the component, unless it redirects all requests. */
  function createBackendRefs({ backendRefs, filters = [], matches }: Rule, path: Path): readonly Json[] | undefined {
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
      readFilters(backend.filters ?? [], [...at, 'filters'], matches);
      return createBackendRef(backend, at);
    });
  }

  function createBackendRef(backend: BackendRef, path: Path): JsonObject {
    const { group, kind, name, namespace, port, portName, weight, filters, backendSelector: selector } = backend;
    if (!isServiceOf(backend, rendering.namespace)) {
      checkOtherBackend(backend, path, rendering);
      return defined({ group, kind, name, namespace, port, weight, filters });
    }
    const { service, number } = backends.resolve({ name, port, portName, selector, path, key: 'name' });
    return defined({ group, kind, name: service, namespace, port: number, weight, filters });
  }

  /** Filters can also send requests to Services. */
  function readFilters(filters: readonly Json[], path: Path, matches: Rule['matches'] | undefined): void {
    checkFilters(filters, { path, matches, report });
    for (const [index, filter] of filters.entries()) {
      for (const block of ['requestMirror', 'externalAuth']) {
        const backend = mappingAt(mappingAt(filter, block), 'backendRef') ?? {};
        const name = textAt(backend, 'name');
        if (!has(backend, 'name') || !isServiceOf(backend, rendering.namespace)) continue;
        const at = [...path, index, block, 'backendRef'];
        backends.resolve({ name, port: numberAt(backend, 'port'), path: at, key: 'name' });
      }
    }
  }
}

/** Nothing is known about a backend of another kind or namespace. */
function checkOtherBackend(backend: BackendRef, path: Path, { namespace, report }: Rendering): void {
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
