import { isSameJson } from '../../../model/index.ts';
import type { Path } from '../../../model/index.ts';
import type { ComponentService, ReportAt, Route, ServicePort, TraitOwner } from '../catalog/define.ts';
import type { ValueOf } from '../../../documents/index.ts';
import { routingProblems } from './problems.ts';
import type { backendSelector, RouteProperties } from './routing-properties.ts';

type Selector = ValueOf<typeof backendSelector>;

interface BackendsOptions {
  readonly component: TraitOwner;
  readonly properties: Pick<RouteProperties, 'servicePort' | 'serviceName' | 'portName' | 'networkPolicy'>;
  /** Services of the application, by name. */
  readonly serviceOf: (name: string) => ComponentService | undefined;
  /** Whether the route cannot refer to ports by name. */
  readonly needsNumbers?: boolean;
  readonly report: ReportAt;
}

/** Where a backend is written. */
export interface PlacedBackend {
  /** Path of the object with its properties. */
  readonly path: Path;
  /** The key of the name. */
  readonly key: 'backend' | 'name';
}

/** A backend as written in a path or rule. */
interface AskedBackend extends PlacedBackend {
  readonly name: string | undefined;
  readonly port: number | undefined;
  readonly portName?: string | undefined;
  readonly selector?: Selector | undefined;
}

export interface Backend {
  readonly service: string;
  /** As the author refers to it; `undefined` only after an error. */
  readonly port: number | string | undefined;
  /** The number of the port; `undefined` if the Service is not known. */
  readonly number: number | undefined;
}

/** The Services that a trait sends traffic to. */
export interface Backends {
  resolve(asked: AskedBackend): Backend;
  /** All resolved routes; none if the platform does not declare traffic sources. */
  listRoutes(): readonly Route[];
}

