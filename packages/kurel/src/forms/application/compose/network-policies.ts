import type { Diagnostic, Json, JsonObject, KubeObject, Report } from '../../../model/index.ts';
import type { ComponentService, Operator, Route, TraitOwner } from '../catalog/define.ts';
import { defined } from '../catalog/present-fields.ts';
import { allowOperator } from '../routing/allow-operator.ts';
import { podOf } from './finish-object.ts';
import { composeProblems } from './problems.ts';

/** A route and the trait that created it. */
export interface RoutedTraffic {
  readonly route: Route;
  /** Index of the trait's component. */
  readonly router: number;
  readonly report: (diagnostic: Diagnostic) => void;
}

interface NetworkPolicy {
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
  const index = { owners, ownersOf: indexServices(owners), selectors: findSelectors(traffic) };
  const targets = { ...index, inside, outside, unknown: new Set<number>() };
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
      const indexes = byName.get(name);
      if (indexes === undefined) byName.set(name, [index]);
      else indexes.push(index);
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
  const ports = servicesOf(owner).find(({ name }) => name === service)?.ports ?? [];
  return ports.find((item) => item.port === port || item.name === port)?.containerPort ?? port;
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
  const candidates = isOwn ? [router] : (ownersOf.get(service) ?? []);
  const [first, second] = candidates;
  if (first !== undefined && second !== undefined) {
    report(
      composeProblems.create('service-owned-twice', {
        service,
        components: candidates.map((index) => owners[index]!.name),
      }),
    );
    return undefined;
  }
  if (first !== undefined) {
    const { name, pods, operator } = owners[first]!;
    if (pods === undefined) {
      if (!unknown.has(first)) report(composeProblems.create('network-policy-without-pods', { component: name }));
      unknown.add(first);
      return undefined;
    }
    if (route.selector !== undefined && !isSame(pods, route.selector)) {
      report(composeProblems.create('backend-selector-known', { service, component: name }));
    }
    const target = inside.get(first) ?? { ...createTarget(name, pods, first), operator };
    inside.set(first, target);
    return target;
  }
  const selector = route.selector ?? selectors.get(service);
  if (selector === undefined) return undefined;
  const target = outside.get(service) ?? createTarget(service, selector, router);
  if (!isSame(target.selector, selector)) {
    report(composeProblems.create('backend-selector-differs', { service }));
    return undefined;
  }
  outside.set(service, target);
  return target;
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
