import type { JsonObject, KubeObject } from '../../../model/index.ts';
import type { TraitInput } from '../catalog/define.ts';
import { defined, filled } from '../catalog/present-fields.ts';
import type { ValueOf } from '../../../documents/index.ts';
import { createBackends } from './create-backends.ts';
import { checkPaths, nameRoute } from './host-routes.ts';
import type { HostPath, HostRoute, RouteObject } from './host-routes.ts';
import type { RouteProperties, tls } from './routing-properties.ts';

interface IngressProperties extends Omit<RouteProperties, 'annotations'> {
  readonly annotations: JsonObject;
  readonly ingressClassName?: string;
  readonly tls?: ValueOf<typeof tls> | undefined;
}

type Input = Pick<TraitInput<IngressProperties>, 'component' | 'properties' | 'serviceOf' | 'report'>;

/** An Ingress for hosts that were already checked. Findings about paths and backends are located by the routes. */
export function createIngress(routes: readonly HostRoute[], input: Input): RouteObject {
  const { component, properties, report } = input;
  checkPaths(routes, report);
  const backends = createBackends(input);
  const { name: app } = component;
  const ingress: KubeObject = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: defined({
      name: nameRoute({ component: app, kind: 'ingress', name: properties.name, scope: properties.scope }),
      labels: { app },
      annotations: properties.annotations,
    }),
    spec: defined({
      ingressClassName: properties.ingressClassName === '' ? undefined : properties.ingressClassName,
      tls: filled(properties.tls),
      rules: routes.map(({ host, paths }) => ({ host, http: { paths: paths.map(createPath) } })),
    }),
  };
  return { object: ingress, traffic: backends.listRoutes() };

  function createPath({
    path,
    pathType,
    backend: name,
    port,
    portName,
    backendSelector,
    backendAt,
  }: HostPath): JsonObject {
    const resolved = backends.resolve({ name, port, portName, selector: backendSelector, ...backendAt });
    const number = typeof resolved.port === 'string' ? { name: resolved.port } : { number: resolved.port };
    return { path, pathType, backend: { service: { name: resolved.service, port: defined(number) } } };
  }
}
