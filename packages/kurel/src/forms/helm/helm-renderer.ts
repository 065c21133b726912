import { defineRenderer } from '../../engine/index.ts';
import { FileAccessError } from '../../model/index.ts';
import type {
  Diagnostic,
  FileSystem,
  KubeObject,
  Location,
  ProgramCall,
  RenderContext,
  Renderer,
  Values,
} from '../../model/index.ts';
import { writeYaml } from '../../yaml/index.ts';
import { collectFindings } from '../collect-findings.ts';
import { asLocalPath, findNearPath, joinPath, kindOfName, pathInside } from '../paths.ts';
import { readHelmMessages } from '../read-helm-messages.ts';
import type { HelmMessages, TemplatePosition } from '../read-helm-messages.ts';
import { readObjects } from '../read-objects.ts';
import { runProgram } from '../run-program.ts';
import { checkArchive, checkChartTree } from './check-chart-tree.ts';
import { ChartLocateError, ChartRenderError, remoteOf, validateHelmSource } from './helm-source.ts';
import type { HelmOptions, HelmSource } from './helm-source.ts';
import { helmProblems } from './problems.ts';

/**
 * Renders charts with `helm template` and returns the objects of its output. User settings of helm have no effect: no plugins,
 * repositories or clusters, and no network unless allowed.
 */
export function helmRenderer(sources: HelmSource | readonly HelmSource[], options: HelmOptions): Renderer {
  return defineRenderer<HelmSource>({
    name: 'helm',
    sources,
    options,
    validate: validateHelmSource,
    describe: ({ chart }) => chart,
    pathOf: ({ chart }) => chart,
    fileOf: ({ chart }, file) => pathInside(chart, file),
    identify: identifySource,
    render: (source, values, context) => renderSource(source, { values, context, options }),
  });
}

/** Everything that determines the output, except for values. */
function identifySource(source: HelmSource): Values {
  const { repo = null, releaseNamespace = null, version = null, kubeVersion = null, apiVersions = [] } = source;
  const { chart, releaseName, includeCrds = false, skipTests = false } = source;
  const settings = { includeCrds, skipTests, kubeVersion, apiVersions: [...apiVersions] };
  return { chart, repo, version, releaseName, releaseNamespace, ...settings };
}

interface ChartCall {
  readonly values: Values;
  readonly context: RenderContext;
  readonly options: HelmOptions;
}

async function renderSource(
  source: HelmSource,
  { values, context, options }: ChartCall,
): Promise<readonly KubeObject[]> {
  const { fileSystem, programs } = options;
  const directory = await locateChart(source, options);
  const { exitCode, stdout, stderr } = await runProgram(programs, {
    ...createCall(source, values),
    network: remoteOf(source) !== undefined,
    signal: context.signal,
  });
  const messages = readHelmMessages(stderr);
  for (const reason of messages.warnings) {
    context.report(helmProblems.create('chart-warning', { chart: source.chart, reason }));
  }
  if (exitCode !== 0) throw await explainFailure({ source, messages, fileSystem, directory });

  const findings = collectFindings(context.report, context.budget);
  const text = { path: `helm template ${source.releaseName} ${source.chart}`, text: stdout };
  const objects = readObjects(text, {
    context,
    report: findings.report,
    relate(offset) {
      const name = findSourceBefore(stdout, offset);
      if (name === undefined) return [];
      return [{ message: 'rendered from this file', location: { file: pathOfChartFile(name, directory) } }];
    },
    originOf({ range }) {
      const name = findSourceComment(stdout, range);
      const origin = { renderer: 'helm', source: source.chart };
      return name === undefined ? origin : { ...origin, file: pathOfChartFile(name, directory) };
    },
  });
  findings.throwErrors([text]);
  return objects;
}

/** Values are passed through standard input, so that they appear neither in the process list nor on disk. */
function createCall(source: HelmSource, values: Values): ProgramCall {
  const { releaseNamespace, version, repo, kubeVersion, apiVersions = [] } = source;
  const hasValues = Object.keys(values).length > 0;
  const args = [
    'template',
    ...(hasValues ? ['--values=-'] : []),
    ...(releaseNamespace === undefined ? [] : [`--namespace=${releaseNamespace}`]),
    ...(version === undefined ? [] : [`--version=${version}`]),
    ...(repo === undefined ? [] : [`--repo=${repo}`]),
    ...(kubeVersion === undefined ? [] : [`--kube-version=${kubeVersion}`]),
    ...apiVersions.map((one) => `--api-versions=${one}`),
    ...(source.includeCrds === true ? ['--include-crds'] : []),
    ...(source.skipTests === true ? ['--skip-tests'] : []),
    '--',
    source.releaseName,
    remoteOf(source) === undefined ? asLocalPath(source.chart) : source.chart,
  ];
  return { program: 'helm', args, ...(hasValues ? { stdin: writeYaml(values) } : {}) };
}

