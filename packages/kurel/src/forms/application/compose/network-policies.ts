import { getOrAdd } from '../../../budget/index.ts';
import { compareText, isSameJson } from '../../../model/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject, Report } from '../../../model/index.ts';
import { groupBy } from '../../../provenance/index.ts';
import type { ComponentService, Operator, Route, TraitOwner } from '../catalog/define.ts';
import { defined } from '../catalog/present-fields.ts';
import { allowOperator } from '../routing/allow-operator.ts';
import { podOf } from '../pods/change-pods.ts';
import { composeProblems } from './problems.ts';

/** A route and the trait that created it. */
export interface RoutedTraffic {
  readonly route: Route;
  /** Index of the trait's component. */
  readonly router: number;
  readonly report: (diagnostic: Diagnostic) => void;
}

interface NetworkPolicy extends Pick<Target, 'component' | 'service'> {
  readonly object: KubeObject;
  /** Indexes of the components whose traits it comes from. */
  readonly routers: readonly number[];
}

/** The traffic allowed to one set of pods. */
interface Target {
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  /** Index of the component whose pods they are, or of the first one that sends traffic there. */
  readonly component: number;
  /** The Service that selects the pods, if no component owns it. */
  readonly service?: string | undefined;
  readonly routers: Set<number>;
  /** The operator that runs the pods. */
  readonly operator?: Operator | undefined;
  /** Ports, grouped by the sources that may use them. */
  readonly rules: Map<string, { readonly sources: Route['sources']; readonly ports: Set<number | string> }>;
}

/**
 * Allows the platform's traffic to the pods it is routed to. The pods of a component's Service are known; those of another
 * Service are known only from its backendSelector.
 */
export function createNetworkPolicies(
  traffic: readonly RoutedTraffic[],
  owners: readonly TraitOwner[],
  operatorNamespace?: string,
): readonly NetworkPolicy[] {
  const inside = new Map<number, Target>();
  const outside = new Map<string, Target>();
  const services = owners.flatMap((owner, index) => servicesOf(owner).map(({ name }) => ({ name, index })));
  const ownersOf = groupBy(services, ({ name }) => name);
  const selectors = findSelectors(traffic);
  /** Components with unknown pod labels, already reported. */
  const unknown = new Set<number>();
  for (const { route, router, report } of traffic) {
    if (route.sources.length === 0) continue;
    const target = findTarget({ route, router, report });
    if (target === undefined) continue;
    target.routers.add(router);
    const rule = getOrAdd(target.rules, JSON.stringify(route.sources), () => ({
      sources: route.sources,
      ports: new Set<number | string>(),
    }));
    rule.ports.add(findContainerPort(route, owners[target.component]!));
  }
  const external = [...outside.values()].toSorted((a, b) => compareText(a.name, b.name));
  return [...inside.values(), ...external].map((target) => ({
    object: createPolicy(target, operatorNamespace),
    component: target.component,
    service: target.service,
    routers: [...target.routers].toSorted((a, b) => a - b),
  }));

  function findTarget({ route, router, report }: RoutedTraffic): Target | undefined {
    const { service } = route;
    const isOwn = route.isOwn === true || owners[router]!.service?.name === service;
    const candidates = isOwn ? [router] : (ownersOf.get(service) ?? []).map(({ index }) => index);
    const [first] = candidates;
    if (first === undefined) return findOutside({ route, router, report });
    const { name, pods, operator } = owners[first]!;
    if (candidates.length > 1) {
      const components = candidates.map((index) => owners[index]!.name);
      report(composeProblems.create('service-owned-twice', { service, components }));
      return undefined;
    }
    if (pods === undefined) {
      if (!unknown.has(first)) report(composeProblems.create('network-policy-without-pods', { component: name }));
      unknown.add(first);
      return undefined;
    }
    if (route.selector !== undefined && !isSameJson(pods, route.selector)) {
      report(composeProblems.create('backend-selector-known', { service, component: name }));
    }
    return getOrAdd(inside, first, () => ({ ...createTarget(name, pods, first), operator }));
  }

  function findOutside({ route: { service, selector: own }, router, report }: RoutedTraffic): Target | undefined {
    const selector = own ?? selectors.get(service);
    if (selector === undefined) return undefined;
    const target = getOrAdd(outside, service, () => ({ ...createTarget(service, selector, router), service }));
    if (isSameJson(target.selector, selector)) return target;
    report(composeProblems.create('backend-selector-differs', { service }));
    return undefined;
  }
}

/** All Services of a component. */
export function servicesOf({
  service,
  otherServices = [],
}: Pick<TraitOwner, 'service' | 'otherServices'>): readonly ComponentService[] {
  return service === undefined ? otherServices : [service, ...otherServices];
}

