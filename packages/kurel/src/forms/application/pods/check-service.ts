import { quote } from '../../../diagnostics/index.ts';
import type { Path } from '../../../model/index.ts';
import type { ComponentInput } from '../catalog/define.ts';
import { checkServiceName } from './check-shared.ts';
import { keysOfServices } from './port-properties.ts';
import type { WorkloadPort } from './port-properties.ts';
import { serviceProblems } from './service-properties.ts';
import type { AskedService, ServiceProperties } from './service-properties.ts';

interface Checked {
  readonly ports: readonly WorkloadPort[];
  readonly isWanted: boolean;
  /** Whether the component has a Service if it does not have the property "service". */
  readonly isUsual: boolean;
  /** Whether the component has another Service in any case. */
  readonly hasOther: boolean;
}

/** Finds contradictions between the properties of a Service and of its ports. */
export function checkService(input: ComponentInput<ServiceProperties>, checked: Checked): void {
  const { ports, isWanted, isUsual, hasOther } = checked;
  const { name: component, properties, report } = input;
  const { service: asked } = properties;
  if (!isWanted) {
    // With enabled: false, the ports are those of a Service that is only disabled.
    if (asked !== undefined) return;
    if (hasOther) checkNodePorts(properties, {}, report);
    else if (!isUsual) checkUnusedPorts(input);
    return;
  }
  if (asked?.name === undefined) checkServiceName(input);
  if (asked === undefined) {
    checkNodePorts(properties, {}, report);
    return;
  }
  if (!ports.some(({ isServed }) => isServed) && asked.headless !== true) {
    const key = isUsual || hasOther ? 'add "port" or "ports"' : 'add "ports"';
    const first = ports.length === 0 ? key : 'remove service: false from a port';
    const advice = `${first}, or remove "service"`;
    report(serviceProblems.create('service-without-ports', { component, advice }), ['service'], 'key');
  }
  checkType(asked, report);
  checkNodePorts(properties, asked, report);
  if (asked.headless !== true) return;
  checkHeadless(asked, report);
  checkHeadlessPorts(ports, report);
}

type ReportAt = ComponentInput<unknown>['report'];

function checkUnusedPorts({ name: component, properties, report }: ComponentInput<ServiceProperties>): void {
  for (const [index, port] of (properties.ports ?? []).entries()) {
    // Their properties are reported with the ports.
    if (!port.service) continue;
    for (const key of keysOfServices.filter((one) => port[one] !== undefined)) {
      const diagnostic = serviceProblems.create('service-port-unused', { key, name: port.name, component });
      report(diagnostic, ['ports', index, key], 'key');
    }
  }
}

const ofTypes = {
  loadBalancerClass: ['LoadBalancer'],
  loadBalancerSourceRanges: ['LoadBalancer'],
  allocateLoadBalancerNodePorts: ['LoadBalancer'],
  externalTrafficPolicy: ['NodePort', 'LoadBalancer'],
} as const;

function checkType(asked: AskedService, report: ReportAt): void {
  const { type = 'ClusterIP', sessionAffinity } = asked;
  for (const [key, types] of Object.entries(ofTypes)) {
    if (asked[key as keyof typeof ofTypes] === undefined || types.some((one) => one === type)) continue;
    refuseType({ key, types, type, path: ['service', key] }, report);
  }
  if (asked.sessionAffinityConfig === undefined || sessionAffinity === 'ClientIP') return;
  const reason = `requires "sessionAffinity" ClientIP, got ${sessionAffinity ?? 'none'}`;
  const args = { key: 'sessionAffinityConfig', reason, advice: 'set "sessionAffinity" to ClientIP, or remove it' };
  report(serviceProblems.create('service-conflict', args), ['service', 'sessionAffinityConfig'], 'key');
}

const withNodePorts = ['NodePort', 'LoadBalancer'];

function checkNodePorts(
  { ports = [] }: ServiceProperties,
  { type = 'ClusterIP' }: Partial<AskedService>,
  report: ReportAt,
): void {
  if (withNodePorts.includes(type)) return;
  for (const [index, { nodePort, service: isServed }] of ports.entries()) {
    if (nodePort === undefined || !isServed) continue;
    refuseType({ key: 'nodePort', types: withNodePorts, type, path: ['ports', index, 'nodePort'] }, report);
  }
}

interface WrongType {
  readonly key: string;
  readonly types: readonly string[];
  readonly type: string;
  readonly path: Path;
}

function refuseType({ key, types, type, path }: WrongType, report: ReportAt): void {
  const wanted = types.join(' or ');
  const reason = `requires "service.type" ${wanted}, got ${type}`;
  const args = { key, reason, advice: `set "service.type" to ${wanted}, or remove ${quote(key)}` };
  report(serviceProblems.create('service-conflict', args), path, 'key');
}

/** Settings of connections to a cluster IP, which a headless Service does not have. */
const ofClusterIps = ['sessionAffinity', 'internalTrafficPolicy', 'trafficDistribution'] as const;

function checkHeadless(asked: AskedService, report: ReportAt): void {
  const { type } = asked;
  if (type !== undefined && type !== 'ClusterIP') {
    const reason = `conflicts with "type" ${type}, which requires a cluster IP`;
    const args = { key: 'headless', reason, advice: 'remove "headless", or set "type" to ClusterIP' };
    report(serviceProblems.create('service-conflict', args), ['service', 'headless'], 'key');
  }
  for (const key of ofClusterIps.filter((one) => asked[one] !== undefined && asked[one] !== 'None')) {
    const args = { key, reason: 'has no effect on a headless Service', advice: 'remove it, or remove "headless"' };
    report(serviceProblems.create('service-conflict', args), ['service', key], 'key');
  }
}

/** Clients of a headless Service connect to the pods themselves. */
export function checkHeadlessPorts(ports: readonly WorkloadPort[], report: ReportAt): void {
  for (const [index, { name, servicePort, containerPort, isServed }] of ports.entries()) {
    if (servicePort === containerPort || !isServed) continue;
    const diagnostic = serviceProblems.create('service-port-headless', { name, servicePort, containerPort });
    report(diagnostic, ['ports', index, 'servicePort']);
  }
}
