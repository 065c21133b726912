import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../../../test/property-runs.ts';
import { listAt, mappingAt, numberAt, textAt } from '../../../kube/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../model/index.ts';
import { createCatalog } from '../catalog/catalog.ts';
import { composeApplication } from '../compose/compose-application.ts';
import type { LocatedData } from '../../../documents/index.ts';

const platforms = {
  ingress: { controllerType: 'ingress', ingressClassName: 'nginx' },
  gateway: { controllerType: 'gateway', gatewayName: 'public' },
};

interface Composed {
  readonly objects: readonly KubeObject[];
  readonly codes: readonly string[];
}

/** The routes of an application with these expose properties; none after an error. */
function compose(expose: JsonObject, platform: keyof typeof platforms): Composed {
  const apiVersion = 'launcher.gokure.dev/v1alpha1';
  const component = {
    name: 'web',
    type: 'webservice',
    properties: { image: 'web:1', port: 8080 },
    traits: [{ type: 'expose', properties: expose }],
  };
  const codes: string[] = [];
  const composition = composeApplication({
    application: at({ apiVersion, kind: 'Application', metadata: { name: 'shop' }, spec: { components: [component] } }),
    profile: at({
      apiVersion,
      kind: 'ClusterProfile',
      metadata: { name: 'production' },
      spec: { capabilities: { expose: { rendering: platforms[platform] } } },
    }),
    catalog: createCatalog(),
    report: ({ code, severity }) => severity === 'error' && codes.push(code),
  });
  const kinds = new Set(['Ingress', 'HTTPRoute']);
  const made = codes.length === 0 ? (composition?.objects ?? []) : [];
  const objects = made.map(({ object }) => object).filter(({ kind }) => kinds.has(kind));
  return { objects, codes };
}

function at(data: Json): LocatedData {
  return { data, locate: (path) => ({ file: 'file.yaml', path }) };
}

interface Request {
  readonly host: string;
  readonly path: string;
}

/** The Service and port that receive a request, if any. */
type Answer = string | undefined;

// Ingress semantics: an exact path before the longest prefix, prefixes by the parts between slashes, and one
// label for a wildcard.
function askIngress(objects: readonly KubeObject[], { host, path }: Request): Answer {
  const rules = objects.flatMap((object) => listAt(mappingAt(object, 'spec'), 'rules'));
  const isHost = (name: string): boolean =>
    name.startsWith('*.') ? host.split('.').slice(1).join('.') === name.slice(2) : name === host;
  const paths = rules
    .filter((rule) => isHost(textAt(rule, 'host')!))
    .flatMap((rule) => listAt(mappingAt(rule, 'http'), 'paths'));
  return best(
    paths.map((one) => {
      const service = mappingAt(mappingAt(one, 'backend'), 'service');
      const answer = `${textAt(service, 'name')}:${numberAt(mappingAt(service, 'port'), 'number')}`;
      return { path: textAt(one, 'path')!, isExact: textAt(one, 'pathType') === 'Exact', answer };
    }),
    path,
  );
}

// HTTPRoute semantics: the same for paths, and any number of labels for a wildcard.
function askRoutes(objects: readonly KubeObject[], { host, path }: Request): Answer {
  const isHost = (name: Json): boolean =>
    typeof name === 'string' && (name.startsWith('*.') ? host.endsWith(name.slice(1)) : name === host);
  const specs = objects.map((object) => mappingAt(object, 'spec'));
  const rules = specs
    .filter((spec) => listAt(spec, 'hostnames').length === 0 || listAt(spec, 'hostnames').some(isHost))
    .flatMap((spec) => listAt(spec, 'rules'));
  return best(
    rules.flatMap((rule) => {
      const [backend] = listAt(rule, 'backendRefs');
      const answer = `${textAt(backend, 'name')}:${numberAt(backend, 'port')}`;
      const matches = listAt(rule, 'matches');
      return (matches.length === 0 ? [{}] : matches).map((match) => {
        const asked = mappingAt(match, 'path');
        return { path: textAt(asked, 'value') ?? '/', isExact: textAt(asked, 'type') === 'Exact', answer };
      });
    }),
    path,
  );
}

interface Candidate {
  readonly path: string;
  readonly isExact: boolean;
  readonly answer: string;
}

