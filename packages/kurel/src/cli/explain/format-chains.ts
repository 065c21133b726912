import { isDeepStrictEqual } from 'node:util';

import { countColumns, escapeControls, quoteUpTo, spell } from '../../diagnostics/index.ts';
import { formatField, hiddenText, isSecretField, writeJson } from '../../index.ts';
import type { FieldTrace, ParameterTrace, TraceStep } from '../../index.ts';
import type { Json, KubeObject, Location, Message } from '../../model/index.ts';
import { usesParameters } from '../../provenance/index.ts';
import { spellAsFlags } from '../spell-findings.ts';
import type { Place } from './answer-from-build.ts';
import { fitLine, paint, shorten } from '../terminal.ts';

export interface ChainOptions {
  readonly object: KubeObject;
  readonly findPlace: (location: Location) => Place;
  readonly color: boolean;
  readonly width?: number | undefined;
}

interface Row {
  readonly kind: string;
  readonly place: string;
  readonly text: string;
}

// A longer place moves only its own text to the right.
const widestPlace = 100;

const widestChange = 48;

/** Each field with all steps that set it, the first one first. */
export function formatChains(fields: readonly ShownTrace[], options: ChainOptions): string {
  return fields.map((field) => formatChain(field, options)).join('\n');
}

function formatChain({ path, value, steps, hidden }: ShownTrace, options: ChainOptions): string {
  const { object, findPlace, color, width } = options;
  const rows = steps.flatMap((step) => rowsOf(step, findPlace));
  const kindWidth = rows.reduce((most, { kind }) => Math.max(most, kind.length), 0);
  const placeWidth = rows.reduce((most, { place }) => Math.min(widestPlace, Math.max(most, place.length)), 0);
  const name = formatField(path, object);
  const title =
    value === undefined ? `${name} was removed` : `${name}: ${hidden === true ? hiddenText : formatValue(value)}`;
  const lines = rows.flatMap(({ kind, place, text }) => {
    const columns = `  ${kind.padEnd(kindWidth)}  ${place.padEnd(placeWidth)}`;
    if (text === '') return [columns.trimEnd()];
    const used = 2 + kindWidth + 2 + Math.max(place.length, placeWidth) + 2;
    if (width === undefined || used + countColumns(text) <= width) return [`${columns}  ${text}`];
    const below = fitLine(`${' '.repeat(kindWidth + 4)}${text.trim()}`, width);
    return [columns.trimEnd()].concat(below);
  });
  const titles = fitLine(title, width).map((line) => paint('1', line, color));
  return `${[...titles, ...lines].join('\n')}\n`;
}

function rowsOf(step: ShownStep, findPlace: ChainOptions['findPlace']): readonly Row[] {
  const { kind, location, parameters } = step;
  const words = wordsAsFlags(step);
  const below = parameters.flatMap((parameter) => rowsOfParameter(parameter, { findPlace, depth: 0 }));
  if (kind === 'parameter') return below;
  const place = escapeControls(location === undefined ? words : formatPlace(findPlace(location)));
  const isNoted = location !== undefined && (kind === 'base' || kind === 'author') && words !== '';
  const note = isNoted ? `  (${escapeControls(words)})` : '';
  return [{ kind, place, text: `${describeChange(step)}${note}` }, ...below];
}

function describeChange({ before, after, hides }: ShownStep): string {
  if (hides !== undefined) {
    if (after === undefined) return `${hiddenText} → removed`;
    if (before === undefined) return hiddenText;
    return hides === 'same' ? `${hiddenText}, as before` : `changed ${hiddenText}`;
  }
  if (after === undefined) return `${formatValue(before ?? null)} → removed`;
  if (before === undefined) return formatValue(after);
  const [from, to] = [formatValue(before), formatValue(after)];
  if (from === to) return `${to}, as before`;
  // The line above already shows the previous value.
  return from.length + to.length > widestChange ? `→ ${to}` : `${from} → ${to}`;
}

function rowsOfParameter(
  parameter: ParameterTrace,
  { findPlace, depth }: { readonly findPlace: ChainOptions['findPlace']; readonly depth: number },
): readonly Row[] {
  const { name, value, location, refersTo } = parameter;
  const words = wordsAsFlags(parameter);
  const place = escapeControls(location === undefined ? words : formatPlace(findPlace(location)));
  const layer = location === undefined || words === 'package' ? '' : `  (${escapeControls(words)})`;
  const shown = value === undefined ? '' : ` = ${value === hiddenText ? hiddenText : formatValue(value)}`;
  const row = { kind: 'parameter', place, text: `${'  '.repeat(depth)}${escapeControls(name)}${shown}${layer}` };
  return [row, ...refersTo.flatMap((inner) => rowsOfParameter(inner, { findPlace, depth: depth + 1 }))];
}

