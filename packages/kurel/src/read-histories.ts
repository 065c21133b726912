import { findDeclared, historyInApplication } from './application-history.ts';
import type { BuildResult } from './build.ts';
import { isJsonObject, isKubeObject } from './model/index.ts';
import type { KubeObject, Origin, Path, SourceFile } from './model/index.ts';
import { formatReferencePath, parseReferencePath } from './parameters/index.ts';
import type { ParameterLayer } from './parameters/index.ts';
import type { PatchSettings } from './render-input.ts';
import type { Change, PatchFile } from './patch/index.ts';
import type { ApplicationRendering, PackageRendering } from './renderers/index.ts';
import type { SchemaStore } from './schema/index.ts';
import { causesOfText, createFindParameter, eventsOfPatches, traceParameters } from './trace/index.ts';
import { readYaml } from './yaml/index.ts';
import type { CausesOf, FindParameter, HistoryEvent, ObjectHistory } from './trace/index.ts';

/** A build, and what was seen of its objects on their way. */
export interface BuildRecord {
  readonly result: Pick<BuildResult, 'origins' | 'package' | 'application' | 'changes'>;
  /** The objects that patches were applied to. */
  readonly rendered: readonly KubeObject[];
  /** What patches left of them, before filters and transformers. */
  readonly patched: readonly KubeObject[];
  /** What transformers made of an object. Objects are told by their origins, for transformers may copy them. */
  readonly stepsOf: (origin: Origin) => readonly WatchedStep[];
  readonly namespace?: string | undefined;
  readonly patches?: PatchSettings | undefined;
  /** What the patches of a package take types and merge keys from. */
  readonly store?: (() => SchemaStore) | undefined;
  /** Where the values that patches may use come from. */
  readonly layers: readonly ParameterLayer[];
}

export interface WatchedStep {
  readonly words: string;
  /** The field that it sets, be it to the value that was there. */
  readonly sets?: Path | undefined;
  readonly after: KubeObject;
}

/** How each object of a build came about. */
export interface Histories {
  /** The texts that causes point into. */
  readonly sources: readonly SourceFile[];
  readonly historyOf: (object: KubeObject) => ObjectHistory;
}

export function readHistories(record: BuildRecord): Histories {
  const { result, patched, layers, patches } = record;
  const { origins, package: rendering, application } = result;
  const overview = createOverview(record);
  const removed = new Set(result.changes.filter(({ operation }) => operation === 'enabled').map(({ index }) => index));
  const positions = record.rendered.map((_, index) => index).filter((index) => !removed.has(index));
  const indexes = new Map(patched.map((object, index) => [origins.get(object), positions[index]!]));
  const texts = patched.flatMap((object) => origins.get(object)?.text?.source ?? []);
  return {
    sources: [
      ...new Set([
        ...texts,
        ...(application === undefined ? [] : textsOf(application)),
        ...(rendering?.plan.enabled.map(({ patch }) => patch.file.source) ?? []),
        ...(rendering?.parameters.layers.map(({ source }) => source) ?? []),
        ...(patches?.files.map(({ source }) => source) ?? []),
        ...layers.map(({ source }) => source),
      ]),
    ],
    historyOf(object) {
      const origin = origins.get(object);
      const index = indexes.get(origin);
      if (origin === undefined || index === undefined) return { start: object, causesOf: () => [], events: [] };
      const start = beginning(origin, overview, record.rendered[index]!);
      const events = [
        ...start.events,
        ...eventsOfNamespace(record.rendered[index]!, record, origin),
        ...(patches === undefined ? [] : eventsOfFiles(record.rendered[index]!, index, overview.files(patches))),
        ...record.stepsOf(origin).map(eventOfStep),
      ];
      return { ...start, events };
    },
  };
}

function textsOf({ package: pkg, layers, input }: ApplicationRendering): readonly SourceFile[] {
  const { application, declaration, profile, policy, patches } = pkg;
  const documents = [application, declaration, profile, policy].filter((source) => source !== undefined);
  const loaded = Array.from(input.sources?.values() ?? [], ({ name, text }) => ({ path: name, text }));
  return [...documents, ...patches.map(({ source }) => source), ...layers.map(({ source }) => source), ...loaded];
}

