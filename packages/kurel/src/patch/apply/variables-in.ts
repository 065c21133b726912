import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import { parseTemplate } from '../../parameters/index.ts';

/** The variables in the texts and keys of data, each once, as they were written. */
export function variablesIn(data: Json): readonly string[] {
  const found = new Set<string>();
  const take = (text: string): void => {
    if (!text.includes('${')) return;
    for (const part of parseTemplate(text).parts) if (typeof part !== 'string') found.add(part.text);
  };
  const walk = (value: Json): void => {
    if (typeof value === 'string') take(value);
    else if (isJsonArray(value)) value.forEach(walk);
    else if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value)) {
        take(key);
        walk(inner);
      }
    }
  };
  walk(data);
  return [...found];
}
