import { DiagnosticError } from '../diagnostics/index.ts';
import type { Diagnostic, Report, SourceFile } from '../model/index.ts';

/** Findings of a stage: errors wait until the stage is through, so that all of them are told at once. */
export interface Findings {
  readonly report: Report;
  /** Throws all errors together, if there were any, with the texts they point into that are no files. */
  throwErrors(sources?: readonly SourceFile[]): void;
}

/** Warnings and notes go to `report` at once. */
export function collectFindings(report: Report): Findings {
  const errors: Diagnostic[] = [];
  return {
    report(diagnostic) {
      if (diagnostic.severity === 'error') errors.push(diagnostic);
      else report(diagnostic);
    },
    throwErrors(sources = []) {
      if (errors.length > 0) throw new DiagnosticError(errors, { sources });
    },
  };
}
