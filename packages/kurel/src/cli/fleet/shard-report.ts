import { getOrAdd } from '../../budget/index.ts';
import { DiagnosticError, hideSecrets } from '../../diagnostics/index.ts';
import { sha256 } from '../../engine/index.ts';
import { mostShards } from '../../fleet/index.ts';
import { writeOutputFile } from '../../host/index.ts';
import { locateInYaml } from '../../index.ts';
import { compareText, FileAccessError, isJsonObject, readJson } from '../../model/index.ts';
import type { Diagnostic, SourceFile } from '../../model/index.ts';
import type { CommandResult } from '../command.ts';
import type { Environment } from '../environment.ts';
import { fileProblem } from '../file-problem.ts';
import { kurelVersion } from '../kurel-version.ts';
import { openDisk, placeOnDisk } from '../open-world.ts';
import type { PrintOptions } from '../print-diagnostics.ts';
import { cliProblems } from '../problems.ts';
import { UsageError } from '../usage-error.ts';
import { escapeLine } from '../unified-diff.ts';
import { sourcesOf } from './build-target.ts';
import { wordsForTargets } from './fleet-flags.ts';
import type { AcceptanceUse, TargetResult } from './collect-outcomes.ts';
import {
  fieldsOf,
  findingWith,
  isCount,
  isPath,
  isSwitch,
  isText,
  listOf,
  mapOf,
  oneOf,
} from './cache/cached-target.ts';
import type { FleetCall } from './open-fleet.ts';
import { refuseReport } from './output-limits.ts';
import { reportRun } from './print-run.ts';
import type { FinishedRun } from './print-run.ts';

/** What `--report` writes: the result of a run, so that the results of several shards can be printed as one. */
interface ShardReport extends Omit<FinishedRun, 'results' | 'sources'> {
  readonly version: typeof format;
  /** What all shards of a run have in common, by its name in messages. */
  readonly run: Readonly<Record<CommonFact, string>>;
  readonly shard: { readonly index: number; readonly count: number };
  readonly strict: boolean;
  /** With the position of each target among those of all shards. */
  readonly results: readonly (TargetResult & { readonly position: number })[];
  /** The files that findings point into, by the digest of their text. Texts may contain secrets, so they stay where they are. */
  readonly texts: Readonly<Record<string, string>>;
}

const commonFacts = ['number of shards', 'version of kurel', 'fleet file', 'command', 'targets'] as const;

type CommonFact = (typeof commonFacts)[number];

const format = 1;

/** Returns why the report could not be written: the run has its result all the same. */
export function writeReport(finished: FinishedRun, path: string, call: FleetCall): readonly Diagnostic[] {
  const { flags, fleet, selection, environment } = call;
  const { index, count } = selection.shard ?? { index: 1, count: 1 };
  const names = selection.ofAllShards.map(({ name }) => name);
  const positions = new Map(names.map((name, position) => [name, position]));
  const { results, sources, found: findings, own, ...rest } = finished;
  const hide = (list: readonly Diagnostic[]): readonly Diagnostic[] =>
    hideSecrets(list, { sources, locate: locateInYaml });
  const report: ShardReport = {
    version: format,
    run: {
      'number of shards': `${count}`,
      'version of kurel': kurelVersion,
      'fleet file': `${finished.file} ${sha256(fleet.source.text)}`,
      command: [finished.action, ...wordsForTargets(flags), ...(flags.prune ? ['--prune'] : [])].join(' '),
      targets: sha256(JSON.stringify(names)),
    },
    shard: { index, count },
    strict: flags.strict,
    ...rest,
    isWhole: selection.isWhole,
    own: hide(own),
    found: hide(findings),
    results: results.map((result) => Object.assign({ position: positions.get(result.name)! }, result)),
    texts: digestTexts(finished),
  };
  const refusals = refuseReport(path, environment.workingDirectory, call.roots);
  if (refusals.length > 0) return refusals;
  try {
    writeOutputFile(placeOnDisk(path, environment), `${JSON.stringify(report)}\n`);
    return [];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics;
  }
}

