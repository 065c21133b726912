import { countNoun, didYouMean, nearest, quote } from '../../diagnostics/index.ts';
import {
  fleetProblems,
  listLockRequests,
  lockPathOf,
  nameOfPackage,
  planLock,
  writeFleetLock,
} from '../../fleet/index.ts';
import type { Fleet, LockChange, LockRequest } from '../../fleet/index.ts';
import { updateFiles } from '../../host/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { defineCommand, switchFlag } from '../command.ts';
import type { CommandCall, CommandResult, FlagDefinitions } from '../command.ts';
import { fleetFlags } from '../fleet/fleet-flags.ts';
import { openFleet } from '../fleet/open-fleet.ts';
import type { OpenedFleet } from '../fleet/open-fleet.ts';
import { reportFleet } from '../fleet/print-run.ts';
import { countLockChanges, formatLockChanges, resolveVersions } from '../fleet/resolve-versions.ts';
import { messageFormatFlag } from '../input-flags.ts';
import { fileLimitFlags, fleetLimitFlags, timeLimitFlags } from '../limits.ts';
import { publishedForms } from '../open-input.ts';
import { createRegistryAccess, registryFlags } from '../registry-access.ts';
import { useColor } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { reportStale } from './vendor.ts';
import { settingsOf } from '../setting-flags.ts';

type Call = CommandCall<typeof flags>;

async function runUpdate(call: Call): Promise<CommandResult> {
  const { positionals, flags, environment } = call;
  const opened = await openFleet(flags.fleet, environment);
  const { fleet } = opened;
  const report = (diagnostics: readonly Diagnostic[]): CommandResult =>
    reportFleet({ diagnostics, sources: [] }, { opened, environment });
  if (fleet === undefined) return report([]);
  const requests = listLockRequests(fleet);
  const access = createRegistryAccess(settingsOf(flags), opened.environment);
  const forms = publishedForms(environment);
  const resolved = await resolveVersions(selectRequests(requests, positionals), { fleet, access, forms });
  if (resolved.diagnostics.length > 0) return report(resolved.diagnostics);
  const { entries, changes } = planLock(requests, { resolved: resolved.entries, before: fleet.lock?.entries ?? [] });
  const stale = writeLock(call, opened, entries.length === 0 ? undefined : writeFleetLock(entries));
  const path = lockPathOf(fleet.source.path);
  const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
  const list = changes.length === 0 ? '' : formatLockChanges(changes, color);
  const subject = flags.check && changes.length > 0 ? `${path} would change` : path;
  const stdout = `${list}${summarise(subject, changes, entries.length)}\n`;
  return { ...report([...reportMoved(fleet, changes), ...stale]), stdout };
}

/** Packages by name or URL; all of them without any. */
function selectRequests(requests: readonly LockRequest[], words: readonly string[]): readonly LockRequest[] {
  if (words.length === 0) return requests;
  const chosen = new Set<LockRequest>();
  for (const word of words) {
    const matching = requests.filter((request) => request.url === word || nameOfPackage(request) === word);
    if (matching.length === 0) {
      const names = [...new Set(requests.map(nameOfPackage))];
      const near = nearest(word, names);
      const advice =
        names.length === 0 ? 'the fleet has none with a version or tag' : `use one of: ${names.join(', ')}`;
      throw new UsageError(`package ${quote(word)} does not exist`, didYouMean(near) ?? advice);
    }
    for (const request of matching) chosen.add(request);
  }
  return requests.filter((request) => chosen.has(request));
}

/** Writes the lock, or with `--check` reports that it would change. Without entries, there is none. */
function writeLock(
  { flags }: Call,
  { fleet, environment }: OpenedFleet,
  text: string | undefined,
): readonly Diagnostic[] {
  const path = lockPathOf(fleet!.source.path);
  const summary = updateFiles(environment.workingDirectory, {
    wanted: [],
    unwanted: text === undefined ? [{ path }] : [],
    index: text === undefined ? undefined : { path, text },
    isDry: flags.check,
  });
  return flags.check ? reportStale(summary) : [];
}

function summarise(path: string, changes: readonly LockChange[], entries: number): string {
  if (changes.length === 0) {
    if (entries === 0) return 'the fleet has no packages with a version or tag in registries';
    return `${path} is up to date: ${countNoun(entries, 'package')}`;
  }
  return `${path}: ${countLockChanges(changes, entries)}`;
}

/** A tag that moves replaces a version that somebody has reviewed. */
function reportMoved({ lock }: Fleet, changes: readonly LockChange[]): readonly Diagnostic[] {
  return changes.flatMap(({ url, before, after }) => {
    if (before === undefined || before.tag !== after?.tag || before.digest === after.digest) return [];
    const path = ['spec', 'packages', lock!.entries.indexOf(before), 'digest'];
    const location = { file: lock!.source.path, document: 0, path };
    const args = { url, tag: before.tag, before: before.digest, after: after.digest };
    return [fleetProblems.create('registry-tag-moved', args, { location })];
  });
}

const flags = {
  fleet: fleetFlags.fleet,
  check: switchFlag('Write nothing; fail if the lock would change.'),
  ...registryFlags,
  ...timeLimitFlags,
  ...fileLimitFlags,
  ...fleetLimitFlags,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export const update = defineCommand({
  name: 'update',
  description:
    'Finds the newest version of each package in a registry that the range in the fleet file allows, and writes its digest to ' +
    'kurel.fleet.lock. Builds use these digests: no other command resolves ranges. Entries that no target needs are removed. If a ' +
    'registry does not answer, nothing is written.',
  arguments: [
    {
      name: 'NAME',
      summary: 'packages to update, by the last part of their repository or by URL; all of them by default',
      optional: true,
      repeats: true,
    },
  ],
  flags,
  examples: [
    { says: 'all packages', line: 'kurel update' },
    { says: 'one of them', line: 'kurel update shop' },
    { says: 'fail in CI if there are new versions', line: 'kurel update --check' },
  ],
  run: runUpdate,
});
