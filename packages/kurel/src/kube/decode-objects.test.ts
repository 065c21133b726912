import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../test/check-case.ts';
import { listCases, openCase } from '../../test/golden-case.ts';
import { formatDiagnostics } from '../diagnostics/index.ts';
import type { Diagnostic, Json } from '../model/index.ts';
import { decodeObjects } from './index.ts';
import type { DecodedObject, SkippedDocument } from './index.ts';

const casesDirectory = join(import.meta.dirname, 'cases');

function decode(documents: readonly Json[]): { objects: readonly DecodedObject[]; diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const objects = decodeObjects(
    documents.map((data, index) => ({ index, data })),
    { file: 'objects.yaml', report: (diagnostic) => diagnostics.push(diagnostic) },
  );
  return { objects, diagnostics };
}

describe('cases', () => {
  for (const name of listCases(casesDirectory)) {
    const one = openCase(join(casesDirectory, name));

    it(name, () => {
      const { objects, diagnostics } = decode(JSON.parse(one.read('documents.json')) as readonly Json[]);
      const text = formatDiagnostics(diagnostics, { sources: [], locate: () => undefined, color: false });
      expectCaseFile(one, 'expected.txt', text);
      const lines = objects.map((object) => JSON.stringify(object)).join('\n');
      expectCaseFile(one, 'expected.jsonl', `${lines}\n`);
      const files = ['documents.json', 'expected.jsonl', 'expected.txt'];
      expect(one.list().filter((file) => !files.includes(file))).toEqual([]);
    });
  }
});

describe('decodeObjects', () => {
  it('passes ignored documents to the hook instead of warning', () => {
    const skipped: SkippedDocument[] = [];
    const diagnostics: Diagnostic[] = [];
    decodeObjects([{ index: 3, data: { kind: 'List', apiVersion: 'v1', items: [{ spec: {} }] } }], {
      file: 'f',
      report: (diagnostic) => diagnostics.push(diagnostic),
      onSkip: (document) => skipped.push(document),
    });
    expect(skipped).toEqual([{ document: 3, path: ['items', 0], reason: 'no apiVersion and no kind' }]);
    expect(diagnostics).toEqual([]);
  });

  it('returns the documents themselves, not copies', () => {
    const data = { apiVersion: 'v1', kind: 'Pod' };
    expect(decode([data]).objects[0]!.object).toBe(data);
  });

  it('does not expand lists that aliases make endless', () => {
    for (const innermost of [
      { apiVersion: 'v1', kind: 'Secret' },
      { apiVersion: 'v1', kind: 'List' },
    ]) {
      let data: Json = innermost;
      for (let level = 0; level < 15; level += 1) {
        data = { apiVersion: 'v1', kind: 'List', items: Array.from({ length: 10 }, () => data) };
      }
      const { objects, diagnostics } = decode([data]);
      expect(objects).toEqual([]);
      expect(diagnostics.map(({ code, message }) => ({ code, message }))).toEqual([
        { code: 'list-too-long', message: 'document 1 has more than 250000 items' },
      ]);
    }
  });

  it('reports Lists that are too deep once per document, and continues with the next', () => {
    let deep: Json = { apiVersion: 'v1', kind: 'Secret' };
    for (let level = 0; level < 20; level += 1) deep = { apiVersion: 'v1', kind: 'List', items: [deep] };
    const both = { apiVersion: 'v1', kind: 'List', items: [deep, deep] };
    const { objects, diagnostics } = decode([both, deep, { apiVersion: 'v1', kind: 'Pod' }]);
    expect(diagnostics.map(({ code, message }) => [code, message.split(' ', 2).join(' ')])).toEqual([
      ['list-too-deep', 'document 1'],
      ['list-too-deep', 'document 2'],
    ]);
    expect(objects.map(({ document }) => document)).toEqual([2]);
  });

  it('never throws, and every object it returns has a type', () => {
    const json = fc.oneof(
      fc.jsonValue(),
      fc.record({
        apiVersion: fc.constantFrom<Json>('v1', 'apps/v1', '', 1, null),
        kind: fc.constantFrom<Json>('List', 'PodList', 'Pod', '', null),
        items: fc.jsonValue(),
        metadata: fc.jsonValue(),
      }),
    );
    fc.assert(
      fc.property(fc.array(json), (documents) => {
        const { objects, diagnostics } = decode(documents as readonly Json[]);
        for (const { object } of objects) expect(object.kind !== '' && object.apiVersion !== '').toBe(true);
        for (const { location } of diagnostics) expect(location?.file).toBe('objects.yaml');
      }),
    );
  });
});
