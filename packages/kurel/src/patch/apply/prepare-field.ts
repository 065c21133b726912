import { isJsonObject, valueAt } from '../../model/index.ts';
import type { Json, Location, Path, Range, SourceFile } from '../../model/index.ts';
import { readLexeme } from '../../parameters/index.ts';
import type { FilledTree, Reference, Substitution, Template } from '../../parameters/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { isPlace } from '../kpatch/gather-items.ts';
import type {
  AllStep,
  DataValue,
  FieldPatch,
  FieldSource,
  FilledData,
  FieldStep,
  FromEndStep,
  IndexStep,
  MatchStep,
  PlaceStep,
  ScalarValue,
  Step,
} from '../patch.ts';

/** A field patch with resolved references, ready to be applied to any object. */
export interface PreparedField {
  readonly patch: FieldPatch;
  readonly steps: readonly PlainStep[];
  readonly operation: PreparedOperation;
  /** The source of all its changes. */
  readonly source: FieldSource;
}

export type PlainStep = PlainField | PlainIndex | PlainMatch | AllStep;

/** A step with resolved references; the steps that a short path omits have no range. */
type Plain<Any extends { readonly range: Range }> = Omit<Any, 'range'> & { readonly range?: Range | undefined };

export type PlainField = Plain<FieldStep<string>>;
export type PlainIndex = Plain<IndexStep>;
export type PlainMatch = Plain<MatchStep<string>>;

export const imageParts = ['repository', 'registry', 'tag', 'digest'] as const;
export type ImagePart = (typeof imageParts)[number];

export type PreparedOperation =
  | { readonly type: 'replace'; readonly value: PreparedValue }
  | { readonly type: 'append'; readonly value: PreparedValue }
  | {
      readonly type: 'insert';
      readonly where: 'before' | 'after';
      readonly at: PlainIndex | PlainMatch;
      readonly value: PreparedValue;
    }
  | { readonly type: 'delete'; readonly what: PlainIndex | PlainMatch | PlainField | FromEndStep | undefined };

export type PreparedValue =
  /** A string that is converted to the type of its field. */
  | { readonly type: 'lexeme'; readonly text: string; readonly isPlain: boolean }
  | {
      readonly type: 'data';
      readonly data: Json;
      /** Whether to merge into the existing value: an object that comes from a single reference. */
      readonly merges: boolean;
      /** How a scalar of the data was written; 1.10 must not become "1.1" in a string field. */
      readonly lexemeAt: (path: Path) => string | undefined;
    }
  | {
      readonly type: 'item';
      readonly entries: readonly PreparedEntry[];
      /** Sources of the new items: the paths that entries set depend only on the schema of the item. */
      readonly sources: Map<SchemaNode | undefined, FieldSource>;
    };

export interface PreparedEntry {
  readonly steps: readonly PlainStep[];
  readonly value: Exclude<PreparedValue, { readonly type: 'item' }>;
  readonly location: Location;
}

interface Preparation {
  readonly source: SourceFile;
  readonly substitution: Substitution;
  /** Receives each value with its references resolved. */
  readonly values: FilledData[];
  /** Whether any of them contains a reference. */
  isFilled: boolean;
}

const none: readonly FilledData[] = [];

/** Resolves the references of a patch, once for all objects; `undefined` if a problem was reported. */
export function prepareField(
  patch: FieldPatch,
  { source, substitution }: Pick<Preparation, 'source' | 'substitution'>,
): PreparedField | undefined {
  const values: FilledData[] = [];
  const preparation = { source, substitution, values, isFilled: false };
  const last = patch.steps.at(-1);
  const change = last === undefined || isPlace(last) ? undefined : last;
  const places = patch.steps.filter(isPlace);
  const steps = places.map((step) => prepareStep(step, patch.location, preparation));
  const operation = prepareOperation(patch, change, preparation);
  if (operation === undefined || !steps.every((step) => step !== undefined)) return undefined;
  return { patch, steps, operation, source: { patch, values: preparation.isFilled ? [...values] : none } };
}

/** Whether steps are `enabled`, directly under a target. */
export function isEnabled([only, ...more]: readonly PlainStep[]): boolean {
  return only?.type === 'field' && !only.quoted && only.name === 'enabled' && more.length === 0;
}

/** Points at the failed step, which may be in the header, rather than at the key. */
export function placeOfStep(location: Location, step: { readonly range?: Range | undefined } | undefined): Location {
  // In YAML patches, ranges are offsets in the key, whose location is resolved later.
  return location.range === undefined || step?.range === undefined ? location : { ...location, range: step.range };
}

function prepareStep(step: PlaceStep, location: Location, { substitution }: Preparation): PlainStep | undefined {
  if (step.type === 'match') return prepareMatch(step, location, substitution);
  if (step.type !== 'field') return step;
  const name = substitution.fillText(step.name, () => placeOfStep(location, step));
  return name === undefined ? undefined : { type: 'field', name, quoted: step.quoted, range: step.range };
}

function prepareMatch(step: MatchStep, location: Location, substitution: Substitution): PlainMatch | undefined {
  const conditions = step.conditions.map(({ path, value }) => ({
    path,
    value: substitution.fillText(value, () => placeOfStep(location, step)),
  }));
  const isComplete = (condition: (typeof conditions)[number]): condition is PlainMatch['conditions'][number] =>
    condition.value !== undefined;
  return conditions.every(isComplete) ? { type: 'match', conditions, range: step.range } : undefined;
}

