import type { JsonObject, KubeObject } from '../../../model/index.ts';
import type { ComponentInput, ComponentResult, ComponentService } from '../catalog/define.ts';
import { defined } from '../catalog/defined.ts';
import { checkService } from './check-service.ts';
import { namesOf } from './names.ts';
import type { NameProperties, WorkloadNames } from './names.ts';
import type { WorkloadPort } from './port-properties.ts';
import type { AskedHeadless, AskedService, ServiceProperties } from './service-properties.ts';

interface ServicesOptions {
  readonly ports: readonly WorkloadPort[];
  /** Whether the component has a Service if it does not have the property "service". */
  readonly isUsual: boolean;
  /** Whether the component has another Service in any case. */
  readonly hasOther?: boolean;
}

type Services = Pick<ComponentResult, 'objects' | 'service' | 'serviceAdvice'>;

/** The Service that clients use, and how traits refer to it. */
export function createServices(
  input: ComponentInput<ServiceProperties>,
  { ports, isUsual, hasOther = false }: ServicesOptions,
): Services {
  const { service: asked } = input.properties;
  const served = ports.filter(({ isServed }) => isServed);
  const isWanted = asked === undefined ? isUsual && served.length > 0 : asked.enabled;
  checkService(input, { ports, isWanted, isUsual, hasOther });
  const serviceAdvice = adviseService(asked, {
    isEnough: isUsual || hasOther,
    isUnserved: ports.length > served.length,
  });
  if (!isWanted) return { objects: [], serviceAdvice };
  const names = namesOf(input);
  const { name = names.object, headless = false } = asked ?? {};
  return {
    objects: [createService({ name, names, ports: served, asked, isHeadless: headless })],
    service: describeService(name, served),
    serviceAdvice,
  };
}

interface Advised {
  /** Whether the component has a Service as soon as it has a port. */
  readonly isEnough: boolean;
  /** Whether it has ports that its Service does not have. */
  readonly isUnserved: boolean;
}

/** What to do so that a component gets a Service with a port. */
function adviseService(asked: AskedService | undefined, { isEnough, isUnserved }: Advised): string {
  if (asked?.enabled === false) return 'remove enabled: false from "service" of the component';
  if (isUnserved && (isEnough || asked !== undefined)) return 'remove service: false from a port of the component';
  return isEnough ? 'set "port" on the component' : 'add "ports" and "service" to the component';
}

export function describeService(name: string, ports: readonly WorkloadPort[]): ComponentService {
  return {
    name,
    ports: ports.map(({ name: portName, servicePort, containerPort, protocol }) => ({
      name: portName,
      port: servicePort,
      containerPort,
      protocol,
    })),
  };
}

interface ServiceOptions {
  readonly name: string;
  readonly names: WorkloadNames;
  readonly ports: readonly WorkloadPort[];
  readonly asked: AskedService | AskedHeadless | undefined;
  /** The Service has no cluster IP; DNS resolves to the pods. */
  readonly isHeadless: boolean;
}

export function createService({ name, names, ports, asked, isHeadless }: ServiceOptions): KubeObject {
  const { labels, annotations, ...rest } = asked ?? {};
  const { enabled: _enabled, name: _name, headless: _headless, type = 'ClusterIP', ...fields } = rest as AskedService;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: defined({ name, labels: { ...names.labels, ...labels }, annotations }),
    spec: defined({
      ...(isHeadless ? { clusterIP: 'None' } : { type }),
      selector: { ...names.selector },
      ports: ports.length === 0 ? undefined : ports.map(createServicePort),
      ...fields,
    }),
  };
}

function createServicePort({
  name,
  servicePort,
  targetPort,
  protocol,
  appProtocol,
  nodePort,
}: WorkloadPort): JsonObject {
  return defined({ name, port: servicePort, targetPort, protocol, appProtocol, nodePort });
}

/** Each workload has its own ServiceAccount, without a token unless a trait grants it permissions. */
export function createServiceAccounts(input: ComponentInput<NameProperties>): readonly KubeObject[] {
  const { serviceAccountName, serviceAccount } = input.properties;
  const names = namesOf(input);
  if (serviceAccountName !== undefined || names.serviceAccount === undefined) return [];
  const account: KubeObject = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: defined({
      name: names.serviceAccount,
      labels: { ...names.labels, ...serviceAccount?.labels },
      annotations: serviceAccount?.annotations,
    }),
    automountServiceAccountToken: false,
  };
  return [account];
}
