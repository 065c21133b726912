import type { KubeObject, Path } from '../../../model/index.ts';
import { defined, filled } from '../catalog/present-fields.ts';
import type { ComponentInput, ComponentResult, ComponentService, ReportAt } from '../catalog/define.ts';
import { checkServiceName, namesOf } from './names.ts';
import type { NameProperties } from './names.ts';
import { keysOfServices } from './port-properties.ts';
import type { WorkloadPort } from './port-properties.ts';
import { serviceProblems } from './service-properties.ts';
import type { AskedHeadless, AskedService, ServiceProperties } from './service-properties.ts';

interface ServicesOptions {
  readonly ports: readonly WorkloadPort[];
  /** Whether the component has a Service if it does not have the property "service". */
  readonly isUsual: boolean;
  /** Whether the component has another Service in any case. */
  readonly hasOther?: boolean;
}

type ServiceInput = ComponentInput<ServiceProperties>;

/** The Service that clients use, and how traits refer to it. */
export function createServices(
  input: ServiceInput,
  options: ServicesOptions,
): Pick<ComponentResult, 'objects' | 'service' | 'serviceAdvice'> {
  const { service: asked } = input.properties;
  const { ports, isUsual } = options;
  const served = ports.filter(({ isServed }) => isServed);
  const isWanted = asked === undefined ? isUsual && served.length > 0 : asked.enabled;
  checkService(input, options, isWanted);
  const serviceAdvice = adviseService(asked, options);
  if (!isWanted) return { objects: [], serviceAdvice };
  const name = asked?.name ?? namesOf(input).object;
  return {
    objects: [createService(input, { name, ports: served }, asked)],
    service: describeService(name, served),
    serviceAdvice,
  };
}

function adviseService(asked: AskedService | undefined, { ports, isUsual, hasOther }: ServicesOptions): string {
  const isPortEnough = isUsual || hasOther === true;
  const isUnserved = ports.some(({ isServed }) => !isServed);
  if (asked?.enabled === false) return 'remove enabled: false from "service" of the component';
  if (isUnserved && (isPortEnough || asked !== undefined)) return 'remove service: false from a port of the component';
  return isPortEnough ? 'set "port" on the component' : 'add "ports" and "service" to the component';
}

function describeService(name: string, ports: readonly WorkloadPort[]): ComponentService {
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

function createService(
  input: ServiceInput,
  { name, ports }: { readonly name: string; readonly ports: readonly WorkloadPort[] },
  asked: Partial<AskedService> = {},
): KubeObject {
  const names = namesOf(input);
  const { labels, annotations, enabled: _, name: _name, headless = false, type = 'ClusterIP', ...fields } = asked;
  const servicePorts = ports.map(({ name: portName, servicePort, targetPort, protocol, appProtocol, nodePort }) =>
    defined({ name: portName, port: servicePort, targetPort, protocol, appProtocol, nodePort }),
  );
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: defined({ name, labels: { ...names.labels, ...labels }, annotations }),
    spec: defined({
      ...(headless ? { clusterIP: 'None' } : { type }),
      selector: { ...names.selector },
      ports: filled(servicePorts),
      ...fields,
    }),
  };
}

type StatefulProperties = ServiceProperties & {
  readonly headlessService?: AskedHeadless | undefined;
  readonly serviceName?: string | undefined;
};

/** The headless Service with the DNS names of the pods, and the Service with a cluster IP if the component has one. */
export function createStatefulServices(
  input: ComponentInput<StatefulProperties>,
  { serviceName, ports }: { readonly serviceName: string; readonly ports: readonly WorkloadPort[] },
): Pick<ComponentResult, 'objects' | 'service' | 'serviceAdvice' | 'otherServices'> {
  const { properties, report } = input;
  const { objects, service, serviceAdvice } = createServices(input, { ports, isUsual: false, hasOther: true });
  const isAlone = service === undefined;
  const isNamed = properties.serviceName !== undefined || (!isAlone && properties.service?.name === undefined);
  if (!isNamed) checkServiceName(input, 'rename the component, or set "serviceName"');
  if (isAlone) checkHeadlessPorts(ports, report);
  if (service?.name === serviceName) {
    const diagnostic = serviceProblems.create('service-name-twice', { name: serviceName });
    if (properties.service?.name === undefined) report(diagnostic, ['service'], 'key');
    else report(diagnostic, ['service', 'name']);
  }
  // Node ports belong to the other Service.
  const served = ports.flatMap((port) => (port.isServed ? [{ ...port, nodePort: undefined }] : []));
  const direct = isAlone ? served : listContainerPorts(served);
  // Even without a port, the Service provides the DNS names of the pods.
  const asked = { ...properties.headlessService, headless: true };
  const headless = createService(input, { name: serviceName, ports: direct }, asked);
  const described = describeService(serviceName, direct);
  return {
    objects: [headless, ...objects],
    service: service ?? described,
    serviceAdvice,
    otherServices: isAlone ? [] : [described],
  };
}

