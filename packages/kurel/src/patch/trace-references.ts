import { createBudget, getOrAdd } from '../budget/index.ts';
import { groupNamed, readObjectName } from '../kube/index.ts';
import type { ObjectReading } from '../kube/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Location, Path, SourceFile } from '../model/index.ts';
import { mayRefer, parseTemplate } from '../parameters/index.ts';
import type { Substitution, Template } from '../parameters/index.ts';
import { findKinds } from '../schema/index.ts';
import type { SchemaStore } from '../schema/index.ts';
import { findPlaces, isMeantGlobally, isReached, pathExists } from './apply/find-places.ts';
import type { Place } from './apply/find-places.ts';
import { createShapes, expandPath, stepsIntoContainer } from './apply/kind-shape.ts';
import type { KindShape } from './apply/kind-shape.ts';
import { isScopeAlias, startRun } from './apply/patch-run.ts';
import type { ObjectPatching, PatchRun } from './apply/patch-run.ts';
import { isEnabled, locationBelow, prepareField, templatesIn } from './apply/prepare-field.ts';
import type { PlainStep, PreparedField } from './apply/prepare-field.ts';
import { isDocumentReached } from './apply/document-reach.ts';
import { deriveTarget } from './apply/derive-target.ts';
import { resolveTarget } from './apply/resolve-target.ts';
import { kindAliases } from './apply/target-index.ts';
import { parsePointer } from './json-patch/read-operations.ts';
import type { DataValue, DocumentPatch, FieldPatch, PatchFile, ScalarValue, Target, Variables } from './patch.ts';
import { enterField, rootFieldOf, traceData, traceTemplate } from './traced-field.ts';
import type { Take, TracedField, TracedReference, Tracing } from './traced-field.ts';

export interface TraceOptions {
  /** Objects that the patches apply to, before any patch. */
  readonly objects: readonly KubeObject[];
  readonly store: SchemaStore | undefined;
  /** Values of references in headers and names; without them, such a target is known by its kind only. */
  readonly variables?: Variables | undefined;
}

/**
 * Lists every use of a parameter in patches, with the fields that it ends in: one per kind that the patch applies to.
 * Reports nothing: a path that does not exist has no field.
 */
export function traceReferences(files: readonly PatchFile[], options: TraceOptions): readonly TracedReference[] {
  const search = createHolderSearch(options);
  const references: TracedReference[] = [];
  const named = new Set<Target>();
  const take: Take = (reference) =>
    void references.push({ ...reference, parameter: withoutScope(reference.parameter, options.variables) });
  for (const { patches, source } of files) {
    for (const patch of patches) {
      traceTarget(patch.target, named, take);
      if (patch.type === 'field') traceField(patch, take, { source, search });
      else traceDocumentPatch(patch, search, take);
    }
  }
  return references;
}

/** Lists every use of a parameter in an object of a manifest. `location` is that of the object. */
export function traceObject(
  object: KubeObject,
  { store, location }: { readonly store: SchemaStore | undefined; readonly location: Location },
): readonly TracedReference[] {
  // Most manifests of a package have none, and each field would be looked up in the schema.
  if (!mayRefer(object)) return [];
  const references: TracedReference[] = [];
  const field = rootFieldOf(object, createShapes(store)(object));
  traceData(object, { field, location, take: (reference) => void references.push(reference) });
  return references;
}

function traceTarget(target: Target, named: Set<Target>, take: Take): void {
  if ((target.type !== 'header' && target.type !== 'text') || named.has(target)) return;
  // All entries of a section share one header.
  named.add(target);
  const templates = target.type === 'text' ? [target.text] : [target.namespace, target.kind, target.name];
  traceNames(templates, target.location, take);
}

function withoutScope(path: Path, variables: Variables | undefined): Path {
  return variables?.scope === 'package' && isScopeAlias(path, variables.values) ? path.slice(1) : path;
}

/** Uses of parameters in a merge document or in JSON Patch operations. */
function traceDocumentPatch(patch: DocumentPatch, search: HolderSearch, take: Take): void {
  const { type, location, document } = patch;
  const roots = search.ofDocument(patch).map(({ object, shape }) => rootFieldOf(object, shape));
  for (const field of roots.length === 0 ? [undefined] : roots) {
    const tracing = { field, location, take };
    if (type !== 'json') traceData(document, tracing);
    else if (isJsonArray(document)) document.forEach((operation, index) => traceOperation(operation, index, tracing));
  }
}

function traceOperation(operation: Json, index: number, { field, location, take }: Tracing): void {
  if (!isJsonObject(operation)) return;
  for (const [key, value] of Object.entries(operation)) {
    const inside = locationBelow(location, [index, key]);
    if (key === 'value') traceData(value, { field: followPointer(field, operation['path']), location: inside, take });
    else if (typeof value === 'string') traceNames([parseTemplate(value)], inside, take);
  }
}

