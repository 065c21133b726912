import { quote } from '../../diagnostics/index.ts';
import { problemsOf } from '../../fleet/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, CommandResult } from '../command.ts';
import { openSince } from '../fleet/changed-targets.ts';
import type { FleetSince } from '../fleet/changed-targets.ts';
import { compareTargets, renderTargets } from '../fleet/diff-targets.ts';
import type { FleetReview } from '../fleet/diff-targets.ts';
import { openOutputRecord } from '../fleet/fleet-outputs.ts';
import {
  actions,
  checkFlags,
  fleetFlags,
  pickWords,
  settingsForTargets,
  wordsForTargets,
} from '../fleet/fleet-flags.ts';
import type { Action, FleetFlags } from '../fleet/fleet-flags.ts';
import { formatReview, formatReviewMarkdown, reviewToJson } from '../fleet/format-review.ts';
import {
  collectImages,
  fleetImagesToJson,
  formatFleetImages,
  formatTargets,
  targetsToJson,
} from '../fleet/list-targets.ts';
import {
  directoryOf,
  limitToShard,
  openFleet,
  readShard,
  relocate,
  selectTargets,
  showPath,
} from '../fleet/open-fleet.ts';
import type { FleetCall, OpenedFleet } from '../fleet/open-fleet.ts';
import { limitOutputs, openFleetRoots } from '../fleet/output-limits.ts';
import { formatJob } from '../fleet/print-job.ts';
import { reportFleet } from '../fleet/print-run.ts';
import { runFleet } from '../fleet/run-fleet.ts';
import { repositoryOf } from '../open-repository.ts';
import { parseFlags } from '../parse-flags.ts';
import { printResult } from '../print-result.ts';
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
    const result = await runAny(call);
    // A difference is not a failure.
    const hasFailed = result.exitCode === 1 && call.positionals[0] !== 'diff';
    return { ...result, conclusion: { result: hasFailed ? 'failed' : 'done' } };
  },
});

type Call = CommandCall<FleetFlags>;

async function runAny(call: Call): Promise<CommandResult> {
  const { positionals, flags, environment } = call;
  const [action, ...words] = positionals as readonly [Action, ...string[]];
  checkFlags(action, flags);
  if (action === 'report') {
    const { joinReports } = await import('../fleet/shard-report.ts');
    return joinReports(words, flags, environment);
  }
  if (action === 'job') return { stdout: formatJob({ flags, words: wordsForJob(flags, words) }) };
  const read = await openFleet(flags.fleet, environment);
  const roots = openFleetRoots(read.environment.workingDirectory, flags['allow-output'], environment);
  const opened = limitOutputs(read, roots);
  const { fleet: loaded } = opened;
  if (loaded === undefined) return reportFleet({ diagnostics: [], sources: [] }, { opened, environment });
  if (action === 'explain') return explainTarget(call, opened, words);
  const since = flags.since === undefined ? undefined : await openSince(flags.since, opened);
  try {
    const shard = readShard(flags.shard);
    const selected = selectTargets(loaded, words);
    // A comparison finds out itself which targets are affected.
    const isLimited = since !== undefined && action !== 'diff';
    // A target that moved before the revision may have left its old files.
    const moving =
      isLimited && action === 'build'
        ? openOutputRecord(read.environment.workingDirectory, loaded, roots).moving
        : new Set<string>();
    const isAffected = (target: FleetTarget): boolean => since!.isAffected(target) || moving.has(target.name);
    const chosen = isLimited ? selected.filter(isAffected) : selected;
    const selection = limitToShard(loaded, chosen, shard);
    return await runAction(action, { flags, environment, opened, fleet: loaded, roots, selection, words, since });
  } finally {
    since?.close();
  }
}

/** The words of `kurel fleet build` in each shard. */
function wordsForJob(flags: Call['flags'], targets: readonly string[]): readonly string[] {
  return [
    ...pickWords(flags, ['fleet', 'allow-output', 'cache-secrets', 'cache-trust', 'max-fleet-steps']),
    ...wordsForTargets(flags),
    ...(targets.length === 0 ? [] : ['--', ...targets]),
  ];
}

interface ActionCall extends FleetCall {
  readonly words: readonly string[];
  readonly since: FleetSince | undefined;
}

async function runAction(
  action: Exclude<Action, 'explain' | 'report' | 'job'>,
  { words, since, ...call }: ActionCall,
): Promise<CommandResult> {
  if (action === 'diff') return compareWith(since!, call);
  if (action === 'push') {
    const { runPush } = await import('../fleet/push-targets.ts');
    return runPush(call, words);
  }
  if (action === 'images') return listImages(call);
  if (action === 'list') return listTargets(call);
  if (action === 'paths') return findPaths(call);
  return runFleet({ ...call, action: action === 'build' && call.flags.check ? 'check' : action });
}

function isColored({ flags, environment }: FleetCall): boolean {
  return useColor(flags.color, environment, environment.stdoutIsTerminal);
}

