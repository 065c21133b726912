import type { Json } from './json.ts';

/** The fields of a document that Go programs read, too. */
export interface JsonFields {
  /**
   * Go takes `Layers` for `layers`, and protobuf takes `dsse_envelope` for `dsseEnvelope`, so a document with another spelling of one
   * of these names would mean something else to them.
   */
  readonly names: readonly string[];
  /** Those whose value has keys of its own, such as annotations: there, `a` and `A` are two keys for everybody. */
  readonly maps?: readonly string[];
}

interface JsonOptions {
  /** Defaults to none: all keys are data, and only repeated ones are refused. */
  readonly fields?: JsonFields | undefined;
  /** Reads integers beyond doubles as `bigint`; by default, they are refused, because `JSON.stringify` cannot write them. */
  readonly exactIntegers?: boolean;
  /** Reads the last of several equal keys, for documents of which every reader does. */
  readonly lastKeyWins?: boolean;
}

/** The reason is the end of a sentence, with the place: `duplicate key "layers" at line 1, column 20`. It quotes no values. */
type JsonReading = { readonly data: Json } | { readonly reason: string };

const deepest = 512;

/**
 * Reads a document that other programs read, too. Everything that they could take for something else is refused: repeated keys, other
 * spellings of fields, numbers that are not finite, halves of characters, a byte order mark, text after the document.
 */
export function readJson(content: Uint8Array | string, options: JsonOptions = {}): JsonReading {
  try {
    return { data: parse(typeof content === 'string' ? content : decode(content), options) };
  } catch (error) {
    if (error instanceof Refusal) return { reason: error.message };
    throw error;
  }
}

class Refusal extends Error {}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal('it is not UTF-8');
  }
}

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const punctuation = '{}[],:<>()/"\'';
const blanks = /[ \t\r\n]*/y;
const literals: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function parse(text: string, { fields, exactIntegers = false, lastKeyWins = false }: JsonOptions): Json {
  const spelling = new Map(fields?.names.map((name) => [foldCase(name), name]));
  const names = new Set(fields?.names);
  const maps = new Set(fields?.maps);
  let pos = 0;
  let depth = 0;

  const refuse = (reason: string, at = pos): never => {
    const before = text.slice(0, at).split('\n');
    throw new Refusal(`${reason} at line ${before.length}, column ${before.at(-1)!.length + 1}`);
  };
  const expected = (wanted: string): never => {
    const character = text[pos];
    if (character === undefined) return refuse(`expected ${wanted}, but the text ends`);
    if (character === '\ufeff') return refuse('unexpected byte order mark');
    // Letters and digits may be part of a password.
    return refuse(
      punctuation.includes(character) ? `expected ${wanted}, got ${show(character)}` : `expected ${wanted}`,
    );
  };
  const skipBlanks = (): void => {
    if (text.charCodeAt(pos) > 0x20) return;
    blanks.lastIndex = pos;
    blanks.test(text);
    pos = blanks.lastIndex;
  };

  function readValue(hasFields: boolean): Json {
    switch (text[pos]) {
      case '"':
        return readString();
      case '{':
        return nested(() => readObject(hasFields));
      case '[':
        return nested(() => readList(hasFields));
      default:
        return readWord();
    }
  }

  function nested(read: () => Json): Json {
    if (++depth > deepest) refuse(`it is nested more than ${deepest} levels deep`);
    pos += 1;
    skipBlanks();
    const value = read();
    depth -= 1;
    return value;
  }

  function readObject(hasFields: boolean): Json {
    const data: Record<string, Json> = {};
    const folded = hasFields ? new Map<string, string>() : undefined;
    if (text[pos] === '}') pos += 1;
    else {
      do {
        skipBlanks();
        const start = pos;
        if (text[pos] !== '"') expected('a key');
        const key = readString();
        if (key === '__proto__') refuse('the key "__proto__" is not allowed', start);
        if (!lastKeyWins && Object.hasOwn(data, key)) refuse(`duplicate key ${show(key)}`, start);
        if (folded !== undefined) checkSpelling(key, folded, start);
        skipBlanks();
        if (text[pos] !== ':') expected('":"');
        pos += 1;
        skipBlanks();
        data[key] = readValue(hasFields && !maps.has(key));
      } while (goesOn('}'));
    }
    return data;
  }

  function checkSpelling(key: string, folded: Map<string, string>, start: number): void {
    const fold = foldCase(key);
    const field = names.has(key) ? key : spelling.get(fold);
    if (field !== undefined && field !== key) refuse(`the key ${show(key)} must be spelled ${show(field)}`, start);
    const other = folded.get(fold);
    if (other !== undefined) refuse(`the keys ${show(other)} and ${show(key)} differ only in case`, start);
    folded.set(fold, key);
  }

  function readList(hasFields: boolean): Json {
    const items: Json[] = [];
    if (text[pos] === ']') pos += 1;
    else {
      do {
        skipBlanks();
        items.push(readValue(hasFields));
      } while (goesOn(']'));
    }
    return items;
  }

  /** Whether a comma follows; otherwise, the end must. */
  function goesOn(end: string): boolean {
    skipBlanks();
    const character = text[pos];
    if (character !== ',' && character !== end) expected(`"," or "${end}"`);
    pos += 1;
    return character === ',';
  }

  function readString(): string {
    const start = pos;
    let value = '';
    for (let chunk = ++pos; ;) {
      const code = text.charCodeAt(pos);
      if (code === 0x22) {
        value = value === '' ? text.slice(chunk, pos) : value + text.slice(chunk, pos);
        break;
      }
      if (code === 0x5c) {
        value += text.slice(chunk, pos) + readEscape();
        chunk = pos;
      } else if (code < 0x20) refuse('unexpected control character');
      else if (Number.isNaN(code)) expected('a closing quote');
      else pos += 1;
    }
    pos += 1;
    // A Go program would read U+FFFD.
    if (/\p{Surrogate}/u.test(value)) refuse('half of a character', start);
    return value;
  }

  function readEscape(): string {
    const letter = text[pos + 1] ?? '';
    if (letter === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(pos + 2, pos + 6))) {
      pos += 6;
      return String.fromCharCode(Number.parseInt(text.slice(pos - 4, pos), 16));
    }
    if (!Object.hasOwn(escapes, letter)) refuse('invalid escape');
    pos += 2;
    return escapes[letter]!;
  }

  function readWord(): Json {
    const literal = literals.find(([word]) => text.startsWith(word, pos));
    if (literal === undefined) return readNumber();
    const [word, value] = literal;
    pos += word.length;
    return value;
  }

  function readNumber(): Json {
    number.lastIndex = pos;
    const start = pos;
    const [digits] = number.exec(text) ?? [];
    if (digits === undefined) return expected('a value');
    pos += digits.length;
    const value = Number(digits);
    if (!Number.isFinite(value)) refuse('number out of range', start);
    if (Number.isSafeInteger(value) || /[.eE]/.test(digits)) return value;
    return exactIntegers ? BigInt(digits) : refuse('integer out of range', start);
  }

  skipBlanks();
  const data = readValue(fields !== undefined);
  skipBlanks();
  if (pos < text.length) expected('the end of the document');
  return data;
}

/** As Go compares the names of fields (U+017F is an `s`, U+212A a `k`), and without the `_` that protobuf allows. */
export function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase().replaceAll('_', '');
}

const longestShown = 100;

function show(key: string): string {
  return JSON.stringify(key.slice(0, longestShown));
}
