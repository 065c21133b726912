import type { Json } from '../../../model/index.ts';

/** A list or mapping that holds something: an empty one is not written. */
export function filled<Structure extends Json>(structure: Structure | undefined): Structure | undefined {
  const isEmpty = typeof structure === 'object' && structure !== null && Object.keys(structure).length === 0;
  return isEmpty ? undefined : structure;
}
