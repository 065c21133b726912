import type { LockChange } from '../../fleet/index.ts';
import type { FleetLockEntry } from '../../forms/index.ts';
import { formatTable } from './format-table.ts';

/** A table of the entries that change, with their old and new versions. */
export function formatLockChanges(changes: readonly LockChange[], color: boolean): string {
  const header = ['PACKAGE', 'VERSION', 'OLD', 'NEW', 'DIGEST', 'TARGETS'];
  const rows = changes.map(({ url, range, tag, before, after, targets }) => [
    url,
    range ?? `:${tag}`,
    showVersion(before),
    showVersion(after),
    showDigests(before, after),
    targets.length.toLocaleString('en-US'),
  ]);
  return formatTable(header, rows, { color });
}

function showVersion(entry: FleetLockEntry | undefined): string {
  return entry === undefined ? '-' : (entry.version ?? entry.tag);
}

function showDigests(before: FleetLockEntry | undefined, after: FleetLockEntry | undefined): string {
  const [old, now] = [before, after].map((entry) => entry?.digest.slice(0, 'sha256:'.length + 12));
  if (old === undefined || now === undefined || old === now) return now ?? old ?? '';
  return `${old} → ${now}`;
}

/** `1 added, 2 updated, 3 unchanged` */
export function countLockChanges(changes: readonly LockChange[], entries: number): string {
  const added = changes.filter(({ before }) => before === undefined).length;
  const removed = changes.filter(({ after }) => after === undefined).length;
  const updated = changes.length - added - removed;
  const unchanged = entries - added - updated;
  const parts = { added, updated, removed, unchanged };
  return Object.entries(parts)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count.toLocaleString('en-US')} ${word}`)
    .join(', ');
}
