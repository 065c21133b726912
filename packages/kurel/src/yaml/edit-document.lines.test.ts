import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { propertyRuns } from '../../../../test/property-runs.ts';
import type { Json, JsonObject } from '../model/index.ts';
import { editLines } from './edit-document.ts';
import { readYaml } from './read-yaml.ts';
import { writeYaml } from './write-yaml.ts';

const word = fc.oneof(
  fc.constantFrom(
    'yes',
    'on',
    '1',
    '1.10',
    'null',
    '',
    'a: b',
    'x #y',
    '"q',
    "it's",
    'two\nlines',
    '- a',
    '*a',
    '&a',
    '<<',
  ),
  fc.stringMatching(/^[a-z0-9./:-]{1,8}$/),
);
const key = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9./-]{0,6}$/), fc.constantFrom('yes', '1', 'a b', 'a:', '<<'));
const scalar = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null));
const inner = fc.dictionary(key, scalar, { maxKeys: 3 });
const metadata = fc.record(
  { name: word, labels: fc.oneof({ weight: 4, arbitrary: inner }, scalar), annotations: inner },
  { requiredKeys: [] },
);
// Lines as people write them, including ones that are not plain: continued values, comments, tabs, other line breaks.
const odd = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.constantFrom('    more\n', '\tmore\n', '  # c\n', '# c\n', '\n', '  list:\n  - a\n', '\r', '  q: "a\n    b: c"\n'),
);

describe('editLines', () => {
  it('returns nothing, or a text with the wanted data that contains all of the old text', () => {
    let edited = 0;
    fc.assert(
      fc.property(metadata, metadata, odd, fc.boolean(), (before, added, extra, isLast) => {
        const text = `# top\nkind: A\n${writeYaml({ metadata: before })}${extra}${isLast ? '' : 'spec: {a: 1}\n'}`;
        const parsed = read(text);
        const value = parsed?.['metadata'];
        if (parsed === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return;
        const after = merge(value as JsonObject, added);
        const wanted = { ...parsed, metadata: after };
        const result = editLines(text, { parsed, wanted, key: 'metadata' });
        if (result === undefined) return;
        edited += 1;
        expect(read(result), result).toEqual(wanted);
        expect(isWithin(text, result), result).toBe(true);
      }),
      { numRuns: 20_000 },
    );
    expect(edited).toBeGreaterThan(propertyRuns(20_000) / 40);
  });

  it.each([
    ['a value that continues after a tab', 'metadata:\n  name: x\n\ty\n'],
    ['a comment below', 'metadata:\n  name: x\n# c\nspec: 1\n'],
    ['a string over several lines', 'metadata:\n  name: "x\n    y: z"\n'],
    ['a section inside a string', 'a: "x\nmetadata:\n  name: x\n  y: z"\nmetadata:\n  name: x\n'],
  ])('leaves %s to the reader', (_, text) => {
    const parsed: JsonObject = { metadata: { name: 'x' } };
    expect(editLines(text, { parsed, wanted: { metadata: { name: 'x', b: 'c' } }, key: 'metadata' })).toBeUndefined();
  });
});

function read(text: string): JsonObject | undefined {
  const { documents, diagnostics } = readYaml({ path: '', text });
  const data = documents[0]?.data;
  return diagnostics.length === 0 && typeof data === 'object' && data !== null ? (data as JsonObject) : undefined;
}

function merge(before: JsonObject, added: Readonly<Record<string, Json>>): JsonObject {
  const merged: Record<string, Json> = { ...before };
  for (const [name, value] of Object.entries(added)) {
    const old = merged[name];
    const both = typeof old === 'object' && old !== null && typeof value === 'object' && value !== null;
    merged[name] = both ? { ...(value as JsonObject), ...(old as JsonObject) } : (old ?? value);
  }
  return merged;
}

function isWithin(text: string, result: string): boolean {
  let at = 0;
  for (const line of text.split('\n')) {
    const found = result.split('\n').indexOf(line, at);
    if (found === -1) return false;
    at = found + 1;
  }
  return true;
}
