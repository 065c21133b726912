import { defineProblems, didYouMean, listNames, nearest, quote } from '../../../diagnostics/index.ts';

/** Findings about routes and the Services they send traffic to. */
export const routingProblems = defineProblems(() => ({
  'service-port-known': {
    summary: 'servicePort is not a port of the Service that the component creates.',
    message: ({ component, ports }: { component: string; ports: readonly number[] }) =>
      `"servicePort" conflicts with ${listPorts(ports)} of the Service of component ${quote(component)}`,
    hint: () => 'remove it; to use another Service, name it in the backend',
    fix: 'Remove servicePort, or set it to a port of the component. Other ports are for components whose Service is not created by kurel. To route to another Service, set its name and port in the backend.',
  },
  'service-name-alone': {
    summary: 'serviceName is set without servicePort.',
    message: ({ name }: { name: string }) => `"serviceName" ${quote(name)} requires "servicePort"`,
    hint: () => 'add "servicePort", a port of that Service',
    fix: 'Set servicePort to a port of the Service.',
  },
  'backend-port-unknown': {
    summary: 'A route sends traffic to a component that has no Service with a port.',
    message: ({ component }: { component: string }) =>
      `cannot route to component ${quote(component)}: it has no Service with a port`,
    hint: ({ key, advice }: { key: string; advice: string | undefined }) =>
      advice ??
      `name another Service with ${quote(key)} and "port", or set "servicePort" to the port of a Service that exists`,
    fix: 'Set port or ports on the component, so that it gets a Service. For components without that property, name a Service and its port in the route, or set serviceName and servicePort.',
  },
  'backend-port-differs': {
    summary: 'A route sends traffic to a port that the Service of the component does not have.',
    message: ({ service, port, numbers }: { service: string; port: number; numbers: readonly number[] }) =>
      `port ${port} is not exposed by Service ${quote(service)}, which has ${listPorts(numbers)}`,
    hint: ({ numbers, inside }: { numbers: readonly number[]; inside: number | undefined }) =>
      inside === undefined || numbers.length === 1
        ? `${listNames(numbers.map(String))}, or remove "port"`
        : `use ${inside}, the port of the Service for this container port`,
    fix: 'Remove port from the route: it defaults to the port of the component. Or change port of the component.',
  },
  'backend-port-name': {
    summary: 'A route uses a port name that the Service of the component does not have.',
    message: ({ service, portName }: { service: string; portName: string }) =>
      `port ${quote(portName)} does not exist in Service ${quote(service)}`,
    hint: ({ portName, names, isOwn }: { portName: string; names: readonly string[]; isOwn: boolean }) => {
      const near = names.length === 1 ? undefined : nearest(portName, names);
      return didYouMean(near) ?? `${listNames(names.map(quote))}${isOwn ? ', or remove "portName"' : ''}`;
    },
    fix: 'Use the name of a port of the component, or remove portName: the first port is the default.',
  },
  'backend-port-protocol': {
    summary: 'A route sends HTTP requests to a port that is not a TCP port.',
    message: ({ name, protocol }: { name: string; protocol: string }) =>
      `cannot route HTTP requests to port ${quote(name)}: its protocol is ${protocol}`,
    hint: () => 'select a TCP port with "portName"',
    fix: 'Select a TCP port of the component with portName, or make it the first entry of ports.',
  },
  'backend-port-number': {
    summary: 'An HTTPRoute refers to a port of an unknown backend by name.',
    message: ({ service, portName }: { service: string; portName: string }) =>
      `cannot resolve port ${quote(portName)}: backend ${quote(service)} is not a Service of the application, and an HTTPRoute requires a port number`,
    hint: () => 'use "port" with the port number',
    fix: 'Set port to the number of the port. kurel can resolve names only for Services that the application creates.',
  },
  'backend-port-missing': {
    summary: 'A route sends traffic to another Service without a port.',
    message: ({ service }: { service: string }) => `required field "port" is missing for backend ${quote(service)}`,
    hint: () => 'add "port"; it has a default only for the Service of the component itself',
    fix: 'Set port to a port of the Service.',
  },
  'backend-port-twice': {
    summary: 'A backend has both port and portName.',
    message: ({ key, port, portName }: { key: string; port: number; portName: string }) =>
      `${quote(key)} ${port} and "portName" ${quote(portName)} are mutually exclusive`,
    hint: () => 'keep one of them',
    fix: 'Keep port or portName.',
  },
  'backend-name-missing': {
    summary: 'A backend other than the Service of the component has no name.',
    message: ({ what }: { what: string }) => `required field "name" is missing for the backend ${what}`,
    hint: () => 'add "name"; it has a default only for the Service of the component itself',
    fix: 'Set name to the name of the backend, or remove namespace, group and kind to use the Service of the component.',
  },
  'backend-selector-own': {
    summary: 'A backendSelector is set for a backend whose pods are known or cannot be selected.',
    message: ({ reason }: { reason: string }) => `"backendSelector" has no effect: ${reason}`,
    hint: () => 'remove it; it is for Services in the same namespace that are not part of the application',
    fix: 'Remove backendSelector. Set it only for a Service in the same namespace that no component of the application owns.',
  },
  'backend-selector-empty': {
    summary: 'A backendSelector has no labels and would select all pods.',
    message: () => '"backendSelector" has no labels: it would select all pods of the namespace',
    hint: () => 'add the labels of the pods of the Service',
    fix: 'Set backendSelector.matchLabels to the selector of the Service.',
  },
  'backend-selector-twice': {
    summary: 'A trait has two different backendSelectors for the same Service.',
    message: ({ service }: { service: string }) =>
      `"backendSelector" of Service ${quote(service)} conflicts with another one in the same trait`,
    hint: () => 'use the same labels in both',
    fix: 'A Service has one set of pods. Use the same backendSelector labels in all rules that send traffic to this Service.',
  },
  'route-host-not-allowed': {
    summary: 'A host is not allowed by the platform.',
    message: ({ host, allowed, isWider }: { host: string; allowed: string; isWider: boolean }) =>
      isWider
        ? `host ${quote(host)} stands for any number of labels, but the platform allows only one`
        : `host ${quote(host)} is not allowed: the platform allows ${quote(allowed)}`,
    hint: ({ allowed }: { allowed: string }) =>
      allowed.startsWith('*.') ? `use a name with one label, such as my-app${allowed.slice(1)}` : `use ${allowed}`,
    fix: 'Use a host that matches allowedHostnameWildcard of the capability in the profile, or ask your platform team to change it.',
  },
  'route-annotation-reserved': {
    summary: 'An annotation is reserved for the platform because it affects hosts, access or certificates.',
    message: ({ annotation }: { annotation: string }) => `annotation ${annotation} can be set only by the platform`,
    hint: () => 'remove it; the profile sets it for all applications',
    fix: 'Remove the annotation from the trait, the component and the application.',
  },
  'route-path-twice': {
    summary: 'A host has the same path twice.',
    message: ({ path, pathType, host }: { path: string; pathType: string; host: string }) =>
      `duplicate path ${quote(path)} (${pathType}) of host ${quote(host)}`,
    hint: () => 'remove one of them',
    fix: 'Remove one of the two paths, or change its path or pathType.',
  },
}));

function listPorts(ports: readonly number[]): string {
  return `${ports.length === 1 ? 'port' : 'ports'} ${ports.join(', ')}`;
}
