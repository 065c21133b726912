import { defineProblems, quote } from '../../../diagnostics/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject } from '../../../model/index.ts';
import type { ComponentService, Operator, Route, TraitOwner } from '../catalog/define.ts';
import { allowOperator } from '../routing/allow-operator.ts';

export const networkProblems = defineProblems({
  'service-owned-twice': {
    severity: 'error',
    summary: 'Traffic goes to a Service that two components create.',
    message: ({ service, components }: { service: string; components: readonly string[] }) =>
      `duplicate Service ${quote(service)}: it belongs to components ${components.map(quote).join(' and ')}`,
    hint: () => 'rename one of them, or set another "serviceName"',
    fix: 'Rename one of the components, or set another serviceName, so that kurel knows which pods receive the traffic.',
  },
  'backend-selector-differs': {
    severity: 'error',
    summary: 'Two backendSelectors for the same Service select different pods.',
    message: ({ service }: { service: string }) =>
      `"backendSelector" of Service ${quote(service)} conflicts with another one in the application`,
    hint: () => 'use the same labels in both',
    fix: 'A Service has one set of pods. Use the same backendSelector labels everywhere the application sends traffic to this Service.',
  },
  'backend-selector-known': {
    severity: 'error',
    summary: 'A backendSelector selects other pods than those of the component that owns the Service.',
    message: ({ service, component }: { service: string; component: string }) =>
      `"backendSelector" does not select the pods of component ${quote(component)}, which owns Service ${quote(service)}`,
    hint: () => 'remove "backendSelector"',
    fix: 'Remove backendSelector. kurel knows the pod labels of the components in the application; backendSelector is for other Services.',
  },
  'network-policy-without-pods': {
    severity: 'warning',
    summary: 'The profile requires a network policy for traffic to a component whose pod labels are unknown.',
    message: ({ component }: { component: string }) =>
      `cannot create a network policy for this traffic: the pod labels of component ${quote(component)} are unknown`,
    hint: () => 'if the pods are isolated, add a "networkpolicy" trait with "podSelector" to the component',
    fix: 'If a network policy isolates these pods, add a networkpolicy trait with podSelector to the component. Otherwise accept the finding.',
  },
});

/** A route and the trait that created it. */
export interface RoutedTraffic {
  readonly route: Route;
  /** Index of the trait's component. */
  readonly router: number;
  readonly report: (diagnostic: Diagnostic) => void;
}

export interface NetworkPolicy {
  readonly object: KubeObject;
  /** Index of the component whose pods it selects, or of the first one that sends traffic there. */
  readonly component: number;
  /** The Service that selects the pods, if no component owns it. */
  readonly service?: string | undefined;
  /** Indexes of the components whose traits it comes from. */
  readonly routers: readonly number[];
}

/** The traffic allowed to one set of pods. */
interface Target {
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly component: number;
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
  const known = { owners, ownersOf: indexServices(owners), selectors: findSelectors(traffic) };
  const targets = { ...known, inside, outside, unknown: new Set<number>() };
  for (const { route, router, report } of traffic) {
    if (route.sources.length === 0) continue;
    const target = findTarget({ route, router, report }, targets);
    if (target === undefined) continue;
    target.routers.add(router);
    const key = JSON.stringify(route.sources);
    const rule = target.rules.get(key) ?? { sources: route.sources, ports: new Set() };
    rule.ports.add(findContainerPort(route, owners[target.component]!));
    target.rules.set(key, rule);
  }
  const external = [...outside.keys()].toSorted().map((service) => ({ target: outside.get(service)!, service }));
  const internal = Array.from(inside.values(), (target) => ({ target, service: undefined }));
  return [...internal, ...external].map(({ target, service }) => ({
    object: createPolicy(target, operatorNamespace),
    component: target.component,
    service,
    routers: [...target.routers].toSorted((a, b) => a - b),
  }));
}

function indexServices(owners: readonly TraitOwner[]): ReadonlyMap<string, readonly number[]> {
  const byName = new Map<string, number[]>();
  for (const [index, owner] of owners.entries()) {
    for (const { name } of servicesOf(owner)) {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [index]);
      else known.push(index);
    }
  }
  return byName;
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
  const known = servicesOf(owner).find(({ name }) => name === service)?.ports ?? [];
  return known.find((one) => one.port === port || one.name === port)?.containerPort ?? port;
}

/** One backendSelector applies to all traffic to the same Service. */
function findSelectors(traffic: readonly RoutedTraffic[]): ReadonlyMap<string, Target['selector']> {
  const selectors = new Map<string, Target['selector']>();
  for (const { route } of traffic) {
    const { service, selector } = route;
    if (selector !== undefined && !selectors.has(service)) selectors.set(service, selector);
  }
  return selectors;
}

interface Targets {
  readonly owners: readonly TraitOwner[];
  /** Indexes of the components with a Service, by Service name. */
  readonly ownersOf: ReadonlyMap<string, readonly number[]>;
  readonly selectors: ReadonlyMap<string, Target['selector']>;
  readonly inside: Map<number, Target>;
  readonly outside: Map<string, Target>;
  /** Components with unknown pod labels, already reported. */
  readonly unknown: Set<number>;
}

function findTarget(
  { route, router, report }: RoutedTraffic,
  { owners, ownersOf, selectors, inside, outside, unknown }: Targets,
): Target | undefined {
  const { service } = route;
  const isOwn = route.isOwn === true || owners[router]!.service?.name === service;
  const found = isOwn ? [router] : (ownersOf.get(service) ?? []);
  const [first, second] = found;
  if (first !== undefined && second !== undefined) {
    report(
      networkProblems.create('service-owned-twice', { service, components: found.map((one) => owners[one]!.name) }),
    );
    return undefined;
  }
  if (first !== undefined) {
    const { name, pods, operator } = owners[first]!;
    if (pods === undefined) {
      if (!unknown.has(first)) report(networkProblems.create('network-policy-without-pods', { component: name }));
      unknown.add(first);
      return undefined;
    }
    if (route.selector !== undefined && !isSame(pods, route.selector)) {
      report(networkProblems.create('backend-selector-known', { service, component: name }));
    }
    const known = inside.get(first) ?? { ...createTarget(name, pods, first), operator };
    inside.set(first, known);
    return known;
  }
  const selector = route.selector ?? selectors.get(service);
  if (selector === undefined) return undefined;
  const known = outside.get(service) ?? createTarget(service, selector, router);
  if (!isSame(known.selector, selector)) {
    report(networkProblems.create('backend-selector-differs', { service }));
    return undefined;
  }
  outside.set(service, known);
  return known;
}

function createTarget(name: string, selector: Target['selector'], component: number): Target {
  return { name, selector, component, routers: new Set(), rules: new Map() };
}

function isSame(a: Target['selector'], b: Target['selector']): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
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
