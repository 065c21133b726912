import { DiagnosticError } from '../../diagnostics/index.ts';
import { EngineError } from '../../engine/index.ts';
import type { Diagnostic } from '../../model/index.ts';

/** The chart could not be found or fetched; trying again may help when it comes over the network. */
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

/** Helm found the chart and could not render it. */
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