function best(candidates: readonly Candidate[], path: string): Answer {
  const parts = (text: string): readonly string[] => text.split('/').filter((part) => part !== '');
  const isBelow = (prefix: string): boolean => parts(prefix).every((part, index) => part === parts(path)[index]);
  const fitting = candidates.filter((one) => (one.isExact ? one.path === path : isBelow(one.path)));
  const rank = (one: Candidate): number => (one.isExact ? Number.POSITIVE_INFINITY : parts(one.path).length);
  return fitting.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))[0]?.answer;
}

const hosts = ['a.example.com', 'b.example.com', 'a.b.example.com', 'example.com', '*.example.com'];
const paths = ['/', '/a', '/a/', '/a/b', '/ab', '/a/b/', '/b'];
const backends: readonly JsonObject[] = [
  {},
  { port: 8080 },
  { backend: 'api', port: 90 },
  { backend: 'api', port: 91 },
];

const host = fc.constantFrom(...hosts.slice(0, 3), ...hosts);
const pathItem = fc
  .record(
    {
      path: fc.constantFrom(...paths),
      pathType: fc.constantFrom('Prefix', 'Prefix', 'Exact'),
      backend: fc.constantFrom(...backends),
    },
    { requiredKeys: ['path', 'backend'] },
  )
  .map(({ backend, ...rest }): JsonObject => Object.assign(rest, backend));
const rule = fc
  .record({ host, paths: fc.array(pathItem, { minLength: 1, maxLength: 3 }) }, { requiredKeys: [] })
  .map((one): JsonObject => one);
const portable = fc
  .record(
    { rules: fc.array(rule, { minLength: 1, maxLength: 3 }), hostnames: fc.array(host, { maxLength: 2 }) },
    { requiredKeys: [] },
  )
  .map((one): JsonObject => one);

const match = fc
  .record(
    { value: fc.constantFrom(...paths), type: fc.constantFrom('PathPrefix', 'Exact') },
    { requiredKeys: ['value'] },
  )
  .map((path): JsonObject => ({ path }));
const matchesRule = fc
  .record(
    {
      matches: fc.array(match, { minLength: 1, maxLength: 2 }),
      backendRefs: fc.constantFrom<JsonObject[]>([{ name: 'api', port: 90 }], [{ port: 8080 }]),
    },
    { requiredKeys: [] },
  )
  .map((one): JsonObject => one);
const asGateway = fc.record({
  rules: fc.array(matchesRule, { minLength: 1, maxLength: 3 }),
  hostnames: fc.array(host, { minLength: 1, maxLength: 2 }),
});

const requests: readonly Request[] = [...hosts.slice(0, 4), 'c.example.com', 'c.a.example.com', 'example.org'].flatMap(
  (name) => [...paths, '/a/b/c', '/abc', '/a/bc', '/c', '/b/'].map((path) => ({ host: name, path })),
);

describe('expose', () => {
  it.each([
    ['hosts and paths', portable],
    ['matches', asGateway],
  ])('routes each request to the same backend on both platforms, or fails: %s', (_, arbitrary) => {
    let [compared, refused] = [0, 0];
    fc.assert(
      fc.property(arbitrary, (expose: JsonObject) => {
        const ingress = compose(expose, 'ingress');
        const gateway = compose(expose, 'gateway');
        if (ingress.codes.length > 0 || gateway.codes.length > 0) {
          refused += 1;
          return;
        }
        compared += 1;
        for (const request of requests) {
          expect(askRoutes(gateway.objects, request), JSON.stringify(request)).toBe(
            askIngress(ingress.objects, request),
          );
        }
      }),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(propertyRuns(300) / 10);
    expect(refused).toBeGreaterThan(propertyRuns(300) / 10);
  });

  it('routes no request to a backend that its rules do not name', () => {
    fc.assert(
      fc.property(portable, (expose) => {
        const { objects } = compose(expose, 'gateway');
        const named = new Set(
          [...listAt(expose, 'hostnames'), ...listAt(expose, 'rules').map((one) => textAt(one, 'host') ?? null)].filter(
            (one) => one !== null,
          ),
        );
        for (const request of requests) {
          if (!named.has(request.host)) expect(askRoutes(objects, request), JSON.stringify(request)).toBeUndefined();
        }
      }),
      { numRuns: 200 },
    );
  });
});
