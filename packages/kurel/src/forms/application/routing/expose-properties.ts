import type { PropertiesOf } from '../catalog/define.ts';
import type { Fields } from '../documents/field.ts';
import { routeRule } from './route-properties.ts';
import {
  allowedHostnameWildcard,
  host,
  ingressClassName,
  networkPolicy,
  paths,
  routingProperties,
  tls,
} from './routing-properties.ts';

/** What only the platform says. */
const platformProperties = {
  controllerType: {
    type: 'string',
    description: 'what the platform routes traffic with',
    enum: ['ingress', 'gateway'],
    reserved: true,
  },
  certManagerClusterIssuer: {
    type: 'string',
    description: 'ingress: ClusterIssuer of cert-manager that makes certificates for all hosts',
    format: 'dns-subdomain',
    reserved: true,
  },
  allowedHostnameWildcard,
  gatewayName: {
    type: 'string',
    description: 'gateway: the Gateway that routes are of',
    format: 'dns-subdomain',
    reserved: true,
  },
  gatewayNamespace: {
    type: 'string',
    description: 'gateway: namespace of the Gateway; gateway-system unless given',
    format: 'dns-label',
    reserved: true,
  },
  authURL: {
    type: 'string',
    description: 'ingress: address that is asked whether a user is in one of the groups',
    format: 'filled',
    reserved: true,
  },
  authResponseHeaders: {
    type: 'string',
    description: 'ingress: headers of the answer that are passed on, divided by commas',
    format: 'filled',
    reserved: true,
  },
  networkPolicy,
} as const satisfies Fields;

/** What the author may say as well, and outranks the platform with. */
const sharedProperties = {
  ingressClassName,
  sslRedirect: {
    type: 'boolean',
    description: 'ingress: whether requests without TLS are redirected, for hosts with a certificate',
  },
  forceSslRedirect: {
    type: 'boolean',
    description: 'ingress: whether requests without TLS are redirected, also for hosts without a certificate',
  },
  authSigninURL: {
    type: 'string',
    description: 'ingress: address where users sign in, when only some groups are let in',
    format: 'filled',
  },
} as const satisfies Fields;

export const exposeProperties = {
  rules: {
    type: 'array',
    description: 'where requests go: by hosts and paths, or as HTTPRoutes have it on platforms that can do it',
    minItems: 1,
    items: {
      type: 'object',
      description: 'a host and its paths, or a rule of an HTTPRoute',
      properties: {
        host: { ...host, description: `${host.description}; all of "hostnames" unless given` },
        paths: { ...paths, description: `${paths.description}; all unless given` },
        ...routeRule,
      },
    },
  },
  hostnames: {
    type: 'array',
    description: 'hosts that the component is exposed as; without "rules" all their requests go to the component',
    items: host,
  },
  tls,
  secretName: {
    type: 'string',
    description:
      'ingress: Secret that the issuer of the platform puts the certificate into; COMPONENT-tls unless given',
    format: 'dns-subdomain',
  },
  allowedGroups: {
    type: 'array',
    description: 'ingress: groups of users that are let in; everyone unless given',
    minItems: 1,
    items: { type: 'string', format: 'group' },
  },
  ...routingProperties,
  ...sharedProperties,
  ...platformProperties,
} as const satisfies Fields;

/** What a profile may say about the trait. */
export const exposeRendering = {
  ...platformProperties,
  controllerType: { ...platformProperties.controllerType, required: true },
  ...sharedProperties,
  ingressClassName: { ...ingressClassName, description: 'ingress: IngressClass', format: 'dns-subdomain' },
} as const satisfies Fields;

export type ExposeProperties = PropertiesOf<typeof exposeProperties>;
