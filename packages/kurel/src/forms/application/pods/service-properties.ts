import { defineProblems, quote } from '../../../diagnostics/index.ts';
import {
  annotationMap,
  choiceField,
  flagField,
  kubernetesFields,
  labelMap,
  textField,
} from '../../../documents/index.ts';
import type { Field, ValueOf } from '../../../documents/index.ts';
import type { NameProperties } from './names.ts';
import type { PortProperties } from './port-properties.ts';

export const serviceProblems = defineProblems(() => ({
  'service-conflict': {
    summary: 'Two properties of a Service contradict each other.',
    message: ({ key, reason }: { key: string; reason: string }) => `${quote(key)} ${reason}`,
    hint: ({ advice }: { advice: string }) => advice,
    fix: 'Remove one of the two properties, or change service.type or service.headless as the hint says.',
  },
  'service-without-ports': {
    summary: 'A Service has no port.',
    message: ({ component }: { component: string }) =>
      `cannot create the Service of component ${quote(component)}: it has no port`,
    hint: ({ advice }: { advice: string }) => advice,
    fix: 'Add ports to the component, set service.headless to true, or remove service.',
  },
  'service-port-unused': {
    summary: 'A port has a property of a Service, but the component has no Service.',
    message: ({ key, name, component }: { key: string; name: string; component: string }) =>
      `${quote(key)} of port ${quote(name)} has no effect: component ${quote(component)} has no Service`,
    hint: ({ key }: { key: string }) => `remove ${quote(key)}, or add "service" to create a Service`,
    fix: 'Remove the property, or add service to the component, so that it gets a Service.',
  },
  'service-port-headless': {
    severity: 'warning',
    summary: 'A port of a headless Service has another number than the container port.',
    message: ({ name, servicePort, containerPort }: { name: string; servicePort: number; containerPort: number }) =>
      `"servicePort" ${servicePort} of port ${quote(name)} is not reachable through a headless Service: clients connect to the pods, which listen on ${containerPort}`,
    hint: () => 'remove "servicePort"',
    fix: 'Remove servicePort. A headless Service resolves to the addresses of the pods and does not forward ports.',
  },
  'service-name-twice': {
    summary: 'The Service and the headless Service of a statefulset have the same name.',
    message: ({ name }: { name: string }) =>
      `duplicate Service ${quote(name)}: the headless Service of the StatefulSet has the same name`,
    hint: ({ name }: { name: string }) =>
      `set "serviceName" of a new StatefulSet to ${name}-headless, or "service.name" to another name`,
    fix: 'Set service.name or serviceName to another name. serviceName of an existing StatefulSet cannot be changed.',
  },
}));

const metadata = {
  annotations: { ...annotationMap, description: 'Annotations of the Service.' },
  labels: { ...labelMap, description: 'Additional labels of the Service.' },
  publishNotReadyAddresses: flagField('Whether DNS and endpoints include pods that are not ready.'),
} as const;

const enabled = { ...flagField('Whether to create the Service.'), default: true } as const satisfies Field;

const byPatch = 'remove it; set it with a patch if you need it';

const insteadOfServiceFields = {
  port: 'use "port" of the component, or "servicePort" in "ports"',
  ports: 'use "ports" of the component',
  targetPort: 'use "ports" of the component, where each port has a "port" and a "servicePort"',
  nodePort: 'use "nodePort" in "ports" of the component',
  clusterIP: 'use headless: true for a Service without a cluster IP',
  selector: 'use "selectorLabels" of the component',
  create: 'use "enabled"',
  clusterIPs: byPatch,
  externalIPs: byPatch,
  healthCheckNodePort: byPatch,
  loadBalancerIP: 'use the annotations of your load balancer; Kubernetes deprecates this field',
  externalName: 'use a component of type passthrough for such a Service',
} as const;

const serviceSpec = ['v1', 'Service', 'spec'] as const;

const ofClients = {
  name: textField('dns-1035-label', 'Name of the Service. Defaults to that of the other objects.'),
  type: choiceField(['ClusterIP', 'NodePort', 'LoadBalancer'], 'Type of the Service. Defaults to ClusterIP.'),
  ...metadata,
  loadBalancerClass: textField('label-key', 'Implementation of the load balancer. Only for type LoadBalancer.'),
  ...kubernetesFields(serviceSpec, {
    loadBalancerSourceRanges: {
      type: 'array',
      description: 'Client addresses that the load balancer accepts. Only for type LoadBalancer.',
    },
  }),
  allocateLoadBalancerNodePorts: flagField('Whether a load balancer gets node ports. Only for type LoadBalancer.'),
  externalTrafficPolicy: choiceField(
    ['Cluster', 'Local'],
    'Whether external traffic goes to pods of all nodes. Only for types NodePort and LoadBalancer.',
  ),
  internalTrafficPolicy: choiceField(['Cluster', 'Local'], 'Whether internal traffic goes to pods of all nodes.'),
  ...kubernetesFields(serviceSpec, {
    trafficDistribution: { type: 'string', description: 'Preference for pods that are close to the client.' },
  }),
  sessionAffinity: choiceField(['None', 'ClientIP'], 'Whether connections of a client go to the same pod.'),
  ...kubernetesFields(serviceSpec, {
    sessionAffinityConfig: {
      type: 'object',
      description: 'Settings of the session affinity. Requires sessionAffinity ClientIP.',
    },
    ipFamilyPolicy: { type: 'string', description: 'Whether the Service uses IPv4, IPv6 or both.' },
    ipFamilies: { type: 'array', description: 'IP families of the Service.' },
  }),
} as const;

/** The Service that clients use. */
export const service = {
  type: 'object',
  group: 'Network',
  description: 'Service of the component.',
  instead: insteadOfServiceFields,
  properties: {
    enabled,
    ...ofClients,
    headless: {
      ...flagField('Whether the Service is headless: DNS resolves to the pods instead of a cluster IP.'),
      default: false,
    },
  },
} as const satisfies Field;

/** The same for components that always have a headless Service. */
export const serviceBesideHeadless = {
  type: 'object',
  group: 'Network',
  description:
    'Service with a cluster IP, in addition to the headless Service. "serviceName" or "name" must be set, so that their names differ.',
  instead: {
    ...insteadOfServiceFields,
    headless: 'use "headlessService" for the headless Service that the component always has',
    clusterIP: 'use "headlessService" for the headless Service that the component always has',
  },
  properties: { enabled, ...ofClients },
} as const satisfies Field;

export const headlessService = {
  type: 'object',
  group: 'Network',
  description: 'Headless Service of the StatefulSet.',
  instead: { name: 'use "serviceName"', ports: 'use "ports" of the component' },
  properties: metadata,
} as const satisfies Field;

export type AskedService = Omit<ValueOf<typeof service>, 'headless'> & { readonly headless?: boolean | undefined };
export type AskedHeadless = ValueOf<typeof headlessService>;

export type ServiceProperties = NameProperties & PortProperties & { readonly service?: AskedService | undefined };
