import { addToList } from '../budget/index.ts';
import { DiagnosticError } from '../diagnostics/index.ts';
import { isPathBelow } from '../model/index.ts';
import type {
  Diagnostic,
  JsonObject,
  KubeObject,
  Location,
  Message,
  Origin,
  OriginTable,
  Path,
  Report,
  SourceFile,
} from '../model/index.ts';
import type { Change, PatchFile, Variables } from '../patch/index.ts';
import type { FieldTrace, HistoryEvent, ObjectHistory, TraceStep } from './field-trace.ts';
import { traceFields } from './field-tree.ts';
import type { RemovedObject } from './find-object.ts';
import type { FindParameter } from './parameter-sources.ts';
import { eventsOfPatches } from './patch-events.ts';
import { causesOfText } from './parameter-sources.ts';

/** The value that each build stage takes and returns. */
export interface Rendering {
  readonly objects: readonly KubeObject[];
  readonly provenance: Provenance;
  readonly facts: Facts;
}

/** Histories of the objects, computed on demand. */
export interface Provenance {
  readonly origins: OriginTable;
  /** Works for any later version of an object, because versions share their origin. */
  historyOf(object: KubeObject): ObjectHistory;
  /** Whether a stage after the form changed the object. */
  isTouched(object: KubeObject): boolean;
  /** Texts that causes point into. */
  texts(): readonly SourceFile[];
  /** Objects that patches removed. */
  removed(): readonly RemovedObject[];
  /**
   * For a field of a manifest or chart that a package includes: where the package includes it, and the package values that
   * occur in `text`. These causes are only likely, because it is unknown how a chart uses its values.
   */
  likelyCauses(object: KubeObject, path: Path, text: string): LikelyCauses;
}

interface LikelyCauses {
  /** Location of the field in the included file. */
  readonly place: Location | undefined;
  readonly steps: readonly TraceStep[];
}

/** Properties of a package that later stages need. */
export interface Facts {
  /** Names the instance in an output directory, the objects of a layout, and a bill of materials. */
  readonly name?: string | undefined;
  /** Directories that were read as a whole, so that an output inside them would be read by the next build. */
  readonly directories?: readonly InputDirectory[] | undefined;
  /** Objects are applied by phase, so they are printed in that order. */
  readonly isPhased?: boolean | undefined;
  /** The package creates the namespaces of its objects, so a missing one is reported. */
  readonly createsNamespaces?: boolean | undefined;
  /** Namespaces that already exist in the cluster. */
  readonly namespacesElsewhere?: readonly string[] | undefined;
  /** Namespace of objects that name none, because helm installs their chart there. */
  readonly releaseNamespace?: string | undefined;
  /** Severity of a build without objects. */
  readonly whenEmpty?: 'error' | 'warning' | 'silent' | undefined;
  /** Parameters that external patches may refer to. */
  readonly parameters?: PackageVariables | undefined;
  /** Values of parameters that would end up in a Secret, of a package that cannot be rendered. */
  readonly secretWords?: readonly string[] | undefined;
  /** Settings for the Flux Kustomizations that apply the objects. */
  readonly kustomizationParts?: readonly KustomizationPart[] | undefined;
  /** Codes of warnings about objects that are errors in this package, because its author wrote properties and not objects. */
  readonly raised?: readonly string[] | undefined;
  /** Checks the final objects against the policies of the package. Without it, the policy of the build applies. */
  readonly enforcePolicy?: ((objects: readonly KubeObject[], report: Report) => void) | undefined;
  /** Findings that do not prevent the checks of the objects, although they may fail the build. Reported after the checks. */
  readonly lateFindings?: readonly Diagnostic[] | undefined;
  /** Whether a finding about a field only follows from one of the package, so that it is not reported again. */
  readonly isConsequence?: ((diagnostic: Diagnostic) => boolean) | undefined;
}

/** A directory that belongs to the input as a whole, as the user would name it. */
export interface InputDirectory {
  readonly path: string;
  /** Hidden files and directories in it are not read. */
  readonly skipsHidden: boolean;
  /** Depth up to which files are read; defaults to no limit. */
  readonly depth?: number | undefined;
}

/** Thrown by a form that has no objects; carries the facts about its package. */
export class RenderingError extends DiagnosticError {
  readonly facts: Facts;

  constructor(diagnostics: readonly Diagnostic[], facts: Facts) {
    super(diagnostics);
    this.facts = facts;
  }
}

/** Settings that one trait requests for the Flux Kustomizations. */
export interface KustomizationPart extends KustomizationSettings {
  /** Type of the trait. */
  readonly trait: string;
  readonly location: Location;
  /** Whether a policy is in force, which is not checked against the changes that Flux makes. */
  readonly isPolicyInForce: boolean;
}

export interface KustomizationSettings {
  /** As in a Kustomization. */
  readonly patches?: readonly JsonObject[] | undefined;
  readonly substitute?: JsonObject | undefined;
  readonly substituteFrom?: readonly JsonObject[] | undefined;
  /** How to achieve the same without Flux. */
  readonly instead: string;
}

