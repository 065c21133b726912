import { parseTemplate } from '../parameters/index.ts';
import type { FindParameter } from './parameter-sources.ts';

/** A text with its references replaced by what they stand for. */
export function fillText(text: string, find: FindParameter): string {
  if (!text.includes('${')) return text;
  return parseTemplate(text)
    .parts.map((part) => {
      if (typeof part === 'string') return part;
      const value = part.path === undefined ? undefined : find(part.path)?.value;
      return value === undefined || typeof value === 'object' ? '' : String(value);
    })
    .join('');
}
