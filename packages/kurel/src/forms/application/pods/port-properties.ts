import { defineProblems, quote } from '../../../diagnostics/index.ts';
import { has } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { ComponentInput, ReportAt } from '../catalog/define.ts';
import { defined } from '../catalog/present-fields.ts';
import type { Field, ValueOf } from '../../../documents/index.ts';
import { choiceField, flagField, textField } from '../../../documents/index.ts';

export const portProblems = defineProblems(() => ({
  'port-twice': {
    summary: 'Two ports of a component have the same port of the Service or of the host.',
    message: ({ what, name, other }: { what: string; name: string; other: string }) =>
      `duplicate ${what}: ports ${quote(other)} and ${quote(name)} both use it`,
    hint: ({ key }: { key: string }) => `set another ${quote(key)} in one of them`,
    fix: 'Set servicePort or hostPort of one of the ports to another number. A number can be used once per protocol.',
  },
  'port-without-service': {
    summary: 'A port that the Service does not have has a property of a Service.',
    message: ({ key, name }: { key: string; name: string }) =>
      `${quote(key)} of port ${quote(name)} conflicts with service: false`,
    hint: ({ key }: { key: string }) => `remove ${quote(key)}, or service: false`,
    fix: 'Remove servicePort, appProtocol and nodePort from the port, or remove service: false, so that the Service has the port.',
  },
}));

export const port = {
  type: 'integer',
  description: 'Port that the container listens on.',
  minimum: 1,
  maximum: 65_535,
} as const satisfies Field;

const numbers = 'use "port" for the port of the container, and "servicePort" for that of the Service';

export const ports = {
  type: 'array',
  description:
    'Ports of the container and of its Service, instead of "port". Traits use the first one of the Service by default.',
  minItems: 1,
  uniqueBy: 'name',
  items: {
    type: 'object',
    description: 'A port.',
    instead: {
      containerPort: 'use "port"',
      targetPort: numbers,
      number: numbers,
      hostIP: 'remove it; "hostPort" uses all addresses of the node',
    },
    properties: {
      name: {
        ...textField('port-name', 'Name of the port, which traits and probes can use instead of its number.'),
        required: true,
      },
      port: { ...port, required: true },
      servicePort: { ...port, description: 'Port of the Service. Defaults to "port".' },
      protocol: { ...choiceField(['TCP', 'UDP', 'SCTP'], 'Protocol.'), default: 'TCP' },
      appProtocol: textField('label-key', 'Application protocol of the Service port, such as kubernetes.io/h2c.'),
      hostPort: { ...port, description: 'Port of the node that leads to the container. A policy must allow it.' },
      nodePort: { ...port, description: 'Port of every node. Requires "service.type" NodePort or LoadBalancer.' },
      service: { ...flagField('Whether the Service has the port.'), default: true },
    },
  },
} as const satisfies Field;

export const portRelations: NonNullable<Field['relations']> = [
  { exclusive: ['port', 'ports'], hint: 'remove "port", and add it to "ports" with a name' },
];

type AskedPort = ValueOf<typeof ports>[number];

export interface PortProperties {
  readonly port?: number | undefined;
  readonly ports?: readonly AskedPort[] | undefined;
}

/** A port of the main container and of the Services of a component. */
export interface WorkloadPort {
  readonly name: string;
  readonly containerPort: number;
  readonly servicePort: number;
  readonly protocol: string;
  /** How Services refer to the container port. */
  readonly targetPort: number | string;
  readonly appProtocol?: string | undefined;
  readonly hostPort?: number | undefined;
  readonly nodePort?: number | undefined;
  /** Whether Services have the port. */
  readonly isServed: boolean;
}

/** The keys of a port that are fields of the Service. */
export const keysOfServices = ['servicePort', 'appProtocol', 'nodePort'] as const;

type PortInput = Pick<ComponentInput<PortProperties>, 'properties' | 'report'>;

/** The ports of a component; `usual` is the name of a port that is only a number. */
export function readPorts({ properties, report }: PortInput, usual: string): readonly WorkloadPort[] {
  const { port: number, ports: list } = properties;
  if (list === undefined) {
    if (number === undefined) return [];
    const [containerPort, servicePort, targetPort] = [number, number, number];
    return [{ name: usual, containerPort, servicePort, targetPort, protocol: 'TCP', isServed: true }];
  }
  checkPorts(list, report);
  return list.map(({ port: containerPort, servicePort = containerPort, service: isServed, ...rest }) => {
    // A container lists a port once, even if the Service has two ports for it.
    const first = list.find((entry) => entry.port === containerPort && entry.protocol === rest.protocol)!;
    return Object.assign(rest, { containerPort, servicePort, targetPort: first.name, isServed });
  });
}

function checkPorts(list: readonly AskedPort[], report: ReportAt): void {
  const seen = new Map<string, string>();
  for (const [index, { name, port: own, servicePort = own, hostPort, protocol, service: isServed }] of list.entries()) {
    const keys = keysOfServices.filter((key) => list[index]![key] !== undefined);
    const isGiven = keys.includes('servicePort');
    if (isServed)
      check(`port ${servicePort}/${protocol} of the Service`, 'servicePort', isGiven ? 'servicePort' : 'port');
    else
      for (const key of keys)
        report(portProblems.create('port-without-service', { key, name }), ['ports', index, key], 'key');
    if (hostPort !== undefined) check(`host port ${hostPort}/${protocol}`, 'hostPort', 'hostPort');

    function check(what: string, key: string, at: string): void {
      const other = seen.get(what);
      if (other === undefined) seen.set(what, name);
      else report(portProblems.create('port-twice', { what, name, other, key }), ['ports', index, at]);
    }
  }
}

export function createPorts(list: readonly WorkloadPort[]): readonly JsonObject[] {
  const byPort = new Map<string, JsonObject>();
  for (const { name, containerPort, hostPort, protocol } of list) {
    const key = `${containerPort}/${protocol}`;
    const first = byPort.get(key);
    const own = { name: first?.['name'] ?? name, containerPort, hostPort: first?.['hostPort'] ?? hostPort, protocol };
    byPort.set(key, defined(own));
  }
  return [...byPort.values()];
}

/** A port of a Kubernetes object with the default protocol. */
export function withProtocol(entry: Json): Json {
  return isJsonObject(entry) && !has(entry, 'protocol') ? { ...entry, protocol: 'TCP' } : entry;
}
