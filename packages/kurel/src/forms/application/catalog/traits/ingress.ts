import type { JsonObject, KubeObject, Path } from '../../../../model/index.ts';
import { checkHosts, checkPaths, nameRoute } from '../../routing/host-routes.ts';
import { createBackends } from '../../routing/create-backends.ts';
import { routingProblems } from '../../routing/problems.ts';
import { aliases, inspectAnnotations } from '../../routing/reserved-annotations.ts';
import {
  allowedHostnameWildcard,
  host,
  ingressClassName,
  networkPolicy,
  paths,
  routingProperties,
  tls,
} from '../../routing/routing-properties.ts';
import { defineTrait } from '../define.ts';
import type { PropertiesOf } from '../define.ts';
import { defined, filled } from '../present-fields.ts';

const properties = {
  rules: {
    type: 'array',
    description: 'Hosts, their paths and backends.',
    required: true,
    minItems: 1,
    items: {
      type: 'object',
      description: 'A host and its paths.',
      properties: { host: { ...host, required: true }, paths: { ...paths, required: true } },
    },
  },
  ingressClassName,
  tls,
  ...routingProperties,
  allowedHostnameWildcard,
  networkPolicy,
} as const;

type HostPath = PropertiesOf<typeof properties>['rules'][number]['paths'][number];

export const ingress = defineTrait({
  type: 'ingress',
  summary: 'Kubernetes Ingress.',
  properties,
  problems: routingProblems,
  render({ component, properties: asked, serviceOf, report }) {
    const { rules, allowedHostnameWildcard: allowed } = asked;
    const hosts = rules.map((rule, index) => ({ host: rule.host, at: ['rules', index, 'host'] }));
    checkHosts(hosts, { allowed, report });
    const ofHosts = rules.flatMap((rule, index) =>
      rule.paths.map((path, position) => ({ ...path, host: rule.host, at: ['rules', index, 'paths', position] })),
    );
    checkPaths(ofHosts, report);
    const backends = createBackends({ component, properties: asked, serviceOf, report });
    const { name: app } = component;
    const ingress: KubeObject = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: defined({
        name: nameRoute({ ...asked, component: app, kind: 'ingress' }),
        labels: { app },
        annotations: asked.annotations,
      }),
      spec: defined({
        ingressClassName: asked.ingressClassName === '' ? undefined : asked.ingressClassName,
        tls: filled(asked.tls),
        rules: rules.map((rule, index) => ({
          host: rule.host,
          http: { paths: rule.paths.map((path, position) => createPath(path, ['rules', index, 'paths', position])) },
        })),
      }),
    };
    return {
      objects: [ingress],
      routes: backends.listRoutes(),
      inspectOwn: inspectAnnotations(allowed === undefined ? [] : aliases),
    };

    function createPath(ofHost: HostPath, at: Path): JsonObject {
      const { path, pathType, backend: name, port, portName, backendSelector: selector } = ofHost;
      const resolved = backends.resolve({ name, port, portName, selector, path: at, key: 'backend' });
      const number = typeof resolved.port === 'string' ? { name: resolved.port } : { number: resolved.port };
      return { path, pathType, backend: { service: { name: resolved.service, port: defined(number) } } };
    }
  },
});
