import { DiagnosticError, quote } from '../../../diagnostics/index.ts';
import type { Diagnostic, ProgramRunner, Report } from '../../../model/index.ts';
import { writeYaml } from '../../../yaml/index.ts';
import { readHelmMessages } from '../../read-helm-messages.ts';
import type { HelmMessages } from '../../read-helm-messages.ts';
import { runProgram } from '../../run-program.ts';
import { sourceProblems } from './problems.ts';
import type { ChartRequest } from './source-request.ts';

interface RenderOptions {
  readonly programs: ProgramRunner;
  /** Hears what helm warns of. */
  readonly report: Report;
}

const token = '{workspace}';

/**
 * What `helm template` makes of a chart that is at hand: its CRDs first, its hooks last, without its tests, and without any
 * network. Throws findings when helm refuses.
 */
export async function renderChart(
  archive: Uint8Array,
  request: ChartRequest,
  { programs, report }: RenderOptions,
): Promise<string> {
  const { url, chart, releaseName, namespace, values } = request;
  const { exitCode, stdout, stderr } = await runProgram(programs, {
    program: 'helm',
    args: [
      'template',
      '--values=-',
      `--namespace=${namespace}`,
      '--include-crds',
      '--skip-tests',
      '--',
      releaseName,
      `${token}/chart.tgz`,
    ],
    stdin: writeYaml(values),
    workspace: { token, files: new Map([['chart.tgz', archive]]) },
    network: false,
  });
  const messages = readHelmMessages(stderr);
  const named = chart === undefined ? quote(url) : `${quote(chart)} of ${quote(url)}`;
  if (exitCode !== 0) throw new DiagnosticError(explainFailure(named, messages));
  for (const reason of messages.warnings) {
    report(sourceProblems.create('source-chart-warning', { chart: named, reason }));
  }
  return stdout;
}

function explainFailure(chart: string, { refusals, error }: HelmMessages): readonly Diagnostic[] {
  if (refusals.length === 0) return [sourceProblems.create('source-chart-failed', { chart, reason: error })];
  return refusals.map(({ reason }) => sourceProblems.create('source-chart-values', { chart, reason }));
}
