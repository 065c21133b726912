import type { SchemaRule } from '../../schema/index.ts';

/** Of a rule, in characters; parsing takes more than linear time. */
export const longestRule = 20_000;

/** Whether a rule says something about a value without an older one. */
export function isApplicable({ rule, optionalOldSelf }: SchemaRule): boolean {
  return optionalOldSelf === true || rule.length > longestRule || !hasWord(rule, 'oldSelf');
}

// Literals come first, so that their content is not read as code.
const literal = String.raw`[rR]?(?:"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`;
const rawLiteral = String.raw`[rR](?:"[^"\n]*"|'[^'\n]*')`;
const matches = new RegExp(`(${rawLiteral}|${literal})|\\.matches\\s*\\(`, 'g');
const hasCall = new RegExp(`(?:${rawLiteral}|${literal})|\\b(has)\\s*\\(`, 'g');
const brackets = new RegExp(`(?:${rawLiteral}|${literal})|[()]`, 'g');
const words = new RegExp(`(?:${rawLiteral}|${literal})|([A-Za-z_]\\w*)`, 'g');

/** Whether a rule uses a name, outside of its string literals. */
function hasWord(rule: string, word: string): boolean {
  return rule.includes(word) && Array.from(rule.matchAll(words), ([, name]) => name).includes(word);
}

/** Rules use Go regular expressions, but `matches` of the library uses JavaScript ones. */
export function renameMatches(rule: string): string {
  return rule.replaceAll(matches, (whole, text: string | undefined) =>
    text === undefined ? '.matchesPattern(' : whole,
  );
}

/** `has` of the library only accepts names, as in `has(a.b.c)`, so `has(a[0].b)` becomes `a[0].?b.hasValue()`. */
export function adaptHas(rule: string): string {
  let result = '';
  let end = 0;
  for (const call of rule.matchAll(hasCall)) {
    if (call[1] === undefined || call.index < end) continue;
    const start = call.index + call[0].length;
    const close = findClose(rule, start);
    const match = /^([^]*)\.\s*([A-Za-z_]\w*)\s*$/.exec(rule.slice(start, close));
    if (match === null || !/[[(]/.test(match[1]!)) continue;
    result += `${rule.slice(end, call.index)}(${adaptHas(match[1]!)}.?${match[2]}.hasValue())`;
    end = close + 1;
  }
  return result + rule.slice(end);
}

/** Offset of the bracket that closes the one before `start`; the end of the rule if there is none. */
function findClose(rule: string, start: number): number {
  let depth = 1;
  brackets.lastIndex = start;
  for (let match = brackets.exec(rule); match !== null; match = brackets.exec(rule)) {
    if (match[0] === '(') depth += 1;
    if (match[0] === ')') depth -= 1;
    if (depth === 0) return match.index;
  }
  return rule.length;
}
