import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { createBill } from '../../../scripts/release/bill-of-materials.ts';
import { withCopy } from './check-case.ts';
import { openCase } from './golden-case.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';

const home = dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'));
const load = (name: string): object =>
  JSON.parse(readFileSync(join(home, 'res', 'schema', `${name}.SNAPSHOT.schema.json`), 'utf8')) as object;

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
for (const name of ['spdx', 'jsf-0.82'])
  ajv.addSchema(load(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
const validate = ajv.compile(load('bom-1.6'));

it.each([
  ['examples/plain'],
  ['examples/packages/gitea.kurel'],
  ['examples/applications/metrics', '--no-profile', '--offline'],
])('the bill of %s is one that CycloneDX takes', async (...words) => {
  await checkBill(words);
});

it('the bill of a case is one that CycloneDX takes', async () => {
  const one = openCase(join(import.meta.dirname, 'cases', 'images-cyclonedx'));
  await withCopy(one, 'input', (directory) => checkBill([join(directory, 'deploy')]));
});

it('the bill of a release is one that CycloneDX takes, with every source of the schemas', () => {
  const notice = readFileSync(join(repository, 'packages', 'kurel', 'schemas', 'NOTICE.txt'), 'utf8');
  const packages = [{ name: '@kurel/jq', version: '1.2.3', license: 'Apache-2.0' }];
  const bill = createBill({ version: '1.2.3', bunVersion: '1.0.0', packages, schemaNotice: notice });
  const { components } = JSON.parse(bill) as { readonly components: readonly { readonly purl: string }[] };
  validate(JSON.parse(bill));
  expect(validate.errors).toBeNull();
  const purls = components.map(({ purl }) => purl);
  expect(purls.slice(0, 2)).toEqual(['pkg:npm/%40kurel/jq@1.2.3', 'pkg:github/oven-sh/bun@bun-v1.0.0']);
  expect(purls).toContain('pkg:golang/sigs.k8s.io/gateway-api@v1.7.0');
  expect(new Set(purls).size).toBe(notice.split('\n').filter((line) => /^\S+@v/.test(line)).length + 2);
});

async function checkBill(words: readonly string[]): Promise<void> {
  const { stdout } = await runProgram(['images', ...words, '--format', 'cyclonedx']);
  validate(JSON.parse(stdout));
  expect(validate.errors).toBeNull();
}
