import { countBySeverity, countNoun, escapeControls } from '../../diagnostics/index.ts';
import { pluralOf, sortByApplyOrder } from '../../index.ts';
import type { Diagnostic, KubeObject } from '../../model/index.ts';
import { paint } from '../terminal.ts';
import { hasErrors } from '../usage-error.ts';

/** The report of `kurel validate`, the same for every input: checks, findings, enabled patches, generated resources, summary. */
export interface Report {
  readonly checks: readonly string[];
  readonly patches?: readonly string[];
  readonly objects: readonly KubeObject[];
  /** Those whose fields were not checked, because their kinds have no schema. */
  readonly unchecked?: ReadonlySet<KubeObject> | undefined;
  /** Not all findings about the objects are known, so that none is as it should be for sure. */
  readonly isPartial?: boolean | undefined;
  /** Findings that are shown with the resources. */
  readonly ofResources?: readonly Diagnostic[];
  readonly diagnostics: readonly Diagnostic[];
  /** Printed after the numbers of the summary. */
  readonly note?: string;
}

/** `findings` are the formatted findings; a report never interrupts its checks with their excerpts. */
export function formatReport(report: Report, findings: string, color: boolean): string {
  const { checks, patches = [], objects, unchecked, isPartial, ofResources = [], diagnostics, note = '' } = report;
  const resources = [
    ...countLines(objects, { unchecked, isPartial, diagnostics }),
    ...ofResources.flatMap(findingLines).map((line) => `  ${line}`),
  ];
  const { error, warning } = countBySeverity(diagnostics);
  const summary = `Validation summary: ${countNoun(error, 'error')}, ${countNoun(warning, 'warning')}${note}`;
  const format = (lines: readonly string[]): string => lines.map((line) => `${paintMark(line, color)}\n`).join('');
  const sections = [titled('Enabled patches:', patches), titled('Generated resources:', resources), [summary]];
  return [format(checks), findings, ...sections.map(format)].filter((section) => section !== '').join('\n');
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

export interface CheckWording {
  /** The sentence for a check that found nothing. */
  readonly passed: string;
  /** Names the check before the number of its findings. */
  readonly topic: string;
}

/** `✓ passed`, `✗ topic: 1 error, 2 warnings`, or `- topic: not checked`, because only a check without findings has passed. */
export function checkLine(
  { passed, topic, isChecked = true }: CheckWording & { readonly isChecked?: boolean },
  diagnostics: readonly Diagnostic[],
): string {
  const { error, warning } = countBySeverity(diagnostics);
  const counts = [
    ...(error === 0 ? [] : [countNoun(error, 'error')]),
    ...(warning === 0 ? [] : [countNoun(warning, 'warning')]),
  ];
  if (counts.length > 0) return `${error > 0 ? '✗' : '⚠'} ${topic}: ${counts.join(', ')}`;
  return isChecked ? `✓ ${passed}` : `- ${topic}: not checked`;
}

/** What the sentence that all resources are valid does not cover. */
export function reservationOf(unchecked: Report['unchecked']): string {
  const count = unchecked?.size ?? 0;
  return count === 0 ? '' : ` (${countNoun(count, 'object')} not checked: no schema)`;
}

/** Whether it is about an acceptance, not about the input. A file of manifests may have the name of one for acceptances. */
export function isAboutAcceptance({ code, location }: Diagnostic, files: ReadonlySet<string> = new Set()): boolean {
  const file = location?.file;
  if (code.startsWith('acceptance-')) return true;
  return file?.endsWith('.accept.yaml') === true && !files.has(file);
}

const marks = { error: ['✗', 'Error'], warning: ['⚠', 'Warning'], note: ['→', 'Note'] } as const;

function findingLines({ severity, message, hint }: Diagnostic): readonly string[] {
  const [mark, word] = marks[severity];
  const hints = hint === undefined ? [] : hint.split('\n').map((line) => `   → ${escapeControls(line)}`);
  return [`${mark} ${word}: ${escapeControls(message)}`, ...hints];
}

function countLines(
  objects: readonly KubeObject[],
  { unchecked, isPartial: isIncomplete = false, diagnostics }: Pick<Report, 'unchecked' | 'isPartial' | 'diagnostics'>,
): readonly string[] {
  const skipped = new Map(Object.entries(countKinds([...(unchecked ?? [])])));
  // Findings that were only counted, and a policy that could not be read, may be about any of the objects.
  const isPartial =
    isIncomplete ||
    diagnostics.some(
      ({ check, omitted, severity }) => severity !== 'note' && (omitted !== undefined || check === 'policy'),
    );
  return Object.entries(countKinds(objects)).map(([kind, number]) => {
    const ofKind = diagnostics.filter(({ object }) => object?.kind === kind);
    const counted = countNoun(number, kind, pluralOf(kind));
    return escapeControls(
      `  ${markOf(ofKind, isPartial || skipped.has(kind))} ${counted}${withoutSchema(skipped.get(kind), number)}`,
    );
  });
}

function markOf(diagnostics: readonly Diagnostic[], isUnknown: boolean): string {
  if (hasErrors(diagnostics)) return '✗';
  if (diagnostics.some(({ severity }) => severity === 'warning')) return '⚠';
  return isUnknown ? '-' : '✓';
}

function withoutSchema(skipped: number | undefined, all: number): string {
  if (skipped === undefined) return '';
  return skipped === all ? ' (not checked: no schema)' : ` (${skipped} not checked: no schema)`;
}

/** The number of objects per kind, in apply order. */
export function countKinds(objects: readonly KubeObject[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { kind } of sortByApplyOrder(objects)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries(counts);
}

// Select Graphic Rendition codes: green, red, magenta, bold, dim.
const codes: Readonly<Record<string, string>> = { '✓': '32', '✗': '31', '⚠': '35', '→': '1', '-': '2' };

export function paintMark(line: string, color: boolean): string {
  if (!color) return line;
  return line.replace(
    /^( *)(✗ Error:|⚠ Warning:|→ Note:|[✓✗⚠→]|-(?= ))/,
    (_, indent: string, mark: string) => `${indent}${paint(codes[mark[0]!], mark, true)}`,
  );
}
