import { spellAsFlags } from '../src/cli/spell-findings.ts';
import { formatDiagnostics, spellDiagnostic } from '../src/diagnostics/index.ts';
import type { FormatOptions } from '../src/diagnostics/index.ts';
import type { Diagnostic } from '../src/model/index.ts';

/** Findings as the command line prints them, with flags. */
export function formatPrinted(diagnostics: readonly Diagnostic[], options: FormatOptions): string {
  return formatDiagnostics(asPrinted(diagnostics), options);
}

export function asPrinted(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => spellDiagnostic(diagnostic, spellAsFlags));
}
