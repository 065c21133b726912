import type { KubeObject, Location, Path } from '../model/index.ts';
import type { SchemaStore } from '../schema/index.ts';
import type { Variables } from './application.ts';
import { createShapes } from './apply/kind-shape.ts';
import type { PatchFile, Target } from './patch.ts';
import { createHolderSearch } from './trace/find-holders.ts';
import { traceData } from './trace/trace-data.ts';
import type { Take, TracedReference } from './trace/trace-data.ts';
import { traceDocumentPatch } from './trace/trace-document.ts';
import { traceField } from './trace/trace-field.ts';
import { traceNames } from './trace/trace-names.ts';
import { rootFieldOf } from './trace/traced-field.ts';

export interface TraceOptions {
  /** The objects that the patches are for, before any of them. */
  readonly objects: readonly KubeObject[];
  readonly store: SchemaStore | undefined;
  /** For variables in headers and names; without them such a target is known by its kind alone. */
  readonly variables?: Variables | undefined;
}

/**
 * Every use of a parameter in patches, with the fields that it ends in: one for each kind that the patch is for. Nothing is
 * reported: what does not fit has no field.
 */
export function traceReferences(files: readonly PatchFile[], options: TraceOptions): readonly TracedReference[] {
  const search = createHolderSearch(options.objects, options);
  const found: TracedReference[] = [];
  const named = new Set<Target>();
  const take: Take = (reference) =>
    void found.push({ ...reference, parameter: withoutScope(reference.parameter, options.variables) });
  for (const { patches, source } of files) {
    for (const patch of patches) {
      traceTarget(patch.target, named, take);
      if (patch.type === 'field') traceField(patch, source, { search, take });
      else traceDocumentPatch(patch, { search, take });
    }
  }
  return found;
}

/** Every use of a parameter in an object as it is written in a manifest. `location` is that of the object. */
export function traceObject(
  object: KubeObject,
  { store, location }: { readonly store: SchemaStore | undefined; readonly location: Location },
): readonly TracedReference[] {
  const found: TracedReference[] = [];
  const field = rootFieldOf(object, createShapes(store)(object));
  traceData(object, { field, location, take: (reference) => void found.push(reference) });
  return found;
}

function traceTarget(target: Target, named: Set<Target>, take: Take): void {
  if ((target.type !== 'header' && target.type !== 'text') || named.has(target)) return;
  // All entries of a section share their header.
  named.add(target);
  const templates = target.type === 'text' ? [target.text] : [target.namespace, target.kind, target.name];
  traceNames(templates, target.location, take);
}

/** `values.x` and `features.x` are other names of the parameter x in a package, unless there are parameters of these names. */
function withoutScope(path: Path, variables: Variables | undefined): Path {
  const [first] = path;
  const isScope = (first === 'values' || first === 'features') && path.length > 1;
  return isScope && variables?.scope === 'package' && !Object.hasOwn(variables.values, first) ? path.slice(1) : path;
}
