import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, Json } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { applyJsonPatch } from './apply-json-patch.ts';

interface SuiteRecord {
  readonly comment?: string;
  readonly doc: Json;
  readonly patch: Json;
  readonly expected?: Json;
  readonly error?: string;
  readonly disabled?: boolean;
}

const require = createRequire(import.meta.url);
const files: Readonly<{ [name: string]: unknown }> = {
  'tests.json': require('json-patch-test-suite/tests.json'),
  'spec_tests.json': require('json-patch-test-suite/spec_tests.json'),
};
const records = Object.entries(files).flatMap(([file, content]) =>
  (content as readonly SuiteRecord[]).map(({ comment, doc, patch, ...rest }, index) => {
    const name = `${file} ${index}: ${comment ?? rest.error ?? JSON.stringify(patch)}`;
    return { name, doc, patch, expected: rest.expected, error: rest.error, disabled: rest.disabled };
  }),
);

/** Duplicate keys are left out because the YAML reader rejects them before a patch is applied. */
const leftOut = ["patch has two 'op' members", "operation has two 'op' members"];

function apply(doc: Json, patch: Json) {
  const diagnostics: Diagnostic[] = [];
  const location = { file: 'a.yaml', path: [] };
  const result = applyJsonPatch(doc, patch, { report: (one) => diagnostics.push(one), location });
  return { result, diagnostics };
}

describe('the public JSON Patch tests', () => {
  const run = records.filter(({ error }) => !leftOut.includes(error ?? ''));

  it.each(run)('$name', ({ doc, patch, expected, error }) => {
    const before = structuredClone({ doc, patch });
    const { result, diagnostics } = apply(doc, patch);
    expect({ doc, patch }).toEqual(before);
    if (error === undefined) {
      expect(diagnostics).toEqual([]);
      expect(result).toEqual(expected ?? doc);
    } else {
      expect(diagnostics).toMatchObject([{ severity: 'error' }]);
      expect(result).toBe(doc);
    }
  });

  it('are all there', () => {
    expect(records).toHaveLength(95);
    expect(run).toHaveLength(records.length - leftOut.length);
    expect(records.filter(({ disabled }) => disabled === true)).toHaveLength(4);
  });

  it('refuses an operation with two `op` members where it is read', () => {
    const text = '[{"op": "add", "path": "/baz", "value": "qux", "op": "remove"}]';
    expect(readYaml({ path: 'a.json', text }).diagnostics).toMatchObject([{ code: 'yaml-duplicate-key' }]);
  });
});
