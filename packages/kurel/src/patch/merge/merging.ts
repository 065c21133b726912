import type { Location, Path, Report } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';

/** Where a key or value of the patch document stands in its file. */
export type Locate = (path: Path, at: 'key' | 'value') => Location | undefined;

/** One merge on its way. */
export interface Merging {
  readonly builtIn: boolean;
  readonly report: Report;
  readonly locate: Locate;
}

/** A place in the patch document and what is known about it. */
export interface Place {
  readonly path: Path;
  readonly node: SchemaNode | undefined;
  readonly merging: Merging;
}

export function placeOfKey({ path, node, merging }: Place, key: string): Place {
  return { path: [...path, key], node: node?.property(key), merging };
}

export function placeOfItem({ path, node, merging }: Place, index: number): Place {
  return { path: [...path, index], node: node?.items, merging };
}

export function locationOf({ path, merging }: Place, at: 'key' | 'value'): { readonly location: Location | undefined } {
  return { location: merging.locate(path, at) };
}

/** The name of a list in messages: the last key on the way to it. */
export function nameOf({ path }: Place): string {
  return path.findLast((step) => typeof step === 'string') ?? '';
}
