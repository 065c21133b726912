import { parseFlags } from '../parse-flags.ts';
import { quote } from '../../diagnostics/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, ExitCode, FlagDefinitions } from '../command.ts';
import { formatTargets, targetsToJson } from '../fleet/list-targets.ts';
import { openSince } from '../fleet/changed-targets.ts';
import type { FleetSince } from '../fleet/changed-targets.ts';
import { compareTargets, renderTargets } from '../fleet/diff-targets.ts';
import { formatReview, formatReviewMarkdown, reviewToJson } from '../fleet/format-review.ts';
import { collectImages, fleetImagesToJson, formatFleetImages } from '../fleet/list-images.ts';
import { directoryOf, openFleet, selectTargets, showPath } from '../fleet/open-fleet.ts';
import type { OpenedFleet } from '../fleet/open-fleet.ts';
import { makeStrict, relocate, runFleet } from '../fleet/run-fleet.ts';
import { inlineOf, inputWordsOf } from '../fleet/target-command.ts';
import { messageFormatFlag, watchFlag } from '../input-flags.ts';
import { buildLimitFlags, fileLimitFlags } from '../limit-flags.ts';
import { useColor } from '../paint.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import { runWatched } from '../run-watched.ts';
import { UsageError } from '../usage-error.ts';

const actions = ['list', 'build', 'validate', 'diff', 'images', 'explain'] as const;

type Action = (typeof actions)[number];

const flags = {
  fleet: {
    type: 'text',
    placeholder: 'FILE',
    completes: 'path',
    summary:
      'The fleet file; defaults to kurel.fleet.yaml in this directory or above it, up to the root of the repository.',
  },
  check: { type: 'switch', summary: 'build: write nothing; fail with a diff if an output is not up to date.' },
  since: {
    type: 'text',
    placeholder: 'REF',
    summary: 'Only targets that changes since this git revision can affect. diff: compare with this revision.',
  },
  prune: { type: 'switch', summary: 'build: remove the outputs of targets that are no longer in the fleet file.' },
  jobs: {
    type: 'text',
    short: 'j',
    placeholder: 'N',
    summary: 'How many processes build targets; defaults to the number of cores.',
  },
  'no-cache': {
    type: 'switch',
    summary: 'build, validate: process all targets, even if nothing has changed since the last run.',
  },
  explain: { type: 'switch', summary: 'list: show which line of the fleet file sets each setting.' },
  strict: { type: 'switch', summary: 'Treat warnings as errors.' },
  offline: { type: 'switch', summary: 'Application packages: use no network, only vendored sources.' },
  'allow-private': {
    type: 'switch',
    summary: 'Application packages: also fetch from loopback and private addresses.',
  },
  'allow-network': {
    type: 'switch',
    summary: 'Let helm and kustomize fetch what a chart or kustomization refers to.',
  },
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json', 'markdown'],
    summary:
      'list, diff, images, explain: output format, text (the default) or json; diff: also markdown, for a pull request.',
  },
  ...watchFlag,
  ...messageFormatFlag,
  ...fileLimitFlags,
  ...buildLimitFlags,
} as const satisfies FlagDefinitions;

export type FleetFlags = typeof flags;

export const fleet = defineCommand({
  name: 'fleet',
  summary: 'Build, validate and compare everything in kurel.fleet.yaml.',
  description:
    'A fleet file lists targets: each is one build with its package, profile, values and output directory. TARGET is a name or a pattern ' +
    'such as berlin/* or **web; without it, all targets are processed. A target that fails does not stop the others, and its output is ' +
    'not changed. Targets whose inputs and outputs have not changed since the last run are not built again. diff compares what targets ' +
    'build now with a git revision.',
  arguments: [
    { name: 'ACTION', summary: actions.join(', '), required: true, choices: actions },
    {
      name: 'TARGET',
      summary: 'names or patterns of targets; for explain: one target, then OBJECT and FIELD as in kurel explain',
      required: false,
      repeats: true,
      completes: 'target',
    },
  ],
  flags,
  examples: [
    { says: 'the targets and their outputs', line: 'kurel fleet list' },
    { says: 'everything', line: 'kurel fleet build' },
    { says: 'one cluster', line: "kurel fleet build 'berlin/*'" },
    { says: 'fail in CI if the outputs are stale', line: 'kurel fleet build --check' },
    {
      says: 'a comment for a pull request',
      line: 'kurel fleet diff --since origin/main --format markdown',
    },
    { says: 'what sets the replicas of one target', line: 'kurel fleet explain berlin/web deployment.web replicas' },
  ],
  async run(call) {
    if (!call.flags.watch) return runOnce(call);
    return runWatched(call, 'done', async (one) => {
      const exitCode = await runOnce(one);
      // A difference is not a failure.
      if (exitCode === 1 && call.positionals[0] !== 'diff') one.environment.watched?.conclude('failed', '');
      return exitCode;
    });
  },
});

