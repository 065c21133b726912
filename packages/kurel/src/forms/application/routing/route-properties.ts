import type { Field, Fields } from '../documents/field.ts';
import { backendSelector, portNumber } from './routing-properties.ts';

// What Gateway API knows of a route is not said again here: its own schema checks what is in these fields.

function ofRoute<const F extends Field>(field: F, ...path: string[]): F & RouteField {
  return { ...field, kubernetes: ['gateway.networking.k8s.io/v1', 'HTTPRoute', 'spec', ...path] };
}

type RouteField = { readonly kubernetes: NonNullable<Field['kubernetes']> };

/** As many hosts as an HTTPRoute can have. */
export const mostHosts = 16;

export const parentRefs = ofRoute(
  { type: 'array', description: 'Gateways that the route is of, as HTTPRoutes have them' },
  'parentRefs',
);

const backendRefs = {
  type: 'array',
  description: 'Services that requests go to; that of the component unless given, none when the list is empty',
  items: {
    type: 'object',
    description: 'a Service that requests go to',
    properties: {
      name: {
        type: 'string',
        description: 'name of the Service; that of the component unless given',
        format: 'filled',
      },
      port: {
        ...portNumber,
        description: 'port of the Service; only another Service than that of the component needs one',
      },
      weight: { type: 'integer', description: 'share of the requests', minimum: 0, maximum: 1_000_000 },
      namespace: {
        type: 'string',
        description: 'namespace of the Service, which must grant the reference; that of the application unless given',
        format: 'dns-label',
      },
      group: { type: 'string', description: 'API group of the backend, when it is no Service' },
      kind: { type: 'string', description: 'kind of the backend, when it is no Service', format: 'filled' },
      filters: ofRoute(
        { type: 'array', description: 'what is done to requests to this backend, as HTTPRoutes have it' },
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
  name: ofRoute({ type: 'string', description: 'name of the rule' }, 'rules', 'name'),
  matches: ofRoute(
    { type: 'array', description: 'requests that the rule is for, as HTTPRoutes have them; all unless given' },
    'rules',
    'matches',
  ),
  filters: ofRoute(
    { type: 'array', description: 'what is done to requests, as HTTPRoutes have it' },
    'rules',
    'filters',
  ),
  backendRefs,
  timeouts: {
    type: 'object',
    description: 'how long things may take; 0s is for ever',
    properties: {
      request: { type: 'string', description: 'a whole request', format: 'duration' },
      backendRequest: { type: 'string', description: 'one try to get it answered by a backend', format: 'duration' },
    },
  },
  retry: ofRoute(
    { type: 'object', description: 'when a request is tried again, as HTTPRoutes have it' },
    'rules',
    'retry',
  ),
} as const satisfies Fields;
