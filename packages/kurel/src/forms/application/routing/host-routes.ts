import type { KubeObject, Path } from '../../../model/index.ts';
import type { ReportAt, Route, TraitResult } from '../catalog/define.ts';
import type { ValueOf } from '../../../documents/index.ts';
import { exposeProblems } from './expose-problems.ts';
import type { PlacedBackend } from './create-backends.ts';
import type { ControllerType } from './expose-problems.ts';
import { routingProblems } from './problems.ts';
import { routeRule } from './routing-properties.ts';
import type { ExposeProperties, paths } from './routing-properties.ts';

/** A host and the path of its property. */
export interface PlacedHost {
  readonly host: string;
  readonly at: Path;
}

interface HostCheck {
  /** The hosts that the platform allows; defaults to all. */
  readonly allowed: string | undefined;
  /** Whether `*.example.com` matches any number of labels instead of one. */
  readonly isDeep?: boolean;
  readonly report: ReportAt;
}

export function checkHosts(hosts: readonly PlacedHost[], { allowed, isDeep = false, report }: HostCheck): void {
  if (allowed === undefined) return;
  for (const { host, at } of hosts) {
    const isWider = isDeep && host.startsWith('*.');
    if (isWider || !isAllowedHost(host, allowed)) {
      report(routingProblems.create('route-host-not-allowed', { host, allowed, isWider }), at);
    }
  }
}

/** `*.example.com` allows names with one additional label; any other value only itself. */
export function isAllowedHost(host: string, allowed: string): boolean {
  if (!allowed.startsWith('*.')) return host === allowed;
  const suffix = allowed.slice(1);
  const label = host.slice(0, -suffix.length);
  return host.endsWith(suffix) && label !== '' && !label.includes('.');
}

interface RouteName {
  readonly component: string;
  readonly kind: 'ingress' | 'httproute';
  readonly name?: string | undefined;
  readonly scope?: string | undefined;
}

/** The name of an Ingress or HTTPRoute. */
export function nameRoute({ component, kind, name, scope }: RouteName): string {
  return name ?? [component, kind, ...(scope === undefined || scope === '' ? [] : [scope])].join('-');
}

/** An Ingress or HTTPRoute and the traffic that it routes. */
export interface RouteObject {
  readonly object: KubeObject;
  readonly traffic: readonly Route[];
}

export function joinRoutes(routes: readonly RouteObject[]): TraitResult {
  return { objects: routes.map(({ object }) => object), routes: routes.flatMap(({ traffic }) => traffic) };
}

/** Reports duplicate paths of a host. */
export function checkPaths(routes: readonly Pick<HostRoute, 'host' | 'paths'>[], report: ReportAt): void {
  const seen = new Set<string>();
  for (const { host, paths: ofHost } of routes) {
    for (const { path, pathType, valueAt } of ofHost) {
      // `/a` and `/a/` are the same prefix but different exact paths.
      const isOpen = pathType === 'Prefix' && path.length > 1 && path.endsWith('/');
      const key = JSON.stringify([host, pathType, isOpen ? path.slice(0, -1) : path]);
      if (seen.has(key)) report(routingProblems.create('route-path-twice', { path, pathType, host }), valueAt);
      seen.add(key);
    }
  }
}

type PathOfHost = ValueOf<typeof paths>[number];

/** A path of a host and its backend, with the paths of their properties, which depend on the form of the rules. */
export interface HostPath extends PathOfHost {
  /** Path of the object with the path and its type. */
  readonly at: Path;
  /** Path of the path itself. */
  readonly valueAt: Path;
  readonly backendAt: PlacedBackend;
  /** The rule is empty: it matches all paths. */
  readonly isEmptyRule?: boolean | undefined;
}

/** A host and its paths, which every platform supports. */
export interface HostRoute extends PlacedHost {
  /** Index of its rule; several hosts may come from one rule. */
  readonly rule: number;
  readonly paths: readonly HostPath[];
}

