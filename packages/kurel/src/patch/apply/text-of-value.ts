import type { PreparedEntry } from './prepared.ts';
import { readPlainScalar } from './read-plain-scalar.ts';

/** A value where only a text can be, exactly as it was written; `undefined` for mappings, lists and null. */
export function textOfValue(value: PreparedEntry['value']): string | undefined {
  if (value.type === 'lexeme') return isNull(value) ? undefined : value.text;
  const { data } = value;
  if (typeof data === 'string') return data;
  if (typeof data === 'object') return undefined;
  return value.lexemeAt([]) ?? String(data);
}

/** Whether a value says that there shall be none. */
export function isNull(value: PreparedEntry['value']): boolean {
  return value.type === 'data' ? value.data === null : value.isPlain && readPlainScalar(value.text) === null;
}
