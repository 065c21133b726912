import { compilePattern } from '../../packages/kurel/src/schema/index.ts';
import { attempt, check, type Target } from '../target.ts';

export const pattern: Target = {
  name: 'pattern',
  promise: 'a pattern matches as in JavaScript, or is refused',
  seeds: () => [
    '^[0-9]+[KMGT]i$\n10Gi',
    '^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([KMGTPE]i|[eE][+-]?\\d+)?$\n1.5e3',
    '(?:ab)+?$\nabab',
    '(?<name>a)b|[^c-e]\nab',
    '[\\]\\-x-z]\\b\\B\n-a',
    '^\\x61\\u0062\\u{1F600}\\p{Lu}$\nab😀A',
    '^(a|b){2,4}(a{0,1}){3}b\naab',
    '\\/|\\.|[\\b]|\\cA\n/',
  ],
  tokens: [
    '(',
    ')',
    '(?:',
    '(?<n>',
    '[',
    ']',
    '[^',
    '^',
    '$',
    '.',
    '*',
    '+',
    '?',
    '{2}',
    '{0,2}',
    '{1,}',
    '|',
    '\\',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\b',
    '\\B',
    '\\n',
    '\\x61',
    '\\u0061',
    '\\u{1F600}',
    '\\p{L}',
    '\\P{Lu}',
    '\\p{Script=Greek}',
    '\\cA',
    '\\0',
    '\\1',
    '\\/',
    '\\-',
    '-',
    'a',
    'b',
    'a-z',
    '(?=a)',
    '(?i)',
    '{',
    '}',
    ',',
    '\n',
    '😀',
    '\u2028',
    '\u017f',
    '\u212a',
  ],
  maxLength: 90,
  short: 8000,
  run(text) {
    const end = text.lastIndexOf('\n');
    // Short enough that the language's own way of trying everything ends.
    const [source, subject] = end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1, end + 13)];
    const matches = compilePattern(source);
    if (matches === undefined) return;
    const ours = matches(subject);
    matches(`${subject.repeat(50)}!`);
    if (source.length > 40 || /\{\d{2}/.test(source) || countRepeats(source) > 6) return;
    const expression = attempt(
      () => new RegExp(source, 'u'),
      (error) => error instanceof SyntaxError,
    );
    // Go's names of groups are taken, and words that JSON Schema's authors write though the language refuses them.
    if (expression !== undefined) check(expression.test(subject) === ours, 'the language says the same');
  },
};

function countRepeats(source: string): number {
  return source.split(/[*+?{]/).length - 1;
}
