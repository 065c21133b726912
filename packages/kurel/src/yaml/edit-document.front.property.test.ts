import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, isSameJson, type Json, type JsonObject } from '../model/index.ts';
import { editText } from './edit-document.ts';
import { editFront, findChangedKeys } from './edit-document.ts';
import { readMarkedDocument, readYaml } from './read-yaml.ts';
import { yamlLike } from '../../test/yaml/yaml-like.ts';
import { propertyRuns } from '../../../../test/property-runs.ts';

const value = fc.oneof(
  fc.constantFrom<Json>('x', '1', '', '# no', 'a: b', 'two\nlines\n', ' x\n\n\n', '&a b', '*x', 1, true, null),
  fc.constantFrom<Json>([], {}, [1, 'a'], { k: 'v' }, { k: { l: 'm\n' } }, [{ k: ['a'] }]),
);

/** A value with one part, reached by some steps, replaced. */
function changeInside(data: Json, steps: readonly number[], given: Json): Json {
  const [step, ...further] = steps;
  if (step === undefined || typeof data !== 'object' || data === null) return given;
  const keys = Object.keys(data);
  const key = keys[step % (keys.length + 1)] ?? (Array.isArray(data) ? String(keys.length) : 'added');
  const before = (data as JsonObject)[key];
  const after = before === undefined ? given : changeInside(before, further, given);
  if (!Array.isArray(data)) return { ...(data as JsonObject), [key]: after };
  return data.toSpliced(Number(key), 1, after);
}

describe('editFront', () => {
  it('equals editing the whole document, for any document', () => {
    let edited = 0;
    const steps = fc.array(fc.nat(9), { maxLength: 3 });
    fc.assert(
      fc.property(yamlLike, yamlLike, steps, fc.nat(9), value, (one, two, path, at, given) => {
        // The second part gets different keys, otherwise most of these texts would contain duplicates.
        const text = `${one}\n${two.replaceAll(/^["'a-z]/gm, (character) => `z${character.replaceAll(/["']/g, '')}`)}`;
        const source = { path: 'a.yaml', text };
        for (const { range, data: parsed } of readYaml(source).documents) {
          if (!isJsonObject(parsed) || Object.keys(parsed).length < 2) continue;
          const wanted = changeInside(parsed, [at % Object.keys(parsed).length, ...path], given);
          const { text: whole } = editText(source, range, { wanted });
          const { text: result } = editText(source, range, { wanted, parsed });
          expect(result).toBe(whole);
          expect(isSameJson(readYaml({ path: 'a.yaml', text: result }).documents[0]?.data ?? null, wanted)).toBe(true);
          edited += isEditedInFront(text.slice(range.start, range.end), parsed, wanted) ? 1 : 0;
        }
      }),
      { numRuns: 3000 },
    );
    // Otherwise this would only compare the editing of whole documents with itself.
    expect(edited).toBeGreaterThan(propertyRuns(3000) / 30);
  });
});

function isEditedInFront(text: string, parsed: Json, wanted: Json): boolean {
  const source = { path: 'a.yaml', text };
  const range = { start: 0, end: text.length };
  const marked = readMarkedDocument(source, range, { until: findChangedKeys(parsed, wanted) });
  return marked.stop !== undefined && editFront(source, range, { marked, wanted }) !== undefined;
}
