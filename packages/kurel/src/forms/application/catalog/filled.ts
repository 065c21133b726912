import type { Json } from '../../../model/index.ts';

/** A non-empty list or object; empty ones are omitted. */
export function filled<Structure extends Json>(structure: Structure | undefined): Structure | undefined {
  const isEmpty = typeof structure === 'object' && structure !== null && Object.keys(structure).length === 0;
  return isEmpty ? undefined : structure;
}
