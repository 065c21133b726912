import type { Random } from '../../../fuzz/random.ts';

const scalars = [
  [
    '1',
    '1.0',
    '1e3',
    '0x1F',
    '0o17',
    '017',
    '0b11',
    '1_000',
    '1:20',
    '190:20:30',
    '+1',
    '-0',
    '0x',
    '1e',
    '12e03',
    '.5',
  ],
  ['5.', '1__0', '_1', '99999999999999999999', '0xFFFFFFFFFFFFFFFFFF', '1E400', '1.7976931348623157e309', '0.1e-5'],
  ['yes', 'No', 'off', 'ON', 'y', 'N', 'tRUE', 'TRUE', '~', '~a', 'null', 'NULL', '', '.inf', '-.Inf', '.nan', 'NaN'],
  ['2024-01-31', '=', '<<', '-', '?', ':', '- a', '? a', '@a', '`a', '%a', '#a', 'a#b', 'a: b', '|', '>', '{}', '[]'],
  ["'a'", "'a''b'", '"a"', '"a\\nb"', '"\\u00e9"', '"\\x41"', '"a\\/b"', '"\\_"', '"\\L"', '"a\\\n  b"', '"a\n  b"'],
  ['*x', '*y', '&x 1', '&y a', '&x', '&x !!str', '!!str &x 1', '!!str 1', '!!int "1"', '!!float 1', '!!null ""'],
  ['!!binary YQ==', '!!bool "yes"', '!!timestamp 2024-01-31', '!!merge <<', '!!set {a}', '!!omap [a: 1]', '!a!b c'],
  ['!foo a', '! 1', '!<!a> b', '!<tag:yaml.org,2002:int> 1', '!%41 a', 'a', 'b', 'a b', 'a\n  b', 'é', '😀', '""'],
  ['\u0085', '\u2028', '\ufeff', '\u00a0', '\u200b', '\x7f', '\u0080'],
].flat();
const keys = ['a', 'b', 'c', '"a"', "'b'", '1', 'yes', '~', '<<', '<<'];
const properties = ['&x ', '&y ', '!!map ', '!!seq ', '!!str ', '!foo ', '&x !!map ', '!!set ', '!!omap '];
const gaps = ['  ', '\t', '', ' \t', '\n  ', ' # c\n  '];
const headers = ['|', '>', '|-', '>-', '|+', '>+', '|1', '>2-', '|-1', '| # c', '>\t'];
const breaks = [
  ['\r\n', '\r', '\u0085', '\u2028', '\u2029', '\n\n', '\n\t\n', '\n \n', ' \n', '\t\n', '\n# c\n', '\n\ufeff'],
  ['\n...\n', '\n---\n', '\n--- \n', '\n---\t', '\n%YAML 1.1\n---\n'],
].flat();
const heads = [
  ['---\n', '\ufeff', '%YAML 1.1\n---\n', '%YAML 1.2\n---\n', '# c\n', '--- ', '--- !!map\n', '--- &x\n', '\n\n'],
  ['%TAG ! tag:x:\n---\n', '%FOO a\n---\n', '---\n---\n', '...\n', '\t\n'],
].flat();
const tails = ['...\n', '---\n', '...\n---\n', '--- a\n', '\ufeff', '\0', ' ', '\t'];

/** A small text of nested odd parts, by chance: what no table has next to each other. */
export function makeText(random: Random): string {
  const below = (limit: number): number => random.below(limit);
  const pick = (texts: readonly string[]): string => random.pick(texts);
  const seldom = (oneIn: number, texts: readonly string[], otherwise = ''): string =>
    below(oneIn) === 0 ? pick(texts) : otherwise;
  const gap = (): string => seldom(12, gaps, ' ');
  const lineBreak = (): string => seldom(25, breaks, '\n');
  const list = (make: () => string): readonly string[] => Array.from({ length: below(4) }, make);

  function flow(depth: number): string {
    if (depth === 0 || below(3) === 0) return pick(scalars);
    const pair = (colon: readonly string[]) => () =>
      `${seldom(8, ['? '])}${key(depth)}${pick(colon)}${gap()}${flow(depth - 1)}`;
    const property = seldom(8, properties);
    if (below(2) === 0) {
      const items = list(() => (below(5) === 0 ? pair([':'])() : flow(depth - 1)));
      return `${property}[${items.join(`,${gap()}`)}${seldom(3, [',', ' ', '\n '])}]`;
    }
    return `${property}{${list(pair([':', ':', ' :', ''])).join(`,${gap()}`)}${seldom(3, [',', ' '])}}`;
  }

  function key(depth: number): string {
    if (below(4) > 0) return pick(keys);
    return below(6) === 0 ? flow(depth - 1) : pick(scalars);
  }

  function block(depth: number, indent: number): string {
    const margin = ' '.repeat(indent);
    const entries = Array.from({ length: 1 + below(3) });
    if (below(3) === 0) return entries.map(() => `${margin}-${gap()}${value(depth, indent + 2)}`).join('');
    return entries
      .map(() =>
        below(10) === 0
          ? `${margin}?${gap()}${value(depth, indent + 2)}${margin}:${gap()}${value(depth, indent + 2)}`
          : `${margin}${key(1)}${seldom(4, [' :', '\t:'], ':')}${gap()}${value(depth, indent + 2)}`,
      )
      .join('');
  }

  function value(depth: number, indent: number): string {
    const property = seldom(8, properties);
    const kind = below(8);
    if (depth > 0 && kind < 3)
      return `${property}${lineBreak()}${block(depth - 1, indent - 2 * Number(below(6) === 0))}`;
    if (kind !== 3) return `${property}${flow(2)}${seldom(10, [' # c', '\t# c', '#c', ' '])}${lineBreak()}`;
    const line = (blank: string): string => `${' '.repeat(indent)}${blank}${pick(scalars)}${lineBreak()}`;
    return `${property}${pick(headers)}${lineBreak()}${line('')}${seldom(2, ['\n', line(' '), line('\t'), line('')])}`;
  }

  return `${seldom(8, heads)}${below(6) === 0 ? `${flow(3)}\n` : block(2, 0)}${seldom(10, tails)}`;
}
