import { mentionsIn, messageIn, quote, sentence, spell, spellPlainly, withTexts } from '../diagnostics/index.ts';
import { describeObject, isSecret, isSecretValue } from '../kube/index.ts';
import { isPathBelow, isSameJson, valueAt } from '../model/index.ts';
import type {
  Diagnostic,
  Json,
  KubeObject,
  Location,
  Message,
  OriginTable,
  Path,
  RelatedLocation,
  Subject,
} from '../model/index.ts';
import { walkValues } from '../parameters/index.ts';
import type { FieldTrace, ObjectHistory, ParameterTrace, TraceStep } from './field-trace.ts';
import { canTrace, traceFields } from './field-tree.ts';
import type { Provenance } from './rendering.ts';
import { formatField } from './format-field.ts';

/** Adds a location to a finding; `undefined` drops the finding. */
type PlaceFinding = (diagnostic: Diagnostic) => Diagnostic | undefined;

/**
 * Locates findings about fields at the line that set the field: in the last patch, or in the text of the object. Adds where
 * the parameters in the value are set. The scope `patched` drops findings about fields that no patch has set.
 */
export function createPlaceFinding(provenance: Provenance, scope: 'all' | 'patched' = 'all'): PlaceFinding {
  const { origins } = provenance;
  // Findings arrive grouped by object, so caching one is enough.
  let last: { readonly object: KubeObject; readonly findCause: FindCause } | undefined;

  function causeFinderOf(object: KubeObject): FindCause {
    if (last?.object !== object) last = { object, findCause: createFindCause(object, provenance) };
    return last.findCause;
  }

  return ({ subject, ...diagnostic }) => {
    if (subject === undefined) return scope === 'patched' ? undefined : diagnostic;
    const { step, written } = causeFinderOf(subject.object)(subject.path);
    if (scope === 'patched' && step?.kind !== 'patch') return undefined;
    const place = placeAtCause({ step, written }, subject);
    const others = (subject.related ?? []).flatMap(({ message, ...other }): RelatedLocation[] => {
      const isSame = other.object === subject.object;
      const findCause = isSame ? causeFinderOf(other.object) : createFindCause(other.object, provenance);
      const location = placeAtCause(findCause(other.path), other) ?? locateSubject(other, origins);
      return location === undefined ? [] : [{ message, location }];
    });
    // The value does not matter for an invalid key.
    const notes = place === undefined || subject.at === 'key' ? [] : notesOf(step!.parameters);
    const related = [...(diagnostic.related ?? []), ...others, ...notes];
    const isInOwnText = origins.get(subject.object)?.text !== undefined && !(place !== undefined && isLater(step));
    const at = place ?? locateSubject(subject, origins);
    return {
      ...(isInOwnText ? diagnostic : sayWhere(diagnostic, subject)),
      ...(at === undefined ? {} : { location: at }),
      ...(related.length === 0 ? {} : { related }),
    };
  };
}

/** Location of a field in the text of its object. Without a text, only the file is known. */
function locateSubject({ object, path, at }: Omit<Subject, 'related'>, origins: OriginTable): Location | undefined {
  const origin = origins.get(object);
  if (origin === undefined) return undefined;
  const { text } = origin;
  if (text === undefined) return origin.locate?.(path, at) ?? { file: origin.file ?? origin.source };
  return {
    file: text.source.path,
    document: text.document,
    path: text.path === undefined ? path : [...text.path, ...path],
    ...(at === 'key' ? { at } : {}),
  };
}

/** Names the object, because a line of a patch or an application may not. */
function sayWhere(diagnostic: Diagnostic, { object, path }: Subject): Diagnostic {
  const name = describeObject(object);
  if (diagnostic.message.includes(name)) return diagnostic;
  // A key of a Secret may be derived from its values.
  const isShown = path.length > 0 && !isSecret(object);
  const where = `${isShown ? `${formatField(path, object)} of ` : ''}${name}`;
  return withTexts(diagnostic, { message: sentence`${messageIn(diagnostic)} (in ${where})` });
}

/** Whether the step is later than the text of the object: a patch or a flag. */
function isLater(step: TraceStep | undefined): boolean {
  return step?.kind === 'patch' || step?.kind === 'flag';
}

/**
 * Location of what set a field, if it is not the text of the object. Only for patches, flags and parameters: forms locate everything
 * else themselves.
 */
