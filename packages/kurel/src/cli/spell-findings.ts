import { spell, spellDiagnostic } from '../diagnostics/index.ts';
import type { FindSetting, ProblemSummary, Spelling } from '../diagnostics/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { commandOptions, settingTable } from '../settings/index.ts';
import type { SourcedFindings } from './sourced-findings.ts';

const rows: Readonly<Record<string, { readonly flag: string }>> = { ...settingTable, ...commandOptions };

/** Spells settings as flags: `--profile FILE`, `pass --profile FILE`. */
export const spellAsFlags: Spelling = ({ setting, value, isAdvised = false, what }) => {
  const flag = `--${rows[setting]?.flag ?? setting}`;
  if (what !== undefined) return `pass ${what} with ${flag}`;
  return `${isAdvised ? 'pass ' : ''}${flag}${value === undefined ? '' : ` ${value}`}`;
};

/** Findings as the caller reads them. */
export function spellFindings<Findings extends Partial<SourcedFindings>>(
  findings: Findings,
  spelling: Spelling = spellAsFlags,
  findSetting?: FindSetting,
): Findings {
  const { diagnostics, accepted } = findings;
  const show = (diagnostic: Diagnostic): Diagnostic => spellDiagnostic(diagnostic, spelling, findSetting);
  return {
    ...findings,
    ...(diagnostics === undefined ? {} : { diagnostics: diagnostics.map(show) }),
    ...(accepted === undefined
      ? {}
      : { accepted: accepted.map((entry) => Object.assign({}, entry, { diagnostic: show(entry.diagnostic) })) }),
  };
}

/** The definition of a finding with flags, as help and the reference print it. */
export function spellSummary({ severity, summary, fix = '' }: ProblemSummary) {
  return { severity, summary: spell(summary, spellAsFlags), fix: spell(fix, spellAsFlags) };
}
