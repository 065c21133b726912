import { defineProblems, quote } from '../../../diagnostics/index.ts';

/** What can be wrong with where traffic comes in and which Service it is sent to. */
export const routingProblems = defineProblems({
  'service-port-known': {
    severity: 'error',
    summary: 'The port of a Service is given to a component that has a Service with a port.',
    message: ({ component, port }: { component: string; port: number }) =>
      `component ${quote(component)} has a Service with port ${port}, so that "servicePort" cannot be given`,
    hint: () => 'take it out; another Service is named by the backend',
  },
  'service-name-alone': {
    severity: 'error',
    summary: 'The name of a Service is given without its port.',
    message: ({ name }: { name: string }) => `"serviceName" ${quote(name)} needs a "servicePort"`,
    hint: () => 'add the port of that Service',
  },
  'backend-port-unknown': {
    severity: 'error',
    summary: 'Traffic is sent to a component that has no Service with a port.',
    message: ({ component }: { component: string }) =>
      `component ${quote(component)} has no Service with a port, so that no traffic can be sent to it`,
    hint: ({ key, canHavePort }: { key: string; canHavePort: boolean }) =>
      canHavePort
        ? 'set "port" on the component'
        : `name another Service with ${quote(key)} and "port", or set "servicePort" to the port of a Service that exists`,
  },
  'backend-port-differs': {
    severity: 'error',
    summary: 'Traffic is sent to a port that the Service of the component does not have.',
    message: ({ service, port, known }: { service: string; port: number; known: number }) =>
      `the Service ${quote(service)} has port ${known}, not ${port}`,
    hint: ({ known }: { known: number }) => `write ${known}, or take "port" out`,
  },
  'backend-port-name': {
    severity: 'error',
    summary: 'Traffic is sent to a port by a name that the Service of the component does not have.',
    message: ({ service, portName }: { service: string; portName: string }) =>
      `the Service ${quote(service)} has no port named ${quote(portName)}`,
    hint: ({ known }: { known: string }) => `its port is named ${known}; write that, or take "portName" out`,
  },
  'backend-port-missing': {
    severity: 'error',
    summary: 'Traffic is sent to another Service without saying to which port.',
    message: ({ service }: { service: string }) => `the backend ${quote(service)} needs a "port"`,
    hint: () => 'only the port of the Service of the component itself is known',
  },
  'backend-port-twice': {
    severity: 'error',
    summary: 'The port of a backend is given by number and by name.',
    message: ({ port, portName }: { port: number; portName: string }) =>
      `"port" ${port} and "portName" ${quote(portName)} cannot both be given`,
    hint: () => 'take one of them out',
  },
  'backend-name-missing': {
    severity: 'error',
    summary: 'A backend that is not the Service of the component has no name.',
    message: ({ what }: { what: string }) => `a backend ${what} needs a "name"`,
    hint: () => 'without one it is the Service of the component, in the namespace of the application',
  },
  'backend-selector-own': {
    severity: 'error',
    summary: 'Pods are given for a backend whose pods cannot be selected, or are known.',
    message: ({ reason }: { reason: string }) => `"backendSelector" has no meaning here: ${reason}`,
    hint: () => 'it is for a Service of the same namespace that no component of the application has',
  },
  'backend-selector-empty': {
    severity: 'error',
    summary: 'A backendSelector has no labels, and would select all pods.',
    message: () => '"backendSelector" has no labels, and would select all pods of the namespace',
    hint: () => 'give the labels of the pods behind the Service',
  },
  'backend-selector-twice': {
    severity: 'error',
    summary: 'One trait gives two sets of pods for one Service.',
    message: ({ service }: { service: string }) =>
      `the Service ${quote(service)} has another "backendSelector" in the same trait`,
    hint: () => 'a Service has one set of pods: write the same labels',
  },
  'route-host-not-allowed': {
    severity: 'error',
    summary: 'A host is not one that the platform lets applications have.',
    message: ({ host, allowed, isWider }: { host: string; allowed: string; isWider: boolean }) =>
      isWider
        ? `the host ${quote(host)} stands for names with any number of labels in front, and the platform allows one`
        : `the host ${quote(host)} is not allowed: the platform allows ${quote(allowed)}`,
    hint: ({ allowed }: { allowed: string }) =>
      allowed.startsWith('*.') ? `write one name in front, as in my-app${allowed.slice(1)}` : `write ${allowed}`,
  },
  'route-annotation-reserved': {
    severity: 'error',
    summary: 'An annotation says what only the platform may say: which hosts are routed, or who is let in.',
    message: ({ annotation }: { annotation: string }) => `the annotation ${annotation} is for the platform alone`,
    hint: () => 'take it out; the profile says it for all applications',
  },
  'route-path-twice': {
    severity: 'error',
    summary: 'Two paths of one host are the same, so that it is not known where their traffic goes.',
    message: ({ path, pathType, host }: { path: string; pathType: string; host: string }) =>
      `the path ${quote(path)} (${pathType}) of host ${quote(host)} is there twice`,
    hint: () => 'take one of them out',
  },
});