type Call = CommandCall<FleetFlags>;

async function runOnce(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const [action, ...words] = positionals as readonly [Action, ...string[]];
  checkFlags(action, flags);
  const opened = await openFleet(flags.fleet, environment);
  const { fleet: found } = opened;
  if (found === undefined) {
    const print = { format: flags['message-format'], color: flags.color };
    await printDiagnostics(relocate(opened, { opened, environment }), print, environment);
    return 1;
  }
  if (action === 'explain') return explainTarget(call, opened, words);
  const since = flags.since === undefined ? undefined : await openSince(flags.since, opened);
  try {
    return await runAction(call, { action, opened, found, words, since });
  } finally {
    since?.close();
  }
}

interface OpenedCall {
  readonly action: Exclude<Action, 'explain'>;
  readonly opened: OpenedFleet;
  readonly found: Fleet;
  readonly words: readonly string[];
  readonly since: FleetSince | undefined;
}

async function runAction(
  { flags, environment }: Call,
  { action, opened, found, words, since }: OpenedCall,
): Promise<ExitCode> {
  const selected = selectTargets(found, words);
  const print = { format: flags['message-format'], color: flags.color };
  const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
  if (action === 'diff') return printDiff({ flags, environment, opened, found, selected, since: since!, color });
  const targets = since === undefined ? selected : selected.filter((target) => since.isAffected(target));
  if (action === 'images') return printImages({ flags, environment, opened, found, targets, color });
  if (action === 'list') {
    const text =
      flags.format === 'json'
        ? targetsToJson(found, targets)
        : formatTargets(found, targets, {
            color,
            explains: flags.explain,
            directory: directoryOf(opened, environment),
          });
    environment.writeStdout(text);
    const diagnostics = opened.diagnostics.map((one) => makeStrict(one, flags.strict));
    await printDiagnostics(relocate({ ...opened, diagnostics }, { opened, environment }), print, environment);
    return diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0;
  }
  return runFleet({
    opened,
    fleet: found,
    targets,
    action: action === 'validate' ? 'validate' : flags.check ? 'check' : 'build',
    words: wordsForTargets(flags),
    jobs: readJobs(flags.jobs),
    prune: flags.prune,
    isCached: !flags['no-cache'],
    strict: flags.strict,
    format: flags['message-format'],
    color: flags.color,
    environment,
  });
}

/** Flags that only some actions have. */
const ownFlags: Readonly<Partial<Record<keyof FleetFlags, readonly Action[]>>> = {
  check: ['build'],
  prune: ['build'],
  explain: ['list'],
  jobs: ['build', 'validate'],
  'no-cache': ['build', 'validate'],
  format: ['list', 'diff', 'images', 'explain'],
  since: ['list', 'build', 'validate', 'diff', 'images'],
};

function checkFlags(action: Action, flags: Call['flags']): void {
  for (const [name, of] of Object.entries(ownFlags) as [keyof FleetFlags, readonly Action[]][]) {
    const value = flags[name];
    if (value === undefined || value === false || of.includes(action)) continue;
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
  if (flags.format === 'markdown' && action !== 'diff') {
    throw new UsageError(`--format markdown has no effect on kurel fleet ${action}`, 'use text or json');
  }
  if (flags.check && flags.prune) {
    throw new UsageError('--check and --prune are mutually exclusive', 'remove one of them');
  }
  if (flags.check && flags.watch) {
    throw new UsageError('--check and --watch are mutually exclusive', 'remove one of them');
  }
}

function readJobs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9][0-9]{0,2}$/.test(text))
    throw new UsageError(`--jobs must be an integer from 1 to 999, got ${quote(text)}`);
  return Number(text);
}

