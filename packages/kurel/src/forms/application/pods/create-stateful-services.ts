import type { ComponentInput, ComponentResult } from '../catalog/define.ts';
import { checkHeadlessPorts } from './check-service.ts';
import { checkServiceName } from './check-shared.ts';
import { createService, createServices, describeService } from './create-service.ts';
import { namesOf } from './names.ts';
import type { WorkloadPort } from './port-properties.ts';
import { serviceProblems } from './service-properties.ts';
import type { AskedHeadless, ServiceProperties } from './service-properties.ts';

type StatefulProperties = ServiceProperties & {
  readonly headlessService?: AskedHeadless | undefined;
  readonly serviceName?: string | undefined;
};

interface StatefulOptions {
  /** Name of the headless Service. */
  readonly serviceName: string;
  readonly ports: readonly WorkloadPort[];
}

type StatefulServices = Pick<ComponentResult, 'objects' | 'service' | 'serviceAdvice' | 'otherServices'>;

/** The headless Service with the DNS names of the pods, and the Service with a cluster IP if the component has one. */
export function createStatefulServices(
  input: ComponentInput<StatefulProperties>,
  { serviceName, ports }: StatefulOptions,
): StatefulServices {
  const { properties, report } = input;
  const names = namesOf(input);
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
  const served = ports.filter(({ isServed }) => isServed);
  const direct = isAlone ? served.map(withoutNodePort) : listContainerPorts(served);
  // Even without a port, the Service provides the DNS names of the pods.
  const headless = createService({
    name: serviceName,
    names,
    ports: direct,
    asked: properties.headlessService,
    isHeadless: true,
  });
  const described = describeService(serviceName, direct);
  return {
    objects: [headless, ...objects],
    service: service ?? described,
    serviceAdvice,
    otherServices: isAlone ? [] : [described],
  };
}

/** Node ports belong to the other Service. */
function withoutNodePort(port: WorkloadPort): WorkloadPort {
  return { ...port, nodePort: undefined };
}

/** Clients of the headless Service connect to the pods, so it has each container port once. */
function listContainerPorts(ports: readonly WorkloadPort[]): readonly WorkloadPort[] {
  const own = new Map<string, WorkloadPort>();
  for (const port of ports) {
    const key = `${port.containerPort}/${port.protocol}`;
    if (!own.has(key)) own.set(key, Object.assign(withoutNodePort(port), { servicePort: port.containerPort }));
  }
  return [...own.values()];
}
