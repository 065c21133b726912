import { countColumns, escapeControls, quoteUpTo } from '../../diagnostics/index.ts';
import { formatField, hiddenText, writeJson } from '../../index.ts';
import type { ParameterTrace } from '../../index.ts';
import type { Json, KubeObject, Location } from '../../model/index.ts';
import type { Place } from './answer-from-build.ts';
import type { ShownStep, ShownTrace } from './hide-secret-traces.ts';
import { paint } from '../paint.ts';
import { fitLine } from '../terminal-width.ts';

export interface ChainOptions {
  readonly object: KubeObject;
  readonly findPlace: (location: Location) => Place;
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width?: number | undefined;
}

/** A line of a chain, in columns. */
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
  const { kind, words, location, parameters } = step;
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
  { name, value, words, location, refersTo }: ParameterTrace,
  { findPlace, depth }: { readonly findPlace: ChainOptions['findPlace']; readonly depth: number },
): readonly Row[] {
  const place = escapeControls(location === undefined ? words : formatPlace(findPlace(location)));
  const layer = location === undefined || words === 'package' ? '' : `  (${escapeControls(words)})`;
  const shown = value === undefined ? '' : ` = ${value === hiddenText ? hiddenText : formatValue(value)}`;
  const row = { kind: 'parameter', place, text: `${'  '.repeat(depth)}${escapeControls(name)}${shown}${layer}` };
  return [row, ...refersTo.flatMap((one) => rowsOfParameter(one, { findPlace, depth: depth + 1 }))];
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
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