/** The flags of this command that every target gets. */
function wordsForTargets(flags: Call['flags']): readonly string[] {
  const names = ['strict', 'offline', 'allow-private', 'allow-network'] as const;
  const limits = Object.keys({ ...fileLimitFlags, ...buildLimitFlags }) as (keyof FleetFlags)[];
  return [...names, ...limits].flatMap((name) => {
    const value = flags[name];
    if (value === true) return [`--${name}`];
    return typeof value === 'string' ? [`--${name}=${value}`] : [];
  });
}

interface Printing {
  readonly flags: Call['flags'];
  readonly environment: Call['environment'];
  readonly opened: OpenedFleet;
  readonly found: Fleet;
  readonly color: boolean;
}

/** Exits 0 if nothing differs, 1 if something does or cannot be built. */
async function printDiff({
  flags,
  environment,
  opened,
  found,
  selected,
  since,
  color,
}: Printing & { readonly selected: readonly FleetTarget[]; readonly since: FleetSince }): Promise<ExitCode> {
  const inside = opened.environment;
  const words = wordsForTargets(flags);
  const compared = await compareTargets({ fleet: found, targets: selected, words, environment: inside, since });
  const { review, diagnostics, sources } = compared;
  if (review !== undefined) {
    const { revision } = since;
    environment.writeStdout(
      flags.format === 'markdown'
        ? formatReviewMarkdown(review, revision)
        : flags.format === 'json'
          ? reviewToJson(review, revision)
          : formatReview(review, color),
    );
  }
  const findings = { diagnostics: [...opened.diagnostics, ...diagnostics], sources: [...opened.sources, ...sources] };
  const print = { format: flags['message-format'], color: flags.color };
  await printDiagnostics(relocate(findings, { opened, environment }), print, environment);
  return review === undefined || review.changes.length > 0 ? 1 : 0;
}

/** The images of all targets, each once. */
async function printImages({
  flags,
  environment,
  opened,
  found,
  targets,
  color,
}: Printing & { readonly targets: readonly FleetTarget[] }): Promise<ExitCode> {
  const images = collectImages();
  const words = wordsForTargets(flags);
  const findings = await renderTargets(
    { fleet: found, targets, words, environment: opened.environment },
    ({ name }, objects) => images.add(name, objects),
  );
  const hasErrors = findings.diagnostics.some(({ severity }) => severity === 'error');
  if (!hasErrors) {
    const text =
      flags.format === 'json' ? fleetImagesToJson(images.images()) : formatFleetImages(images.images(), color);
    environment.writeStdout(text);
  }
  const print = { format: flags['message-format'], color: flags.color };
  const diagnostics = [...findings.diagnostics, ...(hasErrors ? [] : images.hidden())];
  await printDiagnostics(relocate({ ...findings, diagnostics }, { opened, environment }), print, environment);
  return hasErrors ? 1 : 0;
}

/** `kurel explain` for one target, with the lines of the fleet file for the values that it sets. */
async function explainTarget(call: Call, opened: OpenedFleet, words: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = words;
  const target = selectTargets(opened.fleet!, name === undefined ? [] : [name]);
  if (name === undefined || target.length !== 1) {
    throw new UsageError(
      name === undefined ? 'kurel fleet explain requires a target' : `pattern ${quote(name)} matches several targets`,
      'pass one target, then an object and a field: kurel fleet explain berlin/web deployment.web replicas',
    );
  }
  const { explain, runExplain } = await import('./explain.ts');
  const [only] = target as readonly [FleetTarget];
  const { positionals, flags } = parseFlags(explain, [
    ...inputWordsOf(only),
    ...wordsForTargets(call.flags),
    ...(['format', 'message-format', 'color'] as const).flatMap((name) => {
      const value = call.flags[name];
      return value === undefined ? [] : [`--${name}=${value}`];
    }),
    '--',
    only.settings.package,
    ...rest,
  ]);
  const { environment } = call;
  return runExplain(
    { positionals, flags, environment: opened.environment },
    {
      inline: inlineOf(only, opened.fleet!.source),
      show: (path) => showPath(path, opened, environment),
      relocate: (findings) => relocate(findings, { opened, environment }),
    },
  );
}
