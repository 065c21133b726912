import { quote } from './diagnostics/index.ts';
import { describeObject } from './kube/index.ts';
import { isJsonArray, isJsonObject } from './model/index.ts';
import type { Diagnostic, Json, KubeObject, Location, Path, RelatedLocation } from './model/index.ts';
import { readHistories } from './read-histories.ts';
import type { BuildRecord } from './read-histories.ts';
import { formatField, isSameJson, traceFields } from './trace/index.ts';
import type { FieldTrace, HistoryEvent, ObjectHistory, ParameterTrace, TraceStep } from './trace/index.ts';
import type { ObjectField } from './watch-places.ts';

/**
 * Findings about fields of objects, each at the line that made the field what it is: that of the last patch that has to do with
 * it, or the one in the text of the object. The parameters that took part are noted with where they were given. Of `patched`, those
 * about fields that no patch has to do with are left out.
 */
export function placeAtCauses(
  diagnostics: readonly Diagnostic[],
  record: BuildRecord,
  { fieldOf, scope }: CauseOptions,
): readonly Diagnostic[] {
  const { historyOf } = readHistories(record);
  const { origins } = record.result;
  let last: { readonly object: KubeObject; readonly known: KnownObject } | undefined;

  function know(object: KubeObject): KnownObject {
    // Findings come object by object, so that one is all that has to be kept.
    if (last?.object !== object) last = { object, known: createKnown(object, historyOf(object)) };
    return last.known;
  }

  return diagnostics.flatMap((diagnostic) => {
    const { location } = diagnostic;
    const field = location === undefined ? undefined : fieldOf(location);
    const { step, written } = field === undefined ? unknown : know(field.object).findCause(field.path);
    if (scope === 'patched' && step?.kind !== 'patch') return [];
    if (location === undefined || field === undefined || isSecret(field)) return [diagnostic];
    const place = step === undefined ? undefined : placeOf(step, written, location.at);
    if (step === undefined || place === undefined) return [diagnostic];
    // Whatever the value is, a wrong key is none of its doing.
    const notes = location.at === 'key' ? [] : notesOf(step.parameters);
    const related = [...(diagnostic.related ?? []), ...notes];
    const isElsewhere = step.kind === 'patch' && origins.get(field.object)?.text !== undefined;
    const moved = {
      ...diagnostic,
      message: isElsewhere ? sayWhere(diagnostic.message, field) : diagnostic.message,
      location: place,
      ...(related.length === 0 ? {} : { related }),
    };
    return [moved];
  });
}

interface CauseOptions {
  readonly fieldOf: (location: Location) => ObjectField | undefined;
  readonly scope: 'all' | 'patched';
}

/** What a Secret holds is not shown at places that do not look as if they were of one. */
function isSecret({ object, path }: ObjectField): boolean {
  return object.kind === 'Secret' && (path[0] === 'data' || path[0] === 'stringData');
}

/** A patch may be for many objects, and its line need not say for which. */
function sayWhere(message: string, { object, path }: ObjectField): string {
  const name = describeObject(object);
  if (message.includes(name)) return message;
  return `${message} (in ${path.length === 0 ? '' : `${formatField(path, object)} of `}${name})`;
}

/** Only patches and parameters: everything else has been found by those who made the object. */
function placeOf(step: TraceStep, written: Location | undefined, at: Location['at']): Location | undefined {
  if (step.kind === 'patch') return at === 'key' ? keyAt(step.location) : (step.valueLocation ?? step.location);
  if (step.kind !== 'base' && step.kind !== 'parameter') return undefined;
  if (written?.document === undefined) return undefined;
  return at === undefined ? written : { ...written, at };
}

function keyAt(location: Location | undefined): Location | undefined {
  return location?.path === undefined ? location : { ...location, at: 'key' };
}

