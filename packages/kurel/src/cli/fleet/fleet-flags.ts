import { quote } from '../../diagnostics/index.ts';
import { listFlag, switchFlag, textFlag } from '../command.ts';
import type { CommandCall, FlagDefinitions } from '../command.ts';
import { messageFormatFlag, watchFlag } from '../input-flags.ts';
import { buildLimitFlags, fileLimitFlags } from '../limits.ts';
import { registryFlags } from '../registry-access.ts';
import { findGiven, refuseBoth, UsageError } from '../usage-error.ts';
import { cacheFlags } from './cache/open-cache.ts';
import { jobFlags } from './print-job.ts';
import { writeWords } from './target-command.ts';

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

export const fleetFlags = {
  fleet: textFlag(
    'FILE',
    'The fleet file; defaults to kurel.fleet.yaml in this directory or above it, up to the root of the repository.',
    { completes: 'path' },
  ),
  check: switchFlag('build: write nothing; fail with a diff if an output is not up to date.'),
  since: textFlag(
    'REF',
    'Only targets that changes since this git revision can affect. diff: compare with this revision.',
  ),
  shard: textFlag(
    'I/N',
    'Only shard I of N: each target is in exactly one, whatever the other targets are. 0/N is the same as N/N.',
  ),
  prune: switchFlag('build: remove the outputs of targets that are no longer in the fleet file.'),
  report: textFlag('FILE', 'build, validate: also write the result to this file, for kurel fleet report.', {
    completes: 'path',
  }),
  jobs: textFlag('N', 'How many processes build targets; defaults to the number of cores.', { short: 'j' }),
  'no-cache': switchFlag('build, validate: process all targets, even if nothing has changed since the last run.'),
  ...cacheFlags,
  ...jobFlags,
  tag: listFlag('TAG', 'push: the tag of all artifacts.'),
  annotation: listFlag(
    'KEY=VALUE',
    'push: annotate all artifacts, such as org.opencontainers.image.revision=main@sha1:….',
  ),
  force: switchFlag('push: move tags that belong to other content.'),
  'dry-run': switchFlag('push: build, but push nothing; print what would be pushed.'),
  explain: switchFlag('list: show which line of the fleet file sets each setting.'),
  strict: switchFlag('Treat warnings as errors.'),
  offline: switchFlag('Use no network, only vendored packages and sources.'),
  ...registryFlags,
  'allow-network': switchFlag('Let helm and kustomize fetch what a chart or kustomization refers to.'),
  format: textFlag(
    'FORMAT',
    'list, diff, images, paths, explain: output format, text (the default) or json; diff: also markdown, for a pull request; paths: also argocd.',
    { choices: ['text', 'json', 'markdown', 'argocd'] },
  ),
  ...watchFlag,
  ...messageFormatFlag,
  ...fileLimitFlags,
  ...buildLimitFlags,
} as const satisfies FlagDefinitions;

export type FleetFlags = typeof fleetFlags;

type Values = CommandCall<FleetFlags>['flags'];

/** All that read the fleet file; reports name everything themselves. */
const reading = actions.filter((action) => action !== 'report');
const limits = Object.keys({ ...fileLimitFlags, ...buildLimitFlags });

const selecting: readonly Action[] = ['list', 'build', 'validate', 'diff', 'push', 'images', 'paths'];

/** Flags that only some actions have. */
const ownFlags: readonly (readonly [flags: readonly string[], of: readonly Action[]])[] = [
  [[...limits, 'fleet', 'strict'], reading],
  // A push needs the network.
  [['offline'], reading.filter((action) => action !== 'push')],
  [[...Object.keys(registryFlags), 'allow-network'], reading],
  [['watch'], reading.filter((action) => action !== 'job' && action !== 'push')],
  [['tag', 'annotation', 'force', 'dry-run'], ['push']],
  [['check', 'prune'], ['build']],
  [['report'], ['build', 'validate']],
  [['explain'], ['list']],
  [
    ['jobs', 'no-cache'],
    ['build', 'validate', 'paths'],
  ],
  [['cache'], ['build', 'validate', 'job']],
  [['cache-read-only'], ['build', 'validate']],
  [
    ['cache-secrets', 'cache-trust'],
    ['build', 'validate', 'job'],
  ],
  [Object.keys(jobFlags), ['job']],
  [['format'], ['list', 'diff', 'images', 'paths', 'explain']],
  [['since', 'shard'], selecting],
];

const exclusive = [
  ['check', 'prune'],
  ['cache', 'no-cache'],
  ['check', 'watch'],
] as const;

export function checkFlags(action: Action, flags: Values): void {
  for (const [names, of] of ownFlags) {
    const name = of.includes(action) ? undefined : findGiven(flags as Readonly<Record<string, unknown>>, names);
    if (name === undefined) continue;
    throw new UsageError(
      `--${name} has no effect on kurel fleet ${action}`,
      `use it with kurel fleet ${of.join(', ').replace(/, (?=[^,]*$)/, ' or ')}, or remove it`,
    );
  }
  if (action === 'diff' && flags.since === undefined) {
    throw new UsageError(
      'kurel fleet diff requires --since',
      'pass a revision, such as --since origin/main; kurel fleet build --check compares with the output directories',
    );
  }
  if (action === 'push' && flags.tag.length === 0) {
    throw new UsageError('kurel fleet push requires --tag', 'pass the tag of all artifacts, such as --tag production');
  }
  const { format } = flags;
  if ((format === 'markdown' && action !== 'diff') || (format === 'argocd' && action !== 'paths')) {
    throw new UsageError(`--format ${format} has no effect on kurel fleet ${action}`, 'use text or json');
  }
  for (const pair of exclusive) refuseBoth(flags, pair);
}

export function readJobs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9][0-9]{0,2}$/.test(text))
    throw new UsageError(`--jobs must be an integer from 1 to 999, got ${quote(text)}`);
  return Number(text);
}

/** The flags of this command that every target gets. */
export function wordsForTargets(flags: Values): readonly string[] {
  return pickWords(flags, ['strict', 'offline', 'allow-network', ...Object.keys(registryFlags), ...limits]);
}

export function wordsForRegistries(flags: object): readonly string[] {
  return pickWords(flags, Object.keys(registryFlags));
}

function pickWords(flags: object, names: readonly string[]): readonly string[] {
  const values: Readonly<Record<string, unknown>> = { ...flags };
  return writeWords(Object.fromEntries(names.map((name) => [name, values[name]])));
}
