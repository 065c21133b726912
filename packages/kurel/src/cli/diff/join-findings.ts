import type { Diagnostic, Location } from '../../model/index.ts';
import type { Findings } from '../print-diagnostics.ts';
import type { Side } from './side-flags.ts';

export interface SideFindings extends Findings {
  readonly side: Side;
  /** The name of a file, or of a flag, as the user wrote it. */
  readonly showFile: (file: string) => string;
  readonly show: (text: string) => string;
  /** Whether flags are given for this side alone, which then should have a use for them. */
  readonly hasOwnFlags: boolean;
}

/** About flags for both sides it is no finding that one of them has no use for them. */
const unusedCodes = new Set(['input-setting-unused', 'input-takes-no-values']);

/** The findings of both sides as one list: those of one alone say of which, and what both have is told once. */
export function joinFindings(sides: readonly [SideFindings, SideFindings]): Findings {
  const [a, b] = sides;
  const [ofA, ofB] = [rename(a, []), rename(b, rename(a, []).sources)];
  const [inA, inB] = [ofA, ofB].map(({ diagnostics }) => new Set(diagnostics.map(print)));
  const isNeeded = ({ code, severity }: Diagnostic, one: SideFindings, other: SideFindings): boolean =>
    severity !== 'warning' ||
    !unusedCodes.has(code) ||
    one.hasOwnFlags ||
    other.diagnostics.some((finding) => finding.code === code);
  const mark = (finding: Diagnostic, side: Side, others: ReadonlySet<string>): Diagnostic =>
    others.has(print(finding)) ? finding : { ...finding, message: `${side.toUpperCase()}: ${finding.message}` };
  return {
    diagnostics: [
      ...ofA.diagnostics.filter((finding) => isNeeded(finding, a, b)).map((finding) => mark(finding, a.side, inB!)),
      ...ofB.diagnostics
        .filter((finding) => !inA!.has(print(finding)) && isNeeded(finding, b, a))
        .map((finding) => mark(withoutAdvice(finding, ofA.diagnostics), b.side, inA!)),
    ],
    sources: [...ofA.sources, ...ofB.sources],
  };
}

/** What one flag does for both sides is advised once. */
function withoutAdvice(finding: Diagnostic, told: readonly Diagnostic[]): Diagnostic {
  const { hint, ...rest } = finding;
  const isAdvised = told.some((one) => one.code === finding.code && one.location === undefined && one.hint === hint);
  return finding.location === undefined && isAdvised ? rest : finding;
}

function print(finding: Diagnostic): string {
  return JSON.stringify(finding);
}

/** Texts of one name that differ, such as what helm printed for each side, get names of their own. */
function rename(side: SideFindings, others: Findings['sources']): Findings {
  const { diagnostics, sources, showFile, show } = side;
  const taken = new Map(others.map(({ path, text }) => [path, text]));
  const clashing = new Set(
    sources.filter(({ path, text }) => (taken.get(showFile(path)) ?? text) !== text).map(({ path }) => path),
  );
  const nameOf = (file: string): string =>
    clashing.has(file) ? `${showFile(file)} (${side.side.toUpperCase()})` : showFile(file);
  return {
    diagnostics: diagnostics.map((finding) => reword(finding, { show, nameOf })),
    sources: sources.map(({ path, text }) => ({ path: nameOf(path), text })),
  };
}

interface Words {
  readonly show: (text: string) => string;
  readonly nameOf: (file: string) => string;
}

function reword(finding: Diagnostic, { show, nameOf }: Words): Diagnostic {
  const { code, severity, message, hint, location, related } = finding;
  const place = (one: Location): Location => ({ ...one, file: nameOf(one.file) });
  return {
    code,
    severity,
    message: show(message),
    ...(location === undefined ? {} : { location: place(location) }),
    ...(hint === undefined ? {} : { hint: show(hint) }),
    ...(related === undefined
      ? {}
      : { related: related.map((one) => ({ message: show(one.message), location: place(one.location) })) }),
  };
}
