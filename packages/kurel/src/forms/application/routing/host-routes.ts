import type { Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import type { ValueOf } from '../documents/field.ts';
import type { PlacedHost } from './check-hosts.ts';
import type { ExposeProperties } from './expose-properties.ts';
import { exposeProblems } from './expose-problems.ts';
import type { ControllerType } from './expose-problems.ts';
import { routeRule } from './route-properties.ts';
import type { paths } from './routing-properties.ts';

/** A path of a host and its backend, with the paths of their properties. */
export interface HostPath extends PathOfHost {
  readonly at: Path;
  readonly pathAt: Path;
  /** Path of the object with the port; the key of the Service name in it depends on the form of the rules. */
  readonly backendAt: Path;
  readonly nameAt: Path;
  /** The rule is empty: it matches all paths. */
  readonly isEmptyRule?: boolean | undefined;
}

type PathOfHost = ValueOf<typeof paths>[number];

/** A host and its paths, which every platform supports. */
export interface HostRoute extends PlacedHost {
  /** Index of its rule; several hosts may come from one rule. */
  readonly rule: number;
  readonly paths: readonly HostPath[];
}

interface RulesOptions {
  readonly controller: ControllerType;
  readonly report: ReportAt;
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
  { rules, hostnames = [] }: ExposeProperties,
  { controller, report }: RulesOptions,
): readonly HostRoute[] {
  const named = hostnames.map((host, index): PlacedHost => ({ host, at: ['hostnames', index] }));
  if (rules === undefined) {
    return named.map(({ host, at }) => ({ host, at, rule: 0, paths: [placePath(everything, at)] }));
  }
  return rules.flatMap((rule, index): readonly HostRoute[] => {
    const at = ['rules', index];
    const list = rule.paths?.map((one, position) => placePath(one, [...at, 'paths', position]));
    const isEmptyRule = Object.keys(rule).length === 0;
    const paths = list ?? [{ ...placePath(everything, at), isEmptyRule }];
    if (rule.host !== undefined) return [{ host: rule.host, at: [...at, 'host'], rule: index, paths }];
    if (named.length === 0) report(exposeProblems.create('expose-host-missing', { controller }), at);
    return named.map((one) => ({ host: one.host, at: one.at, rule: index, paths }));
  });
}

function placePath(path: PathOfHost, at: Path): HostPath {
  return { ...path, at, pathAt: [...at, 'path'], backendAt: at, nameAt: [...at, 'backend'] };
}

/** Every host and where it is written. */
export function listHosts(routes: readonly HostRoute[], { hostnames = [] }: ExposeProperties): readonly PlacedHost[] {
  const named = hostnames.map((host, index) => ({ host, at: ['hostnames', index] }));
  return [...routes.filter(({ at }) => at[0] !== 'hostnames'), ...named];
}

/** Warns about hosts without a rule. */
export function warnAboutUnrouted(
  routes: readonly HostRoute[],
  { hostnames = [] }: ExposeProperties,
  report: ReportAt,
): void {
  const routed = new Set(routes.map(({ host }) => host));
  for (const [index, host] of hostnames.entries()) {
    if (!routed.has(host)) report(exposeProblems.create('expose-host-unrouted', { host }), ['hostnames', index]);
  }
}

/** Maps a path by its longest known prefix. */
export function createPathMap(pairs: readonly (readonly [Path, Path])[]): (path: Path) => Path {
  let map: ReadonlyMap<string, Path> | undefined;
  return (path) => {
    map ??= new Map(pairs.map(([from, to]) => [JSON.stringify(from), to]));
    for (let length = path.length; length > 0; length -= 1) {
      const to = map.get(JSON.stringify(path.slice(0, length)));
      if (to !== undefined) return [...to, ...path.slice(length)];
    }
    return path;
  };
}