function followPointer(root: TracedField | undefined, path: Json | undefined): TracedField | undefined {
  const steps = typeof path === 'string' ? parsePointer(path) : undefined;
  if (root === undefined || !Array.isArray(steps)) return undefined;
  return steps.reduce<TracedField>((field, step) => enterField(field, field.node?.type === 'list' ? 0 : step), root);
}

/** Uses of parameters in a field patch: in the names of its path, and in its value together with the resulting field. */
function traceField(
  patch: FieldPatch,
  take: Take,
  { source, search }: { readonly source: SourceFile; readonly search: HolderSearch },
): void {
  const { value, location } = patch;
  traceNames(patch.steps.flatMap(templatesIn), location, take);
  if (value.type === 'none') return;
  const entries = value.type === 'item' ? value.entries : [{ steps: [], value, location }];
  for (const entry of entries) traceNames(entry.steps.flatMap(templatesIn), entry.location, take);
  const prepared = prepareField(withoutValues(patch), { source, substitution: search.names });
  const holders = prepared === undefined ? [] : search.ofField(prepared);
  if (prepared !== undefined && isSwitch(prepared, holders[0]?.consumed ?? 0)) {
    for (const entry of entries) traceSimple(entry.value, undefined, { take, isSwitch: true });
    return;
  }
  for (const [index, entry] of entries.entries()) {
    const fields = holders
      .map((holder) => followEntry(prepared!, holder, index))
      .filter((field) => field !== undefined);
    // A use counts even if its field is unknown.
    for (const followed of fields.length === 0 ? [undefined] : fields) {
      traceSimple(entry.value, followed, { take, isSwitch: false });
    }
  }
}

/** The field of a path does not depend on the value, which may be undefined. */
function withoutValues(patch: FieldPatch): FieldPatch {
  const { value } = patch;
  if (value.type !== 'item') return { ...patch, value: { type: 'none' } };
  const entries = value.entries.map(({ steps, location }) => ({
    steps,
    location,
    value: { type: 'data', data: null, location } as const,
  }));
  return { ...patch, value: { type: 'item', entries } };
}

function isSwitch({ patch, steps, operation }: PreparedField, consumed: number): boolean {
  return patch.target.type !== 'all' && operation.type === 'replace' && isEnabled(steps.slice(consumed));
}

/**
 * The field that one entry sets; for an insertion, inside the new item. By the schema of the kind alone, because earlier patches
 * may still add the field or the item that contains it.
 */
function followEntry({ steps, operation }: PreparedField, holder: Holder, index: number): Followed | undefined {
  const { object, shape, consumed } = holder;
  const follow = (from: Pick<Place, 'path' | 'node'>, inside: readonly PlainStep[]): Place | undefined =>
    findPlaces({ ...from, value: undefined }, inside, {
      isIngress: shape.kind === 'Ingress',
      isSchemaOnly: true,
      fail: () => undefined,
    })[0];
  const own = steps.slice(consumed);
  const expanded = expandPath(own, object, shape);
  if (expanded.type === 'unknown') return undefined;
  const path = expanded.type === 'path' ? expanded.steps : stepsIntoContainer(own, shape.podSpec ?? []);
  let place = follow({ path: [], node: shape.schema }, path);
  if (place !== undefined && (operation.type === 'append' || operation.type === 'insert')) {
    const { value } = operation;
    const item = { path: [...place.path, 0], node: place.node?.items };
    place = follow(item, value.type === 'item' ? value.entries[index]!.steps : []);
  }
  if (place === undefined) return undefined;
  const names = place.path.filter((step) => typeof step === 'string');
  const field = { ...rootFieldOf(object, shape), path: names, node: place.node };
  return { field, isImagePart: place.imagePart !== undefined };
}

function traceSimple(
  value: ScalarValue | DataValue,
  followed: Followed | undefined,
  { take, isSwitch }: { readonly take: Take; readonly isSwitch: boolean },
): void {
  const { location } = value;
  const tracing = { field: followed?.field, location, take };
  const role = isSwitch ? 'enabled' : followed?.isImagePart === true ? 'part' : undefined;
  if (value.type === 'scalar') traceTemplate(value.template, tracing, role);
  else if (role !== undefined && typeof value.data === 'string')
    traceTemplate(parseTemplate(value.data), tracing, role);
  else traceData(value.data, tracing);
}

interface Followed {
  readonly field: TracedField;
  /** The reference is only a part of the image in this field. */
  readonly isImagePart: boolean;
}

function traceNames(templates: readonly (Template | undefined)[], location: Location, take: Take): void {
  for (const template of templates) {
    if (template !== undefined) traceTemplate(template, { field: undefined, location, take }, 'name');
  }
}

type NamedTarget = Extract<Target, { readonly type: 'header' | 'text' }>;

/** A kind that a patch applies to, with one object of it. */
interface Holder {
  readonly object: KubeObject;
  readonly shape: KindShape;
  /** Number of leading steps that are part of the object name. */
  readonly consumed: number;
}

interface HolderSearch {
  /** Fills in names; a name with an undefined reference is kept as written, because names rarely affect types. */
  readonly names: Substitution;
  ofField(prepared: PreparedField): readonly Holder[];
  ofDocument(patch: DocumentPatch): readonly Holder[];
}

