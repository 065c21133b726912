import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { withCopy } from './check-case.ts';
import { openCase } from './golden-case.ts';
import { runProgram } from './run-program.ts';

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

async function checkBill(words: readonly string[]): Promise<void> {
  const { stdout } = await runProgram(['images', ...words, '--format', 'cyclonedx']);
  validate(JSON.parse(stdout));
  expect(validate.errors).toBeNull();
}
