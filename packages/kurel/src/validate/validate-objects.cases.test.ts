import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../test/check-case.ts';
import { listCases, openCase } from '../../test/golden-case.ts';
import { createOriginTable } from '../engine/index.ts';
import { bundledSchemas } from '../host/disk-file-system.ts';
import { decodeObjects } from '../kube/index.ts';
import type { Diagnostic, KubeObject, SourceFile } from '../model/index.ts';
import { beginProvenance, createPlaceFinding } from '../provenance/index.ts';
import { createSchemaStore } from '../schema/index.ts';
import type { SchemaStore } from '../schema/index.ts';
import { locateInYaml, readYaml } from '../yaml/index.ts';
import { createCelRules } from './cel/create-cel-rules.ts';
import { validateObjects, validateProblems } from './index.ts';
import { formatPrinted } from '../../test/format-printed.ts';

const casesDirectory = join(import.meta.dirname, 'cases');
const cases = listCases(casesDirectory);
const files = bundledSchemas();
const stores = new Map<string, SchemaStore>();
const rules = createCelRules();

function storeFor(version: string): SchemaStore {
  const store = stores.get(version) ?? createSchemaStore({ files, kubernetesVersion: version });
  stores.set(version, store);
  return store;
}

interface Outcome {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

function validateText(text: string): Outcome {
  const source: SourceFile = { path: 'input.yaml', text };
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const { documents, diagnostics: found } = readYaml(source);
  found.forEach(report);
  const origins = createOriginTable();
  const objects: KubeObject[] = decodeObjects(documents, { file: source.path, report }).map(
    ({ object, document, path }) => {
      const { range } = documents.find(({ index }) => index === document)!;
      const place = { source, document, range, parsed: object, ...(path === undefined ? {} : { path }) };
      origins.set(object, { renderer: 'manifests', source: source.path, text: place });
      return object;
    },
  );
  // The first line may set the Kubernetes version: `# 1.31`.
  const version = /^# (1\.\d+)$/m.exec(text)?.[1] ?? '1.37';
  const store = storeFor(version).with(objects, () => source.path);
  // A line may say that the objects come from a patch package: `# patch package`.
  const place = createPlaceFinding(beginProvenance({ origins, objects }));
  const placed = (finding: Diagnostic): void => report(place(finding)!);
  validateObjects(objects, { store, report: placed, rules, inPackage: /^# patch package$/m.test(text) });
  return {
    text: formatPrinted(diagnostics, { sources: [source], locate: locateInYaml, color: false }),
    diagnostics,
  };
}

describe('bad and good manifests', () => {
  for (const name of cases) {
    it(name, () => {
      const one = openCase(join(casesDirectory, name));
      const { text, diagnostics } = validateText(one.read('input.yaml'));
      expectCaseFile(one, 'expected.txt', text);
      expect(diagnostics.length > 0).toBe(!name.startsWith('good-'));
    });
  }

  it('consist of an input and an expectation', () => {
    const wrong = cases.filter(
      (name) => openCase(join(casesDirectory, name)).list().join() !== 'expected.txt,input.yaml',
    );
    expect(wrong).toEqual([]);
  });

  it('show every message', () => {
    const shown = cases
      .map((name) => openCase(join(casesDirectory, name)).read('expected.txt'))
      .flatMap((text) => Array.from(text.matchAll(/^\w+\[([\w-]+)\]/gm), ([, code]) => code!));
    // Too large or too deep for a file; validate-objects.test.ts shows them.
    const made = ['annotations-too-large', 'data-too-large', 'object-too-deep'];
    // Only parameter schemas can be recursive, and only tables of properties have requirements.
    made.push('schema-too-complex', 'field-requires');
    const silent = Object.keys(validateProblems.definitions).filter((code) => ![...shown, ...made].includes(code));
    expect(silent).toEqual([]);
  });
});
