import { isPathBelow } from '../model/index.ts';
import type {
  JsonObject,
  KubeObject,
  Location,
  Origin,
  OriginTable,
  Path,
  Report,
  SourceFile,
} from '../model/index.ts';
import type { Change, PatchFile, Variables } from '../patch/index.ts';
import type { SchemaStore } from '../schema/index.ts';
import type { HistoryEvent, ObjectHistory, TraceStep } from './field-trace.ts';
import type { RemovedObject } from './find-object.ts';
import type { FindParameter } from './parameter-sources.ts';
import { eventsOfPatches } from './patch-events.ts';
import { causesOfText } from './text-causes.ts';

/** The value that travels through a build: every stage takes one and returns one. */
export interface Rendering {
  readonly objects: readonly KubeObject[];
  readonly provenance: Provenance;
  readonly facts: Facts;
}

/** How the objects came about. An answer is worked out when it is asked for. */
export interface Provenance {
  readonly origins: OriginTable;
  /** Later versions of an object share its origin, so any of them can be asked about. */
  historyOf(object: KubeObject): ObjectHistory;
  /** Whether a stage after the form has changed the object. */
  isTouched(object: KubeObject): boolean;
  /** The texts that causes point into. */
  texts(): readonly SourceFile[];
  /** Objects that patches removed. */
  removed(): readonly RemovedObject[];
  /**
   * Of a field in a manifest or chart that a package names: where the package names it, and its values that show in `text`.
   * What a chart makes of its values is not known, so these causes are only likely.
   */
  likelyCauses(object: KubeObject, path: Path, text: string): LikelyCauses;
}

export interface LikelyCauses {
  /** Where the field stands in what is named. */
  readonly place: Location | undefined;
  readonly steps: readonly TraceStep[];
}

/** What a form knows about its package, as data for the later stages. */
export interface Facts {
  /** Names the instance in an output directory, the objects of a layout, a bill of materials. */
  readonly name?: string | undefined;
  /** The objects are applied phase by phase, so they are printed in that order. */
  readonly isPhased?: boolean | undefined;
  /** The package creates the namespaces of its objects, so one that is missing is a finding. */
  readonly createsNamespaces?: boolean | undefined;
  /** Namespaces that exist in the cluster already. */
  readonly namespacesElsewhere?: readonly string[] | undefined;
  /** How to report that there are no objects at all. */
  readonly whenEmpty?: 'error' | 'warning' | 'silent' | undefined;
  /** Parameters that patches from outside may refer to. */
  readonly parameters?: PackageVariables | undefined;
  /** What the Flux Kustomizations that apply the objects are to do with them. */
  readonly kustomizationParts?: readonly KustomizationPart[] | undefined;
  /** Checks the final objects against the policies of the package. Without it the policy of the build applies. */
  readonly inspect?: ((objects: readonly KubeObject[], report: Report) => void) | undefined;
}

/** What one trait asks of the Flux Kustomizations that apply the objects. */
export interface KustomizationPart extends KustomizationSettings {
  /** The type of the trait. */
  readonly trait: string;
  readonly location: Location;
  /** Nobody checks what Flux makes of the objects, which matters while a policy is in force. */
  readonly isPolicyInForce: boolean;
}

export interface KustomizationSettings {
  /** As a Kustomization has them. */
  readonly patches?: readonly JsonObject[] | undefined;
  readonly substitute?: JsonObject | undefined;
  readonly substituteFrom?: readonly JsonObject[] | undefined;
  /** How to do the same without Flux. */
  readonly instead: string;
}

export interface PackageVariables extends Pick<Variables, 'values' | 'writtenAt' | 'hasDottedNames'> {
  readonly find: FindParameter;
}

/** What a form knows about how it made its objects. */
export interface Beginning {
  readonly origins: OriginTable;
  readonly objects: readonly KubeObject[];
  /** The history of an object that was not simply read from a text or printed by a program. */
  readonly historyOf?: ((origin: Origin) => ObjectHistory | undefined) | undefined;
  /** Texts beside those that the objects were read from. */
  readonly texts?: (() => readonly SourceFile[]) | undefined;
  readonly removed?: (() => readonly RemovedObject[]) | undefined;
  readonly likelyCauses?: Provenance['likelyCauses'] | undefined;
}

const nothingKnown: LikelyCauses = { place: undefined, steps: [] };

/** The provenance of objects as a form made them. */
export function beginProvenance(beginning: Beginning): Provenance {
  const { origins, objects, historyOf, texts, removed, likelyCauses } = beginning;
  const objectOf = once(() => new Map(objects.map((object) => [origins.get(object), object])));
  return {
    origins,
    historyOf(object) {
      const origin = origins.get(object);
      const rendered = origin && objectOf().get(origin);
      if (origin === undefined || rendered === undefined) return { start: object, causesOf: () => [], events: [] };
      return historyOf?.(origin) ?? historyOfText(origin, rendered);
    },
    isTouched: () => false,
    texts: () => [...objects.flatMap((object) => origins.get(object)?.text?.source ?? []), ...(texts?.() ?? [])],
    removed: removed ?? (() => []),
    likelyCauses: likelyCauses ?? (() => nothingKnown),
  };
}

