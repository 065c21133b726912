import { expect, it } from 'vitest';

import { runProgram } from './run-program.ts';

const application = [
  'examples/applications/web/package',
  '--profile',
  'examples/applications/web/ingress.yaml',
  '--values',
  'examples/applications/shop/staging.yaml',
];
const patchPackage = ['examples/packages/hello.kurel'];
const plain = ['examples/plain'];

// The table of typos in README.md and docs/validate.md, without charts, which need helm.
it.each<readonly [form: string, words: readonly string[], exitCode: number, finding: string]>([
  ['application', [...application, '--set', 'hots=a'], 1, 'Error: unknown parameter "hots"'],
  ['patch package', [...patchPackage, '--set', 'replcas=3'], 0, 'Warning: value "replcas" has no effect'],
  ['patch package', [...patchPackage, '--set', 'replcas=3', '--strict'], 1, 'Error: value "replcas" has no effect'],
  ['manifests', [...plain, '--set', 'replcas=3'], 0, 'Warning: values are ignored'],
  ['manifests', [...plain, '--set', 'replcas=3', '--strict'], 1, 'Error: values are ignored'],
  ...[application, patchPackage, plain].map((words): readonly [string, readonly string[], number, string] => [
    words[0]!,
    [...words, '--kind', 'Deployment', '--jq', '.spec.replcas = 3'],
    1,
    'Error: unknown field "replcas"',
  ]),
])('a typo in %s is reported: %j', async (_, words, exitCode, finding) => {
  const result = await runProgram(['validate', ...words]);
  expect(result.stdout).toContain(finding);
  expect(result.exitCode).toBe(exitCode);
});
