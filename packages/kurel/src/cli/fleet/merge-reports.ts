import { sha256 } from '../../engine/index.ts';
import { FileAccessError } from '../../model/index.ts';
import type { Diagnostic, SourceFile } from '../../model/index.ts';
import type { ExitCode } from '../command.ts';
import type { Environment } from '../environment.ts';
import { fileProblem } from '../file-problem.ts';
import { openDisk } from '../open-world.ts';
import type { PrintOptions } from '../print-diagnostics.ts';
import { cliProblems } from '../problems.ts';
import { UsageError } from '../usage-error.ts';
import { escapeLine } from '../unified-diff.ts';
import type { AcceptanceUse } from './collect-outcomes.ts';
import { printRun } from './print-run.ts';
import type { FinishedRun } from './print-run.ts';
import { commonFacts, parseReport } from './shard-report.ts';
import type { ShardReport } from './shard-report.ts';

interface OpenedReport {
  readonly path: string;
  readonly report: ShardReport;
}

/** `kurel fleet report FILE…`: prints the reports of all shards as one, with the exit code that a single run would have. */
export async function printReports(
  paths: readonly string[],
  options: PrintOptions,
  environment: Environment,
): Promise<ExitCode> {
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
  const merged = first === undefined ? nothing : mergeReports(reports, first);
  const run = { ...merged, sources: await readTexts(reports, environment), own: [...problems, ...merged.own] };
  return printRun(run, { ...options, strict: first?.strict ?? false }, environment);
}

const nothing: FinishedRun = {
  action: 'build',
  file: '',
  results: [],
  own: [],
  found: [],
  sources: [],
  accepted: 0,
  acceptances: [],
  isWhole: false,
  pruned: 0,
};

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
  for (const one of opened) {
    const { path } = one;
    const { run, shard } = one.report;
    const what = commonFacts.find((fact) => run[fact] !== first.report.run[fact]);
    const same = byShard.get(shard.index);
    if (what !== undefined) {
      report(cliProblems.create('fleet-report-different', { path, first: first.path, what }));
    } else if (same !== undefined) {
      const name = `${shard.index}/${shard.count}`;
      report(cliProblems.create('fleet-report-duplicate', { path, first: same.path, shard: name }));
    } else byShard.set(shard.index, one);
  }
  const { count } = first.report.shard;
  const indexes = Array.from({ length: count }, (_, index) => index + 1);
  const shards = indexes.filter((index) => !byShard.has(index)).map((index) => `${index}/${count}`);
  if (shards.length > 0) report(cliProblems.create('fleet-report-missing', { shards }));
  return indexes.flatMap((index) => byShard.get(index)?.report ?? []);
}

/** In the order that a single run would have. */
function mergeReports(reports: readonly ShardReport[], { action, file, shard }: ShardReport): FinishedRun {
  const results = reports
    .flatMap((one) => one.results)
    // Somebody may have edited the file.
    .map((one) => Object.assign({}, one, { stdout: one.stdout.split('\n').map(escapeLine).join('\n') }))
    .toSorted((a, b) => a.position - b.position);
  const positions = new Map(results.map(({ name, position }) => [name, position]));
  const sum = (count: (report: ShardReport) => number): number => reports.reduce((all, one) => all + count(one), 0);
  return {
    action,
    file,
    results,
    sources: [],
    own: mergeOwn(reports),
    found: mergeFindings(reports, positions),
    accepted: sum(({ accepted }) => accepted),
    acceptances: mergeAcceptances(reports),
    isWhole: reports.length === shard.count && reports.every((one) => one.isWhole),
    pruned: sum(({ pruned }) => pruned),
  };
}

/** All shards report the same about the fleet file. Outputs of removed targets are in the order of their paths. */
function mergeOwn(reports: readonly ShardReport[]): readonly Diagnostic[] {
  const counts = new Map<string, number>();
  for (const one of reports.flatMap(({ own }) => own.map((finding) => JSON.stringify(finding)))) {
    counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  const parse = ([text]: readonly [string, number]): Diagnostic => JSON.parse(text) as Diagnostic;
  const common = [...counts].filter(([, count]) => count === reports.length).map(parse);
  const single = [...counts].filter(([, count]) => count < reports.length).map(parse);
  return [...common, ...single.toSorted((a, b) => (a.message < b.message ? -1 : 1))];
}

function mergeFindings(reports: readonly ShardReport[], positions: ReadonlyMap<string, number>): readonly Diagnostic[] {
  const positionOf = (name: string): number => positions.get(name) ?? positions.size;
  // The targets of each report are in order.
  const firstOf = ({ targets = [] }: Diagnostic): number => positionOf(targets[0] ?? '');
  const groups = new Map<string, Diagnostic>();
  for (const one of reports.flatMap(({ found }) => found).toSorted((a, b) => firstOf(a) - firstOf(b))) {
    const { targets, ...rest } = one;
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
  for (const one of reports.flatMap(({ acceptances }) => acceptances)) {
    const key = JSON.stringify(one.path);
    merged.set(key, { ...one, isUsed: one.isUsed || (merged.get(key)?.isUsed ?? false) });
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
