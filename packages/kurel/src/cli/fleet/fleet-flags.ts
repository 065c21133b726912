import { quote } from '../../diagnostics/index.ts';
import { listSet, settingNames, settingTable, wordsOfSettings } from '../../settings/index.ts';
import type { BuildSettings, SettingName } from '../../settings/index.ts';
import { forActions, listFlag, switchFlag, textFlag } from '../command.ts';
import type { CommandCall, FlagDefinition, FlagDefinitions } from '../command.ts';
import { messageFormatFlag, watchFlag } from '../input-flags.ts';
import { buildLimitFlags, fileLimitFlags, fleetLimitFlags } from '../limits.ts';
import { registryFlags } from '../registry-access.ts';
import { settingsOf } from '../setting-flags.ts';
import { collectUsage, refuseBothFlags, UsageError } from '../usage-error.ts';
import { cacheFlags } from './cache/open-cache.ts';
import { jobFlags } from './print-job.ts';

export const actions = [
  'list',
  'build',
  'validate',
  'diff',
  'push',
  'images',
  'paths',
  'explain',
  'report',
  'job',
] as const;

export type Action = (typeof actions)[number];

/** All that read the fleet file; reports name everything themselves. */
const reading = actions.filter((action) => action !== 'report');
const selecting: readonly Action[] = ['list', 'build', 'validate', 'diff', 'push', 'images', 'paths'];

export const fleetFlags = {
  ...forActions(reading, {
    fleet: textFlag(
      'FILE',
      'The fleet file; defaults to kurel.fleet.yaml in this directory or above it, up to the root of the repository.',
      { completes: 'path' },
    ),
  }),
  ...forActions(reading, {
    'allow-output': listFlag('DIR', 'Outputs may also be in this directory outside the repository.', {
      completes: 'path',
    }),
  }),
  ...forActions(['build'], {
    check: switchFlag('write nothing; fail with a diff if an output is not up to date.'),
  }),
  ...forActions(selecting, {
    since: textFlag(
      'REF',
      'Only targets that changes since this git revision can affect. diff: compare with this revision.',
    ),
    shard: textFlag(
      'I/N',
      'Only shard I of N: each target is in exactly one, whatever the other targets are. 0/N is the same as N/N.',
    ),
  }),
  ...forActions(['build'], {
    prune: switchFlag('remove the outputs of targets that are no longer in the fleet file.'),
  }),
  ...forActions(['build', 'validate'], {
    report: textFlag('FILE', 'also write the result to this file, for kurel fleet report.', { completes: 'path' }),
  }),
  ...forActions(['build', 'validate', 'paths'], {
    jobs: textFlag('N', 'how many processes build targets; defaults to the number of cores.', { short: 'j' }),
    'no-cache': switchFlag('process all targets, even if nothing has changed since the last run.'),
  }),
  ...cacheFlags,
  ...forActions(['job'], jobFlags),
  ...forActions(['push'], {
    tag: listFlag('TAG', 'the tag of all artifacts.'),
    annotation: listFlag('KEY=VALUE', 'annotate all artifacts, such as org.opencontainers.image.revision=main@sha1:….'),
    force: switchFlag('move tags that belong to other content.'),
    'dry-run': switchFlag('build, but push nothing; print what would be pushed.'),
  }),
  ...forActions(['list'], {
    explain: switchFlag('show which line of the fleet file sets each setting.'),
  }),
  ...forActions(reading, {
    strict: switchFlag('Treat warnings as errors.'),
  }),
  // A push needs the network.
  ...forActions(
    reading.filter((action) => action !== 'push'),
    { offline: switchFlag('Use no network, only vendored packages and sources.') },
  ),
  ...forActions(reading, {
    ...registryFlags,
    'allow-network': switchFlag('Let helm and kustomize fetch what a chart or kustomization refers to.'),
  }),
  ...forActions(['list', 'diff', 'images', 'paths', 'explain'], {
    format: textFlag(
      'FORMAT',
      'output format, text (the default) or json; diff: also markdown, for a pull request; paths: also argocd.',
      { choices: ['text', 'json', 'markdown', 'argocd'] },
    ),
  }),
  ...forActions(
    reading.filter((action) => action !== 'job' && action !== 'push'),
    watchFlag,
  ),
  ...messageFormatFlag,
  ...forActions(reading, { ...fileLimitFlags, ...fleetLimitFlags, ...buildLimitFlags }),
} as const satisfies FlagDefinitions;

