import { isJsonArray } from '../model/index.ts';
import type { Json, Path, Range } from '../model/index.ts';

/** A string with references to parameters, split into parts. */
export interface Template {
  readonly text: string;
  /** Literal strings, with `$$` before `{` already replaced by `$`, and references between them; empty for an empty string. */
  readonly parts: readonly (string | Reference)[];
  /** Offset of a `${` without a `}`, if that is a mistake; the rest is a literal string. */
  readonly unclosed?: number;
}

export interface Reference {
  /** The text between the braces. */
  readonly text: string;
  /** The steps to the parameter; `undefined` if the text is not a path, such as `a == b`. */
  readonly path: Path | undefined;
  /** Range in the template, including the braces. */
  readonly range: Range;
}

export interface ReferenceSyntax {
  /**
   * `path`: a path without blanks around it, on one line; a `}` may be inside the quotes of `${a["}"]}`. `name`, for applications:
   * everything up to the next `}`, exactly as written; `${}` and text without a `}` are literal strings.
   */
  readonly style?: 'path' | 'name';
  /** Only references that start with such a name are replaced; `${HOME}` is left to a shell. */
  readonly isParameter?: (name: string) => boolean;
}

/** The syntax in app.yaml and in the defaults in kurel.yaml. */
export const applicationSyntax: ReferenceSyntax = { style: 'name' };

/**
 * `img:${values.ver}` → literal strings and references. Before `{`, `$$` is one dollar sign: `$${x}` is the literal string `${x}`, and
 * `$$${x}` is a dollar sign followed by the value of x.
 */
export function parseTemplate(text: string, syntax: ReferenceSyntax = {}): Template {
  if (!text.includes('${')) return { text, parts: text === '' ? [] : [text] };
  const { style = 'path', isParameter } = syntax;
  const parts: (string | Reference)[] = [];
  let unclosed: number | undefined;
  let literal = '';
  let copied = 0;
  let from = 0;
  /** Copies the text before the dollar signs, and half of the dollar signs that are escapes. */
  const copyTo = (start: number, dollars: number): void => {
    literal += text.slice(copied, start + 1 - dollars) + '$'.repeat(Math.floor(dollars / 2));
    copied = start + 1;
  };
  for (let start = text.indexOf('${'); start !== -1; start = text.indexOf('${', from)) {
    const dollars = countDollars(text, { start: from, end: start + 1 });
    const isEscaped = dollars % 2 === 0;
    if (isEscaped && style === 'path') {
      from = start + 2;
      copyTo(start, dollars);
      continue;
    }
    const end = style === 'name' ? text.indexOf('}', start) : findClosingBrace(text, start + 2);
    if (end === -1) {
      if (style === 'path' && isParameter === undefined) unclosed = start;
      break;
    }
    from = end + 1;
    const reference = readReference(text, { start, end: from }, style);
    if (reference.text === '' && style === 'name') continue;
    if (isEscaped) {
      copyTo(start, dollars);
      continue;
    }
    const [first] = reference.path ?? [];
    copyTo(start, dollars);
    if (isParameter !== undefined && !(typeof first === 'string' && isParameter(first))) {
      copied = start;
      continue;
    }
    if (literal !== '') parts.push(literal);
    parts.push(reference);
    literal = '';
    copied = from;
  }
  literal += text.slice(copied);
  if (literal !== '') parts.push(literal);
  return { text, parts, ...(unclosed === undefined ? {} : { unclosed }) };
}

/** The number of dollar signs at the end of a range. */
function countDollars(text: string, { start, end }: Range): number {
  let first = end;
  while (first > start && text[first - 1] === '$') first -= 1;
  return end - first;
}

function readReference(text: string, range: Range, style: 'path' | 'name'): Reference {
  const inner = text.slice(range.start + 2, range.end - 1);
  // A name may contain dots, so only the declared parameters decide which path it is.
  if (style === 'name') return { text: inner, path: undefined, range };
  const trimmed = inner.trim();
  return { text: trimmed, path: parseReferencePath(trimmed), range };
}

/** The `}` of a reference, -1 if there is none on the line. A brace inside the quotes of `${a["}"]}` does not close it. */
export function findClosingBrace(text: string, from: number, to = text.length): number {
  let quoted = '';
  for (let index = from; index < to; index += 1) {
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

/** The reference that is the whole string, whose value keeps its type. */
export function wholeReference({ parts }: Template): Reference | undefined {
  const [only] = parts;
  return parts.length === 1 && typeof only === 'object' ? only : undefined;
}

/** The references in the strings and keys of data, each once. */
export function referencesIn(data: Json, syntax?: ReferenceSyntax): readonly Reference[] {
  const references = new Map<string, Reference>();
  const rest: Json[] = [data];
  // Layers and aliases share parts.
  const seen = new Set<Json>();
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (typeof value === 'string') {
      if (!value.includes('${')) continue;
      for (const part of parseTemplate(value, syntax).parts) {
        if (typeof part !== 'string' && !references.has(part.text)) references.set(part.text, part);
      }
      continue;
    }
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isJsonArray(value)) {
      for (const item of value.toReversed()) rest.push(item);
    } else {
      for (const key of Object.keys(value).toReversed()) rest.push(value[key]!, key);
    }
  }
  return [...references.values()];
}

const name = /[^\s.[\]{}"'$|=!&()?:,;<>+*%\\]+/y;
const index = /\[\s*([0-9]{1,9})\s*\]/y;
const quotedKey = /\[\s*(?:"((?:[^"\\]|\\["\\])*)"|'((?:[^']|'')*)')\s*\]/y;

/** `a.b[0]["c.d"]` → its steps, also `["a.b"].c`; `undefined` for everything that is not such a path. */
export function parseReferencePath(text: string): Path | undefined {
  const plain = match(name, text, 0);
  const first = plain ?? match(quotedKey, text, 0);
  if (first === null) return undefined;
  const path: (string | number)[] = [plain === null ? stepOf(first) : plain[0]];
  let offset = first[0].length;
  while (offset < text.length) {
    const isDot = text[offset] === '.';
    const step = isDot ? match(name, text, offset + 1) : (match(index, text, offset) ?? match(quotedKey, text, offset));
    if (step === null) return undefined;
    path.push(isDot ? step[0] : stepOf(step));
    offset += step[0].length + (isDot ? 1 : 0);
  }
  return path.includes('__proto__') ? undefined : path;
}

/** Distinct parameters that a string refers to. */
export function parametersIn(text: string): readonly Path[] {
  const paths = referencesIn(text).flatMap(({ path }) => (path === undefined ? [] : [path]));
  return [...new Map(paths.map((path) => [formatReferencePath(path), path])).values()];
}

/** A path in the notation between the braces. */
export function formatReferencePath(path: Path): string {
  return path
    .map((step, position) => {
      if (typeof step === 'number') return `[${step}]`;
      const isPlain = match(name, step, 0)?.[0] === step;
      return isPlain ? `${position === 0 ? '' : '.'}${step}` : `["${step.replaceAll(/["\\]/g, String.raw`\$&`)}"]`;
    })
    .join('');
}

function stepOf(step: RegExpExecArray): string | number {
  const [, first, second] = step;
  if (step[0].includes('"') && first !== undefined) return first.replaceAll(/\\(["\\])/g, '$1');
  if (second !== undefined) return second.replaceAll("''", "'");
  return Number(first);
}

function match(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}