export interface PackageVariables extends Pick<Variables, 'values' | 'writtenAt' | 'hasDottedNames'> {
  readonly find: FindParameter;
}

/** How a form created its objects. */
export interface Beginning {
  readonly origins: OriginTable;
  readonly objects: readonly KubeObject[];
  /** History of an object that was not simply read from a text or printed by a program. */
  readonly historyOf?: ((origin: Origin) => ObjectHistory | undefined) | undefined;
  /** Texts other than those that the objects were read from. */
  readonly texts?: (() => readonly SourceFile[]) | undefined;
  readonly removed?: (() => readonly RemovedObject[]) | undefined;
  readonly likelyCauses?: Provenance['likelyCauses'] | undefined;
}

const nothingKnown: LikelyCauses = { place: undefined, steps: [] };

/** Provenance of the objects that a form created. */
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

/** Where an object was read. The output of a program is not a user's file, but its input is. */
export function placeOf({ renderer, file, text, printedFrom }: Origin) {
  if (text === undefined || printedFrom !== undefined) {
    return { words: printedFrom ?? renderer, location: file === undefined ? undefined : { file } };
  }
  const { source: own, document, path = [] } = text;
  return { words: '', location: { file: own.path, document, path }, source: own };
}

/** Source of each field of an object. */
export function traceOf(object: KubeObject, provenance: Provenance): readonly FieldTrace[] {
  return traceFields(object, provenance.historyOf(object));
}

/** Changes that a stage made to objects. */
export interface Stage {
  touches(origin: Origin): boolean;
  eventsOf(origin: Origin): readonly HistoryEvent[];
  readonly texts?: (() => readonly SourceFile[]) | undefined;
  readonly removed?: (() => readonly RemovedObject[]) | undefined;
}

/** Adds a stage to a provenance. */
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
  /** Objects that the patches were applied to, in the order that changes refer to. */
  readonly objects: readonly KubeObject[];
  readonly changes: readonly Change[];
  readonly files: readonly PatchFile[];
  readonly findParameter: FindParameter;
}

/** The stage that applied patches. */
export function stageOfPatches({ origins, objects, changes, files, findParameter }: AppliedPatches): Stage {
  const positionOf = once(() => new Map(objects.map((object, index) => [origins.get(object), index])));
  const changesOf = once(() => groupBy(changes, ({ index }) => index));
  const changesTo = (origin: Origin): readonly Change[] => changesOf().get(positionOf().get(origin) ?? -1) ?? [];
  return {
    touches: (origin) => changesTo(origin).length > 0,
    eventsOf: (origin) => eventsOfPatches(changesTo(origin), findParameter),
    texts: () => files.map(({ source }) => source),
    removed: () => removalsIn(changes),
  };
}

/** Objects that patches removed with `enabled`. */
export function removalsIn(changes: readonly Change[]): readonly RemovedObject[] {
  return changes.flatMap(({ operation, before, location }) =>
    operation === 'enabled' && before !== undefined ? [{ object: before as KubeObject, location }] : [],
  );
}

/** A flag, with the object after it. */
export interface FlagStep {
  readonly words: Message;
  /** The field that the flag sets, even if the value did not change. */
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

/** Joins several inputs of one build into one rendering. */
export function joinRenderings(parts: readonly Rendering[]): Rendering {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const { origins } = first!.provenance;
  const owners = once(
    () =>
      new Map(
        parts.flatMap(({ objects, provenance }) =>
          objects.map((object) => [provenance.origins.get(object), provenance]),
        ),
      ),
  );
  const owner = (object: KubeObject): Provenance => owners().get(origins.get(object)) ?? first!.provenance;
  return {
    objects: parts.flatMap(({ objects }) => objects),
    provenance: {
      origins,
      historyOf: (object) => owner(object).historyOf(object),
      isTouched: (object) => owner(object).isTouched(object),
      texts: () => parts.flatMap(({ provenance }) => provenance.texts()),
      removed: () => parts.flatMap(({ provenance }) => provenance.removed()),
      likelyCauses: (object, path, text) => owner(object).likelyCauses(object, path, text),
    },
    facts: joinFacts(parts),
  };
}

/** The later part wins; the directories and findings of all parts are kept. */
function joinFacts(parts: readonly Rendering[]): Facts {
  const joined: Record<string, unknown> = {};
  for (const { facts } of parts) Object.assign(joined, facts);
  return {
    ...joined,
    directories: parts.flatMap(({ facts }) => facts.directories ?? []),
    lateFindings: parts.flatMap(({ facts }) => facts.lateFindings ?? []),
    isConsequence: (diagnostic) => parts.some(({ facts }) => facts.isConsequence?.(diagnostic)),
  };
}

export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addToList(groups, keyOf(item), item);
  return groups;
}

/** Computes a value on first use and caches it. */
export function once<Value>(create: () => Value): () => Value {
  let cached: { readonly value: Value } | undefined;
  return () => (cached ??= { value: create() }).value;
}