function historyOfText(origin: Origin, rendered: KubeObject): ObjectHistory {
  const parsed = origin.text?.parsed ?? rendered;
  const noFills = { fills: [], findParameter: () => undefined };
  return {
    start: parsed,
    causesOf: causesOfText({ ...placeOf(origin), ...noFills, parsed, filled: parsed }),
    events: [],
  };
}

/** Where an object was read. A program's output is not a text of the user's, but the file it was made from is. */
export function placeOf({ renderer, source, file, text }: Origin) {
  if (renderer === 'helm') return { words: `chart ${source}`, location: file === undefined ? undefined : { file } };
  if (renderer === 'kustomize') return { words: `kustomization ${source}`, location: undefined };
  if (text === undefined) return { words: renderer, location: file === undefined ? undefined : { file } };
  const { source: own, document, path = [] } = text;
  return { words: '', location: { file: own.path, document, path }, source: own };
}

/** What a stage did to objects. */
export interface Stage {
  touches(origin: Origin): boolean;
  eventsOf(origin: Origin): readonly HistoryEvent[];
  readonly texts?: (() => readonly SourceFile[]) | undefined;
  readonly removed?: (() => readonly RemovedObject[]) | undefined;
}

/** The same provenance with one more stage at its end. */
export function addStage(before: Provenance, stage: Stage): Provenance {
  return {
    ...before,
    historyOf(object) {
      const history = before.historyOf(object);
      const origin = before.origins.get(object);
      const events = origin === undefined ? [] : stage.eventsOf(origin);
      return events.length === 0 ? history : { ...history, events: [...history.events, ...events] };
    },
    isTouched(object) {
      const origin = before.origins.get(object);
      return before.isTouched(object) || (origin !== undefined && stage.touches(origin));
    },
    texts: () => [...before.texts(), ...(stage.texts?.() ?? [])],
    removed: () => [...before.removed(), ...(stage.removed?.() ?? [])],
  };
}

export interface AppliedPatches {
  readonly origins: OriginTable;
  /** The objects that the patches were applied to; a change has its position in them. */
  readonly objects: readonly KubeObject[];
  readonly changes: readonly Change[];
  readonly files: readonly PatchFile[];
  readonly findParameter: FindParameter;
  /** What the patches took types and merge keys from. */
  readonly store?: (() => SchemaStore | undefined) | undefined;
}

/** What patches did to objects. */
export function stageOfPatches({ origins, objects, changes, files, findParameter, store }: AppliedPatches): Stage {
  const positionOf = once(() => new Map(objects.map((object, index) => [origins.get(object), index])));
  const changesOf = once(() => groupBy(changes, ({ index }) => index));
  const ownStore = once(() => store?.());
  const changesTo = (origin: Origin): readonly Change[] => changesOf().get(positionOf().get(origin) ?? -1) ?? [];
  return {
    touches: (origin) => changesTo(origin).length > 0,
    eventsOf(origin) {
      const own = changesTo(origin);
      if (own.length === 0) return [];
      const index = own[0]!.index;
      return eventsOfPatches({ object: objects[index]!, changes: own, files, findParameter, store: ownStore() });
    },
    texts: () => files.map(({ source }) => source),
    removed: () => removalsIn(changes),
  };
}

/** Objects that patches removed by `enabled`. */
export function removalsIn(changes: readonly Change[]): readonly RemovedObject[] {
  return changes.flatMap(({ operation, before, location }) =>
    operation === 'enabled' && before !== undefined ? [{ object: before as KubeObject, location }] : [],
  );
}

/** A flag, and what an object was after it. */
export interface FlagStep {
  readonly words: string;
  /** The field that it sets, even if the value was the same before. */
  readonly sets?: Path | undefined;
  readonly after: KubeObject;
}

export function eventOfFlag({ words, sets, after }: FlagStep): HistoryEvent {
  const isExplicit = (path: Path): boolean =>
    sets !== undefined && path.length === sets.length && isPathBelow(path, sets);
  return {
    operation: 'set',
    path: [],
    after,
    causesOf: (path, value) => [{ kind: 'flag', words, isExplicit: value !== undefined && isExplicit(path) }],
  };
}

/** Several inputs of one build as one rendering. */
export function joinRenderings(parts: readonly Rendering[]): Rendering {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const ownerOf = once(
    () =>
      new Map(parts.flatMap(({ objects, provenance }) => objects.map((o) => [provenance.origins.get(o), provenance]))),
  );
  const owner = (object: KubeObject): Provenance =>
    ownerOf().get(only!.provenance.origins.get(object)) ?? only!.provenance;
  return {
    objects: parts.flatMap(({ objects }) => objects),
    provenance: {
      origins: only!.provenance.origins,
      historyOf: (object) => owner(object).historyOf(object),
      isTouched: (object) => owner(object).isTouched(object),
      texts: () => parts.flatMap(({ provenance }) => provenance.texts()),
      removed: () => parts.flatMap(({ provenance }) => provenance.removed()),
      likelyCauses: (object, path, text) => owner(object).likelyCauses(object, path, text),
    },
    facts: joinFacts(parts),
  };
}

/** Of what two parts know, the later one counts. */
function joinFacts(parts: readonly Rendering[]): Facts {
  const joined: Record<string, unknown> = {};
  for (const { facts } of parts) Object.assign(joined, facts);
  return joined;
}

export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Worked out when it is first asked for, and then kept. */
export function once<Value>(create: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: create() }).value;
}
