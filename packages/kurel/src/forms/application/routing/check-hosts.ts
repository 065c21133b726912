import type { Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { routingProblems } from './problems.ts';

/** A host, and the property that says it. */
export interface PlacedHost {
  readonly host: string;
  readonly at: Path;
}

interface HostCheck {
  /** What the platform allows; everything unless given. */
  readonly allowed: string | undefined;
  /** Whether `*.example.com` stands for names with any number of labels in front, and not with one. */
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

/** `*.example.com` allows names with one more label; any other text allows itself. */
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

/** Of an Ingress or an HTTPRoute: what the author says, or the component, the kind and the scope. */
export function nameRoute({ component, kind, name, scope }: RouteName): string {
  return name ?? [component, kind, ...(scope === undefined || scope === '' ? [] : [scope])].join('-');
}

interface PlacedPath {
  readonly host: string;
  readonly path: string;
  readonly pathType: string;
  readonly at: Path;
}

/** One path of one host cannot lead to two places. */
export function checkPaths(paths: readonly PlacedPath[], report: ReportAt): void {
  const seen = new Set<string>();
  for (const { host, path, pathType, at } of paths) {
    // What is below `/a` is below `/a/`; as exact paths they are two.
    const isOpen = pathType === 'Prefix' && path.length > 1 && path.endsWith('/');
    const key = JSON.stringify([host, pathType, isOpen ? path.slice(0, -1) : path]);
    if (seen.has(key)) report(routingProblems.create('route-path-twice', { path, pathType, host }), [...at, 'path']);
    seen.add(key);
  }
}
