/** A source of numbers that gives the same ones for the same seed; fast-check would take minutes for as many files. */
export interface Random {
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** As many as `most` results, joined. */
  repeat(most: number, make: () => string): string;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * limit);
  };
  return {
    below,
    pick: (items) => items[below(items.length)]!,
    repeat: (most, make) => Array.from({ length: below(most + 1) }, make).join(''),
  };
}

const words = [
  'a',
  'web',
  'spec',
  'name',
  'x-1',
  '0',
  '12',
  'io/port',
  'a:b',
  'größe',
  '日本',
  'delete',
  '$',
  '~',
  '${v.a}',
  '${a["}"]}',
  '$${x}',
];
const quoted = ['"a.b"', "'it''s'", String.raw`"\u00e4\""`, '"c: d #e"', "'[x]'", '"${v.q}"', '"0"', '"-"'];
const plainValues = [
  '1',
  'a b',
  'http://x:80/a#b',
  '${v.n}',
  'x${v.n}y',
  'null',
  '~',
  '-1',
  '$${x}',
  "it's",
  '500m',
  'ä',
  'a[0]',
  '${ a["k #1"] }',
];
const comments = ['', '', '', ' # c', '\t# [x] y: z', '  #'];

/** A file that follows the grammar, laid out as badly as it allows. */
export function generateFile(random: Random): string {
  const lines = [generateEntries(random)];
  const sections = random.below(3);
  for (let count = 0; count < sections; count += 1) lines.push(generateSection(random));
  // All lines alike: below a key without a value or with a block, deeper lines would mean something.
  const indent = random.pick(['', '', '', ' ', '   ']);
  const text = lines.join('').replaceAll(/^(?=.)/gm, indent);
  return random.pick(['', '', '\ufeff']) + (random.below(4) === 0 ? text.replace(/\n$/, '') : text);
}

function generateSection(random: Random): string {
  const isInsertion = random.below(4) === 0;
  const path = random.repeat(3, () => generateStep(random));
  const target = `${random.pick(['', '', 'shop/', '"n s"/', '${n}/'])}${random.pick(['deployment', '*', '${k}'])}`;
  const name = random.pick(['.web', '.*', '.w?b-*', '."a.b"', '["a.b"]', "[ 'c' ]", '.${v.n}', '.x-${n}']);
  const insertion = isInsertion ? generateInsertion(random) : '';
  const gap = random.pick(['', '', ' ', '\t']);
  const header = `[${gap}${target}${name}${path}${insertion}${gap}]${random.pick(comments)}\n`;
  const entry = isInsertion ? `name: ${random.pick(plainValues)}\n` : '';
  return header + entry + generateEntries(random, isInsertion);
}

function generateEntries(random: Random, inItem = false): string {
  return random.repeat(3, () => {
    const kind = random.below(8);
    if (kind === 0) return random.pick(['\n', '  \n', '\t\n']);
    if (kind === 1) return `# ${random.pick(['c', '[a.b]', 'x: 1'])} \n`;
    return generateEntry(random, inItem);
  });
}

function generateEntry(random: Random, inItem: boolean): string {
  const dot = random.pick(['', '', '', '.']);
  const key = dot + random.pick(random.below(4) === 0 ? quoted : words) + random.repeat(2, () => generateStep(random));
  const special = inItem ? 9 : random.below(10);
  if (special === 0) return `${key}${random.pick(['[delete]', '[delete=0]', '[delete=-1]', '[delete=a=b]'])}:\n`;
  const insertion = special < 3 ? generateInsertion(random) + random.pick(['', '.name', '.a.b']) : '';
  const value = generateValue(random);
  return `${key}${insertion}${dot}${random.pick(['', '', ' '])}:${value}`;
}

function generateValue(random: Random): string {
  const comment = random.pick(comments);
  const kind = random.below(10);
  if (kind < 5) return ` ${random.pick(['', ' ', '\t'])}${random.pick(plainValues)}${comment}\n`;
  if (kind < 7) return ` ${random.pick(quoted)}${comment}\n`;
  if (kind === 7) return `${comment}\n`;
  const indent = ' '.repeat(1 + random.below(4));
  const says = random.below(3) === 0;
  const header = `${random.pick(['|', '>'])}${random.pick(['', '-', '+'])}${says ? indent.length : ''}`;
  const first = `${indent}${says ? random.pick(['', ' ']) : ''}${random.pick(['text', '# no', '[a.b]', 'a: b', '\tt'])}\n`;
  const more = random.repeat(4, () =>
    random.pick(['\n', ' \n', `${indent}${random.pick(['l', ' l', '  ', '\t', 'l  ', '${v}'])}\n`]),
  );
  return ` ${header}${comment}\n${random.pick(['', '', '\n'])}${first}${more}`;
}

function generateStep(random: Random): string {
  const kind = random.below(9);
  if (kind < 4) return `.${random.pick(words)}`;
  if (kind === 4) return `.${random.pick(quoted)}`;
  return random.pick([
    '[0]',
    '[ 1 ]',
    '.*',
    '[*]',
    '[name=a]',
    '[ a.b= c d , e="f, ]" ]',
    '.name=x:1',
    '["k.l"]',
    '.n=${v.a}',
    '[n=${v["]"]}]',
  ]);
}

function generateInsertion(random: Random): string {
  return random.pick(['[-]', '.-', '[ -2 ]', '[+0]', '[+name=a]', '[-a.b=c,d=e ]']);
}

const pieces = [
  '[',
  ']',
  '.',
  ':',
  ': ',
  '=',
  '"',
  "'",
  '#',
  ' #',
  '\n',
  '\n',
  '\r\n',
  '\r',
  ' ',
  '  ',
  '\t',
  '-',
  '+',
  '*',
  '|',
  '>',
  '|2',
  '${',
  '}',
  '$',
  ',',
  '{',
  '\\',
  '&',
  '!',
  '@',
  '\0',
  '\ufeff',
  '\ud83d',
  '😀',
  'ä',
  'delete',
  '__proto__',
  'a',
  'b',
  '0',
  '9999999999999999999',
  '[a.b]\n',
  'x: 1\n',
  '\n  ',
];

/** Any text, made of what means something to the parser. */
export function generateText(random: Random): string {
  return random.repeat(20, () => random.pick(pieces));
}

/** The text with a few characters removed, doubled or inserted. */
export function mutate(text: string, random: Random): string {
  let result = text;
  for (let count = random.below(3); count >= 0; count -= 1) {
    const at = random.below(result.length + 1);
    const kind = random.below(3);
    const end = at + random.below(4);
    if (kind === 0) result = result.slice(0, at) + result.slice(end);
    else if (kind === 1) result = result.slice(0, end) + result.slice(at);
    else result = result.slice(0, at) + random.pick(pieces) + result.slice(at);
  }
  return result;
}