function listTargets(call: FleetCall): CommandResult {
  const { flags, environment, opened, fleet: loaded, selection } = call;
  const { targets } = selection;
  const options = { color: isColored(call), explains: flags.explain, directory: directoryOf(opened, environment) };
  const isJson = flags.format === 'json';
  const stdout = isJson ? targetsToJson(loaded, targets) : formatTargets(loaded, targets, options);
  const findings = { diagnostics: problemsOf(targets), sources: [] };
  return { ...reportFleet(findings, { opened, environment, strict: flags.strict }), stdout };
}

/** What each target reads, for path filters. */
async function findPaths(call: FleetCall): Promise<CommandResult> {
  const { formatArgoPaths, formatPaths, listPaths, pathsToJson } = await import('../fleet/list-paths.ts');
  const { flags, environment, opened, fleet: loaded, selection } = call;
  const keys = new Map<string, readonly string[]>();
  const onReads = (name: string, read: readonly string[]): void => void keys.set(name, read);
  const validated = await runFleet({ ...call, action: 'validate', onReads });
  // The list is the output, so the findings go where those of a build go, and before a list that they may explain.
  const exitCode = await printResult({ ...validated, isReport: false }, flags, environment);
  const directory = opened.environment.workingDirectory;
  const root = repositoryOf(directory);
  const list = listPaths(selection.targets, { directory, root, fleet: loaded, keysOf: (name) => keys.get(name) ?? [] });
  const stdout =
    flags.format === 'json'
      ? pathsToJson(list)
      : flags.format === 'argocd'
        ? formatArgoPaths(list)
        : formatPaths(list, isColored(call));
  return { stdout, exitCode };
}

/** Exits 0 if nothing differs, 1 if something does or cannot be built. */
async function compareWith(since: FleetSince, call: FleetCall): Promise<CommandResult> {
  const { flags } = call;
  const { revision } = since;
  const { review, ...findings } = await compareTargets(call, since);
  const format = (shown: FleetReview): string =>
    flags.format === 'markdown'
      ? formatReviewMarkdown(shown, revision)
      : flags.format === 'json'
        ? reviewToJson(shown, revision)
        : formatReview(shown, isColored(call));
  const exitCode = review === undefined || review.changes.length + review.moves.length > 0 ? 1 : 0;
  return { ...reportFleet(findings, call), stdout: review && format(review), exitCode };
}

/** The images of all targets, each once. */
async function listImages(call: FleetCall): Promise<CommandResult> {
  const images = collectImages();
  const findings = await renderTargets(call, ({ name }, objects) => images.add(name, objects));
  if (hasErrors(findings.diagnostics)) return { ...relocate(findings, call), exitCode: 1 };
  const isJson = call.flags.format === 'json';
  const diagnostics = [...findings.diagnostics, ...images.hidden()];
  return {
    ...relocate({ ...findings, diagnostics }, call),
    stdout: isJson ? fleetImagesToJson(images.images()) : formatFleetImages(images.images(), isColored(call)),
  };
}

/** `kurel explain` for one target, with the lines of the fleet file for the values that it sets. */
async function explainTarget(call: Call, opened: OpenedFleet, words: readonly string[]): Promise<CommandResult> {
  const [name, ...rest] = words;
  const target = selectTargets(opened.fleet!, name === undefined ? [] : [name]);
  if (name === undefined || target.length !== 1) {
    throw new UsageError(
      name === undefined ? 'kurel fleet explain requires a target' : `pattern ${quote(name)} matches several targets`,
      'pass one target, then an object and a field: kurel fleet explain berlin/web deployment.web replicas',
    );
  }
  const { explain, runExplain } = await import('./explain.ts');
  const { readOutputRequest } = await import('../build-to-output.ts');
  const { openCall } = await import('../fleet/build-target.ts');
  const { openFleetPackages } = await import('../fleet/fleet-packages.ts');
  const [chosen] = target as readonly [FleetTarget];
  if (chosen.problems !== undefined) {
    return reportFleet({ diagnostics: chosen.problems, sources: [] }, { opened, environment: call.environment });
  }
  const { environment } = call;
  const { source } = opened.fleet!;
  const settings = settingsForTargets(call.flags);
  const packages = openFleetPackages({ ...opened.fleet!, settings, environment: opened.environment });
  const opening = await openCall(chosen, opened.environment, { packages, job: { source, settings } });
  const { reading } = await readOutputRequest({ ...opening, collectFor: chosen.settings.output });
  const shown = pickWords(call.flags, ['format', 'message-format', 'color']);
  const { positionals, flags } = parseFlags(explain, [...shown, '--', opening.path, ...rest]);
  return runExplain(
    { positionals, flags, environment: opening.environment },
    {
      reading,
      show: (path) => showPath(path, opened, environment),
      relocate: (findings) => relocate(findings, { opened, environment }),
    },
  );
}
