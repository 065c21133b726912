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

/** Properties that only the platform can set. */
const platformProperties = {
  controllerType: {
    type: 'string',
    description: 'Controller of the platform.',
    enum: ['ingress', 'gateway'],
    reserved: true,
  },
  certManagerClusterIssuer: {
    type: 'string',
    description: 'cert-manager ClusterIssuer for the certificates of all hosts. Only for controllerType ingress.',
    format: 'dns-subdomain',
    reserved: true,
  },
  allowedHostnameWildcard,
  gatewayName: {
    type: 'string',
    description: 'Gateway that routes are attached to. Required for controllerType gateway.',
    format: 'dns-subdomain',
    reserved: true,
  },
  gatewayNamespace: {
    type: 'string',
    description: 'Namespace of the Gateway. Defaults to gateway-system. Only for controllerType gateway.',
    format: 'dns-label',
    reserved: true,
  },
  authURL: {
    type: 'string',
    description: 'URL that checks whether a user is a member of the allowed groups. Only for controllerType ingress.',
    format: 'filled',
    reserved: true,
  },
  authResponseHeaders: {
    type: 'string',
    description: 'Headers of the auth response to pass on, separated by commas. Only for controllerType ingress.',
    format: 'filled',
    reserved: true,
  },
  networkPolicy,
} as const satisfies Fields;

/** Properties that the platform can set and the author can override. */
const sharedProperties = {
  ingressClassName,
  sslRedirect: {
    type: 'boolean',
    description: 'Whether to redirect HTTP to HTTPS for hosts with a certificate. Only for controllerType ingress.',
  },
  forceSslRedirect: {
    type: 'boolean',
    description: 'Whether to redirect HTTP to HTTPS for all hosts. Only for controllerType ingress.',
  },
  authSigninURL: {
    type: 'string',
    description: 'URL where users sign in. Requires allowedGroups. Only for controllerType ingress.',
    format: 'filled',
  },
} as const satisfies Fields;

export const exposeProperties = {
  rules: {
    type: 'array',
    description:
      'Routing rules: hosts and paths on every platform, or HTTPRoute rules as far as the platform supports them.',
    minItems: 1,
    items: {
      type: 'object',
      description: 'A host and its paths, or an HTTPRoute rule.',
      properties: {
        host: { ...host, description: `${host.description} Defaults to all of "hostnames".` },
        paths: { ...paths, description: `${paths.description} Defaults to all paths.` },
        ...routeRule,
      },
    },
  },
  hostnames: {
    type: 'array',
    description: 'Hosts of the component. Without "rules", all their requests go to the component.',
    items: host,
  },
  tls,
  secretName: {
    type: 'string',
    description:
      'Secret for the certificate that the issuer of the platform creates. Defaults to COMPONENT-tls. Only for controllerType ingress.',
    format: 'dns-subdomain',
  },
  allowedGroups: {
    type: 'array',
    description: 'Groups of users that have access. Defaults to everyone. Only for controllerType ingress.',
    minItems: 1,
    items: { type: 'string', format: 'group' },
  },
  ...routingProperties,
  ...sharedProperties,
  ...platformProperties,
} as const satisfies Fields;

/** Properties that a profile can set. */
export const exposeRendering = {
  ...platformProperties,
  controllerType: { ...platformProperties.controllerType, required: true },
  ...sharedProperties,
  ingressClassName: {
    ...ingressClassName,
    description: 'Name of the IngressClass. Required for controllerType ingress.',
    format: 'dns-subdomain',
  },
} as const satisfies Fields;

export type ExposeProperties = PropertiesOf<typeof exposeProperties>;
