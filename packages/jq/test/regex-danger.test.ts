import { describe, expect, it } from 'vitest';
import { isExponential } from '../src/builtins/regex-danger.ts';
import { translatePattern } from '../src/builtins/regex-syntax.ts';
import { compile } from '../src/index.ts';

function judge(pattern: string, ignoreCase = false): boolean {
  const options = { ignoreCase, extended: false, dotMatchesNewline: false };
  return isExponential(translatePattern(pattern, options).source, ignoreCase);
}

const dangerous = [
  '(a+)+$',
  '(a*)*b',
  '(?:(?:a)*)*$',
  '(a|a)*b',
  '(a|aa)+$',
  '(?:a|b|ab)*c',
  '(x+x+)+y',
  '(a?b?)*c',
  '((a+)+b)*',
  '(.*,)*x',
  String.raw`(\w+\s?)+:`,
  '^([a-zA-Z0-9]+[-_.]?)+$',
  String.raw`^(\s*#.*)*$`,
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '([a-z0-9]{1,63})+$',
  '(a+){20,}b',
  '(?=(a+)+$)a',
  '(?!(?:a|a)*b)a',
  String.raw`(\p{L}|é)*!`,
  '(😀|😀)*!',
  String.raw`([[:alpha:]&&[^x]]+)+\z`,
  `(${'.?'.repeat(2000)})*b`,
];

const harmless = [
  '^(a+)',
  '(a+)+',
  String.raw`(\w+\s?)+`,
  '(.*,)*',
  '(a|b)*c',
  '(foo|bar|baz)+!',
  '(?>a+)+$',
  '([a-z]+-)*[a-z]+$',
  String.raw`^(\d+\.)*\d+$`,
  '(=[^,]*(,|$))+',
  String.raw`^(\w+=\w+,)*\w+=\w+$`,
  String.raw`"(?:[^"\\]|\\.)*"$`,
  '^/(?:[^/]+/)*[^/]+$',
  // a DNS name, a label's value, a quantity, an image, a version, an address
  String.raw`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
  '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$',
  '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$',
  String.raw`^(?:[^@:/]+(?::\d+)?/)?[^@:]+(:[^@]+)?(@sha256:[a-f0-9]{64})?$`,
  String.raw`^v?\d+(\.\d+)*(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?$`,
  String.raw`^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$`,
];

describe('patterns whose time grows exponentially', () => {
  it.each(dangerous)('%s is one', (pattern) => expect(judge(pattern)).toBe(true));
  it.each(harmless)('%s is none', (pattern) => expect(judge(pattern)).toBe(false));

  it('depend on the case when that counts', () => {
    expect(judge('(a|A)*b')).toBe(false);
    expect(judge('(a|A)*b', true)).toBe(true);
  });

  it('meet short texts only', () => {
    const program = compile('test("(a+)+$")');
    expect(program.first(`${'a'.repeat(20)}b`)).toBe(false);
    expect(() => program.first(`${'a'.repeat(60)}b`)).toThrow(
      'the regular expression "(a+)+$" can take exponential time: it may meet 24 characters and not 61',
    );
    expect(program.first('a'.repeat(60), { limits: { maxExponentialLength: 100 } })).toBe(true);
  });
});
