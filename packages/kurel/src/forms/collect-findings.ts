import { createBudget, listFindings } from '../budget/index.ts';
import { DiagnosticError } from '../diagnostics/index.ts';
import type { Budget, Report, SourceFile } from '../model/index.ts';

/** Findings of a stage: errors are collected until it ends, so that all of them are reported together. */
export interface Findings {
  readonly report: Report;
  /** Throws all errors together, if any, with the texts they point into that are not files. */
  throwErrors(sources?: readonly SourceFile[]): void;
}

/** Warnings and notes are reported immediately. */
export function collectFindings(report: Report, budget: Budget = createBudget()): Findings {
  const errors = listFindings(budget);
  return {
    report(diagnostic) {
      if (diagnostic.severity === 'error') errors.report(diagnostic);
      else report(diagnostic);
    },
    throwErrors(sources = []) {
      const found = errors.all();
      if (found.length > 0) throw new DiagnosticError(found, { sources });
    },
  };
}
