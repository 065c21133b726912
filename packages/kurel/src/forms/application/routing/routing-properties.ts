import { scope } from '../catalog/scope.ts';
import { annotations as anyAnnotations } from '../documents/field.ts';
import type { Field, Fields } from '../documents/field.ts';

const labels = {
  type: 'object',
  description: 'labels, all of which the pods have',
  required: true,
  open: { type: 'string', format: 'label-value' },
  keys: 'label-key',
} as const satisfies Field;

export const portNumber = {
  type: 'integer',
  description: 'port of the Service',
  minimum: 1,
  maximum: 65_535,
} as const satisfies Field;

export const backendSelector = {
  type: 'object',
  description:
    'labels of the pods behind a Service that no component has, when the platform wants network policies; they listen on the same port',
  properties: { matchLabels: labels },
} as const satisfies Field;

export const host = {
  type: 'string',
  description: 'host that requests are for; *.example.com is any name with one more label',
  format: 'host',
} as const satisfies Field;

/** Paths of one host, as an Ingress has them. */
export const paths = {
  type: 'array',
  description: 'paths of the host and where their requests go',
  minItems: 1,
  items: {
    type: 'object',
    description: 'a path and where its requests go',
    properties: {
      path: { type: 'string', description: 'path of the request', format: 'absolute-path', default: '/' },
      pathType: {
        type: 'string',
        description: 'whether the path and everything below it is meant, or the path alone',
        enum: ['Prefix', 'Exact', 'ImplementationSpecific'],
        default: 'Prefix',
      },
      backend: {
        type: 'string',
        description: 'Service that requests go to; that of the component unless given',
        format: 'dns-label',
      },
      port: {
        ...portNumber,
        description: 'port of the Service; only another Service than that of the component needs one',
      },
      portName: { type: 'string', description: 'port of the Service by its name', format: 'port-name' },
      backendSelector,
    },
  },
} as const satisfies Field;

export const tls = {
  type: 'array',
  description: 'Secrets with certificates, and the hosts they are for, as an Ingress has them',
  kubernetes: ['networking.k8s.io/v1', 'Ingress', 'spec', 'tls'],
} as const satisfies Field;

export const ingressClassName = {
  type: 'string',
  description: 'IngressClass; that of the cluster when it is ""',
  format: 'ingress-class',
} as const satisfies Field;

/** What every trait has that routes traffic. */
export const routingProperties = {
  name: {
    type: 'string',
    description: 'name of the object; made of the name of the component and the scope unless given',
    format: 'dns-subdomain',
  },
  scope: { ...scope, description: `${scope.description}; a part of the name` },
  annotations: { ...anyAnnotations, description: 'annotations of the object', open: { type: 'scalar' } },
  servicePort: {
    ...portNumber,
    description: 'port of the Service of a component that makes none itself',
  },
  serviceName: {
    type: 'string',
    description: 'name of that Service, when it is not that of the component',
    format: 'dns-label',
  },
} as const satisfies Fields;

/** Where the platform's traffic comes from. */
export const networkPolicy = {
  type: 'object',
  description: 'makes network policies that let traffic in to the pods it is routed to',
  reserved: true,
  properties: {
    trafficSources: {
      type: 'array',
      description: 'where traffic comes from; none when the list is empty',
      required: true,
      items: {
        type: 'object',
        description: 'pods that traffic comes from',
        properties: {
          namespace: { type: 'string', description: 'namespace of the pods', required: true, format: 'dns-label' },
          podSelector: {
            type: 'object',
            description: 'which pods of the namespace; all unless given',
            properties: { matchLabels: labels },
          },
        },
      },
    },
  },
} as const satisfies Field;

export const allowedHostnameWildcard = {
  type: 'string',
  description: 'hosts that applications may have: *.example.com is any name with one more label, else that name alone',
  format: 'host',
  reserved: true,
} as const satisfies Field;
