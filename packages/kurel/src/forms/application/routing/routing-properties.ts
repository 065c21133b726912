import { scope } from '../catalog/fields.ts';
import { annotations as anyAnnotations } from '../documents/field.ts';
import type { Field, Fields } from '../documents/field.ts';

const labels = {
  type: 'object',
  description: 'Labels that the pods must have.',
  required: true,
  open: { type: 'string', format: 'label-value' },
  keys: 'label-key',
} as const satisfies Field;

const portNumber = {
  type: 'integer',
  description: 'Port of the Service.',
  minimum: 1,
  maximum: 65_535,
  insteadOfText: 'use "portName" for the name of a port',
} as const satisfies Field;

export const backendPort = {
  ...portNumber,
  description: `${portNumber.description} Required unless it is the Service of the component.`,
} as const satisfies Field;

export const backendPortName = {
  type: 'string',
  description: 'Name of the port of the Service, instead of its number.',
  format: 'port-name',
} as const satisfies Field;

export const backendSelector = {
  type: 'object',
  description:
    'Pods of a Service that is not part of the application, for network policies. They must listen on the port of the Service.',
  properties: { matchLabels: labels },
} as const satisfies Field;

export const host = {
  type: 'string',
  description: 'Host of the requests. *.example.com matches names with one additional label.',
  format: 'host',
} as const satisfies Field;

/** Paths of a host in the form of an Ingress. */
export const paths = {
  type: 'array',
  description: 'Paths of the host and their backends.',
  minItems: 1,
  items: {
    type: 'object',
    description: 'A path and its backend.',
    properties: {
      path: { type: 'string', description: 'Path of the request.', format: 'absolute-path', default: '/' },
      pathType: {
        type: 'string',
        description: 'How the path is matched. Prefix matches the path and everything below it, Exact only the path.',
        enum: ['Prefix', 'Exact', 'ImplementationSpecific'],
        default: 'Prefix',
      },
      backend: {
        type: 'string',
        description: 'Name of the Service. Defaults to that of the component.',
        format: 'dns-label',
      },
      port: backendPort,
      portName: backendPortName,
      backendSelector,
    },
  },
} as const satisfies Field;

export const tls = {
  type: 'array',
  description: 'Secrets with certificates, and the hosts they are for.',
  kubernetes: ['networking.k8s.io/v1', 'Ingress', 'spec', 'tls'],
} as const satisfies Field;

export const ingressClassName = {
  type: 'string',
  description: 'Name of the IngressClass. "" selects the default of the cluster.',
  format: 'ingress-class',
} as const satisfies Field;

/** Properties of all traits that route traffic. */
export const routingProperties = {
  name: {
    type: 'string',
    description:
      'Name of the object. Defaults to the name of the component, the kind and the scope, joined by hyphens.',
    format: 'dns-subdomain',
  },
  scope: { ...scope, description: `${scope.description} Also part of the default name.` },
  annotations: { ...anyAnnotations, description: 'Annotations of the object.', open: { type: 'scalar' } },
  servicePort: {
    ...portNumber,
    description:
      'Port of the Service that requests go to by default. Required for a component that does not create a Service.',
  },
  portName: {
    type: 'string',
    description:
      'Name of the port of the component that requests go to by default. Defaults to the first of its ports.',
    format: 'port-name',
  },
  serviceName: {
    type: 'string',
    description:
      'Name of the Service, for a component that does not create one. Defaults to the name of the component.',
    format: 'dns-label',
  },
} as const satisfies Fields;

export const networkPolicy = {
  type: 'object',
  description: 'Creates network policies that allow the routed traffic.',
  reserved: true,
  properties: {
    trafficSources: {
      type: 'array',
      description: 'Sources of the traffic. An empty list creates no policies.',
      required: true,
      items: {
        type: 'object',
        description: 'Pods that send traffic.',
        properties: {
          namespace: { type: 'string', description: 'Namespace of the pods.', required: true, format: 'dns-label' },
          podSelector: {
            type: 'object',
            description: 'Pods of the namespace. Defaults to all.',
            properties: { matchLabels: labels },
          },
        },
      },
    },
  },
} as const satisfies Field;

export const allowedHostnameWildcard = {
  type: 'string',
  description: 'Hosts that applications may use. *.example.com allows names with one additional label.',
  format: 'host',
  reserved: true,
} as const satisfies Field;