/** An excerpt of a text with values that end up in a Secret could only be shown by a run that knows them. */
function digestTexts({ file, own, found: findings, sources }: FinishedRun): Readonly<Record<string, string>> {
  const pointedAt = sourcesOf([...own, ...findings], sources);
  const shown = sources.filter((source) => source.path === file || pointedAt.includes(source));
  const open = shown.filter(({ secrets = [] }) => secrets.length === 0);
  return Object.fromEntries(open.map(({ path, text }) => [path, sha256(text)]));
}

/** Reads a report; returns the reason if it is not one. */
function parseReport(text: string): ShardReport | string {
  const reading = readJson(text);
  if ('reason' in reading) return reading.reason;
  const { data } = reading;
  if (!isJsonObject(data) || !('version' in data) || !isJsonObject(data['run'])) return 'it is another document';
  if (data['version'] !== format) return 'it has another version';
  return isReport(data) ? data : 'it is damaged';
}

const isFinding = findingWith(oneOf('error', 'warning', 'note'));

const isResult = fieldsOf(
  {
    position: isCount,
    name: isText,
    state: oneOf('built', 'unchanged', 'up to date', 'failed'),
    errors: isCount,
    warnings: isCount,
    milliseconds: (value) => typeof value === 'number',
    stdout: isText,
  },
  { isCached: isSwitch },
);

const hasForm = fieldsOf({
  version: oneOf(format),
  run: fieldsOf(Object.fromEntries(commonFacts.map((fact) => [fact, isText]))),
  shard: fieldsOf({ index: isCount, count: isCount }),
  action: oneOf('build', 'check', 'validate'),
  file: isText,
  strict: isSwitch,
  isWhole: isSwitch,
  accepted: isCount,
  pruned: isCount,
  own: listOf(isFinding),
  found: listOf(isFinding),
  results: listOf(isResult),
  acceptances: listOf(
    fieldsOf({ code: isText, path: isPath, isStrict: isSwitch, isUsed: isSwitch }, { object: isText }),
  ),
  texts: mapOf(isText),
});

function isReport(data: unknown): data is ShardReport {
  if (!hasForm(data)) return false;
  const { run, shard } = data as ShardReport;
  const { index, count } = shard;
  return index >= 1 && index <= count && count <= mostShards && run['number of shards'] === `${count}`;
}

interface OpenedReport {
  readonly path: string;
  readonly report: ShardReport;
}

/** `kurel fleet report FILE…`: the reports of all shards as one, with the exit code that a single run would have. */
export async function joinReports(
  paths: readonly string[],
  options: PrintOptions,
  environment: Environment,
): Promise<CommandResult> {
  if (paths.length === 0) {
    throw new UsageError('kurel fleet report requires files', 'pass the files that shards wrote with --report FILE');
  }
  const problems: Diagnostic[] = [];
  const opened: OpenedReport[] = [];
  for (const path of paths) {
    const report = await readReport(path, environment);
    if ('code' in report) problems.push(report);
    else opened.push({ path, report });
  }
  const reports = keepFitting(opened, (problem) => void problems.push(problem));
  const [first] = reports;
  const merged = mergeReports(reports);
  const run = { ...merged, sources: await readTexts(reports, environment), own: [...problems, ...merged.own] };
  return reportRun(run, { ...options, strict: first?.strict ?? false }, environment);
}

async function readReport(path: string, environment: Environment): Promise<ShardReport | Diagnostic> {
  try {
    const report = parseReport(await openDisk(environment).readText(path));
    return typeof report === 'string' ? cliProblems.create('fleet-report-invalid', { path, reason: report }) : report;
  } catch (error) {
    if (error instanceof FileAccessError) return fileProblem(error);
    throw error;
  }
}

/** One report per shard of the run that the first report is of. */
function keepFitting(opened: readonly OpenedReport[], report: (problem: Diagnostic) => void): readonly ShardReport[] {
  const [first] = opened;
  if (first === undefined) return [];
  const byShard = new Map<number, OpenedReport>();
  for (const entry of opened) {
    const { path } = entry;
    const { run, shard } = entry.report;
    const what = commonFacts.find((fact) => run[fact] !== first.report.run[fact]);
    const same = byShard.get(shard.index);
    if (what !== undefined) {
      report(cliProblems.create('fleet-report-different', { path, first: first.path, what }));
    } else if (same !== undefined) {
      const name = `${shard.index}/${shard.count}`;
      report(cliProblems.create('fleet-report-duplicate', { path, first: same.path, shard: name }));
    } else byShard.set(shard.index, entry);
  }
  const { count } = first.report.shard;
  const indexes = Array.from({ length: count }, (_, index) => index + 1);
  const shards = indexes.filter((index) => !byShard.has(index)).map((index) => `${index}/${count}`);
  if (shards.length > 0) report(cliProblems.create('fleet-report-missing', { shards }));
  return indexes.flatMap((index) => byShard.get(index)?.report ?? []);
}

