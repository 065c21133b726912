import type { JsonObject, KubeObject } from '../../../model/index.ts';

interface ServiceOptions {
  readonly name: string;
  /** The component whose pods it reaches. */
  readonly component: string;
  readonly port: { readonly name: string; readonly number: number } | undefined;
  /** Each pod has an address of its own, and the Service has none. */
  readonly isHeadless?: boolean;
}

export function createService({ name, component, port, isHeadless = false }: ServiceOptions): KubeObject {
  const kind = isHeadless ? { clusterIP: 'None' } : { type: 'ClusterIP' };
  const ports =
    port === undefined
      ? {}
      : { ports: [{ name: port.name, port: port.number, targetPort: port.number, protocol: 'TCP' }] };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: { app: component } },
    spec: { ...kind, selector: { app: component }, ...ports },
  };
}

/** The ports of the main container, which has one or none. */
export function createPorts(name: string, port: number | undefined): readonly JsonObject[] {
  return port === undefined ? [] : [{ name, containerPort: port, protocol: 'TCP' }];
}
