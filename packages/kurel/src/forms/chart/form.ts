import { DiagnosticError } from '../../diagnostics/index.ts';
import { defineRenderer } from '../../engine/index.ts';
import type { SourceProblem } from '../../engine/index.ts';
import type {
  Diagnostic,
  FileSystem,
  KubeObject,
  Location,
  ProgramCall,
  RenderContext,
  Rendered,
  Renderer,
  Values,
} from '../../model/index.ts';
import type { Rendering } from '../../provenance/index.ts';
import { writeYaml } from '../../yaml/index.ts';
import { readPrinted } from '../read-objects.ts';
import type { InputRequest } from '../form-types.ts';
import { ifReadable } from '../../reads/index.ts';
import { asLocalPath, findNearPath, joinPath, kindOfName, pathInside } from '../paths.ts';
import { inputProblems } from '../problems.ts';
import { beginRendering } from '../begin-rendering.ts';
import { kubeVersionOf } from '../kube-version.ts';
import { readHelmMessages } from '../helm-messages.ts';
import type { HelmMessages } from '../helm-messages.ts';
import { noPrograms, runProgram } from '../run-program.ts';
import { checkArchive, checkChartTree } from './check-chart-tree.ts';
import { ChartLocateError, ChartRenderError, remoteOf, validateHelmSource } from './helm-source.ts';
import type { HelmOptions, HelmSource } from './helm-source.ts';
import { helmProblems } from './problems.ts';
import type { SettingName } from '../../settings/index.ts';

export async function render(request: InputRequest, context: RenderContext): Promise<Rendering> {
  const { fileSystem, path, namespace, values = {}, chart = {}, programs = noPrograms } = request;
  const { validation, store } = request;
  const kubeVersion = chart.kubeVersion ?? kubeVersionOf(validation?.store ?? store?.());
  const source = {
    chart: path,
    releaseName: chart.releaseName ?? 'release-name',
    includeCrds: chart.includeCrds === true,
    skipTests: chart.skipTests === true,
    apiVersions: chart.apiVersions ?? [],
    ...(namespace === undefined ? {} : { releaseNamespace: namespace }),
    ...(kubeVersion === undefined ? {} : { kubeVersion }),
  };
  const problems = [...validateHelmSource(source)];
  if (problems.length > 0) throw new DiagnosticError(problems.map(explainSetting));
  const options = { values, fileSystem, programs, allowNetwork: request.allowNetwork === true };
  const objects = await renderSource(source, options, context);
  const facts = { directories: [{ path, skipsHidden: false }], releaseNamespace: namespace ?? 'default' };
  return beginRendering(objects, { namespace, which: 'those-without', facts }, context);
}

/** Renderers report field names of the source; the command line has other names for them. */
const settings: Readonly<Record<string, readonly [words: string, name: SettingName]>> = {
  releaseName: ['the release name', 'releaseName'],
  releaseNamespace: ['the namespace', 'namespace'],
  kubeVersion: ['the Kubernetes version of the chart', 'kubeVersion'],
  apiVersions: ['the API version of the chart', 'apiVersions'],
};

function explainSetting({ field, message }: SourceProblem): Diagnostic {
  const [words = field, name] = settings[field.replace(/\[\d+\]$/, '')] ?? [];
  return inputProblems.create('input-setting-refused', { reason: `${words} ${message}`, name });
}

/**
 * Renders charts with `helm template` and returns the objects of its output. User settings of helm have no effect: no plugins,
 * repositories or clusters, and no network unless allowed.
 */
export function helmRenderer(sources: HelmSource | readonly HelmSource[], options: HelmOptions): Renderer<Rendered> {
  return defineRenderer<HelmSource>({
    name: 'helm',
    sources,
    options,
    validate: validateHelmSource,
    describe: ({ chart }) => chart,
    pathOf: ({ chart }) => chart,
    fileOf: ({ chart }, file) => pathInside(chart, file),
    identify: identifySource,
    render: (source, values, context) => renderSource(source, { values, ...options }, context),
  });
}

/** Everything that determines the output, except for values. */
function identifySource(source: HelmSource): Values {
  const { repo = null, releaseNamespace = null, version = null, kubeVersion = null, apiVersions = [] } = source;
  const { chart, releaseName, includeCrds = false, skipTests = false } = source;
  const settings = { includeCrds, skipTests, kubeVersion, apiVersions: [...apiVersions] };
  return { chart, repo, version, releaseName, releaseNamespace, ...settings };
}

async function renderSource(
  source: HelmSource,
  options: HelmOptions & { readonly values: Values },
  context: RenderContext,
): Promise<readonly KubeObject[]> {
  const { fileSystem, programs, values } = options;
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

  const text = { path: `helm template ${source.releaseName} ${source.chart}`, text: stdout };
  return readPrinted(text, context, {
    relate(offset) {
      const comment = `\n${stdout.slice(0, offset)}`.lastIndexOf('\n# Source: ');
      const name = comment === -1 ? undefined : sourceComment.exec(stdout.slice(comment, comment + 4096))?.[1];
      if (name === undefined) return [];
      return [{ message: 'rendered from this file', location: { file: pathOfChartFile(name, directory) } }];
    },
    originOf({ range }) {
      const [first = ''] = stdout.slice(range.start, range.end).trimStart().split('\n', 1);
      const name = sourceComment.exec(first)?.[1];
      const origin = { renderer: 'helm', source: source.chart, printedFrom: `chart ${source.chart}` };
      return name === undefined ? origin : { ...origin, file: pathOfChartFile(name, directory) };
    },
  });
}

