import { DiagnosticError, quote } from '../../../diagnostics/index.ts';
import type { Diagnostic, Fetcher, FileSystem, ProgramRunner, Report } from '../../../model/index.ts';
import type { FetchAccess } from '../../../registry/index.ts';
import { writeYaml } from '../../../yaml/index.ts';
import type { SchemaStore } from '../../../schema/index.ts';
import { kubeVersionOf } from '../../kube-version.ts';
import { findPlace, listFiles } from '../../package-loading.ts';
import { readHelmMessages } from '../../helm-messages.ts';
import type { HelmMessages } from '../../helm-messages.ts';
import { noPrograms, runProgram } from '../../run-program.ts';
import { ifReadable } from '../../../reads/index.ts';
import { joinPath } from '../../paths.ts';
import { createSourceNetwork } from './source-network.ts';
import type { ChartRequest, PackageFiles, SourceAccess } from './source-request.ts';
import { sourceProblems } from './problems.ts';

export interface SourceSettings
  extends Pick<SourceAccess, 'isLocking' | 'onTaken' | 'onFetched'>, Pick<FetchAccess, 'credentialsFor' | 'plainHttp'> {
  /** Fetches remote sources; without it the network is disabled. */
  readonly fetcher?: Fetcher | undefined;
  /** The fetcher only unpacks archives of the package and fetches nothing. */
  readonly isOffline?: boolean | undefined;
  /** Renders charts with helm. */
  readonly programs?: ProgramRunner | undefined;
  /** Has the version of Kubernetes that charts are rendered for. */
  readonly store?: (() => SchemaStore) | undefined;
}

interface PackagePlace {
  readonly fileSystem: FileSystem;
  /** The package directory. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
}

/** Uses programs and the network only if they are available. */
export function openSources(settings: SourceSettings & PackagePlace): SourceAccess {
  const { fetcher, isOffline = false, credentialsFor, plainHttp, programs = noPrograms, signal, store } = settings;
  const { isLocking, onTaken, onFetched } = settings;
  return {
    files: createPackageFiles(settings),
    network:
      fetcher === undefined || isOffline
        ? undefined
        : createSourceNetwork({ fetcher, credentialsFor, plainHttp, signal }),
    renderChart: async (archive, request, report) =>
      await renderChart(archive, request, { programs, report, signal, kubeVersion: kubeVersionOf(store?.()) }),
    isLocking,
    onTaken,
    onFetched,
    signal,
  };
}

/** The files of a package; links that point outside count as missing. */
function createPackageFiles({ fileSystem, path: root }: PackagePlace): PackageFiles {
  const listing = { fileSystem, root, report: () => undefined };
  return {
    async readBytes(path) {
      const full = joinPath(root, path);
      return await ifReadable(async () => {
        if ((await findPlace(path, listing)) === undefined || (await fileSystem.kindOf(full)) !== 'file')
          return undefined;
        return (await fileSystem.readBytes?.(full)) ?? new TextEncoder().encode(await fileSystem.readText(full));
      }, undefined);
    },
    list: async () => await listFiles('.', listing),
    nameOf: (path) => joinPath(root, path),
  };
}

interface RenderOptions {
  readonly programs: ProgramRunner;
  /** Receives warnings of helm. */
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
  readonly kubeVersion?: string | undefined;
}

const token = '{workspace}';

/**
 * The output of `helm template` for a fetched chart: CRDs first, hooks last, without tests and without network access.
 * Throws findings if helm fails.
 */
export async function renderChart(
  archive: Uint8Array,
  request: ChartRequest,
  { programs, report, signal, kubeVersion }: RenderOptions,
): Promise<string> {
  const { url, chart, releaseName, namespace, values } = request;
  const { exitCode, stdout, stderr } = await runProgram(programs, {
    program: 'helm',
    args: [
      'template',
      '--values=-',
      `--namespace=${namespace}`,
      ...(kubeVersion === undefined ? [] : [`--kube-version=${kubeVersion}`]),
      '--include-crds',
      '--skip-tests',
      '--',
      releaseName,
      `${token}/chart.tgz`,
    ],
    stdin: writeYaml(values),
    workspace: { token, files: new Map([['chart.tgz', archive]]) },
    network: false,
    ...(signal === undefined ? {} : { signal }),
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
