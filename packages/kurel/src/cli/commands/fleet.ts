import { quote } from '../../diagnostics/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, ExitCode } from '../command.ts';
import { readCacheFlags } from '../fleet/cache/open-cache.ts';
import { openSince } from '../fleet/changed-targets.ts';
import type { FleetSince } from '../fleet/changed-targets.ts';
import { compareTargets, renderTargets } from '../fleet/diff-targets.ts';
import { actions, checkFlags, fleetFlags, readJobs, wordsForTargets } from '../fleet/fleet-flags.ts';
import type { Action, FleetFlags } from '../fleet/fleet-flags.ts';
import { formatReview, formatReviewMarkdown, reviewToJson } from '../fleet/format-review.ts';
import {
  collectImages,
  fleetImagesToJson,
  formatFleetImages,
  formatTargets,
  targetsToJson,
} from '../fleet/list-targets.ts';
import { directoryOf, limitToShard, openFleet, readShard, selectTargets, showPath } from '../fleet/open-fleet.ts';
import type { OpenedFleet, TargetSelection } from '../fleet/open-fleet.ts';
import { formatJob } from '../fleet/print-job.ts';
import { makeStrict } from '../fleet/print-run.ts';
import { relocate, runFleet } from '../fleet/run-fleet.ts';
import { inlineOf, inputWordsOf } from '../fleet/target-command.ts';
import { parseFlags } from '../parse-flags.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import { runWatched } from '../run-watched.ts';
import { useColor } from '../terminal.ts';
import { hasErrors, UsageError } from '../usage-error.ts';

export const fleet = defineCommand({
  name: 'fleet',
  description:
    'A fleet file lists targets: each is one build with its package, profile, values and output directory. TARGET is a name or a pattern ' +
    'such as berlin/* or **web; without it, all targets are processed. A target that fails does not stop the others, and its output is ' +
    'not changed. Targets whose inputs and outputs have not changed since the last run are not built again. diff compares what targets ' +
    'build now with a git revision. push publishes the output of targets that have an artifact. paths prints what each target reads. ' +
    'report prints the reports of several shards as one. job prints a Job for Kubernetes that builds shards in parallel.',
  arguments: [
    { name: 'ACTION', summary: actions.join(', '), choices: actions },
    {
      name: 'TARGET',
      summary:
        'names or patterns of targets; for explain: one target, then OBJECT and FIELD as in kurel explain; for report: files of --report',
      optional: true,
      repeats: true,
      completes: 'target',
    },
  ],
  flags: fleetFlags,
  examples: [
    { says: 'the targets and their outputs', line: 'kurel fleet list' },
    { says: 'everything', line: 'kurel fleet build' },
    { says: 'one cluster', line: "kurel fleet build 'berlin/*'" },
    { says: 'fail in CI if the outputs are stale', line: 'kurel fleet build --check' },
    {
      says: 'a comment for a pull request',
      line: 'kurel fleet diff --since origin/main --format markdown',
    },
    { says: 'publish the output for Flux and Argo CD', line: 'kurel fleet push --tag production' },
    { says: 'what sets the replicas of one target', line: 'kurel fleet explain berlin/web deployment.web replicas' },
  ],
  async run(call) {
    return runWatched(call, 'done', async (inner) => {
      const exitCode = await runOnce(inner);
      // A difference is not a failure.
      if (exitCode === 1 && call.positionals[0] !== 'diff') inner.environment.watched?.conclude('failed', '');
      return exitCode;
    });
  },
});

type Call = CommandCall<FleetFlags>;

async function runOnce(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const [action, ...words] = positionals as readonly [Action, ...string[]];
  checkFlags(action, flags);
  if (action === 'report') {
    const { printReports } = await import('../fleet/shard-report.ts');
    return printReports(words, flags, environment);
  }
  if (action === 'job') {
    environment.writeStdout(formatJob({ flags, words: wordsForJob(flags, words) }));
    return 0;
  }
  const opened = await openFleet(flags.fleet, environment);
  const { fleet: loaded } = opened;
  if (loaded === undefined) {
    await printDiagnostics(relocate(opened, { opened, environment }), flags, environment);
    return 1;
  }
  if (action === 'explain') return explainTarget(call, opened, words);
  const since = flags.since === undefined ? undefined : await openSince(flags.since, opened);
  try {
    return await runAction(call, { action, opened, loaded, words, since });
  } finally {
    since?.close();
  }
}

/** The words of `kurel fleet build` in each shard. */
function wordsForJob(flags: Call['flags'], targets: readonly string[]): readonly string[] {
  const switches = (['cache-secrets', 'cache-trust'] as const).filter((name) => flags[name]);
  return [
    ...(flags.fleet === undefined ? [] : [`--fleet=${flags.fleet}`]),
    ...switches.map((name) => `--${name}`),
    ...wordsForTargets(flags),
    ...(targets.length === 0 ? [] : ['--', ...targets]),
  ];
}

interface OpenedCall {
  readonly action: Exclude<Action, 'explain' | 'report' | 'job'>;
  readonly opened: OpenedFleet;
  readonly loaded: Fleet;
  readonly words: readonly string[];
  readonly since: FleetSince | undefined;
}