/** A network policy is about the ports of the pods, which can differ from those of their Service. */
function findContainerPort({ service, port }: Route, owner: TraitOwner): number | string {
  const ports = servicesOf(owner).find(({ name }) => name === service)?.ports ?? [];
  return ports.find((item) => item.port === port || item.name === port)?.containerPort ?? port;
}

/** One backendSelector applies to all traffic to the same Service. */
function findSelectors(traffic: readonly RoutedTraffic[]): ReadonlyMap<string, Target['selector']> {
  const selectors = new Map<string, Target['selector']>();
  for (const { service, selector } of traffic.map(({ route }) => route)) {
    if (selector !== undefined) getOrAdd(selectors, service, () => selector);
  }
  return selectors;
}

function createTarget(name: string, selector: Target['selector'], component: number): Target {
  return { name, selector, component, routers: new Set(), rules: new Map() };
}

function createPolicy({ name, selector, rules, operator }: Target, operatorNamespace?: string): KubeObject {
  const routed = Array.from(rules.values(), ({ sources, ports }): JsonObject => ({
    from: sources.map(({ namespace, podSelector }): JsonObject => ({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      ...(podSelector === undefined ? {} : { podSelector: { matchLabels: { ...podSelector.matchLabels } } }),
    })),
    ports: sortPorts(ports).map((port): Json => ({ protocol: 'TCP', port })),
  }));
  const own = operator === undefined ? [] : allowOperator(operator, selector, operatorNamespace).ingress;
  const ingress = [...routed, ...own];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `${name}-allow-ingress-traffic` },
    spec: { podSelector: { matchLabels: { ...selector } }, policyTypes: ['Ingress'], ingress },
  };
}

/** Numbers in ascending order, then names alphabetically. */
function sortPorts(ports: ReadonlySet<number | string>): readonly (number | string)[] {
  const numbers = [...ports].filter((port) => typeof port === 'number').toSorted((a, b) => a - b);
  const names = [...ports].filter((port) => typeof port === 'string').toSorted();
  return [...numbers, ...names];
}

interface DefaultDeny {
  readonly denyIngress?: boolean | undefined;
  readonly denyEgress?: boolean | undefined;
  readonly allowDNS?: boolean | undefined;
  /** Whether the author has a policy for the component. */
  readonly hasPolicy: boolean;
  readonly operatorNamespace: string | undefined;
  readonly objects: readonly KubeObject[];
  readonly report: Report;
}

/**
 * A NetworkPolicy that isolates the pods of a component: other policies allow what it needs. Not one for the whole namespace,
 * which may have pods of other applications. What an operator needs to run the pods stays allowed.
 */
export function createDefaultDeny({ name, pods, operator }: TraitOwner, options: DefaultDeny): readonly KubeObject[] {
  const {
    denyIngress = false,
    denyEgress = false,
    allowDNS = true,
    hasPolicy,
    operatorNamespace,
    objects,
    report,
  } = options;
  if (!denyIngress && !denyEgress) return [];
  if (pods === undefined) {
    if (!hasPolicy && objects.some(runsPods))
      report(composeProblems.create('default-deny-without-pods', { component: name }));
    return [];
  }
  const own = operator === undefined ? undefined : allowOperator(operator, pods, operatorNamespace);
  const egress = [...(allowDNS ? [dns] : []), ...(own === undefined ? [] : [...own.egress, apiServer])];
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `${name}-default-deny`, labels: { app: name } },
    spec: defined({
      podSelector: { matchLabels: { ...pods } },
      policyTypes: [...(denyIngress ? ['Ingress'] : []), ...(denyEgress ? ['Egress'] : [])],
      ingress: denyIngress ? own?.ingress : undefined,
      egress: denyEgress && egress.length > 0 ? egress : undefined,
    }),
  };
  return [policy];
}

const portsOf = (...ports: readonly (readonly [number, string])[]): JsonObject => ({
  ports: ports.map(([port, protocol]): JsonObject => ({ port, protocol })),
});
const dns = portsOf([53, 'UDP'], [53, 'TCP']);
// Instances of a database report to the API server, and upload backups.
const apiServer = portsOf([443, 'TCP'], [6443, 'TCP']);

const engines = /^(?:helm\.toolkit\.fluxcd\.io|kustomize\.toolkit\.fluxcd\.io|argoproj\.io)\//;

/** Whether the object has pods, or lets a GitOps engine create some. */
function runsPods(object: KubeObject): boolean {
  return engines.test(object.apiVersion) || podOf(object) !== undefined;
}
