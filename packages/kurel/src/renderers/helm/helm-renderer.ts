import { defineRenderer } from '../../engine/index.ts';
import type { KubeObject, ProgramCall, RenderContext, Renderer, Values } from '../../model/index.ts';
import { writeYaml } from '../../yaml/index.ts';
import { collectFindings } from '../collect-findings.ts';
import { findNearPath } from '../find-near-path.ts';
import { asLocalPath, joinPath } from '../paths.ts';
import { readObjects } from '../read-objects.ts';
import { runProgram } from '../run-program.ts';
import { findSourceBefore, findSourceComment, pathOfChartFile } from './chart-files.ts';
import { checkArchive, checkChartTree } from './check-chart-tree.ts';
import { ChartLocateError } from './errors.ts';
import { explainFailure } from './explain-failure.ts';
import { type HelmOptions, type HelmSource, remoteOf, validateHelmSource } from './helm-source.ts';
import { helmProblems } from './problems.ts';
import { readHelmMessages } from '../read-helm-messages.ts';

/**
 * Renders charts by `helm template`, whose output it gives object by object. Nothing of the user's helm settings takes part:
 * no plugins, repositories, clusters, and no network unless allowed.
 */
export function helmRenderer(sources: HelmSource | readonly HelmSource[], options: HelmOptions): Renderer {
  return defineRenderer<HelmSource>({
    name: 'helm',
    sources,
    options,
    validate: validateHelmSource,
    describe: ({ chart }) => chart,
    pathOf: ({ chart }) => chart,
    identify: identifySource,
    render: (source, values, context) => renderSource(source, { values, context, options }),
  });
}

/** Everything that decides the output beside the values. */
function identifySource(source: HelmSource): Values {
  const { repo = null, releaseNamespace = null, version = null, kubeVersion = null, apiVersions = [] } = source;
  const { chart, releaseName, includeCrds = false, skipTests = false } = source;
  const settings = { includeCrds, skipTests, kubeVersion, apiVersions: [...apiVersions] };
  return { chart, repo, version, releaseName, releaseNamespace, ...settings };
}

interface Rendering {
  readonly values: Values;
  readonly context: RenderContext;
  readonly options: HelmOptions;
}

async function renderSource(
  source: HelmSource,
  { values, context, options }: Rendering,
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
      return [{ message: 'rendered from', location: { file: pathOfChartFile(name, directory) } }];
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

/** Values go through standard input, so that they are neither in the list of processes nor on the disk. */
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

/** The chart's directory; `undefined` for a chart that is packed or lies elsewhere. */
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
  if ((await fileSystem.kindOf(joinPath(chart, 'Chart.yaml'))) === undefined) {
    throw new ChartLocateError(source, [helmProblems.create('chart-without-chart-yaml', { chart })]);
  }
  const problems = await checkChartTree(fileSystem, chart);
  if (problems.length > 0) throw new ChartLocateError(source, problems);
  return chart;
}