function placeAtCause({ step, written }: FoundCause, subject: Omit<Subject, 'related'>): Location | undefined {
  const { object, at, path } = subject;
  // The location of a flag is its own text, like that of an assignment. Its value is hidden for a Secret.
  if (step?.kind === 'flag') return placeOfFlag(step.words, isSecret(object));
  if (step === undefined || isSecretValue(object, path)) return undefined;
  if (step.kind === 'patch') {
    if (at !== 'key') return step.valueLocation ?? step.location;
    return step.keys?.get(path.length) ?? keyAt(step.location);
  }
  if (step.kind !== 'base' && step.kind !== 'parameter') return undefined;
  if (written?.document === undefined) return undefined;
  return at === undefined ? written : { ...written, at };
}

/** A setting of the build, or what a caller calls its own transformer. */
function placeOfFlag(words: Message, isHidden: boolean): Location {
  const [mention] = mentionsIn(words);
  if (mention === undefined) {
    const text = spell(words, spellPlainly);
    return { file: isHidden ? text.split(' ')[0]! : text };
  }
  const shown = isHidden ? { setting: mention.setting } : mention;
  return { file: spellPlainly(shown), setting: shown };
}

function keyAt(location: Location | undefined): Location | undefined {
  return location?.path === undefined ? location : { ...location, at: 'key' };
}

function notesOf(parameters: readonly ParameterTrace[]): readonly RelatedLocation[] {
  const notes = new Map<string, RelatedLocation>();
  const add = ({ name, given: setAt, refersTo }: ParameterTrace): void => {
    if (setAt !== undefined && !notes.has(name)) {
      notes.set(name, { message: `parameter ${quote(name)} is set here`, location: setAt });
    }
    refersTo.forEach(add);
  };
  parameters.forEach(add);
  return [...notes.values()];
}

interface FoundCause {
  /** The last step; `undefined` if unknown. */
  readonly step: TraceStep | undefined;
  /** Location of the field in the text of the object. */
  readonly written: Location | undefined;
}

type FindCause = (path: Path) => FoundCause;

const unknown: FoundCause = { step: undefined, written: undefined };

function createFindCause(object: KubeObject, provenance: Provenance): FindCause {
  const history = provenance.historyOf(object);
  const isRead = provenance.origins.get(object)?.text !== undefined;
  let traces: readonly FieldTrace[] | undefined;
  return (path) => {
    // An untouched field has its initial cause. A missing field is located at its nearest existing parent.
    if (!isTouched(history, path) && !isTouched(history, existing(object, path))) {
      return isRead ? causeAtStart(path, history) : unknown;
    }
    if (!canTrace(object, history)) return unknown;
    traces ??= traceFields(object, history);
    for (let length = path.length; length >= 0; length -= 1) {
      const cause = causeIn(traces, path.slice(0, length));
      if (cause !== undefined) return length === path.length ? cause : causeOfNothing(cause, path.slice(length));
    }
    return unknown;
  };
}

/** Cause of the parent object, because the field itself does not exist. */
function causeOfNothing({ step, written }: FoundCause, rest: Path): FoundCause {
  return { step: step && { ...step, valueLocation: undefined, parameters: [] }, written: below(written, rest) };
}

function existing(object: KubeObject, path: Path): Path {
  const walked = walkValues(object, path);
  return 'value' in walked ? path : path.slice(0, walked.depth);
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

/** Whether an event may have changed a field, or moved it within its list. */
function isTouched({ start, events }: ObjectHistory, field: Path): boolean {
  let before: Json | undefined = start;
  return events.some(({ operation, path, after }) => {
    const isWhole = operation === 'set' && path.length === 0;
    // Unchanged parts are shared, so a flag has not touched a value that is identical.
    if (isWhole && before !== undefined && valueAt(before, field) === valueAt(after, field)) {
      before = after;
      return false;
    }
    before = isWhole ? after : undefined;
    const moved = operation === 'set' ? path : path.slice(0, -1);
    return moved.every((step, depth) => depth >= field.length || step === field[depth]);
  });
}

/** For a field with children, the first child represents all of them if patches created each one. */
function causeIn(traces: readonly FieldTrace[], path: Path): FoundCause | undefined {
  const inside = traces.filter((trace) => isPathBelow(trace.path, path));
  const own = inside.find((trace) => trace.path.length === path.length);
  const left = inside.filter(({ value }) => value !== undefined);
  const here = own === undefined ? (left.length === 0 ? inside : left) : [own];
  if (here.length === 0) return undefined;
  const trace = here.find(({ steps }) => !isLater(steps.at(-1))) ?? here[0]!;
  const step = trace.steps.at(-1);
  // A later step without a record changed it.
  if (step === undefined || !isSameJson(step.after, trace.value)) return unknown;
  const above = trace.path.length - path.length;
  const base = trace.steps.find(({ kind }) => kind === 'base')?.location;
  const written = base?.path === undefined ? base : { ...base, path: base.path.slice(0, base.path.length - above) };
  return { step: above > 0 && step.kind === 'parameter' ? { ...step, parameters: [] } : step, written };
}
