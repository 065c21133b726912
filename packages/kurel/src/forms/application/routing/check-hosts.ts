import type { Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { routingProblems } from './problems.ts';

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

interface PlacedPath {
  readonly host: string;
  readonly path: string;
  readonly pathType: string;
  readonly at: Path;
}

/** Reports duplicate paths of a host. */
export function checkPaths(paths: readonly PlacedPath[], report: ReportAt): void {
  const seen = new Set<string>();
  for (const { host, path, pathType, at } of paths) {
    // `/a` and `/a/` are the same prefix but different exact paths.
    const isOpen = pathType === 'Prefix' && path.length > 1 && path.endsWith('/');
    const key = JSON.stringify([host, pathType, isOpen ? path.slice(0, -1) : path]);
    if (seen.has(key)) report(routingProblems.create('route-path-twice', { path, pathType, host }), [...at, 'path']);
    seen.add(key);
  }
}