/** Clients of the headless Service connect to the pods, so it has each container port once. */
function listContainerPorts(ports: readonly WorkloadPort[]): readonly WorkloadPort[] {
  const own = new Map<string, WorkloadPort>();
  for (const port of ports) {
    const key = `${port.containerPort}/${port.protocol}`;
    if (!own.has(key)) own.set(key, { ...port, servicePort: port.containerPort });
  }
  return [...own.values()];
}

/** Finds contradictions between the properties of a Service and of its ports. */
function checkService(
  input: ServiceInput,
  { ports, isUsual, hasOther = false }: ServicesOptions,
  isWanted: boolean,
): void {
  const { name: component, properties, report } = input;
  const { service: asked } = properties;
  if (!isWanted) {
    // With enabled: false, the ports are those of a Service that is only disabled.
    if (asked !== undefined) return;
    if (hasOther) checkNodePorts(properties, report);
    else if (!isUsual) checkUnusedPorts(input);
    return;
  }
  if (asked?.name === undefined) checkServiceName(input);
  if (asked !== undefined && !ports.some(({ isServed }) => isServed) && asked.headless !== true) {
    const key = isUsual || hasOther ? 'add "port" or "ports"' : 'add "ports"';
    const first = ports.length === 0 ? key : 'remove service: false from a port';
    const advice = `${first}, or remove "service"`;
    report(serviceProblems.create('service-without-ports', { component, advice }), ['service'], 'key');
  }
  if (asked !== undefined) checkAffinity(asked, report);
  checkNodePorts(properties, report);
  if (asked?.headless !== true) return;
  checkHeadless(asked, report);
  checkHeadlessPorts(ports, report);
}

function checkUnusedPorts({ name: component, properties, report }: ServiceInput): void {
  for (const [index, port] of (properties.ports ?? []).entries()) {
    // Their properties are reported with the ports.
    if (!port.service) continue;
    for (const key of keysOfServices.filter((name) => port[name] !== undefined)) {
      const diagnostic = serviceProblems.create('service-port-unused', { key, name: port.name, component });
      report(diagnostic, ['ports', index, key], 'key');
    }
  }
}

type Conflict = Readonly<Record<'reason' | 'advice', string>>;

function reportConflict(path: Path, conflict: Conflict, report: ReportAt): void {
  report(serviceProblems.create('service-conflict', { key: String(path.at(-1)), ...conflict }), path, 'key');
}

/** The API server drops the settings of a session affinity that is not set. */
function checkAffinity({ sessionAffinity, sessionAffinityConfig }: AskedService, report: ReportAt): void {
  if (sessionAffinityConfig === undefined || sessionAffinity === 'ClientIP') return;
  const reason = `requires "sessionAffinity" ClientIP, got ${sessionAffinity ?? 'none'}`;
  const advice = 'set "sessionAffinity" to ClientIP, or remove it';
  reportConflict(['service', 'sessionAffinityConfig'], { reason, advice }, report);
}

function checkNodePorts({ ports = [], service }: ServiceProperties, report: ReportAt): void {
  const { type = 'ClusterIP' } = service ?? {};
  if (type !== 'ClusterIP') return;
  for (const [index, { nodePort, service: isServed }] of ports.entries()) {
    if (nodePort === undefined || !isServed) continue;
    const reason = `requires "service.type" NodePort or LoadBalancer, got ${type}`;
    const advice = 'set "service.type" to NodePort or LoadBalancer, or remove "nodePort"';
    reportConflict(['ports', index, 'nodePort'], { reason, advice }, report);
  }
}

/** Settings of connections to a cluster IP, which a headless Service does not have. */
const ofClusterIps = ['sessionAffinity', 'internalTrafficPolicy', 'trafficDistribution'] as const;

function checkHeadless(asked: AskedService, report: ReportAt): void {
  const { type = 'ClusterIP' } = asked;
  if (type !== 'ClusterIP') {
    const reason = `conflicts with "type" ${type}, which requires a cluster IP`;
    const advice = 'remove "headless", or set "type" to ClusterIP';
    reportConflict(['service', 'headless'], { reason, advice }, report);
  }
  const vain = { reason: 'has no effect on a headless Service', advice: 'remove it, or remove "headless"' };
  for (const key of ofClusterIps) {
    if (asked[key] !== undefined && asked[key] !== 'None') reportConflict(['service', key], vain, report);
  }
}

/** Clients of a headless Service connect to the pods themselves. */
function checkHeadlessPorts(ports: readonly WorkloadPort[], report: ReportAt): void {
  for (const [index, { name, servicePort, containerPort, isServed }] of ports.entries()) {
    if (servicePort === containerPort || !isServed) continue;
    const diagnostic = serviceProblems.create('service-port-headless', { name, servicePort, containerPort });
    report(diagnostic, ['ports', index, 'servicePort']);
  }
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
