import type { Json, JsonObject } from '../../../model/index.ts';
import type { Fields } from '../../../documents/index.ts';
import type { PropertiesOf } from './define.ts';

type Entries = Readonly<Record<string, Json | undefined>>;

/** The entries that have a value, in order. */
export function defined(entries: Entries): JsonObject {
  const kept: Record<string, Json> = {};
  for (const key in entries) {
    const value = entries[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}

/** A non-empty list or object; empty ones are omitted. */
export function filled<Structure extends Json>(structure: Structure | undefined): Structure | undefined {
  const isEmpty = typeof structure === 'object' && structure !== null && Object.keys(structure).length === 0;
  return isEmpty ? undefined : structure;
}

/** The properties of a table in its order, for an object whose fields have the same names. */
export function pickFields<Table extends Fields>(table: Table, properties: Partial<PropertiesOf<Table>>): Entries {
  const values = properties as Entries;
  return Object.fromEntries(Object.keys(table).map((name) => [name, values[name]]));
}