/** What is needed for every object: put together when the first one is asked for, and then kept. */
interface Overview {
  readonly record: BuildRecord;
  readonly package: (rendering: PackageRendering) => PackageOverview;
  readonly files: (patches: PatchSettings) => FilesOverview;
}

interface PackageOverview {
  readonly rendering: PackageRendering;
  /** Positions of the objects in the base. */
  readonly positions: ReadonlyMap<Origin | undefined, number>;
  readonly changes: ReadonlyMap<number, readonly Change[]>;
  readonly references: ReadonlyMap<KubeObject, PackageRendering['references']>;
  readonly files: readonly PatchFile[];
  readonly findParameter: FindParameter;
  readonly store: SchemaStore | undefined;
}

interface FilesOverview {
  readonly changes: ReadonlyMap<number, readonly Change[]>;
  readonly files: readonly PatchFile[];
  readonly findParameter: FindParameter;
  readonly store: SchemaStore | undefined;
}

function createOverview(record: BuildRecord): Overview {
  const { result, layers, rendered } = record;
  let inPackage: PackageOverview | undefined;
  let ofFiles: FilesOverview | undefined;
  return {
    record,
    package: (rendering) =>
      (inPackage ??= {
        rendering,
        positions: new Map(rendering.base.map((object, index) => [result.origins.get(object), index])),
        changes: groupBy(rendering.changes, ({ index }) => index),
        references: groupBy(rendering.references, ({ object }) => object),
        files: rendering.plan.enabled.map(({ patch }) => patch.file),
        findParameter: findInPackage(rendering),
        store: record.store?.().with([...rendering.base, ...definitionsOf(rendering)], () => rendering.package.path),
      }),
    files: (patches) =>
      (ofFiles ??= {
        changes: groupBy(result.changes, ({ index }) => index),
        files: patches.files,
        findParameter: findForFiles(result, findInFlags(patches, layers)),
        store: patches.store?.with(rendered, () => 'the input'),
      }),
  };
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function beginning(origin: Origin, overview: Overview, rendered: KubeObject): ObjectHistory {
  const { result, store } = overview.record;
  const { origins, package: rendering, application } = result;
  const composed =
    application === undefined ? undefined : historyInApplication(origin, application, { origins, store: store?.() });
  if (composed !== undefined) return composed;
  const isMeant = (object: KubeObject): boolean => origins.get(object) === origin;
  const inPackage = rendering && overview.package(rendering);
  const position = rendering?.generated.findIndex(isMeant) ?? -1;
  if (inPackage !== undefined && position !== -1) return historyOfNamespace(position, inPackage);
  const index = inPackage?.positions.get(origin);
  if (inPackage !== undefined && index !== undefined) return historyInPackage(origin, index, inPackage);
  const start = origin.text?.said ?? rendered;
  return { start, causesOf: causesOfText({ ...placeOf(origin), ...noFills, said: start, filled: start }), events: [] };
}

const noFills = { fills: [], findParameter: () => undefined };

/** What a program printed is no text of the user's; the file that it was made from is. */
function placeOf({ renderer, source, file, text }: Origin) {
  if (renderer === 'helm') return { words: `chart ${source}`, location: file === undefined ? undefined : { file } };
  if (renderer === 'kustomize') return { words: `kustomization ${source}`, location: undefined };
  if (text === undefined) return { words: renderer, location: file === undefined ? undefined : { file } };
  const { source: own, document, path = [] } = text;
  return { words: '', location: { file: own.path, document, path }, source: own };
}

function historyInPackage(origin: Origin, index: number, overview: PackageOverview): ObjectHistory {
  const { rendering, changes, references, files, findParameter, store } = overview;
  const start = rendering.base[index]!;
  const fills = (references.get(start) ?? []).flatMap(({ path, parameter }) => {
    const steps = parseReferencePath(parameter);
    return steps === undefined ? [] : [{ path, parameter: steps }];
  });
  const said = origin.text?.said ?? start;
  return {
    start,
    causesOf: causesOfText({ ...placeOf(origin), said, filled: start, fills, findParameter }),
    events: eventsOfPatches({ object: start, changes: changes.get(index) ?? [], files, findParameter, store }),
  };
}

function historyOfNamespace(position: number, overview: PackageOverview): ObjectHistory {
  const { rendering, changes: all, files, findParameter, store } = overview;
  const start = rendering.generated[position]!;
  const changes = all.get(rendering.base.length + position) ?? [];
  return {
    start,
    causesOf: causesOfNamespace(rendering),
    events: eventsOfPatches({ object: start, changes, files, findParameter, store }),
  };
}

function definitionsOf({ package: { definitions } }: PackageRendering): readonly KubeObject[] {
  return definitions.flatMap((file) =>
    readYaml(file).documents.flatMap(({ data }) => (isKubeObject(data) ? [data] : [])),
  );
}

/** In the patches of a package `values.x` and `features.x` are other names of `x`. */
function findInPackage({ parameters }: PackageRendering): FindParameter {
  const find = createFindParameter(parameters);
  return (path) => {
    const [first] = path;
    const isAlias = (first === 'values' || first === 'features') && !Object.hasOwn(parameters.values, first);
    return find(isAlias ? path.slice(1) : path);
  };
}

const createSetting = ['global', 'namespaces', 'create'];

/** A Namespace that is made because objects are in it has the labels and annotations of all objects. */
function causesOfNamespace(rendering: PackageRendering): CausesOf {
  const find = findInPackage(rendering);
  return (path) => {
    const [field, group, key] = path;
    const isShared = field === 'metadata' && path.length === 3;
    const shared = isShared ? traceParameters([['global', group!, key!]], find) : [];
    const parameters = shared.length > 0 ? shared : traceParameters([createSetting], find);
    return [{ kind: 'generated', words: 'made for the objects in it', parameters, isSaid: true }];
  };
}

function eventsOfNamespace(
  after: KubeObject,
  { namespace }: BuildRecord,
  { renderer }: Origin,
): readonly HistoryEvent[] {
  // An application is built for a namespace, which is among what its objects are made of.
  if (namespace === undefined || renderer === 'application') return [];
  // A chart is told the namespace, and may well have used it itself.
  const sets = renderer === 'helm' ? undefined : ['metadata', 'namespace'];
  return [eventOfStep({ words: `--namespace ${namespace}`, sets, after })];
}

function eventsOfFiles(object: KubeObject, index: number, overview: FilesOverview): readonly HistoryEvent[] {
  return eventsOfPatches({ ...overview, object, changes: overview.changes.get(index) ?? [] });
}

/** Patches that are laid over a package may use its parameters. */
function findForFiles(
  { package: rendering, application }: BuildRecord['result'],
  inFlags: FindParameter,
): FindParameter {
  const own = rendering === undefined ? undefined : findInPackage(rendering);
  const inPackage = own ?? (application === undefined ? undefined : findDeclared(application.resolved.parameters));
  return (path) => inPackage?.(path) ?? inFlags(path);
}

/** What patches alone may use: `values.x` of flags and files, and `features.x`. */
function findInFlags({ variables }: PatchSettings, layers: readonly ParameterLayer[]): FindParameter {
  const { values = {}, features = {} } = variables ?? {};
  const find = createFindParameter({ layers, merged: values, values });
  return (path) => {
    const [scope, ...rest] = path;
    const name = formatReferencePath(path);
    if (scope === 'features' && typeof rest[0] === 'string' && isJsonObject(features)) {
      const value = Object.hasOwn(features, rest[0]) ? features[rest[0]] : undefined;
      const words = `--feature ${rest[0]}${value === false ? '=false' : ''}`;
      return value === undefined ? undefined : { name, value, words, refersTo: [] };
    }
    const source = scope === 'values' ? find(rest) : undefined;
    return source === undefined ? undefined : { ...source, name };
  };
}

function eventOfStep({ words, sets, after }: WatchedStep): HistoryEvent {
  const isSaid = (path: Path): boolean =>
    sets !== undefined && path.length === sets.length && path.every((step, index) => step === sets[index]);
  return {
    operation: 'set',
    path: [],
    after,
    causesOf: (path, value) => [{ kind: 'flag', words, isSaid: value !== undefined && isSaid(path) }],
  };
}
