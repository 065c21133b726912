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
