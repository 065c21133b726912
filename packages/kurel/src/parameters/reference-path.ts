import type { Path } from '../model/index.ts';

const name = /[^\s.[\]{}"'$|=!&()?:,;<>+*%\\]+/y;
const index = /\[\s*([0-9]{1,9})\s*\]/y;
const quotedKey = /\[\s*(?:"((?:[^"\\]|\\["\\])*)"|'((?:[^']|'')*)')\s*\]/y;

/** `a.b[0]["c.d"]` → its steps; `undefined` for everything that is no such path. */
export function parseReferencePath(text: string): Path | undefined {
  const first = match(name, text, 0);
  if (first === null) return undefined;
  const path: (string | number)[] = [first[0]];
  let offset = first[0].length;
  while (offset < text.length) {
    const isDot = text[offset] === '.';
    const found = isDot
      ? match(name, text, offset + 1)
      : (match(index, text, offset) ?? match(quotedKey, text, offset));
    if (found === null) return undefined;
    path.push(isDot ? found[0] : stepOf(found));
    offset += found[0].length + (isDot ? 1 : 0);
  }
  return path.includes('__proto__') ? undefined : path;
}

/** A path as a person would write it between the braces. */
export function formatReferencePath(path: Path): string {
  return path
    .map((step, position) => {
      if (typeof step === 'number') return `[${step}]`;
      const isPlain = match(name, step, 0)?.[0] === step;
      return isPlain ? `${position === 0 ? '' : '.'}${step}` : `["${step.replaceAll(/["\\]/g, String.raw`\$&`)}"]`;
    })
    .join('');
}

function stepOf(found: RegExpExecArray): string | number {
  const [, first, second] = found;
  if (found[0].includes('"') && first !== undefined) return first.replaceAll(/\\(["\\])/g, '$1');
  if (second !== undefined) return second.replaceAll("''", "'");
  return Number(first);
}

function match(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}