async function runAction(
  { flags, environment }: Call,
  { action, opened, loaded, words, since }: OpenedCall,
): Promise<ExitCode> {
  const shard = readShard(flags.shard);
  const selected = selectTargets(loaded, words);
  const isAffected = (target: FleetTarget): boolean => since === undefined || since.isAffected(target);
  // A comparison finds out itself which targets are affected.
  const chosen = action === 'diff' ? selected : selected.filter(isAffected);
  const selection = limitToShard(loaded, chosen, shard);
  const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
  const call = { flags, environment, opened, loaded, selection, color };
  const { targets } = selection;
  if (action === 'diff') return printDiff(call, since!);
  if (action === 'push') {
    const { printPush } = await import('../fleet/push-targets.ts');
    return printPush({ flags, environment, opened, fleet: loaded, targets, words });
  }
  if (action === 'images') return printImages(call);
  if (action === 'list') return printList(call);
  const keys = new Map<string, readonly string[]>();
  const isListing = action === 'paths';
  const exitCode = await runFleet({
    opened,
    fleet: loaded,
    selection,
    action: action === 'validate' || isListing ? 'validate' : flags.check ? 'check' : 'build',
    words: wordsForTargets(flags),
    jobs: readJobs(flags.jobs),
    prune: flags.prune,
    isCached: !flags['no-cache'],
    cache: readCacheFlags(flags, environment),
    report: flags.report,
    strict: flags.strict,
    'message-format': flags['message-format'],
    color: flags.color,
    // The list is the output, so the findings go where those of a build go.
    environment: isListing ? { ...environment, writeStdout: environment.writeStderr } : environment,
    onReads: isListing ? (name, read) => void keys.set(name, read) : undefined,
  });
  if (isListing) await printPaths(call, keys);
  return exitCode;
}

interface Printing extends Pick<Call, 'flags' | 'environment'>, Pick<OpenedCall, 'opened' | 'loaded'> {
  readonly selection: TargetSelection;
  readonly color: boolean;
}

async function printList({ flags, environment, opened, loaded, selection, color }: Printing): Promise<ExitCode> {
  const { targets } = selection;
  const options = { color, explains: flags.explain, directory: directoryOf(opened, environment) };
  const isJson = flags.format === 'json';
  environment.writeStdout(isJson ? targetsToJson(loaded, targets) : formatTargets(loaded, targets, options));
  const diagnostics = opened.diagnostics.map((diagnostic) => makeStrict(diagnostic, flags.strict));
  await printDiagnostics(relocate({ ...opened, diagnostics }, { opened, environment }), flags, environment);
  return hasErrors(diagnostics) ? 1 : 0;
}

/** What each target reads, for path filters. */
async function printPaths(
  { flags, environment, opened, loaded, selection, color }: Printing,
  keys: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const { findRepository, formatArgoPaths, formatPaths, listPaths, pathsToJson } =
    await import('../fleet/list-paths.ts');
  const directory = opened.environment.workingDirectory;
  const root = findRepository(directory);
  const list = listPaths(selection.targets, { directory, root, fleet: loaded, keysOf: (name) => keys.get(name) ?? [] });
  environment.writeStdout(
    flags.format === 'json'
      ? pathsToJson(list)
      : flags.format === 'argocd'
        ? formatArgoPaths(list)
        : formatPaths(list, color),
  );
}

/** Exits 0 if nothing differs, 1 if something does or cannot be built. */
async function printDiff(
  { flags, environment, opened, loaded, selection, color }: Printing,
  since: FleetSince,
): Promise<ExitCode> {
  const request = { fleet: loaded, selection, words: wordsForTargets(flags), environment: opened.environment, since };
  const { review, diagnostics, sources } = await compareTargets(request);
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
  await printDiagnostics(relocate(findings, { opened, environment }), flags, environment);
  return review === undefined || review.changes.length > 0 ? 1 : 0;
}

/** The images of all targets, each once. */
async function printImages({ flags, environment, opened, loaded, selection, color }: Printing): Promise<ExitCode> {
  const images = collectImages();
  const { targets } = selection;
  const request = { fleet: loaded, targets, words: wordsForTargets(flags), environment: opened.environment };
  const findings = await renderTargets(request, ({ name }, objects) => images.add(name, objects));
  const isFailed = hasErrors(findings.diagnostics);
  if (!isFailed) {
    const text =
      flags.format === 'json' ? fleetImagesToJson(images.images()) : formatFleetImages(images.images(), color);
    environment.writeStdout(text);
  }
  const diagnostics = [...findings.diagnostics, ...(isFailed ? [] : images.hidden())];
  await printDiagnostics(relocate({ ...findings, diagnostics }, { opened, environment }), flags, environment);
  return isFailed ? 1 : 0;
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
  const { openFleetPackages } = await import('../fleet/fleet-packages.ts');
  const [chosen] = target as readonly [FleetTarget];
  const packages = openFleetPackages({
    ...opened.fleet!,
    words: wordsForTargets(call.flags),
    environment: opened.environment,
  });
  const { target: only, environment: inside } = await packages.enter(chosen, opened.environment);
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
    { positionals, flags, environment: inside },
    {
      inline: inlineOf(only, opened.fleet!.source),
      show: (path) => showPath(path, opened, environment),
      relocate: (findings) => relocate(findings, { opened, environment }),
    },
  );
}
