/** A step of a path that a person wrote to ask for a field. */
export type FieldStep =
  | { readonly type: 'name'; readonly name: string; readonly quoted: boolean }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'match'; readonly key: string; readonly value: string }
  | { readonly type: 'all' };

const name = /[^.[\]"'=]+/y;
const quoted = /\[\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')\s*\]/y;
const index = /\[\s*([0-9]{1,9})\s*\]/y;
// Blanks are trimmed later: where two neighbours could both take them, a long run of them would be tried in every way.
const selector = /\[([^"'=\]]+)=(?:\s*"((?:[^"\\]|\\.)*)"\s*|([^"\]]*))\]/y;
const shortSelector = /([^.[\]"'=]+)=(?:"((?:[^"\\]|\\.)*)"|([^.[\]"]+))/y;

/** `containers.name=web.image` → steps, as in patches; a text when it cannot be read, which says why. */
export function parseField(text: string): readonly FieldStep[] | string {
  const steps: FieldStep[] = [];
  let offset = text.startsWith('.') ? 1 : 0;
  if (offset === text.length) return 'it is empty';
  while (offset < text.length) {
    const isBracket = text[offset] === '[';
    if (steps.length > 0 && !isBracket) {
      if (text[offset] !== '.') return `${describe(text, offset)} is not expected here`;
      offset += 1;
    }
    const found = isBracket ? readBracket(text, offset) : readName(text, offset);
    if (found === undefined) return explain(text, offset);
    steps.push(found.step);
    offset += found.length;
  }
  return steps;
}

interface Found {
  readonly step: FieldStep;
  readonly length: number;
}

function readBracket(text: string, offset: number): Found | undefined {
  const key = match(quoted, text, offset);
  if (key !== null) {
    const word = key[1] === undefined ? key[2]!.replaceAll("''", "'") : unescape(key[1]);
    return { step: { type: 'name', name: word, quoted: true }, length: key[0].length };
  }
  const position = match(index, text, offset);
  if (position !== null) return { step: { type: 'index', index: Number(position[1]) }, length: position[0].length };
  if (text.startsWith('[*]', offset)) return { step: { type: 'all' }, length: 3 };
  return toMatch(match(selector, text, offset));
}

function readName(text: string, offset: number): Found | undefined {
  const found = toMatch(match(shortSelector, text, offset));
  if (found !== undefined) return found;
  const word = match(name, text, offset)?.[0];
  if (word === undefined) return undefined;
  return { step: word === '*' ? { type: 'all' } : { type: 'name', name: word, quoted: false }, length: word.length };
}

function toMatch(found: RegExpExecArray | null): Found | undefined {
  if (found === null) return undefined;
  const [whole, key, inQuotes, plain] = found;
  const value = inQuotes === undefined ? plain!.trim() : unescape(inQuotes);
  return { step: { type: 'match', key: key!.trim(), value }, length: whole.length };
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

function explain(text: string, offset: number): string {
  if (offset >= text.length) return 'it ends with a dot';
  if (text[offset] !== '[') return `${describe(text, offset)} is not expected here`;
  if (!text.includes(']', offset)) return 'a [ has no ]';
  return 'in [ ] there is an index, a selector such as name=web, or a quoted key';
}

function describe(text: string, offset: number): string {
  return JSON.stringify(text[offset]);
}

function match(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}
