import { compareText } from '../model/index.ts';
import type { AcceptedFinding, Diagnostic, Severity } from '../model/index.ts';
import { createPaint, wrapText } from './character-width.ts';
import type { Paint } from './character-width.ts';
import { createExcerpt } from './excerpt.ts';
import { createPlaceFinder } from './find-place.ts';
import type { Place, PlaceOptions } from './find-place.ts';
import { hideWords } from './hide-words.ts';
import { countNoun, listFirst } from './list-words.ts';
import { escapeControls } from './quote.ts';

export interface FormatOptions extends PlaceOptions {
  readonly color: boolean;
  /** Width of the terminal: messages are wrapped and excerpts cut to fit. Defaults to no limit. */
  readonly width?: number | undefined;
  /** `✗ Error: message [code]`, as in the report of a validation, instead of `error[code]: message`. */
  readonly isReport?: boolean;
}

/**
 * The findings for a human reader: errors and warnings in the given order, with message, place, excerpt, related places and hint;
 * then the brief ones and at last the notes, one line each, so that they do not bury the findings that need fixing.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], options: FormatOptions): string {
  const findPlace = createPlaceFinder(options);
  const frame = {
    digits: 1,
    paint: createPaint(options.color),
    width: options.width === undefined ? Infinity : Math.max(narrowest, options.width),
    wording: options.isReport === true ? reportWording : usualWording,
  };
  const blocks: string[] = [];
  const lines = { brief: '', notes: '' };
  for (const reported of diagnostics) {
    const diagnostic = hideWords(reported, findPlace);
    const place = diagnostic.location === undefined ? undefined : findPlace(diagnostic.location);
    const related = (diagnostic.related ?? []).map(({ message, location }) => ({
      message,
      place: findPlace(location),
    }));
    if (diagnostic.severity === 'note') lines.notes += formatLine(diagnostic, { place, related }, frame);
    else if (diagnostic.isBrief === true) lines.brief += formatLine(diagnostic, { place, related }, frame);
    else blocks.push(formatDiagnostic(diagnostic, { place, related }, frame));
  }
  const last = lines.brief + lines.notes;
  return (last === '' ? blocks : [...blocks, last]).join('\n');
}

/** `note[code]: message; hint (file:line:column; set here first: file:line:column)` */
function formatLine(diagnostic: Diagnostic, { place, related }: Places, frame: Frame): string {
  const { hint, severity } = diagnostic;
  const { label, message } = frame.wording.titleOf(diagnostic);
  const places = [
    ...(place === undefined ? [] : [showPlace(place)]),
    ...related.map((other) => `${other.message}: ${showPlace(other.place)}`),
    ...(diagnostic.targets === undefined ? [] : [`in ${listTargets(diagnostic.targets)}`]),
  ];
  const where = places.length === 0 ? '' : ` (${places.join('; ')})`;
  const text = `${message}${hint === undefined ? '' : `; ${hint.replaceAll(/\s*\n\s*/g, ' ')}`}${where}`;
  const lines = formatTitle(text, { ...frame, style: severity, label });
  return lines.map((line) => `${line}\n`).join('');
}

function showPlace({ file, found: span }: Place): string {
  const flag = nameFlag(file, span);
  if (flag !== undefined) return flag;
  return span === undefined ? file : `${file}:${span.start.line}:${span.start.column}`;
}

interface Places {
  readonly place: Place | undefined;
  readonly related: readonly { readonly message: string; readonly place: Place }[];
}

/** What differs between the report of a validation and other findings. */
interface Wording {
  readonly titleOf: (diagnostic: Diagnostic) => { readonly label: string; readonly message: string };
  readonly formatHint: (text: string, frame: Frame) => readonly string[];
}

const usualWording: Wording = {
  titleOf: ({ severity, code, message }) => ({ label: `${severity}[${escapeControls(code)}]`, message }),
  formatHint: (text, frame) => formatRemark('hint', text, frame),
};

const reportLabels: Readonly<Record<Severity, string>> = { error: '✗ Error', warning: '⚠ Warning', note: '→ Note' };

const reportWording: Wording = {
  titleOf: ({ severity, code, message }) => ({ label: reportLabels[severity], message: `${message} [${code}]` }),
  formatHint: (text, { width }) => indentLines(text, { lead: '   → ', under: '     ', width }),
};

// Narrower than this, even short words would be cut, and the terminal wraps lines better than that.
const narrowest = 40;

function formatDiagnostic(diagnostic: Diagnostic, { place, related }: Places, outer: Frame): string {
  const { severity } = diagnostic;
  const { titleOf, formatHint } = outer.wording;
  const places = [place, ...related.map((other) => other.place)];
  const frame = { ...outer, digits: places.reduce((most, each) => Math.max(most, countDigits(each)), 1) };
  const { label, message: title } = titleOf(diagnostic);
  const lines = [...formatTitle(title, { ...frame, style: severity, label })];
  const add = (more: Iterable<string>): void => {
    for (const line of more) lines.push(line);
  };
  if (place !== undefined) add(formatPlace(place, { ...frame, style: severity, mark: '^' }));
  for (const { message, place } of related) {
    if (place.found === undefined) add(formatRemark('note', `${message}: ${place.file}`, frame));
  }
  if (diagnostic.hint !== undefined) add(formatHint(diagnostic.hint, frame));
  if (diagnostic.targets !== undefined) add(formatRemark('in', listTargets(diagnostic.targets), frame));
  for (const { message, place } of related) {
    if (place.found === undefined) continue;
    add(formatTitle(message, { ...frame, style: 'note', label: 'note' }));
    add(formatPlace(place, { ...frame, style: 'note', mark: '-' }));
  }
  return lines.map((line) => `${line}\n`).join('');
}

