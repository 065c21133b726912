import { escapeControls, quote } from '../../diagnostics/index.ts';
import { formatField, formatObject, writeYaml } from '../../index.ts';
import type { FieldTrace, ParameterTrace, TraceStep } from '../../index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import type { ChainOptions } from './format-chains.ts';
import { formatPlace, paint } from './format-chains.ts';
import type { Place } from './find-places.ts';

export interface OverviewOptions extends ChainOptions {
  /** What was built: files in it are named without it. */
  readonly path: string;
}

interface Line {
  readonly text: string;
  /** Of the field on it, when it has one. */
  readonly path?: Path;
}

// A line that is longer than this has its comment right behind it.
const widestLine = 56;

/** The object as YAML, and behind each field where it comes from, the last step first. */
export function formatOverview(fields: readonly FieldTrace[], options: OverviewOptions): string {
  const { object, color, path: built } = options;
  const byPath = new Map(fields.map((field) => [JSON.stringify(field.path), field]));
  const lines = linesOf(object);
  const width = Math.min(
    widestLine,
    lines.reduce((most, { text }) => Math.max(most, text.length), 0),
  );
  const comment = (text: string): string => paint('2', `# ${text}`, color);
  const body = lines.map(({ text, path }) => {
    const field = path === undefined ? undefined : byPath.get(JSON.stringify(path));
    const chain = field === undefined ? '' : describeSteps(field, options);
    return chain === '' ? text : `${text.padEnd(width)}  ${comment(chain)}`;
  });
  const gone = fields.filter(({ value }) => value === undefined);
  const rest = gone.map((field) =>
    comment(`${formatField(field.path, object)} is gone: ${describeSteps(field, options)}`),
  );
  const head = `${formatObject(object)}${built === '-' ? '' : ` in ${built}`}`;
  return `${[comment(escapeControls(head)), ...body, ...rest].join('\n')}\n`;
}

function linesOf(object: Json): readonly Line[] {
  const lines: Line[] = [];
  write(object, { lead: '', column: 0, path: [], lines });
  return lines;
}

interface Writing {
  /** What stands in front of the value on its first line: `key: `, `- `. */
  readonly lead: string;
  /** Of the keys or dashes of the value. */
  readonly column: number;
  readonly path: Path;
  readonly lines: Line[];
}

function write(value: Json, { lead, column, path, lines }: Writing): void {
  const isList = isJsonArray(value);
  const entries = isList ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) {
    lines.push({ text: `${lead}${formatScalar(value)}`, path });
    return;
  }
  const isBehindDash = lead.endsWith('- ');
  if (lead !== '' && !isBehindDash) lines.push({ text: lead.trimEnd() });
  for (const [index, [step, inner]] of entries.entries()) {
    const start = isBehindDash && index === 0 ? lead : ' '.repeat(column);
    const key = isList ? '- ' : `${formatKey(String(step))}: `;
    // Dashes stand below their key; what is in an item stands behind the dash.
    const deeper = isList || !isJsonArray(inner) ? column + 2 : column;
    write(inner, { lead: `${start}${key}`, column: deeper, path: [...path, step], lines });
  }
}

function formatKey(key: string): string {
  const text = writeYaml(key).trimEnd();
  return text.includes('\n') ? quote(key) : escapeControls(text);
}

/** On one line; the text of a ConfigMap is not what one wants to read here. */
function formatScalar(value: Json): string {
  if (typeof value !== 'string') return escapeControls(writeYaml(value).trimEnd());
  const text = writeYaml(value).trimEnd();
  return text.includes('\n') || text.length > widestLine ? quote(value) : escapeControls(text);
}

function describeSteps({ steps }: FieldTrace, options: OverviewOptions): string {
  const described: string[] = [];
  for (const [index, step] of steps.entries()) {
    // Parameters are told together with the text that they were put into.
    if (step.kind === 'parameter') continue;
    const next = steps[index + 1];
    const filled = next?.kind === 'parameter' ? next.parameters : [];
    described.push(describeStep({ ...step, parameters: [...step.parameters, ...filled] }, options));
  }
  return described.toReversed().join(' ← ');
}

function describeStep({ words, location, parameters }: TraceStep, options: OverviewOptions): string {
  const named = parameters.map((one) => describeParameter(one, options)).join(', ');
  const place = describePlace({ words, location }, options);
  return named === '' ? place : `${place} (${named})`;
}

function describeParameter(parameter: ParameterTrace, options: OverviewOptions): string {
  const inTurn = parameter.refersTo.map((one) => describeParameter(one, options)).join(' + ');
  const place = describePlace(parameter, options);
  return inTurn === '' ? place : `${place} ← ${inTurn}`;
}

function describePlace(
  { words, location }: Pick<TraceStep, 'words' | 'location'>,
  { findPlace, path }: OverviewOptions,
): string {
  return escapeControls(location === undefined ? words : formatPlace(shorten(findPlace(location), path)));
}

function shorten(place: Place, path: string): Place {
  const inside = `${path.replace(/\/+$/, '')}/`;
  return place.file.startsWith(inside) ? { ...place, file: place.file.slice(inside.length) } : place;
}
