import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtinNames } from '../src/builtins/builtins.ts';
import { formatNames } from '../src/builtins/strings.ts';
import { answers, differencesFile, keyOf, ourOutcome, readDifferences, type Row, shared } from './real-jq.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
/** The items of the README's list of differences: name → text. */
const documented = new Map(
  [...readme.slice(readme.indexOf('## What differs')).matchAll(/^- \*\*(.+?)\.\*\* (.*)$/gm)].map(
    ([, name = '', text = '']) => [name, text] as const,
  ),
);
const formatsOfJq = ['@text', '@json', '@csv', '@tsv', '@html', '@uri', '@urid', '@sh', '@base64', '@base64d'];

const ours = new Map(answers.map((row) => [keyOf(row), ourOutcome(row)]));
const differing = answers.filter((row) => ours.get(keyOf(row))!.join('\t') !== row.outcome.join('\t'));

if (process.env['UPDATE_CASES'] === '1') writeDifferences();

/** Keeps every difference where it is listed; new ones are added at the end, to be named. */
function writeDifferences(): void {
  const left = new Map(differing.map((row) => [keyOf(row), row]));
  const lines: string[] = [];
  const put = (row: Row): void => {
    if (left.delete(keyOf(row))) lines.push([row.program, row.input, ...ours.get(keyOf(row))!].join('\t'));
  };
  for (const [name, rows] of readDifferences()) {
    lines.push(`# ${name}`);
    for (const row of rows) put(row);
  }
  if (left.size > 0) lines.push('# to be named');
  for (const row of left.values()) put(row);
  writeFileSync(differencesFile, `${lines.join('\n')}\n`);
}

describe('the real jq', () => {
  const listed = readDifferences();

  it('was asked about at least 2,000 programs', () => {
    expect(answers.length).toBeGreaterThanOrEqual(2000);
    expect(new Set(answers.map(keyOf)).size).toBe(answers.length);
  });

  it('agrees with us, except for the listed differences', () => {
    const expected = new Map([...listed.values()].flat().map((row) => [keyOf(row), row.outcome]));
    const unlisted = differing.filter((row) => !expected.has(keyOf(row)));
    expect(unlisted.map((row) => ({ row, ours: ours.get(keyOf(row)) }))).toEqual([]);
    const actual = new Map(differing.map((row) => [keyOf(row), ours.get(keyOf(row))]));
    expect(Object.fromEntries(expected)).toEqual(Object.fromEntries(actual));
  });

  it('differs from us only as documented in the README', () => {
    expect([...listed.keys()].toSorted()).toEqual([...documented.keys()].toSorted());
    for (const [name, rows] of listed) expect(rows.length, name).toBeGreaterThan(0);
  });

  it('has the builtins documented in the README', () => {
    const quoted = (name: string): readonly string[] =>
      [...documented.get(name)!.matchAll(/`(@?\w+)`/g)].map(([, word = '']) => word);
    const names = (signatures: readonly string[]): ReadonlySet<string> =>
      new Set(signatures.map((signature) => signature.split('/')[0]!));
    const added = [...builtinNames(), ...formatNames].filter(
      (name) => !shared.builtins.includes(name) && !formatsOfJq.includes(name),
    );
    const missing = shared.builtins.filter((name) => !builtinNames().includes(name));
    expect(new Set(quoted('Additions'))).toEqual(names(added));
    expect(
      new Set([...quoted('Left out'), ...quoted('Modules')].filter((word) => names(shared.builtins).has(word))),
    ).toEqual(names(missing));
  });
});
