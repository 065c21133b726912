import { fetchPackage, registryProblem } from '../../artifact/index.ts';
import type { FetchPackageOptions } from '../../artifact/index.ts';
import { chooseTag, fleetProblems, versionOfTag } from '../../fleet/index.ts';
import type { Fleet, LockChange, LockRequest } from '../../fleet/index.ts';
import type { FleetLockEntry } from '../../forms/index.ts';
import type { Diagnostic, Location } from '../../model/index.ts';
import { openRepository, parseOciReference, withVersion } from '../../registry/index.ts';
import type { FetchAccess } from '../../registry/index.ts';
import { fetchAtOnce } from './fleet-packages.ts';
import { formatTable } from './list-targets.ts';
import { formatCount, joinCounts } from './print-run.ts';

interface Registries extends Pick<FetchPackageOptions, 'forms'> {
  readonly access: FetchAccess;
}

/** Asks registries for the newest versions of packages. The result does not depend on which of them answers first. */
export async function resolveVersions(
  requests: readonly LockRequest[],
  { fleet, ...registries }: Registries & { readonly fleet: Fleet },
) {
  const all = await fetchAtOnce(requests, async (request) => {
    const location = { file: fleet.source.path, document: 0, path: request.path };
    try {
      return await ask(request, location, registries);
    } catch (error) {
      return { ...registryProblem(error), location };
    }
  });
  return {
    entries: all.filter((answer): answer is FleetLockEntry => 'digest' in answer),
    /** Registries that do not answer, ranges without a version. */
    diagnostics: all.filter((answer): answer is Diagnostic => 'severity' in answer),
  };
}

async function ask(
  { url, range, tag: tagged }: LockRequest,
  location: Location,
  { access, forms }: Registries,
): Promise<FleetLockEntry | Diagnostic> {
  let tag = tagged;
  if (range !== undefined) {
    const tags = await openRepository(parseOciReference(`${url}:0`), access).listTags();
    const { chosen, newest } = chooseTag(tags, range);
    if (chosen === undefined) {
      return fleetProblems.create('fleet-version-unmatched', { url, range, newest }, { location });
    }
    tag = chosen;
  }
  const { digest, config } = await fetchPackage(withVersion(url, tag!), access, { forms });
  const version = versionOfTag(tag!) ?? versionOfTag(config.version ?? '');
  return {
    url,
    ...(range === undefined ? {} : { range }),
    tag: tag!,
    ...(version === undefined ? {} : { version }),
    digest,
  };
}

/** A table of the entries that change, with their old and new versions. */
export function formatLockChanges(changes: readonly LockChange[], color: boolean): string {
  const header = ['PACKAGE', 'VERSION', 'OLD', 'NEW', 'DIGEST', 'TARGETS'];
  const rows = changes.map(({ url, range, tag, before, after, targets }) => [
    url,
    range ?? `:${tag}`,
    showVersion(before),
    showVersion(after),
    showDigests(before, after),
    formatCount(targets.length),
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
  return joinCounts({ added, updated, removed, unchanged });
}