function prepareOperation(
  patch: FieldPatch,
  step: Step | undefined,
  preparation: Preparation,
): PreparedOperation | undefined {
  const { substitution } = preparation;
  if (step?.type === 'delete') {
    const { what } = step;
    if (what?.type === 'field') {
      const name = substitution.fillText(what.name, () => patch.location);
      return name === undefined ? undefined : { type: 'delete', what: { type: 'field', name, quoted: what.quoted } };
    }
    if (what?.type !== 'match') return { type: 'delete', what };
    const match = prepareMatch(what, patch.location, substitution);
    return match === undefined ? undefined : { type: 'delete', what: match };
  }
  const value = prepareValue(patch, preparation);
  if (value === undefined) return undefined;
  if (step?.type === 'append') return { type: 'append', value };
  if (step?.type !== 'insert') return { type: 'replace', value };
  const at = step.at.type === 'match' ? prepareMatch(step.at, patch.location, substitution) : step.at;
  return at === undefined ? undefined : { type: 'insert', where: step.where, at, value };
}

function prepareValue({ value }: FieldPatch, preparation: Preparation): PreparedValue | undefined {
  if (value.type === 'none') return { type: 'data', data: null, merges: false, lexemeAt: () => undefined };
  if (value.type !== 'item') return prepareSimple(value, preparation);
  const entries = value.entries.map((entry): PreparedEntry | undefined => {
    const steps = entry.steps.map((step) => prepareStep(step, entry.location, preparation));
    const inner = prepareSimple(entry.value, preparation);
    if (inner === undefined || !steps.every((step) => step !== undefined)) return undefined;
    return { steps, value: inner, location: entry.location };
  });
  return entries.every((entry) => entry !== undefined) ? { type: 'item', entries, sources: new Map() } : undefined;
}

function prepareSimple(value: ScalarValue | DataValue, preparation: Preparation): PreparedEntry['value'] | undefined {
  const filled = fillSimple(value, preparation);
  const { data, isComplete, writtenPath } = filled;
  preparation.values.push({ data, writtenPath });
  preparation.isFilled ||= data !== writtenDataOf(value);
  if (!isComplete) return undefined;
  if (value.type === 'scalar' && filled.spotAt([])?.whole === undefined) {
    const isPlain = value.style === 'plain' && value.template.parts.every((part) => typeof part === 'string');
    return { type: 'lexeme', text: data as string, isPlain };
  }
  return {
    type: 'data',
    data,
    merges: typeof writtenDataOf(value) === 'string' && isJsonObject(data),
    lexemeAt: (path) => lexemeAt(path, { value, filled, source: preparation.source }),
  };
}

/** A value with its references unresolved. */
export function writtenDataOf(value: ScalarValue | DataValue): Json {
  return value.type === 'scalar' ? value.template.text : value.data;
}

function fillSimple(value: ScalarValue | DataValue, { substitution, source }: Preparation): FilledTree {
  if (value.type === 'data') return fillData(value.data, value.location, substitution);
  const { template, location } = value;
  return substitution.fillTree(template.text, {
    locate: (_path, _at, reference) =>
      reference === undefined ? location : placeOfReference(reference, { template, location, source }),
  });
}

interface Written {
  readonly template: Template;
  readonly location: Location;
  readonly source: SourceFile;
}

/** A value without escapes allows pointing at the reference itself. */
function placeOfReference(reference: Reference, { template, location, source }: Written): Location {
  const { range } = location;
  if (range === undefined) return location;
  const text = source.text.slice(range.start, range.end);
  const { start, end } = reference.range;
  const before = text.indexOf(template.text);
  const at = before === -1 ? text.indexOf(template.text.slice(start, end)) : before + start;
  return at === -1
    ? location
    : { ...location, range: { start: range.start + at, end: range.start + at + end - start } };
}

interface WrittenValue {
  readonly value: ScalarValue | DataValue;
  readonly filled: FilledTree;
  readonly source: SourceFile;
}

/** How a scalar in resolved data was written: in the patch, or where its parameter is set. */
function lexemeAt(path: Path, { value, filled, source }: WrittenValue): string | undefined {
  const spot = filled.spotAt(path);
  if (spot !== undefined) return spot.whole?.writtenAt?.(path.slice(spot.path.length));
  if (value.type === 'scalar') return undefined;
  const written = filled.writtenPath(path);
  return readLexeme(source, locationBelow(value.location, written), valueAt(value.data, written));
}

/** The location of a part of a value. */
export function locationBelow(location: Location, path: Path): Location {
  return { ...location, path: [...(location.path ?? []), ...path] };
}

/** Resolves references in the strings and keys of data. */
export function fillData(data: Json, location: Location, substitution: Substitution): FilledTree {
  return substitution.fillTree(data, {
    locate: (path, at) => ({ ...locationBelow(location, path), ...(at === undefined ? {} : { at }) }),
  });
}

/** The templates in the names and selectors of a step. */
export function templatesIn(step: Step | FromEndStep): readonly Template[] {
  if (step.type === 'field') return [step.name];
  if (step.type === 'match') return step.conditions.map(({ value }) => value);
  if (step.type === 'insert') return templatesIn(step.at);
  return step.type === 'delete' && step.what !== undefined ? templatesIn(step.what) : [];
}