/** In the order that a single run would have. */
function mergeReports(reports: readonly ShardReport[]): FinishedRun {
  const { action = 'build', file = '', shard } = reports[0] ?? {};
  const results = reports
    .flatMap((report) => report.results)
    // Somebody may have edited the file.
    .map((result) => Object.assign({}, result, { stdout: result.stdout.split('\n').map(escapeLine).join('\n') }))
    .toSorted((a, b) => a.position - b.position);
  const positions = new Map(results.map(({ name, position }) => [name, position]));
  const sum = (count: (report: ShardReport) => number): number =>
    reports.reduce((all, report) => all + count(report), 0);
  return {
    action,
    file,
    results,
    sources: [],
    own: mergeOwn(reports),
    found: mergeFindings(reports, positions),
    accepted: sum(({ accepted }) => accepted),
    acceptances: mergeAcceptances(reports),
    isWhole: reports.length === shard?.count && reports.every((report) => report.isWhole),
    pruned: sum(({ pruned }) => pruned),
  };
}

/** All shards report the same about the fleet file. Outputs of removed targets are in the order of their paths. */
function mergeOwn(reports: readonly ShardReport[]): readonly Diagnostic[] {
  const counts = new Map<string, { readonly finding: Diagnostic; count: number }>();
  for (const finding of reports.flatMap(({ own }) => own)) {
    getOrAdd(counts, JSON.stringify(finding), () => ({ finding, count: 0 })).count += 1;
  }
  const common = [...counts.values()].flatMap(({ finding, count }) => (count === reports.length ? [finding] : []));
  const single = [...counts.values()].flatMap(({ finding, count }) => (count < reports.length ? [finding] : []));
  return [...common, ...single.toSorted((a, b) => compareText(a.message, b.message))];
}

function mergeFindings(reports: readonly ShardReport[], positions: ReadonlyMap<string, number>): readonly Diagnostic[] {
  const positionOf = (name: string): number => positions.get(name) ?? positions.size;
  // The targets of each report are in order.
  const firstOf = ({ targets = [] }: Diagnostic): number => positionOf(targets[0] ?? '');
  const groups = new Map<string, Diagnostic>();
  for (const finding of reports
    .flatMap(({ found: findings }) => findings)
    .toSorted((a, b) => firstOf(a) - firstOf(b))) {
    const { targets, ...rest } = finding;
    const key = JSON.stringify(rest);
    if (targets === undefined) groups.set(key, rest);
    else {
      const all = [...(groups.get(key)?.targets ?? []), ...targets];
      groups.set(key, { ...rest, targets: all.toSorted((a, b) => positionOf(a) - positionOf(b)) });
    }
  }
  return [...groups.values()];
}

function mergeAcceptances(reports: readonly ShardReport[]): readonly AcceptanceUse[] {
  const merged = new Map<string, AcceptanceUse>();
  for (const acceptance of reports.flatMap(({ acceptances }) => acceptances)) {
    const key = JSON.stringify(acceptance.path);
    merged.set(key, { ...acceptance, isUsed: acceptance.isUsed || (merged.get(key)?.isUsed ?? false) });
  }
  return [...merged.values()];
}

/** The texts of findings for their excerpts, if they are here and as the shards have read them. */
async function readTexts(reports: readonly ShardReport[], environment: Environment): Promise<readonly SourceFile[]> {
  const disk = openDisk({ ...environment, watched: undefined });
  const digests = new Map(reports.flatMap(({ texts }) => Object.entries(texts)));
  const sources: SourceFile[] = [];
  for (const [path, digest] of digests) {
    const text = await Promise.resolve(disk.readText(path)).catch(() => undefined);
    if (text !== undefined && sha256(text) === digest) sources.push({ path, text });
  }
  return sources;
}
