// Literals come first, so that nothing inside of them is taken for code.
const literal = String.raw`[rR]?(?:"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`;
const rawLiteral = String.raw`[rR](?:"[^"\n]*"|'[^'\n]*')`;
const matches = new RegExp(`(${rawLiteral}|${literal})|\\.matches\\s*\\(`, 'g');
const hasCall = new RegExp(`(?:${rawLiteral}|${literal})|\\b(has)\\s*\\(`, 'g');
const brackets = new RegExp(`(?:${rawLiteral}|${literal})|[()]`, 'g');
const words = new RegExp(`(?:${rawLiteral}|${literal})|([A-Za-z_]\\w*)`, 'g');

/** Whether a rule uses a name, outside of its string literals. */
export function hasWord(rule: string, word: string): boolean {
  return rule.includes(word) && Array.from(rule.matchAll(words), ([, name]) => name).includes(word);
}

/** The rule in words that the library understands as Kubernetes does. */
export function adaptRule(rule: string): string {
  return adaptHas(renameMatches(rule));
}

/** Regular expressions in rules are Go's; the library's own `matches` reads them as JavaScript's. */
function renameMatches(rule: string): string {
  return rule.replaceAll(matches, (whole, text: string | undefined) =>
    text === undefined ? '.matchesPattern(' : whole,
  );
}

/** The library's `has` takes names only, as in `has(a.b.c)`; for `has(a[0].b)` there is `a[0].?b.hasValue()`. */
function adaptHas(rule: string): string {
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

/** Offset of the bracket that closes the one before `start`; the end of the text when there is none. */
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