export type FleetFlags = typeof fleetFlags;

type Values = CommandCall<FleetFlags>['flags'];

const forTargets: readonly SettingName[] = [
  'strict',
  'offline',
  'allowNetwork',
  'registryConfig',
  'allowPrivate',
  ...settingNames.filter((name) => Object.hasOwn({ ...fileLimitFlags, ...buildLimitFlags }, settingTable[name].flag)),
];

const exclusive = [
  ['check', 'prune'],
  ['cache', 'no-cache'],
  ['check', 'watch'],
] as const;

function actionsOf(name: keyof FleetFlags): readonly string[] {
  const flag: FlagDefinition = fleetFlags[name];
  return flag.actions ?? actions;
}

/** Refuses flags that the action does not have, and those that it cannot have together or without others. */
export function checkFlags(action: Action, flags: Values): void {
  const usage = collectUsage();
  const names = Object.keys(fleetFlags) as (keyof FleetFlags)[];
  usage.attemptEach(listSet(flags, names), (name) => {
    const of = actionsOf(name);
    if (of.includes(action)) return;
    throw new UsageError(
      `--${name} has no effect on kurel fleet ${action}`,
      `use it with kurel fleet ${of.join(', ').replace(/, (?=[^,]*$)/, ' or ')}, or remove it`,
    );
  });
  usage.attempt(() => checkRequired(action, flags));
  usage.attemptEach(exclusive, (pair) => refuseBothFlags(flags, pair));
  usage.throwAll();
}

function checkRequired(action: Action, { since, tag, format }: Values): void {
  if (action === 'diff' && since === undefined) {
    throw new UsageError(
      'kurel fleet diff requires --since',
      'pass a revision, such as --since origin/main; kurel fleet build --check compares with the output directories',
    );
  }
  if (action === 'push' && tag.length === 0) {
    throw new UsageError('kurel fleet push requires --tag', 'pass the tag of all artifacts, such as --tag production');
  }
  const isOfOther = (format === 'markdown' && action !== 'diff') || (format === 'argocd' && action !== 'paths');
  // Otherwise it is refused as a whole.
  if (isOfOther && actionsOf('format').includes(action)) {
    throw new UsageError(`--format ${format} has no effect on kurel fleet ${action}`, 'use text or json');
  }
}

export function readJobs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9][0-9]{0,2}$/.test(text))
    throw new UsageError(`--jobs must be an integer from 1 to 999, got ${quote(text)}`);
  return Number(text);
}

/** The settings of this command that every target gets. */
export function settingsForTargets(flags: Values): Partial<BuildSettings> {
  return pickSettings(settingsOf(flags), forTargets);
}

/** The same as words of a command line. */
export function wordsForTargets(flags: Values): readonly string[] {
  return wordsOfSettings(settingsOf(flags), forTargets);
}

function pickSettings(settings: BuildSettings, names: readonly SettingName[]): Partial<BuildSettings> {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

/** The flags with these names, as words of another command line. */
export function pickWords(flags: object, names: readonly string[]): readonly string[] {
  const values: Readonly<Record<string, unknown>> = { ...flags };
  return names.flatMap((name) => {
    const value = values[name];
    if (value === true) return [`--${name}`];
    return [value].flat().flatMap((text) => (typeof text === 'string' ? [`--${name}=${text}`] : []));
  });
}
