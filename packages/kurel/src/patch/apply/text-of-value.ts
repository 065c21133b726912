import type { PreparedEntry } from './prepared.ts';

/** A value where only a text can be, exactly as it was written; `undefined` for mappings, lists and null. */
export function textOfValue(value: PreparedEntry['value']): string | undefined {
  if (value.type === 'lexeme') return value.text;
  const { data } = value;
  if (typeof data === 'string') return data;
  if (typeof data === 'object') return undefined;
  return value.lexemeAt([]) ?? String(data);
}
