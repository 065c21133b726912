import type { Path, Range } from '../model/index.ts';
import { parseReferencePath } from './reference-path.ts';

/** A text with references to parameters in it, taken apart. */
export interface Template {
  readonly text: string;
  /** Pieces of text, with `$${` already read as `${`, and references between them; empty for an empty text. */
  readonly parts: readonly (string | Reference)[];
  /** Where a `${` stands that no `}` closes; what follows it is taken for text. */
  readonly unclosed?: number;
}

export interface Reference {
  /** What stands between the braces, without blanks around it. */
  readonly text: string;
  /** The steps to the parameter; `undefined` when the text is no path, such as `a == b`. */
  readonly path: Path | undefined;
  /** In the text of the template, braces included. */
  readonly range: Range;
}

/** `img:${values.ver}` → pieces of text and references. `$${x}` is the text `${x}`. */
export function parseTemplate(text: string): Template {
  if (!text.includes('${')) return { text, parts: text === '' ? [] : [text] };
  const parts: (string | Reference)[] = [];
  let literal = '';
  let unclosed: number | undefined;
  let from = 0;
  for (;;) {
    const start = text.indexOf('${', from);
    if (start === -1) break;
    if (text[start - 1] === '$' && start - 1 >= from) {
      literal += `${text.slice(from, start - 1)}\${`;
      from = start + 2;
      continue;
    }
    const end = findClosingBrace(text, start + 2);
    if (end === -1) {
      unclosed = start;
      break;
    }
    literal += text.slice(from, start);
    if (literal !== '') parts.push(literal);
    literal = '';
    const inner = text.slice(start + 2, end).trim();
    parts.push({ text: inner, path: parseReferencePath(inner), range: { start, end: end + 1 } });
    from = end + 1;
  }
  literal += text.slice(from);
  if (literal !== '') parts.push(literal);
  return { text, parts, ...(unclosed === undefined ? {} : { unclosed }) };
}

/** The reference that is the whole text, with nothing around it: its value keeps its type. */
export function wholeReference({ parts }: Template): Reference | undefined {
  const [only] = parts;
  return parts.length === 1 && typeof only === 'object' ? only : undefined;
}

/** A brace inside the quotes of `${a["}"]}` does not close the reference. */
function findClosingBrace(text: string, from: number): number {
  let quoted = '';
  for (let index = from; index < text.length; index += 1) {
    const character = text[index]!;
    if (quoted !== '') {
      if (character === '\\' && quoted === '"') index += 1;
      else if (character === quoted) quoted = '';
    } else if (character === '}') return index;
    else if ((character === '"' || character === "'") && text[index - 1] === '[') quoted = character;
    else if (character === '\n') return -1;
  }
  return -1;
}
