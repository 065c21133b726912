import type { SourceFile } from '../model/index.ts';
import { skipByteOrderMark } from './control-characters.ts';

// A text of many documents would otherwise be tried once for each.
const answers = new WeakMap<SourceFile, boolean>();

/** Whether a text is one JSON object, which kubectl reads as JSON and not as YAML. */
export function isJsonText(source: SourceFile): boolean {
  const known = answers.get(source);
  if (known !== undefined) return known;
  const answer = parses(source.text.slice(skipByteOrderMark(source.text)));
  answers.set(source, answer);
  return answer;
}

function parses(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