/** Resolves backends. The default is the Service of the component; any other Service requires a port. */
export function createBackends(options: BackendsOptions): Backends {
  const { component, properties, serviceOf, needsNumbers = false, report } = options;
  const own = readOwnService({ component, properties, report });
  const sources = properties.networkPolicy?.trafficSources ?? [];
  const selectors = new Map<string, Selector['matchLabels']>();
  const routes: Route[] = [];

  function resolve(asked: AskedBackend): Backend {
    const { name = own.name, portName, path, key } = asked;
    const isOwn = name === own.name;
    if (asked.port !== undefined && portName !== undefined) {
      report(routingProblems.create('backend-port-twice', { key: 'port', port: asked.port, portName }), [
        ...path,
        'portName',
      ]);
    }
    const target = isOwn ? findOwnPort(asked) : findOtherPort(name, asked);
    const port = asked.port ?? portName ?? (isOwn ? (own.usualName ?? target?.port) : undefined);
    if (!isOwn && port === undefined) {
      report(routingProblems.create('backend-port-missing', { service: name }), [...path, key]);
    }
    const selector = checkSelector(asked, isOwn);
    const inside = isOwn ? (target?.port ?? port) : port;
    if (inside !== undefined && sources.length > 0) {
      routes.push({ service: name, port: inside, isOwn, selector, sources, path: [...path, key] });
    }
    return { service: name, port, number: target?.port ?? asked.port };
  }

  function findOwnPort({ port, portName, path, key }: AskedBackend): ServicePort | undefined {
    const { name: service, ports } = own;
    if (ports.length === 0) {
      const args = { component: component.name, key, advice: component.serviceAdvice };
      report(routingProblems.create('backend-port-unknown', args), path);
      return undefined;
    }
    if (port !== undefined) {
      const byNumber = ports.find((candidate) => candidate.port === port);
      if (byNumber === undefined) {
        const numbers = ports.map((candidate) => candidate.port);
        const inside = ports.find(({ containerPort }) => containerPort === port)?.port;
        report(routingProblems.create('backend-port-differs', { service, port, numbers, inside }), [...path, 'port']);
      }
      return checkProtocol(byNumber, [...path, 'port']);
    }
    if (portName === undefined) return checkProtocol(own.usual, path);
    return checkProtocol(findNamed({ name: service, ports }, portName, [...path, 'portName']), [...path, 'portName']);
  }

  /** The port of a Service of another component; other Services are not known. */
  function findOtherPort(name: string, { port, portName, path }: AskedBackend): ServicePort | undefined {
    const { ports } = serviceOf(name) ?? { ports: [] };
    if (port !== undefined) return ports.find((candidate) => candidate.port === port);
    return portName === undefined ? undefined : findNamed({ name, ports }, portName, [...path, 'portName']);
  }

  function findNamed({ name, ports }: ComponentService, portName: string, path: Path): ServicePort | undefined {
    const byName = ports.find((port) => port.name === portName);
    const names = ports.flatMap((port) => port.name ?? []);
    if (byName === undefined && names.length > 0) {
      report(
        routingProblems.create('backend-port-name', { service: name, portName, names, isOwn: name === own.name }),
        path,
      );
    } else if (byName === undefined && needsNumbers) {
      report(routingProblems.create('backend-port-number', { service: name, portName }), path);
    }
    return byName;
  }

  function checkProtocol(port: ServicePort | undefined, path: Path): ServicePort | undefined {
    const { protocol = 'TCP', name = '' } = port ?? {};
    if (protocol !== 'TCP') report(routingProblems.create('backend-port-protocol', { name, protocol }), path);
    return port;
  }

  function checkSelector(asked: AskedBackend, isOwn: boolean): Selector['matchLabels'] | undefined {
    const { name = own.name, selector, path } = asked;
    if (selector === undefined) return undefined;
    const { matchLabels } = selector;
    const place = [...path, 'backendSelector'];
    if (isOwn) {
      const reason = 'the pods of the component itself are known';
      report(routingProblems.create('backend-selector-own', { reason }), place, 'key');
      return undefined;
    }
    if (Object.keys(matchLabels).length === 0) report(routingProblems.create('backend-selector-empty', {}), place);
    const first = selectors.get(name) ?? matchLabels;
    selectors.set(name, first);
    if (isSameJson(first, matchLabels)) return matchLabels;
    report(routingProblems.create('backend-selector-twice', { service: name }), place);
    return undefined;
  }

  return { resolve, listRoutes: () => routes };
}

interface OwnService extends ComponentService {
  /** The port of rules that do not select one. */
  readonly usual: ServicePort | undefined;
  /** Its name, if the author selects it by name. */
  readonly usualName: string | undefined;
}

function readOwnService({ component, properties, report }: Omit<BackendsOptions, 'serviceOf'>): OwnService {
  const { servicePort, serviceName, portName } = properties;
  const { name, service } = component;
  const created = service?.ports ?? [];
  const byNumber = serviceName === undefined ? created.find(({ port }) => port === servicePort) : undefined;
  if (servicePort !== undefined && created.length > 0 && byNumber === undefined) {
    const args = { component: name, ports: created.map(({ port }) => port) };
    report(routingProblems.create('service-port-known', args), ['servicePort'], 'key');
  }
  if (serviceName !== undefined && servicePort === undefined) {
    report(routingProblems.create('service-name-alone', { name: serviceName }), ['serviceName']);
  }
  if (servicePort !== undefined && portName !== undefined) {
    report(routingProblems.create('backend-port-twice', { key: 'servicePort', port: servicePort, portName }), [
      'portName',
    ]);
  }
  const ports = created.length > 0 || servicePort === undefined ? created : [{ port: servicePort }];
  const byName = ports.find((port) => port.name !== undefined && port.name === portName);
  const own = { name: serviceName ?? service?.name ?? name, ports };
  if (portName !== undefined && byName === undefined && created.length > 0) {
    const names = created.flatMap((port) => port.name ?? []);
    const args = { service: own.name, portName, names, isOwn: true };
    report(routingProblems.create('backend-port-name', args), ['portName']);
  }
  return { name: own.name, ports, usual: byNumber ?? byName ?? ports[0], usualName: byName?.name };
}
