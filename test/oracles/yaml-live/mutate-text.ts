import type { Random } from '../../../fuzz/random.ts';

const breaks = ['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029'];
const controls = Array.from('\0\x01\x07\b\v\f\x0e\x1b\x1f\x7f\x80\x84\x86\x9f');
const oddities = Array.from('\u00a0\u1680\u200b\u202e\u2060\u3000\ufdd0\ufeff\ufffe\uffff\u{1fffe}\u{10ffff}é日😀');
const blanks = ['\t', ' \t', '\t ', '\t\t', ' ', '  ', '    '];
const indicators = Array.from('-?:,[]{}#&*!|>\'"%@`\\~<=$.');
const phrases = [
  [': ', ' #', '#', '# ', '- ', '? ', ' : ', ', ', ' : #', ' - ', '-\t', ':\t', '?\t', '\t#', ' \t# x'],
  ['---', '--- ', '---\n', '...', '...\n', '--- #x\n', '--- a', '... #x\n', '---\t', '--- |\n', '--- >', '----'],
  ['%YAML 1.1\n', '%YAML 1.2\n---\n', '%TAG ! tag:x,2000:\n---\n', '%x\n', '%YAML 1.1\n---\n', '%'],
  ['&a ', '&a', '*a', '*a ', '!!str ', '!!int ', '!x ', '! ', '!!binary ', '!<tag:yaml.org,2002:str> ', '&', '*'],
  ['|', '>', '|-\n', '|+\n', '>2\n', '|1-\n', '| #x\n', '|\t\n', '>-', '|0', '|9'],
  ['"', "'", '""', "''", '\\', '\\n', '\\u2028', '\\N', '\\x', '\\\n', '\\\t', "'a", '"b', '"a": ', "'b':"],
  ['{', '}', '[', ']', '{}', '[]', '{a: b}', '[a, b]', '{a', '[a: b]', '{a:b}', '{"a":b}', '[?', '{? a', ',,', '{,'],
  ['<<: *a', '<<: {x: y}', '~', 'null', 'yes', 'y', 'on', '0o17', '017', '08', '1_000', '0x_1', '2024-01-01', '1:30'],
  ['.5', '1e3', '+1', '-0', '0b1', '.inf', '1.', '1e', '0.1e+2', '12e03', '-.5', '+.5', '0x1p3', '=', '<<'],
  [
    'x: y',
    'x:\n',
    'x: y\n',
    '- x\n',
    '#x\n',
    '  x: y\n',
    '\n\n',
    '\n \n',
    '\n\t\n',
    ' \n',
    '\t\n',
    '\n  \t\n',
    '\n#\n',
  ],
].flat();

/** A line break followed by something that only a reader that sees the break takes for structure. */
function hide(random: Random): string {
  const content = ['hostNetwork: true', '- x', '# x', 'x: |', '--- ', '...', '"', 'a', '? a', ': b', '%YAML 1.1', ''];
  return random.pick(breaks) + ' '.repeat(random.below(9)) + random.pick(content);
}

/** Something that may mean more than itself. */
export function payload(random: Random): string {
  switch (random.below(8)) {
    case 0:
      return random.pick(breaks);
    case 1:
      return hide(random);
    case 2:
      return random.pick(controls);
    case 3:
      return random.pick(oddities);
    case 4:
      return random.pick(blanks);
    case 5:
      return random.pick(indicators);
    default:
      return random.pick(phrases);
  }
}

/** A place in a text: any, or one where structure begins or ends. */
function place(text: string, random: Random): number {
  const start = random.below(text.length + 1);
  const seek = (pattern: RegExp, after: number): number => {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    return match === null ? start : match.index + after * match[0].length;
  };
  switch (random.below(12)) {
    case 0:
      return seek(/\n/g, 0);
    case 1:
      return seek(/\n/g, 1);
    case 2:
      return seek(/\n[ ]*/g, 1);
    case 3:
      return seek(/: ?/g, random.below(2));
    case 4:
      return seek(/- ?/g, random.below(2));
    case 5:
      return seek(/#+ ?/g, random.below(2));
    case 6:
      return seek(/["']/g, random.below(2));
    case 7:
      return seek(/[[\]{},] ?/g, random.below(2));
    case 8:
      return seek(/[|>][-+]?\n/g, random.below(2));
    case 9:
      return random.pick([0, text.length]);
    default:
      return start;
  }
}

function change(text: string, random: Random): string {
  const start = place(text, random);
  const end = Math.min(text.length, start + random.below(4));
  switch (random.below(12)) {
    case 0:
      return text.slice(0, start) + text.slice(end);
    case 1:
      return text.slice(0, start) + payload(random) + text.slice(end);
    case 2: {
      const from = text.lastIndexOf('\n', start) + 1;
      const pad = ' '.repeat(random.below(7));
      return text.slice(0, from) + pad + (random.below(2) === 0 ? text.slice(from) : text.slice(from).trimStart());
    }
    case 3: {
      const from = text.lastIndexOf('\n', start) + 1;
      const to = text.indexOf('\n', start) + 1;
      return to === 0 ? text : text.slice(0, to) + text.slice(from);
    }
    default:
      return text.slice(0, start) + payload(random) + text.slice(start);
  }
}

/** The text with a few changes at places of every kind, or with other line breaks throughout. */
export function mutateText(text: string, random: Random): string {
  if (random.below(40) === 0) return text.replaceAll('\n', random.pick(breaks));
  let result = text;
  for (let left = random.pick([1, 1, 1, 1, 1, 2, 3]); left > 0; left--) result = change(result, random);
  // A file holds UTF-8, which has no halves of surrogate pairs.
  return /\p{Surrogate}/u.test(result) ? text : result;
}