function notesOf(parameters: readonly ParameterTrace[]): readonly RelatedLocation[] {
  const notes = new Map<string, RelatedLocation>();
  const add = ({ name, given, refersTo }: ParameterTrace): void => {
    if (given !== undefined && !notes.has(name)) {
      notes.set(name, { message: `the parameter ${quote(name)} is given here`, location: given });
    }
    refersTo.forEach(add);
  };
  parameters.forEach(add);
  return [...notes.values()];
}

interface FoundCause {
  /** The last one; `undefined` when nothing is known of it. */
  readonly step: TraceStep | undefined;
  /** Where the field stands in the text of the object. */
  readonly written: Location | undefined;
}

interface KnownObject {
  findCause(path: Path): FoundCause;
}

const unknown: FoundCause = { step: undefined, written: undefined };

function createKnown(object: KubeObject, history: ObjectHistory): KnownObject {
  let traces: readonly FieldTrace[] | undefined;
  return {
    findCause(path) {
      const isTouched = (field: Path): boolean => history.events.some((event) => touches(event, field));
      // What nothing has touched is as it was, and need not be followed. What is missing is missing from something.
      if (!isTouched(path) && !isTouched(existing(object, path))) return causeAtStart(path, history);
      traces ??= traceFields(object, history);
      for (let length = path.length; length >= 0; length -= 1) {
        const found = causeIn(traces, path.slice(0, length));
        if (found !== undefined) return length === path.length ? found : causeOfNothing(found, path.slice(length));
      }
      return unknown;
    },
  };
}

/** What made the mapping around it; the value that it has there, and where that is from, has nothing to do with it. */
function causeOfNothing({ step, written }: FoundCause, rest: Path): FoundCause {
  return { step: step && { ...step, valueLocation: undefined, parameters: [] }, written: below(written, rest) };
}

function existing(object: KubeObject, path: Path): Path {
  let value: Json | undefined = object;
  const length = path.findIndex((step) => {
    value = isJsonArray(value) ? value[Number(step)] : isJsonObject(value) ? value[step] : undefined;
    return value === undefined;
  });
  return length === -1 ? path : path.slice(0, length);
}

function below(location: Location | undefined, path: Path): Location | undefined {
  return location?.path === undefined ? location : { ...location, path: [...location.path, ...path] };
}

function causeAtStart(path: Path, { start, causesOf }: ObjectHistory): FoundCause {
  const causes = causesOf(path, start);
  const last = causes.at(-1);
  if (last?.kind !== 'parameter') return unknown;
  const step = { ...last, before: undefined, after: undefined, parameters: last.parameters ?? [] };
  return { step, written: causes[0]!.location };
}

/** Whether an event may have changed a field, or moved it to another place in its list. */
function touches({ operation, path }: HistoryEvent, field: Path): boolean {
  const moved = operation === 'set' ? path : path.slice(0, -1);
  return moved.every((step, depth) => depth >= field.length || step === field[depth]);
}

/** Of a field with others in it, the first of them speaks for all when patches made every one. */
function causeIn(traces: readonly FieldTrace[], path: Path): FoundCause | undefined {
  const inside = traces.filter((trace) => path.every((step, depth) => trace.path[depth] === step));
  const own = inside.find((trace) => trace.path.length === path.length);
  const left = inside.filter(({ value }) => value !== undefined);
  const here = own === undefined ? (left.length === 0 ? inside : left) : [own];
  if (here.length === 0) return undefined;
  const made = here.find(({ steps }) => steps.at(-1)?.kind !== 'patch') ?? here[0]!;
  const step = made.steps.at(-1);
  // Something came behind it of which nothing is known.
  if (step === undefined || !isSameJson(step.after, made.value)) return unknown;
  const above = made.path.length - path.length;
  const base = made.steps.find(({ kind }) => kind === 'base')?.location;
  const written = base?.path === undefined ? base : { ...base, path: base.path.slice(0, base.path.length - above) };
  return { step: above > 0 && step.kind === 'parameter' ? { ...step, parameters: [] } : step, written };
}