/** The description of a step or a parameter on the command line. */
export function wordsAsFlags({ words }: { readonly words: Message }): string {
  return spell(words, spellAsFlags);
}

/** `file:line`, which terminals and editors open. */
export function formatPlace({ file, line }: Place): string {
  return line === undefined ? file : `${file}:${line}`;
}

// The value is the answer, so all of an image or a URL is shown.
const longest = 300;

/** A value on one line, shortened. */
function formatValue(value: Json): string {
  if (typeof value === 'string') return quoteUpTo(longest, value);
  const text = escapeControls(writeJson(value, 0).trim());
  return shorten(text, longest);
}

export interface ShownTrace extends FieldTrace {
  readonly hidden?: true;
  readonly steps: readonly ShownStep[];
}

interface ShownStep extends TraceStep {
  /** Whether the step changed the value, because hidden values cannot be compared. */
  readonly hides?: 'same' | 'other';
}

/**
 * Traces without the values of Secrets and of the parameters and flags that set them, also where these set another field; names and
 * locations remain.
 */
export function hideSecretTraces(
  traces: readonly FieldTrace[],
  object: KubeObject,
  secretParameters: ReadonlySet<string>,
): readonly ShownTrace[] {
  return traces.map((trace) => {
    const { path, value, steps } = trace;
    if (!isSecretTrace(trace, object) && !usesParameters(trace, secretParameters)) return trace;
    return { path, value: value === undefined ? undefined : hiddenText, hidden: true, steps: steps.map(hideStep) };
  });
}

/** Whether a field of a Secret holds one of its values now, or did at an earlier step. */
function isSecretTrace({ path, steps }: FieldTrace, object: KubeObject): boolean {
  const [field] = path;
  if (isSecretField(object, path)) return true;
  if (path.length !== 1 || field === undefined) return false;
  return steps.some(({ before, after }) =>
    [before, after].some((value) => value !== undefined && isSecretField({ ...object, [field]: value }, path)),
  );
}

function hideStep({ before, after, words, parameters, ...rest }: TraceStep): ShownStep {
  return {
    ...rest,
    words: hideWords(words),
    before: before === undefined ? undefined : hiddenText,
    after: after === undefined ? undefined : hiddenText,
    hides: isDeepStrictEqual(before, after) ? 'same' : 'other',
    parameters: parameters.map(hideParameter),
  };
}

function hideParameter({ value, words, refersTo, ...rest }: ParameterTrace): ParameterTrace {
  return {
    ...rest,
    words: hideWords(words),
    value: value === undefined ? undefined : hiddenText,
    refersTo: refersTo.map(hideParameter),
  };
}

/** Hides values of flags: `--set password=…` contains the value, and a jq program may as well. */
function hideWords(words: Message): string {
  return wordsAsFlags({ words })
    .replace(/^(--jq)\b[^]*$/, '$1')
    .replace(/^(--[a-z-]+ [^=]*)=[^]*$/, '$1');
}

/** The name of each file in comments. */
export type FileNames = ReadonlyMap<string, string>;

/** Files in the input at the path are named relative to it; the directories of others are left out on request. */
export function nameFiles(files: ReadonlySet<string>, path: string, isShort: boolean): FileNames {
  const inside = directoryOf(path);
  const isTaken = (name: string, file: string): boolean =>
    [...files].some((other) => other !== file && `/${other}`.endsWith(`/${name}`));
  const nameFile = (file: string): string => {
    if (file.startsWith(inside)) return file.slice(inside.length);
    // An assignment may contain slashes.
    if (!isShort || file.startsWith('--')) return file;
    const parts = file.split('/');
    const ends = parts.map((_, index) => parts.slice(parts.length - 1 - index).join('/'));
    return ends.find((end) => !isTaken(end, file)) ?? file;
  };
  return new Map([...files].map((file) => [file, nameFile(file)]));
}

/** `values.yaml is environments/production/values.yaml`, for files outside the input. */
export function listShortened(names: FileNames, path: string): readonly string[] {
  return [...names]
    .filter(([file, name]) => file !== name && !file.startsWith(directoryOf(path)))
    .map(([file, name]) => `${escapeControls(name)} is ${escapeControls(file)}`);
}

function directoryOf(path: string): string {
  return `${path.replace(/\/+$/, '')}/`;
}