interface Frame {
  /** Digits of the largest line number, so that all bars of one finding line up. */
  readonly digits: number;
  readonly paint: Paint;
  readonly width: number;
  readonly wording: Wording;
}

const titleIndent = '    ';

function formatTitle(
  message: string,
  { paint, width, style, label }: Frame & { readonly style: Severity; readonly label: string },
): readonly string[] {
  const taken = label.length + ': '.length - titleIndent.length;
  const [first = '', ...rest] = wrapText(escapeControls(message), { width: width - titleIndent.length, taken });
  return [
    `${paint(style, label)}${paint('bold', `: ${first}`)}`,
    ...rest.map((line) => `${titleIndent}${paint('bold', line)}`),
  ];
}

function countDigits(place: Place | undefined): number {
  return place?.found === undefined ? 0 : String(place.found.start.line).length;
}

function formatPlace(
  { file, found: span }: Place,
  { digits, paint, width, style, mark }: Frame & { readonly style: Severity; readonly mark: string },
): readonly string[] {
  const flag = nameFlag(file, span);
  const arrow = `${' '.repeat(digits + 1)}${paint('frame', '-->')} ${escapeControls(flag ?? file)}`;
  if (span === undefined) return [arrow];
  // The line number and the bar come first.
  const excerpt = createExcerpt(span, width - digits - 4);
  const { line, column } = span.start;
  const gap = ' '.repeat(digits + 2);
  const bar = paint('frame', '|');
  const marks = `${' '.repeat(excerpt.indent)}${paint(style, mark.repeat(excerpt.underline))}`;
  return [
    flag === undefined ? `${arrow}:${line}:${column}` : arrow,
    `${gap}${bar}`,
    `${paint('frame', ` ${String(line).padStart(digits)} |`)}${excerpt.text === '' ? '' : ` ${excerpt.text}`}`,
    `${gap}${bar} ${marks}`,
  ];
}

// The excerpt below shows the rest.
const shownOfKey = 60;

/** An assignment on the command line, as `--set replicas`; its index among several does not help the user. */
function nameFlag(file: string, span: Place['found']): string | undefined {
  const [, flag] = /^(--set(?:-string)?(?:-[ab])?)\[\d+\]$/.exec(file) ?? [];
  if (flag === undefined) return undefined;
  const key = span?.source.text.split('=', 1)[0];
  return key === undefined ? flag : `${flag} ${key.length > shownOfKey ? `${key.slice(0, shownOfKey)}…` : key}`;
}

/** Later lines are indented below the first, so that user text cannot pass for kurel's own output. */
function indentLines(
  text: string,
  { lead, under, width }: { readonly lead: string; readonly under: string; readonly width: number },
): readonly string[] {
  const lines = text.split('\n').map((line) => escapeControls(line));
  return (
    lines
      // Indented lines are meant to be copied.
      .flatMap((line) => (line.startsWith(' ') ? [line] : wrapText(line, { width: width - under.length })))
      .map((line, index) => `${index === 0 ? lead : under}${line}`.trimEnd())
  );
}

const mostTargets = 5;

/** Identical findings of many targets are shown once. */
function listTargets(targets: readonly string[]): string {
  const total = targets.length > mostTargets ? `${targets.length} targets: ` : '';
  return `${total}${listFirst(targets, mostTargets)}`;
}

function formatRemark(label: 'note' | 'hint' | 'in', text: string, { digits, paint, width }: Frame): readonly string[] {
  const gap = ' '.repeat(digits + 2);
  const lead = `${gap}${paint('frame', '=')} ${paint('bold', `${label}:`)} `;
  return indentLines(text, { lead, under: `${gap}  ${' '.repeat(label.length)}  `, width });
}

/** By file, then position (none comes first), then code; findings equal in all three keep their order. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[], options: PlaceOptions): readonly Diagnostic[] {
  const findPlace = createPlaceFinder(options);
  return diagnostics
    .map((diagnostic) => {
      const place = diagnostic.location === undefined ? undefined : findPlace(diagnostic.location);
      return { diagnostic, file: place?.file ?? '', offset: place?.found?.range.start ?? -1 };
    })
    .sort(
      (a, b) => compareText(a.file, b.file) || a.offset - b.offset || compareText(a.diagnostic.code, b.diagnostic.code),
    )
    .map(({ diagnostic }) => diagnostic);
}

const severities: readonly Severity[] = ['error', 'warning', 'note'];

/** Findings that others summarise are counted, too. */
export function countBySeverity(diagnostics: readonly Diagnostic[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity, omitted } of diagnostics) counts[severity] += omitted?.count ?? 1;
  return counts;
}

/** `1 error, 2 warnings, 1 accepted`; empty when there is nothing to count. */
export function summarise(diagnostics: readonly Diagnostic[], accepted: readonly AcceptedFinding[] = []): string {
  const counts = countBySeverity(diagnostics);
  const parts = severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => countNoun(counts[severity], severity));
  const count = accepted.reduce((sum, { diagnostic }) => sum + (diagnostic.omitted?.count ?? 1), 0);
  return [...parts, ...(count === 0 ? [] : [`${count} accepted`])].join(', ');
}
