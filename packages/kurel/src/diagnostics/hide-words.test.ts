import { describe, expect, it } from 'vitest';

import { hideSecrets } from './hide-words.ts';
import { quote } from './quote.ts';

// The value as written in the file, and as quoted in the message.
const cases: readonly (readonly [about: string, written: string, meant: string])[] = [
  ['plain', 'hunter-two', 'hunter-two'],
  ['in quotes', '"hunter two"', 'hunter two'],
  ['an apostrophe', "'it''s-secret'", "it's-secret"],
  ['YAML escapes', '"pa\\x41ss\\U0001F600word"', 'paAss😀word'],
  ['JSON escapes', '"one\\u0026two"', 'one&two'],
  ['quotes in quotes', '"a\\"bcd\\"e"', 'a"bcd"e'],
  ['lines', '"one\\ntwo"', 'one\ntwo'],
  ['longer than the quote', 'x'.repeat(200), 'x'.repeat(200)],
];

describe('words in messages', () => {
  it.each(cases)('are hidden: %s', (_about, written, meant) => {
    expect(reportFinding(written, `"key" is ${quote(meant)}`)).toMatch(/^"key" is "?\(hidden\)…?"?$/);
  });

  it('are shown when they are not part of a secret', () => {
    expect(reportFinding('hunter-two', '"key" is "other"')).toBe('"key" is "other"');
  });

  it('are shown when they only occur in a name next to the secret', () => {
    expect(reportFinding('all-my-keys', '"keys" is "all-my-keys"', 'keys')).toBe('"keys" is "(hidden)"');
  });

  it('are found in a line as long as a file', { tags: 'slow' }, () => {
    const entries = Array.from({ length: 3000 }, (_, index) => [`k${index}`, `value ${index} of many`]);
    const text = JSON.stringify({ kind: 'Secret', data: Object.fromEntries(entries) });
    const diagnostics = entries.map(([key, value]) => {
      const start = text.indexOf(`"${value}"`);
      const location = { file: 'a.json', range: { start, end: start + value!.length + 2 } };
      return { code: 'x', severity: 'error' as const, message: `${quote(key!)} is ${quote(value!)}`, location };
    });
    const reported = hideSecrets(diagnostics, { sources: [{ path: 'a.json', text }], locate: () => undefined });
    expect(reported.filter(({ message }) => /value \d/.test(message))).toEqual([]);
  });
});

function reportFinding(written: string, message: string, key = 'key'): string {
  const text = `kind: Secret\nstringData:\n  ${key}: ${written}\n`;
  const start = text.indexOf(written);
  const location = { file: 'a.yaml', range: { start, end: start + written.length } };
  const options = { sources: [{ path: 'a.yaml', text }], locate: () => undefined };
  return hideSecrets([{ code: 'x', severity: 'error', message, location }], options)[0]!.message;
}
