import type { Diagnostic, FileSystem, Location } from '../../model/index.ts';
import { joinPath } from '../paths.ts';
import { locateInTemplate, pathOfChartFile } from './chart-files.ts';
import { ChartLocateError, ChartRenderError } from './errors.ts';
import { type HelmSource, remoteOf } from './helm-source.ts';
import { helmProblems } from './problems.ts';
import type { HelmMessages } from '../read-helm-messages.ts';

interface Failure {
  readonly source: HelmSource;
  readonly messages: HelmMessages;
  readonly fileSystem: FileSystem;
  /** Of a chart that is a directory on the disk. */
  readonly directory: string | undefined;
}

/** Helm's refusal as a typed error with findings that point into the chart. */
export async function explainFailure(failure: Failure): Promise<ChartLocateError | ChartRenderError> {
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
