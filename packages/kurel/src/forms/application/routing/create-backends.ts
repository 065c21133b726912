import type { Path } from '../../../model/index.ts';
import type { PropertiesOf, ReportAt, Route, TraitOwner } from '../catalog/define.ts';
import type { ValueOf } from '../documents/field.ts';
import { routingProblems } from './problems.ts';
import type { backendSelector, networkPolicy, routingProperties } from './routing-properties.ts';

type Selector = ValueOf<typeof backendSelector>;

interface BackendsOptions {
  readonly component: TraitOwner;
  readonly properties: Pick<PropertiesOf<typeof routingProperties>, 'servicePort' | 'serviceName'> & {
    readonly networkPolicy?: ValueOf<typeof networkPolicy>;
  };
  readonly report: ReportAt;
}

/** A backend as written in a path or rule. */
interface AskedBackend {
  readonly name: string | undefined;
  readonly port: number | undefined;
  readonly portName?: string | undefined;
  readonly selector?: Selector | undefined;
  /** Path of the object with these properties. */
  readonly path: Path;
  /** The key of the name. */
  readonly key: 'backend' | 'name';
}

export interface Backend {
  readonly service: string;
  /** `undefined` only after an error. */
  readonly port: number | string | undefined;
}

/** The Services that a trait sends traffic to. */
export interface Backends {
  resolve(asked: AskedBackend): Backend;
  /** All resolved routes; none if the platform does not declare traffic sources. */
  listRoutes(): readonly Route[];
}

/** Resolves backends. The default is the Service of the component; any other Service requires a port. */
export function createBackends({ component, properties, report }: BackendsOptions): Backends {
  const own = readOwnService({ component, properties, report });
  const sources = properties.networkPolicy?.trafficSources ?? [];
  const selectors = new Map<string, Selector['matchLabels']>();
  const routes: Route[] = [];

  function resolve(asked: AskedBackend): Backend {
    const { name = own.name, portName, path, key } = asked;
    const isOwn = name === own.name;
    if (asked.port !== undefined && portName !== undefined) {
      report(routingProblems.create('backend-port-twice', { port: asked.port, portName }), [...path, 'portName']);
    }
    const port = isOwn ? resolveOwnPort(asked) : (asked.port ?? portName);
    if (!isOwn && port === undefined) {
      report(routingProblems.create('backend-port-missing', { service: name }), [...path, key]);
    }
    const selector = checkSelector(asked, isOwn);
    // The pods listen on the number of the Service port, even if the route uses its name.
    const inside = isOwn ? (own.port ?? port) : port;
    if (inside !== undefined && sources.length > 0) {
      routes.push({ service: name, port: inside, isOwn, selector, sources, path: [...path, key] });
    }
    return { service: name, port };
  }

  function resolveOwnPort({ port, portName, path, key }: AskedBackend): number | string | undefined {
    if (own.port === undefined) {
      const args = { component: component.name, key, canHavePort: component.canHavePort === true };
      report(routingProblems.create('backend-port-unknown', args), path);
    } else if (port !== undefined && port !== own.port) {
      const args = { service: own.name, port, known: own.port };
      report(routingProblems.create('backend-port-differs', args), [...path, 'port']);
    } else if (portName !== undefined && own.portName !== undefined && portName !== own.portName) {
      const args = { service: own.name, portName, known: own.portName };
      report(routingProblems.create('backend-port-name', args), [...path, 'portName']);
    }
    return port ?? portName ?? own.port;
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
    const known = selectors.get(name) ?? matchLabels;
    selectors.set(name, known);
    if (isSameSelector(known, matchLabels)) return matchLabels;
    report(routingProblems.create('backend-selector-twice', { service: name }), place);
    return undefined;
  }

  return { resolve, listRoutes: () => routes };
}

interface OwnService {
  readonly name: string;
  readonly port: number | undefined;
  readonly portName?: string | undefined;
}

function readOwnService({ component, properties, report }: BackendsOptions): OwnService {
  const { servicePort, serviceName } = properties;
  const { name, service } = component;
  if (servicePort !== undefined && service?.port !== undefined) {
    const args = { component: name, port: service.port };
    report(routingProblems.create('service-port-known', args), ['servicePort'], 'key');
  }
  if (serviceName !== undefined && servicePort === undefined) {
    report(routingProblems.create('service-name-alone', { name: serviceName }), ['serviceName']);
  }
  return {
    name: serviceName ?? service?.name ?? name,
    port: service?.port ?? servicePort,
    portName: service?.portName,
  };
}

function isSameSelector(a: Selector['matchLabels'], b: Selector['matchLabels']): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