/** Directory of the chart; `undefined` for a packed or remote chart. */
async function locateChart(source: HelmSource, options: HelmOptions): Promise<string | undefined> {
  const { chart } = source;
  const { fileSystem } = options;
  const from = remoteOf(source);
  if (from !== undefined) {
    if (options.allowNetwork === true) return undefined;
    throw new ChartLocateError(source, [helmProblems.create('chart-needs-network', { chart, from })]);
  }
  const kind = await fileSystem.kindOf(chart);
  if (kind === undefined) {
    const near = await findNearPath(fileSystem, chart);
    throw new ChartLocateError(source, [helmProblems.create('chart-not-found', { chart, near })]);
  }
  if (kind === 'other') throw new ChartLocateError(source, [helmProblems.create('chart-not-a-file', { path: chart })]);
  if (kind === 'file') {
    const problem = await checkArchive(fileSystem, chart);
    if (problem !== undefined) throw new ChartLocateError(source, [problem]);
    return undefined;
  }
  if ((await kindOfName(fileSystem, chart, 'Chart.yaml')) === undefined) {
    throw new ChartLocateError(source, [helmProblems.create('chart-without-chart-yaml', { chart })]);
  }
  const problems = await checkChartTree(fileSystem, chart);
  if (problems.length > 0) throw new ChartLocateError(source, problems);
  return chart;
}

interface Failure {
  readonly source: HelmSource;
  readonly messages: HelmMessages;
  readonly fileSystem: FileSystem;
  /** Directory of a local chart. */
  readonly directory: string | undefined;
}

/** Turns an error of helm into a typed error with findings that point into the chart. */
async function explainFailure(failure: Failure): Promise<ChartLocateError | ChartRenderError> {
  const { source, messages, directory } = failure;
  const { chart } = source;
  const chartFile = directory === undefined ? undefined : joinPath(directory, 'Chart.yaml');
  if (messages.refusals.length > 0) return new ChartRenderError(source, explainRefusals(failure));
  if (messages.missingDependencies !== undefined) {
    const args = { chart, names: messages.missingDependencies };
    const location =
      chartFile === undefined
        ? undefined
        : { file: chartFile, document: 0, path: ['dependencies'], at: 'key' as const };
    return new ChartRenderError(source, [helmProblems.create('chart-dependency-missing', args, { location })]);
  }
  const location = await locateFailure(failure);
  if (location === undefined && remoteOf(source) !== undefined) {
    return new ChartLocateError(source, [helmProblems.create('chart-not-located', { chart, reason: messages.error })]);
  }
  const isAboutChartFile = chartFile !== undefined && messages.error.includes('Chart.yaml');
  const place = location ?? (isAboutChartFile ? { file: chartFile } : undefined);
  const problem = helmProblems.create('chart-render-failed', { chart, reason: messages.error }, { location: place });
  return new ChartRenderError(source, [problem]);
}

function explainRefusals({ messages }: Failure): readonly Diagnostic[] {
  return messages.refusals.map(({ chart, reason }) =>
    helmProblems.create('chart-values-refused', { owner: chart, reason }),
  );
}

async function locateFailure({ messages, fileSystem, directory }: Failure): Promise<Location | undefined> {
  const { position, file } = messages;
  if (position !== undefined) return await locateInTemplate(position, { fileSystem, directory });
  return file === undefined || directory === undefined ? undefined : { file: pathOfChartFile(file, directory) };
}

/**
 * helm prefixes file names with the name of the chart (`web/templates/x.yaml`). For a chart directory this returns a path that the
 * user can open; for a packed or remote chart, the name inside the chart.
 */
function pathOfChartFile(name: string, directory: string | undefined): string {
  if (directory === undefined) return name;
  return joinPath(directory, name.slice(name.indexOf('/') + 1));
}

const sourceComment = /^# Source: (.+?)\r?$/m;

/** The template of a document, from the comment that helm writes. */
function findSourceComment(text: string, range: { readonly start: number; readonly end: number }): string | undefined {
  const document = text.slice(range.start, range.end);
  const [first = ''] = document.trimStart().split('\n', 1);
  return sourceComment.exec(first)?.[1];
}

/** The template of the text at an offset, from the comment that helm writes. */
function findSourceBefore(text: string, offset: number): string | undefined {
  const comment = `\n${text.slice(0, offset)}`.lastIndexOf('\n# Source: ');
  return comment === -1 ? undefined : sourceComment.exec(text.slice(comment, comment + 4096))?.[1];
}

/** Converts a template position to a location in the user's file. */
async function locateInTemplate(
  position: TemplatePosition,
  options: { readonly fileSystem: FileSystem; readonly directory: string | undefined },
): Promise<Location | undefined> {
  const { fileSystem, directory } = options;
  if (directory === undefined) return undefined;
  const file = pathOfChartFile(position.file, directory);
  try {
    const text = await fileSystem.readText(file);
    const lines = text.split('\n');
    const line = Math.min(position.line, lines.length);
    const before = lines.slice(0, line - 1).reduce((length, one) => length + one.length + 1, 0);
    const current = lines[line - 1] ?? '';
    const column =
      position.column === undefined ? current.length - current.trimStart().length : unitsOf(current, position.column);
    const close = current.indexOf('}}', column);
    const end = current.slice(0, close === -1 ? undefined : close).trimEnd().length;
    return { file, range: { start: before + column, end: before + Math.max(column, end) } };
  } catch (error) {
    if (error instanceof FileAccessError) return undefined;
    throw error;
  }
}

/** Number of UTF-16 units in the first UTF-8 bytes of a text. */
function unitsOf(text: string, bytes: number): number {
  let left = bytes;
  let units = 0;
  for (const character of text) {
    if (left <= 0) break;
    const code = character.codePointAt(0)!;
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
    units += character.length;
  }
  return units;
}
