import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectCaseFile } from '../../../test/check-case.ts';
import { listCases, openCase } from '../../../test/golden-case.ts';
import { readPolicy } from '../../documents/index.ts';
import { decodeObjects, nameOf } from '../../kube/index.ts';
import type { Diagnostic, KubeObject, Path } from '../../model/index.ts';
import { formatPath } from '../../schema/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { enforcePolicies } from './enforce-policy.ts';
import type { RuleLayer } from './rules.ts';

const directory = join(import.meta.dirname, 'cases');

function readDocuments(text: string): ReturnType<typeof readYaml>['documents'] {
  const { documents, diagnostics } = readYaml({ path: 'input.yaml', text });
  expect(diagnostics).toEqual([]);
  return documents;
}

function readObjects(text: string): readonly KubeObject[] {
  const report = ({ message }: Diagnostic): never => expect.fail(message);
  return decodeObjects(readDocuments(text), { file: 'input.yaml', report }).map(({ object }) => object);
}

function readLayer(text: string): RuleLayer {
  const report = ({ message }: Diagnostic): never => expect.fail(message);
  const policy = readPolicy(readDocuments(text)[0]!.data, { locate: () => ({ file: 'policy.yaml' }), report });
  return { ...policy!.spec, of: 'platform', locate: () => undefined };
}

/** For each object, in order, the places of its findings. */
function listFindings(objects: readonly KubeObject[], layer: RuleLayer): string {
  const found = new Map<KubeObject, string[]>(objects.map((object) => [object, []]));
  const add = (object: KubeObject, code: string, path: Path): void =>
    void found.get(object)!.push(`  ${code.replace('policy-', '')} ${formatPath(path)}\n`);
  enforcePolicies(objects, {
    layers: [layer],
    store: () => undefined,
    report: ({ code, subject }) => add(subject!.object, code, subject!.path),
  });
  return Array.from(found, ([object, lines]) => {
    return lines.length === 0 ? `${nameOf(object)}: nothing\n` : `${nameOf(object)}:\n${lines.join('')}`;
  }).join('');
}

it.each(listCases(directory))('finds what is hidden in %s', (name) => {
  const one = openCase(join(directory, name));
  const objects = readObjects(one.read('input.yaml'));
  expect(new Set(objects.map(nameOf)).size).toBe(objects.length);
  expectCaseFile(one, 'expected.txt', listFindings(objects, readLayer(one.read('policy.yaml'))));
});
