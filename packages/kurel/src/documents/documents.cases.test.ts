import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../test/check-case.ts';
import { listCases, openCase } from '../../test/golden-case.ts';
import type { Diagnostic, Json } from '../model/index.ts';
import { readLexeme } from '../parameters/index.ts';
import { locateInYaml, readYaml, writeYaml } from '../yaml/index.ts';
import type { ReadingOptions } from './document-findings.ts';
import { readApplicationDocument } from './read-application-document.ts';
import { readCapabilityDefinition } from './read-capability-definition.ts';
import { readClusterProfile } from './read-cluster-profile.ts';
import { readPackageDocument } from './read-document.ts';
import { readPolicy } from './read-policy.ts';
import { formatPrinted } from '../../test/format-printed.ts';

const directory = join(import.meta.dirname, 'cases');
const known = {
  components: ['webservice', 'worker', 'cronjob', 'daemonset', 'statefulset'],
  traits: ['expose', 'ingress', 'httproute', 'certificate', 'scaler', 'configmap'],
};

type Reader = (data: Json | undefined, options: ReadingOptions) => unknown;

// The name of a case starts with the kind of its document.
const readers: Readonly<Record<string, Reader>> = {
  package: readPackageDocument,
  application: (data, options) => readApplicationDocument(data, { ...options, known }),
  profile: (data, options) => readClusterProfile(data, { ...options, known }),
  policy: (data, options) => readPolicy(data, { ...options, known }),
  definition: readCapabilityDefinition,
};

describe('a document', () => {
  it.each(listCases(directory))('%s', (name) => {
    expectCaseFile(openCase(join(directory, name)), 'expected.txt', readCase(name));
    const files = ['document.yaml', 'expected.txt'];
    expect(
      openCase(join(directory, name))
        .list()
        .filter((file) => !files.includes(file)),
    ).toEqual([]);
  });
});

function readCase(name: string): string {
  const source = { path: 'document.yaml', text: openCase(join(directory, name)).read('document.yaml') };
  const { documents, diagnostics } = readYaml(source, { words: 'core' });
  expect(diagnostics).toEqual([]);
  const found: Diagnostic[] = [];
  const value = readers[name.split('-')[0]!]!(documents[0]?.data, {
    locate: (path) => ({ file: source.path, document: 0, path }),
    report: (diagnostic) => void found.push(diagnostic),
    writtenAt: (location, scalar) => readLexeme(source, location, scalar),
  });
  const hasErrors = found.some(({ severity }) => severity === 'error');
  expect(value === undefined, 'a document exists if and only if there is no error').toBe(hasErrors);
  const text = formatPrinted(found, { sources: [source], locate: locateInYaml, color: false });
  return value === undefined ? text : [text, writeYaml(value as Json)].filter((part) => part !== '').join('\n');
}