/** Values are passed through standard input, so that they appear neither in the process list nor on disk. */
function createCall(source: HelmSource, values: Values): ProgramCall {
  const { releaseNamespace: namespace, version, repo, kubeVersion, apiVersions = [] } = source;
  const flags = { namespace, version, repo, 'kube-version': kubeVersion };
  const hasValues = Object.keys(values).length > 0;
  const args = [
    'template',
    ...(hasValues ? ['--values=-'] : []),
    ...Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`])),
    ...apiVersions.map((version) => `--api-versions=${version}`),
    ...(source.includeCrds === true ? ['--include-crds'] : []),
    ...(source.skipTests === true ? ['--skip-tests'] : []),
    '--',
    source.releaseName,
    remoteOf(source) === undefined ? asLocalPath(source.chart) : source.chart,
  ];
  return { program: 'helm', args, ...(hasValues ? { stdin: writeYaml(values) } : {}) };
}

/** Directory of the chart; `undefined` for a packed or remote chart. */
async function locateChart(source: HelmSource, { fileSystem, allowNetwork }: HelmOptions): Promise<string | undefined> {
  const { chart } = source;
  const refuse = (problem: Diagnostic) => new ChartLocateError(source, [problem]);
  const from = remoteOf(source);
  if (from !== undefined) {
    if (allowNetwork === true) return undefined;
    throw refuse(helmProblems.create('chart-needs-network', { chart, from }));
  }
  const kind = await fileSystem.kindOf(chart);
  if (kind === undefined) {
    throw refuse(helmProblems.create('chart-not-found', { chart, near: await findNearPath(fileSystem, chart) }));
  }
  if (kind === 'other') throw refuse(helmProblems.create('chart-not-a-file', { path: chart }));
  if (kind === 'file') {
    const problem = await checkArchive(fileSystem, chart);
    if (problem !== undefined) throw refuse(problem);
    return undefined;
  }
  if ((await kindOfName(fileSystem, chart, 'Chart.yaml')) === undefined) {
    throw refuse(helmProblems.create('chart-without-chart-yaml', { chart }));
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
  const { refusals, missingDependencies: names, error: reason } = messages;
  const { chart } = source;
  const chartFile = directory === undefined ? undefined : joinPath(directory, 'Chart.yaml');
  if (refusals.length > 0) {
    const problems = refusals.map((refusal) => helmProblems.create('chart-values-refused', refusal));
    return new ChartRenderError(source, problems);
  }
  const refuse = (problem: Diagnostic) => new ChartRenderError(source, [problem]);
  if (names !== undefined) {
    const place = { document: 0, path: ['dependencies'], at: 'key' as const };
    const location = chartFile === undefined ? undefined : { file: chartFile, ...place };
    return refuse(helmProblems.create('chart-dependency-missing', { chart, names }, { location }));
  }
  const location = await locateFailure(failure);
  if (location === undefined && remoteOf(source) !== undefined) {
    return new ChartLocateError(source, [helmProblems.create('chart-not-located', { chart, reason })]);
  }
  const isAboutChartFile = chartFile !== undefined && reason.includes('Chart.yaml');
  const place = location ?? (isAboutChartFile ? { file: chartFile } : undefined);
  return refuse(helmProblems.create('chart-render-failed', { chart, reason }, { location: place }));
}

/** Converts the position in a template to a location in the user's file. */
async function locateFailure({ messages, fileSystem, directory }: Failure): Promise<Location | undefined> {
  const { position } = messages;
  const name = position?.file ?? messages.file;
  if (name === undefined || directory === undefined) return undefined;
  const file = pathOfChartFile(name, directory);
  if (position === undefined) return { file };
  const text = await ifReadable(() => fileSystem.readText(file), undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const line = Math.min(position.line, lines.length);
  const before = lines.slice(0, line - 1).reduce((length, { length: more }) => length + more + 1, 0);
  const current = lines[line - 1] ?? '';
  const column =
    position.column === undefined ? current.length - current.trimStart().length : unitsOf(current, position.column);
  const close = current.indexOf('}}', column);
  const end = current.slice(0, close === -1 ? undefined : close).trimEnd().length;
  return { file, range: { start: before + column, end: before + Math.max(column, end) } };
}

/**
 * helm prefixes file names with the name of the chart (`web/templates/x.yaml`). For a chart directory this returns a path that the
 * user can open; for a packed or remote chart, the name inside the chart.
 */
function pathOfChartFile(name: string, directory: string | undefined): string {
  if (directory === undefined) return name;
  return joinPath(directory, name.slice(name.indexOf('/') + 1));
}

/** The comment with which helm names the template of a document. */
const sourceComment = /^# Source: (.+?)\r?$/m;

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
