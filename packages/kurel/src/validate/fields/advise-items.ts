import { quote } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';

// A word that is read as a text however YAML is read, and no longer than a line of advice.
const plainWord = /^(?!(?:true|false|yes|no|on|off|y|n|null)$)[a-z_/][\w./@-]{0,59}$/i;

/**
 * How a mapping from names to values is written as the list that is wanted: `env: {A: b}`. `fields` are those of an item. Nothing
 * is said when the mapping is an item itself, or items have no names.
 */
export function adviseItems(mapping: JsonObject, fields: readonly string[]): string | undefined {
  const keys = Object.keys(mapping);
  const [name] = keys;
  if (name === undefined || !fields.includes('name') || keys.some((key) => fields.includes(key))) return undefined;
  const value = mapping[name]!;
  const lines = ['write it as a list:', `- name: ${writeWord(name)}`];
  if (value === null) return lines.join('\n');
  const rest = describeRest(value, fields);
  return rest === undefined ? undefined : [...lines, `  ${rest}`].join('\n');
}

function describeRest(value: Json, fields: readonly string[]): string | undefined {
  if (isJsonObject(value)) {
    const [key] = Object.keys(value);
    return key === undefined ? undefined : `${writeWord(key)}: …`;
  }
  if (typeof value === 'object' || !fields.includes('value')) return undefined;
  return `value: ${typeof value === 'string' ? writeWord(value) : quote(String(value))}`;
}

function writeWord(text: string): string {
  return plainWord.test(text) ? text : quote(text);
}
