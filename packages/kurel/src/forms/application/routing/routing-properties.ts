import type { PropertiesOf } from '../catalog/define.ts';
import {
  annotations as anyAnnotations,
  choiceField,
  flagField,
  kubernetesFields,
  reserveFields,
  scope,
  selectorMap,
  textField,
} from '../../../documents/index.ts';
import type { Field, Fields } from '../../../documents/index.ts';

const labels = {
  ...selectorMap,
  description: 'Labels that the pods must have.',
  required: true,
} as const satisfies Field;

const portNumber = {
  type: 'integer',
  description: 'Port of the Service.',
  minimum: 1,
  maximum: 65_535,
  insteadOfText: 'use "portName" for the name of a port',
} as const satisfies Field;

const backendPort = {
  ...portNumber,
  description: `${portNumber.description} Required unless it is the Service of the component.`,
} as const satisfies Field;

const backendPortName = textField('port-name', 'Name of the port of the Service, instead of its number.');

export const backendSelector = {
  type: 'object',
  description:
    'Pods of a Service that is not part of the application, for network policies. They must listen on the port of the Service.',
  properties: { matchLabels: labels },
} as const satisfies Field;

export const host = textField('host', 'Host of the requests. *.example.com matches names with one additional label.');

/** Paths of a host in the form of an Ingress. */
export const paths = {
  type: 'array',
  description: 'Paths of the host and their backends.',
  minItems: 1,
  items: {
    type: 'object',
    description: 'A path and its backend.',
    properties: {
      path: { ...textField('absolute-path', 'Path of the request.'), default: '/' },
      pathType: {
        ...choiceField(
          ['Prefix', 'Exact', 'ImplementationSpecific'],
          'How the path is matched. Prefix matches the path and everything below it, Exact only the path.',
        ),
        default: 'Prefix',
      },
      backend: textField('dns-label', 'Name of the Service. Defaults to that of the component.'),
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

export const ingressClassName = textField(
  'ingress-class',
  'Name of the IngressClass. "" selects the default of the cluster.',
);

/** Properties of all traits that route traffic. */
export const routingProperties = {
  name: textField(
    'dns-subdomain',
    'Name of the object. Defaults to the name of the component, the kind and the scope, joined by hyphens.',
  ),
  scope: { ...scope, description: `${scope.description} Also part of the default name.` },
  annotations: { ...anyAnnotations, description: 'Annotations of the object.', open: { type: 'scalar' } },
  servicePort: {
    ...portNumber,
    description:
      'Port of the Service that requests go to by default. Required for a component that does not create a Service.',
  },
  portName: textField(
    'port-name',
    'Name of the port of the component that requests go to by default. Defaults to the first of its ports.',
  ),
  serviceName: textField(
    'dns-label',
    'Name of the Service, for a component that does not create one. Defaults to the name of the component.',
  ),
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
          namespace: { ...textField('dns-label', 'Namespace of the pods.'), required: true },
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
  ...textField('host', 'Hosts that applications may use. *.example.com allows names with one additional label.'),
  reserved: true,
} as const satisfies Field;

/** Properties of every Ingress and HTTPRoute. */
export type RouteProperties = PropertiesOf<typeof routingProperties & { readonly networkPolicy: typeof networkPolicy }>;

const routeSpec = ['gateway.networking.k8s.io/v1', 'HTTPRoute', 'spec'] as const;

/** The maximum number of hosts of an HTTPRoute. */
export const mostHosts = 16;

export const { parentRefs } = kubernetesFields(routeSpec, {
  parentRefs: { type: 'array', description: 'Gateways that the route is attached to.' },
});

const backendRefs = {
  type: 'array',
  description: 'Backends of the rule. Defaults to the Service of the component; an empty list means none.',
  items: {
    type: 'object',
    description: 'A backend.',
    properties: {
      name: textField('filled', 'Name of the Service. Defaults to that of the component.'),
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
      namespace: textField(
        'dns-label',
        'Namespace of the Service, which needs a ReferenceGrant. Defaults to the namespace of the application.',
      ),
      group: { type: 'string', description: 'API group of the backend, if it is not a Service.' },
      kind: textField('filled', 'Kind of the backend, if it is not a Service.'),
      ...kubernetesFields([...routeSpec, 'rules', 'backendRefs'], {
        filters: { type: 'array', description: 'Filters for requests to this backend.' },
      }),
      backendSelector,
    },
  },
} as const satisfies Field;

/** A rule of an HTTPRoute. */
export const routeRule = {
  ...kubernetesFields([...routeSpec, 'rules'], {
    name: { type: 'string', description: 'Name of the rule.' },
    matches: { type: 'array', description: 'Requests that the rule applies to. Defaults to all.' },
    filters: { type: 'array', description: 'Filters for requests.' },
  }),
  backendRefs,
  timeouts: {
    type: 'object',
    description: 'Timeouts. 0s disables a timeout.',
    properties: {
      request: textField('duration', 'Timeout of the whole request.'),
      backendRequest: textField('duration', 'Timeout of a single request to a backend.'),
    },
  },
  ...kubernetesFields([...routeSpec, 'rules'], { retry: { type: 'object', description: 'Retry settings.' } }),
} as const satisfies Fields;

const platformProperties = reserveFields({
  controllerType: choiceField(['ingress', 'gateway'], 'Controller of the platform.'),
  certManagerClusterIssuer: textField(
    'dns-subdomain',
    'cert-manager ClusterIssuer for the certificates of all hosts. Only for controllerType ingress.',
  ),
  allowedHostnameWildcard,
  gatewayName: textField('dns-subdomain', 'Gateway that routes are attached to. Required for controllerType gateway.'),
  gatewayNamespace: textField(
    'dns-label',
    'Namespace of the Gateway. Defaults to gateway-system. Only for controllerType gateway.',
  ),
  authURL: textField(
    'filled',
    'URL that checks whether a user is a member of the allowed groups. Only for controllerType ingress.',
  ),
  authResponseHeaders: textField(
    'filled',
    'Headers of the auth response to pass on, separated by commas. Only for controllerType ingress.',
  ),
  networkPolicy,
});

/** Properties that the platform can set and the author can override. */
const sharedProperties = {
  ingressClassName,
  sslRedirect: flagField(
    'Whether to redirect HTTP to HTTPS for hosts with a certificate. Only for controllerType ingress.',
  ),
  forceSslRedirect: flagField('Whether to redirect HTTP to HTTPS for all hosts. Only for controllerType ingress.'),
  authSigninURL: textField(
    'filled',
    'URL where users sign in. Requires allowedGroups. Only for controllerType ingress.',
  ),
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
  secretName: textField(
    'dns-subdomain',
    'Secret for the certificate that the issuer of the platform creates. Defaults to COMPONENT-tls. Only for controllerType ingress.',
  ),
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