/**
 * The form of the rules: with hosts and paths, or as in Gateway API, which can express more than an Ingress. `undefined` if
 * they are mixed, which is reported: the hosts of a rule would be a guess.
 */
export function readForm({ rules }: ExposeProperties, report: ReportAt): 'hosts' | 'matches' | undefined {
  if (rules === undefined) return 'hosts';
  const written = rules.map((rule) => {
    const keys = Object.keys(rule);
    return { hosts: keys.filter((key) => !isOfRoute(key)), matches: keys.filter(isOfRoute) };
  });
  const first = written.find(({ hosts, matches }) => hosts.length + matches.length > 0);
  // Empty rules must not become a route for every host.
  const form = first === undefined || first.hosts.length > 0 ? 'hosts' : 'matches';
  let isMixed = false;
  for (const [index, keys] of written.entries()) {
    const strange = keys[form === 'hosts' ? 'matches' : 'hosts'];
    if (strange.length === 0) continue;
    const args = { keys: strange, others: keys[form].length > 0 ? keys[form] : first![form] };
    report(exposeProblems.create('expose-rules-mixed', args), ['rules', index]);
    isMixed = true;
  }
  return isMixed ? undefined : form;
}

function isOfRoute(key: string): boolean {
  return Object.hasOwn(routeRule, key);
}

const everything: PathOfHost = { path: '/', pathType: 'Prefix' };

/** The rules by host; without rules, all requests to the hostnames go to the component. */
export function listHostRoutes(
  { rules, hostnames }: Pick<ExposeProperties, 'rules' | 'hostnames'>,
  controller: ControllerType,
  report: ReportAt,
): readonly HostRoute[] {
  const named = placeHosts(hostnames);
  if (rules === undefined) {
    return named.map(({ host, at }) => ({ host, at, rule: 0, paths: [placePath(everything, at)] }));
  }
  return rules.flatMap((rule, index): readonly HostRoute[] => {
    const at = ['rules', index];
    const list = rule.paths?.map((path, position) => placePath(path, [...at, 'paths', position]));
    const isEmptyRule = Object.keys(rule).length === 0;
    const ofRule = list ?? [{ ...placePath(everything, at), isEmptyRule }];
    if (rule.host !== undefined) return [{ host: rule.host, at: [...at, 'host'], rule: index, paths: ofRule }];
    if (named.length === 0) report(exposeProblems.create('expose-host-missing', { controller }), at);
    return named.map(({ host, at: place }) => ({ host, at: place, rule: index, paths: ofRule }));
  });
}

function placePath(path: PathOfHost, at: Path): HostPath {
  return { ...path, at, valueAt: [...at, 'path'], backendAt: { path: at, key: 'backend' } };
}

export function placeHosts(hostnames: readonly string[] = []): readonly PlacedHost[] {
  return hostnames.map((host, index) => ({ host, at: ['hostnames', index] }));
}

/** Checks every host where it is written, and warns about those without a rule. Returns the hosts. */
export function checkRoutedHosts(
  routes: readonly HostRoute[],
  { hostnames, allowedHostnameWildcard: allowed }: ExposeProperties,
  report: ReportAt,
): readonly PlacedHost[] {
  const named = placeHosts(hostnames);
  const routed = new Set(routes.map(({ host }) => host));
  for (const { host, at } of named) {
    if (!routed.has(host)) report(exposeProblems.create('expose-host-unrouted', { host }), at);
  }
  const hosts = [...routes.filter(({ at }) => at[0] !== 'hostnames'), ...named];
  checkHosts(hosts, { allowed, report });
  return hosts;
}

/** A wildcard host has another meaning on the platform. */
export function refuseWildcards(hosts: readonly PlacedHost[], controller: ControllerType, report: ReportAt): void {
  for (const { host, at } of hosts) {
    if (host.startsWith('*.')) report(exposeProblems.create('expose-wildcard-host', { host, controller }), at);
  }
}