interface TargetHolders {
  readonly holders: readonly Holder[];
  /** Whether a wildcard covers every kind. */
  readonly isAnyKind: boolean;
}

/** Finds the kinds that patches apply to. Invalid targets are reported when patches are applied, not here. */
function createHolderSearch({ objects, store, variables }: TraceOptions): HolderSearch {
  // The same search was already charged when the patches were applied.
  const budget = createBudget({ maxChanges: Infinity });
  const run = startRun(objects, { report: () => undefined, store, variables, budget });
  const shapeOf = createShapes(store);
  const byKind = groupByKind(objects);
  const holdersByTarget = new Map<Target, TargetHolders>();
  let aliases: ((kind: string) => string) | undefined;

  function ofIndexes(indexes: readonly number[], consumed: number): readonly Holder[] {
    const kinds = new Map(indexes.map((index) => [keyOfKind(objects[index]!), objects[index]!]));
    return Array.from(kinds.values(), (object) => ({ object, shape: shapeOf(object), consumed }));
  }

  /** No object with this name exists; its kind is enough. */
  function ofKind(target: NamedTarget): readonly Holder[] {
    const reading = kindIn(target, run);
    if (reading === undefined || store === undefined) return [];
    aliases ??= kindAliases(new Set(store.kinds().map(({ kind }) => kind.toLowerCase())));
    const { groups } = reading;
    const gvk = findKinds(store, aliases(reading.kind)).find(
      ({ group: candidate }) => groups === undefined || groups.has(candidate),
    );
    if (gvk === undefined) return [];
    const { group, version, kind } = gvk;
    const object = { apiVersion: group === '' ? version : `${group}/${version}`, kind };
    return [{ object, shape: shapeOf(object), consumed: 0 }];
  }

  function ofField(prepared: PreparedField): readonly Holder[] {
    const { patch, steps } = prepared;
    const { target, location } = patch;
    if (target.type === 'all') {
      const meant = [...byKind.values()].flatMap((indexes) => {
        const match = indexes.find((index) => isMeantGlobally(prepared, run.open(index)));
        return match === undefined ? [] : [match];
      });
      return ofIndexes(meant, 0);
    }
    if (target.type === 'derived') {
      if (steps.length === 0) return [];
      const exists = (index: number): boolean => pathExists(prepared, run.open(index));
      const resolved = deriveTarget(steps, { target, location, context: run, exists });
      return resolved === undefined ? [] : ofIndexes(resolved.indexes, resolved.consumed);
    }
    const { holders, isAnyKind } = find(target, steps);
    return isAnyKind ? holders.filter(({ object }) => isReached(prepared, openKind(object))) : holders;
  }

  /** Any object of the kind. */
  function openKind(object: KubeObject): ObjectPatching {
    return run.open(byKind.get(keyOfKind(object))![0]!);
  }

  function find(target: Target, steps: readonly PlainStep[]): TargetHolders {
    if (target.type !== 'header' && target.type !== 'text') return { holders: [], isAnyKind: false };
    const remembered = holdersByTarget.get(target);
    if (remembered !== undefined) return remembered;
    const resolved = resolveTarget(target, steps, run);
    if (resolved === undefined || resolved.indexes.length === 0) return { holders: ofKind(target), isAnyKind: false };
    const holders = ofIndexes(resolved.indexes, resolved.consumed);
    const entry = { holders, isAnyKind: resolved.isAnyKind === true };
    // All entries of a section share one header, unless part of it turns out to belong to the name.
    if (resolved.consumed === 0) holdersByTarget.set(target, entry);
    return entry;
  }

  function ofDocument({ target, type, document }: DocumentPatch): readonly Holder[] {
    const { holders, isAnyKind } = find(target, []);
    return isAnyKind ? holders.filter(({ object }) => isDocumentReached(type, document, openKind(object))) : holders;
  }

  const names: Substitution = {
    ...run.substitution,
    fillText: (template, locate) => run.substitution.fillText(template, locate) ?? template.text,
  };
  return { names, ofField, ofDocument };
}

function groupByKind(objects: readonly KubeObject[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, object] of objects.entries()) getOrAdd(groups, keyOfKind(object), () => []).push(index);
  return groups;
}

function keyOfKind({ apiVersion, kind }: KubeObject): string {
  return `${apiVersion}/${kind}`;
}

function kindIn(target: NamedTarget, { substitution }: PatchRun): Pick<ObjectReading, 'kind' | 'groups'> | undefined {
  if (target.type === 'header') {
    const { location } = target;
    const kind = substitution.fillText(target.kind, () => location);
    const group = target.group === undefined ? undefined : substitution.fillText(target.group, () => location);
    if (kind === undefined) return undefined;
    return { kind, groups: group === undefined ? undefined : new Set([groupNamed(group)]) };
  }
  return readObjectName(substitution.fillText(target.text, () => target.location) ?? target.text.text)[0];
}
