import { DiagnosticError, quote } from '../../diagnostics/index.ts';
import { EngineError } from '../../engine/index.ts';
import type { RendererOptions, SourceOptions, SourceProblem } from '../../engine/index.ts';
import { checkDnsLabel } from '../../kube/index.ts';
import type { Diagnostic, FileSystem, ProgramRunner } from '../../model/index.ts';
import { isBlank } from '../paths.ts';

/** A chart and the release to render. */
export interface HelmSource extends SourceOptions<HelmSource> {
  /** A directory or a packed chart; with network access also a name in `repo`, or an `oci://` or `https://` address. */
  readonly chart: string;
  readonly releaseName: string;
  /** Address of a chart repository. */
  readonly repo?: string;
  /** Defaults to `default`, as in helm. */
  readonly releaseNamespace?: string;
  /** Version or version range of a remote chart. */
  readonly version?: string;
  /** Includes the `crds` directory of the chart. Defaults to false, as in helm. */
  readonly includeCrds?: boolean;
  /** Leaves out the objects of `helm test`. */
  readonly skipTests?: boolean;
  /** Kubernetes version that the chart sees. Defaults to that of helm. */
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
}

export interface HelmOptions extends RendererOptions {
  readonly programs: ProgramRunner;
  /** Must show the same files as the programs see, because helm reads charts itself. */
  readonly fileSystem: FileSystem;
  /** Allows helm to fetch charts. A local chart is always rendered without network access. */
  readonly allowNetwork?: boolean;
}

const longestReleaseName = 53;
const releaseName = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const kubeVersion = /^v?\d+\.\d+(?:\.\d+)?(?:[-+][0-9A-Za-z.+-]+)?$/;
const apiVersion = /^[a-z0-9][a-z0-9.-]*(?:\/[A-Za-z0-9./-]+)?$/;

export function* validateHelmSource(source: HelmSource): Iterable<SourceProblem> {
  const { chart, releaseName: name, releaseNamespace } = source;
  if (isBlank(chart)) yield { field: 'chart', message: 'must not be blank' };
  if (isBlank(name)) yield { field: 'releaseName', message: 'must not be blank' };
  else if (name.length > longestReleaseName) {
    yield { field: 'releaseName', message: `${quote(name)} must have at most ${longestReleaseName} characters` };
  } else if (!releaseName.test(name)) {
    yield {
      field: 'releaseName',
      message: `${quote(name)} must consist of lower-case letters, digits and inner hyphens`,
    };
  }
  const namespaceFault = releaseNamespace === undefined ? undefined : checkDnsLabel(releaseNamespace);
  if (namespaceFault !== undefined)
    yield { field: 'releaseNamespace', message: `${quote(releaseNamespace!)} ${namespaceFault}` };
  if (source.repo !== undefined && isBlank(source.repo)) yield { field: 'repo', message: 'must not be blank' };
  if (source.kubeVersion !== undefined && !kubeVersion.test(source.kubeVersion)) {
    yield { field: 'kubeVersion', message: `${quote(source.kubeVersion)} must be a version such as 1.33 or v1.33.2` };
  }
  for (const [index, version] of (source.apiVersions ?? []).entries()) {
    if (!apiVersion.test(version))
      yield {
        field: `apiVersions[${index}]`,
        message: `${quote(version)} must have a form such as apps/v1 or apps/v1/Deployment`,
      };
  }
}

/** Address of a remote chart; `undefined` for a local one. */
export function remoteOf({ chart, repo }: HelmSource): string | undefined {
  if (repo !== undefined) return repo;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(chart) ? chart : undefined;
}

/** The chart was not found or could not be fetched; for a remote chart, a retry may help. */
export class ChartLocateError extends EngineError {
  readonly chart: string;
  readonly repo: string | undefined;
  readonly version: string | undefined;

  constructor(
    source: { readonly chart: string; readonly repo?: string; readonly version?: string },
    findings: readonly Diagnostic[],
  ) {
    super(...messageAndCause('chart-not-located', findings));
    this.chart = source.chart;
    this.repo = source.repo;
    this.version = source.version;
  }
}

/** helm found the chart but could not render it. */
export class ChartRenderError extends EngineError {
  readonly chart: string;
  readonly releaseName: string;

  constructor(source: { readonly chart: string; readonly releaseName: string }, findings: readonly Diagnostic[]) {
    super(...messageAndCause('chart-not-rendered', findings));
    this.chart = source.chart;
    this.releaseName = source.releaseName;
  }
}

function messageAndCause(
  code: string,
  findings: readonly Diagnostic[],
): [string, { code: string; cause: DiagnosticError }] {
  const cause = new DiagnosticError(findings);
  return [cause.message, { code, cause }];
}
