import { isSameJson } from '../../model/index.ts';
import type { Json, KubeObject } from '../../model/index.ts';
import type { Change, FieldSource } from '../patch.ts';
import type { Place } from './find-places.ts';
import { formatNamedPath } from './format-path.ts';
import type { ObjectPatching, Patching } from './patch-run.ts';

interface Storing extends Patching {
  /** The requested value if it is only a part of the stored one, such as the tag of an image. */
  readonly part?: { readonly wanted: string | undefined };
}

/** Stores or deletes a value. Setting the value that a field already has is recorded as well. */
export function storeValue({ path, value: before, imagePart }: Place, after: Json | undefined, storing: Storing): void {
  const { patching, prepared, part } = storing;
  patching.settings?.push({
    path: `${formatNamedPath(path, patching.object)}${part === undefined ? '' : `.${imagePart!}`}`,
    value: part === undefined ? after : part.wanted,
    location: prepared.patch.location,
  });
  // Whether the result is still a Kubernetes object is checked after all patches.
  if (!isSameJson(before, after)) {
    patching.object = patching.edits.editAt(patching.object, path, () => after) as KubeObject;
  }
  // The recorded change shares parts of the tree.
  if (isStructure(before) || isStructure(after)) patching.edits.release();
  const operation = after === undefined ? 'delete' : 'replace';
  recordChange({ operation, path, before, after, source: prepared.source }, patching);
}

function isStructure(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

export function recordChange(
  change: Pick<Change, 'operation' | 'path' | 'before' | 'after'> & { readonly source: FieldSource },
  { index, key: object, run }: ObjectPatching,
): void {
  const { operation, path, before, after, source } = change;
  run.changes.push({ index, object, operation, path, before, after, location: source.patch.location, source });
}
