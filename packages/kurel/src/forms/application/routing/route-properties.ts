import type { Field, Fields } from '../documents/field.ts';
import { backendPort, backendPortName, backendSelector } from './routing-properties.ts';

// Gateway API fields are not described again: their content is checked against the Gateway API schema.

function ofRoute<const F extends Field>(field: F, ...path: string[]): F & RouteField {
  return { ...field, kubernetes: ['gateway.networking.k8s.io/v1', 'HTTPRoute', 'spec', ...path] };
}

type RouteField = { readonly kubernetes: NonNullable<Field['kubernetes']> };

/** The maximum number of hosts of an HTTPRoute. */
export const mostHosts = 16;

export const parentRefs = ofRoute(
  { type: 'array', description: 'Gateways that the route is attached to.' },
  'parentRefs',
);

const backendRefs = {
  type: 'array',
  description: 'Backends of the rule. Defaults to the Service of the component; an empty list means none.',
  items: {
    type: 'object',
    description: 'A backend.',
    properties: {
      name: {
        type: 'string',
        description: 'Name of the Service. Defaults to that of the component.',
        format: 'filled',
      },
      port: backendPort,
      portName: {
        ...backendPortName,
        description: `${backendPortName.description} The Service must be part of the application.`,
      },
      weight: {
        type: 'integer',
        description: 'Proportion of the requests, relative to the other backends.',
        minimum: 0,
        maximum: 1_000_000,
      },
      namespace: {
        type: 'string',
        description:
          'Namespace of the Service, which needs a ReferenceGrant. Defaults to the namespace of the application.',
        format: 'dns-label',
      },
      group: { type: 'string', description: 'API group of the backend, if it is not a Service.' },
      kind: { type: 'string', description: 'Kind of the backend, if it is not a Service.', format: 'filled' },
      filters: ofRoute(
        { type: 'array', description: 'Filters for requests to this backend.' },
        'rules',
        'backendRefs',
        'filters',
      ),
      backendSelector,
    },
  },
} as const satisfies Field;

/** A rule of an HTTPRoute. */
export const routeRule = {
  name: ofRoute({ type: 'string', description: 'Name of the rule.' }, 'rules', 'name'),
  matches: ofRoute(
    { type: 'array', description: 'Requests that the rule applies to. Defaults to all.' },
    'rules',
    'matches',
  ),
  filters: ofRoute({ type: 'array', description: 'Filters for requests.' }, 'rules', 'filters'),
  backendRefs,
  timeouts: {
    type: 'object',
    description: 'Timeouts. 0s disables a timeout.',
    properties: {
      request: { type: 'string', description: 'Timeout of the whole request.', format: 'duration' },
      backendRequest: { type: 'string', description: 'Timeout of a single request to a backend.', format: 'duration' },
    },
  },
  retry: ofRoute({ type: 'object', description: 'Retry settings.' }, 'rules', 'retry'),
} as const satisfies Fields;
