import { spellDiagnostic } from '../../diagnostics/index.ts';
import type { Diagnostic, Location } from '../../model/index.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { spellAsFlags } from '../spell-findings.ts';
import type { Side } from './build-side.ts';

export interface SideFindings extends SourcedFindings {
  readonly side: Side;
  /** The name of a file, or of a flag, as the user wrote it. */
  readonly showFile: (file: string) => string;
  readonly show: (text: string) => string;
  /** Whether there are flags for this side only, which must then have an effect. */
  readonly hasOwnFlags: boolean;
}

/** A flag for both sides may be useless for one of them: that is not a finding. */
const unusedCodes = new Set(['input-setting-unused', 'input-takes-no-values']);

/** The findings of both sides as one list: those of one side are marked, common ones are reported once. */
export function joinFindings(sides: readonly [SideFindings, SideFindings]): SourcedFindings {
  const [a, b] = sides;
  const ofA = rename(a, []);
  const ofB = rename(b, ofA.sources);
  const [inA, inB] = [ofA, ofB].map(
    ({ diagnostics }) => new Set(diagnostics.map((finding) => JSON.stringify(finding))),
  );
  const isNeeded = ({ code, severity }: Diagnostic, own: SideFindings, other: SideFindings): boolean =>
    severity !== 'warning' ||
    !unusedCodes.has(code) ||
    own.hasOwnFlags ||
    other.diagnostics.some((finding) => finding.code === code);
  const mark = (finding: Diagnostic, side: Side, others: ReadonlySet<string>): Diagnostic =>
    others.has(JSON.stringify(finding))
      ? finding
      : { ...finding, message: `${side.toUpperCase()}: ${finding.message}` };
  return {
    diagnostics: [
      ...ofA.diagnostics.filter((finding) => isNeeded(finding, a, b)).map((finding) => mark(finding, a.side, inB!)),
      ...ofB.diagnostics
        .filter((finding) => !inA!.has(JSON.stringify(finding)) && isNeeded(finding, b, a))
        .map((finding) => mark(withoutAdvice(finding, ofA.diagnostics), b.side, inA!)),
    ],
    sources: [...ofA.sources, ...ofB.sources],
  };
}

/** The hint about a flag for both sides is printed once. */
function withoutAdvice(finding: Diagnostic, reported: readonly Diagnostic[]): Diagnostic {
  const { hint, ...rest } = finding;
  const isAdvised = reported.some(
    (other) => other.code === finding.code && other.location === undefined && other.hint === hint,
  );
  return finding.location === undefined && isAdvised ? rest : finding;
}

/** Different texts with the same name, such as helm's output for each side, get different names. */
function rename(side: SideFindings, others: SourcedFindings['sources']): SourcedFindings {
  const { diagnostics, sources, showFile } = side;
  const taken = new Map(others.map(({ path, text }) => [path, text]));
  const clashing = new Set(
    sources.filter(({ path, text }) => (taken.get(showFile(path)) ?? text) !== text).map(({ path }) => path),
  );
  const nameOf = (file: string): string =>
    clashing.has(file) ? `${showFile(file)} (${side.side.toUpperCase()})` : showFile(file);
  return {
    diagnostics: diagnostics.map((finding) => reword(spellDiagnostic(finding, spellAsFlags), side, nameOf)),
    sources: sources.map((source) => Object.assign({}, source, { path: nameOf(source.path) })),
  };
}

function reword(finding: Diagnostic, { show }: SideFindings, nameOf: (file: string) => string): Diagnostic {
  const { code, severity, message, hint, location, related, isBrief } = finding;
  const place = (original: Location): Location => ({ ...original, file: nameOf(original.file) });
  return {
    code,
    severity,
    message: show(message),
    ...(isBrief === undefined ? {} : { isBrief }),
    ...(location === undefined ? {} : { location: place(location) }),
    ...(hint === undefined ? {} : { hint: show(hint) }),
    ...(related === undefined
      ? {}
      : { related: related.map((note) => ({ message: show(note.message), location: place(note.location) })) }),
  };
}
