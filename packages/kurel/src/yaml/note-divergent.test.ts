import { describe, expect, it } from 'vitest';
import { noteDivergent } from './note-divergent.ts';
import { readYaml } from './read-yaml.ts';

function notesOf(text: string) {
  const source = { path: 'a.yaml', text };
  return noteDivergent(source, readYaml(source)).map(({ code, severity, message, hint, location }) => ({
    finding: `${severity}[${code}]: ${message}`,
    hint,
    at: text.slice(location!.range!.start, location!.range!.end),
  }));
}

describe('a value that kustomize reads differently', () => {
  it.each([
    ['a word', 'a: "yes"\nb: yes\n', 'kubectl reads "yes" as true, kustomize as a string'],
    ['a word in brackets', '{a: [x, Off]}\n', 'kubectl reads "Off" as false, kustomize as a string'],
    [
      'a word after a comment',
      '# yes\na: 1\n---\n# y\nb: n # no\n',
      'kubectl reads "n" as false, kustomize as a string',
    ],
    ['a date', 'a: 2024-01-31\n', 'kubectl reads "2024-01-31" as a string, kustomize as a timestamp'],
    ['a key', 'y: 1\n', 'kubectl reads the key "y" as "true", kustomize as written'],
    [
      'several, in one note',
      'a: on\nb: [on, off]\n---\nc: 2024-01-31\nd: yes\ne: no\nf: Y\ng: N\n',
      'kubectl reads "on" as true, kustomize as a string; the same applies to "off", "2024-01-31", "yes", "no" and 2 more in this file',
    ],
  ])('is noted: %s', (_, text, message) => {
    expect(notesOf(text).map(({ finding }) => finding)).toEqual([`note[yaml-kustomize-differs]: ${message}`]);
  });

  it.each([
    'a: true\nb: False\nc: null\nd: ~\n',
    'a: "yes"\nb: \'no\'\nc: |\n  on\n',
    'a: yesterday\nb: one\nc: not\n',
    'a: !!str yes\n',
    'a: 2024-13-01\nd: 2023-02-29\nb: 2024-01-01T00\nc: 1234-5\n',
    'a: 2024-04-31\nb: 2024-01-32\nc: 2024-01-00\nd: 1900-02-29\n',
    'a: 2024-06-31\nb: 2024-09-31\nc: 2024-11-31\nd: 2100-02-29\n',
    '2024-01-31: a\n',
    '# yes\n',
  ])('is not noted: %j', (text) => {
    expect(notesOf(text)).toEqual([]);
  });

  it('is reported at its position, with a replacement', () => {
    expect(notesOf('a: 1\nb: yes\n')).toMatchObject([
      { at: 'yes', hint: 'write `true`, or quote it if you mean the string' },
    ]);
    expect(notesOf('a: 2024-01-31\n')).toMatchObject([{ at: '2024-01-31', hint: 'quote it' }]);
  });
});
