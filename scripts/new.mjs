// npm run new KIND NAME: a new filter, transformer or command with its test, or a new component, trait or policy with its first
// cases, in the place where it belongs.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { importSource } from './import-source.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'packages', 'kurel', 'src');

const kinds = {
  filter: {
    folder: 'engine/filters',
    next: (name) =>
      `add ${camel(name)} with its description to engine/filters/index.ts and say in the table of its test what it keeps`,
    code: (name) => `import type { Filter } from '../../model/index.ts';
import { pure } from '../steps.ts';

export function ${camel(name)}(...kinds: readonly string[]): Filter {
  return pure((object) => kinds.includes(object.kind));
}
`,
    test: (name) => `import { describe, expect, it } from 'vitest';

import { createRenderContext } from '../render-context.ts';
import { ${camel(name)} } from './${name}.ts';

describe('${name}', () => {
  it.each([
    { kinds: ['Service'], kept: true },
    { kinds: ['Secret'], kept: false },
  ])('keeps a Service for $kinds: $kept', ({ kinds, kept }) => {
    expect(${camel(name)}(...kinds)({ apiVersion: 'v1', kind: 'Service' }, createRenderContext())).toBe(kept);
  });
});
`,
  },
  transformer: {
    folder: 'engine/transformers',
    next: (name) =>
      `add ${camel(name)} with its description to engine/transformers/index.ts and say in its test what it changes`,
    code: (name) => `import { withLabels } from '../../kube/index.ts';
import type { Transformer } from '../../model/index.ts';
import { pure } from '../steps.ts';

export function ${camel(name)}(key: string, value: string): Transformer {
  return pure((object) => withLabels(object, { [key]: value }));
}
`,
    test: (name) => `import { expect, it } from 'vitest';

import { createRenderContext } from '../render-context.ts';
import { ${camel(name)} } from './${name}.ts';

it('sets the label and leaves its input alone', () => {
  const object = Object.freeze({ apiVersion: 'v1', kind: 'Service' });
  expect(${camel(name)}('a', 'b')(object, createRenderContext())).toEqual({ ...object, metadata: { labels: { a: 'b' } } });
});
`,
  },
  command: {
    folder: 'cli/commands',
    next: (name) => `add ${name} and its summary to cli/command-table.ts, then npm run docs`,
    code: (name) => `import { defineCommand } from '../command.ts';

export const ${camel(name)} = defineCommand({
  name: '${name}',
  arguments: [{ name: 'PATH', summary: 'what to work on', completes: 'path' }],
  flags: {},
  run: async ({ positionals: [path] }) => ({ stdout: \`\${path}\\n\` }),
});
`,
    test: (name) => `import { expect, it } from 'vitest';

import { runProgram } from '../../../test/run-program.ts';

it('is listed and runs', async () => {
  expect(await runProgram(['${name}', 'here'])).toMatchObject({ exitCode: 0, stdout: 'here\\n' });
});
`,
  },
};

const handlers = ['component', 'trait', 'policy'];
const [kind, name] = process.argv.slice(2);
const known = [...Object.keys(kinds), ...handlers];
if (!known.includes(kind) || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name ?? '')) {
  console.error(`usage: npm run new ${known.join('|')} NAME   (NAME in kebab-case)`);
  process.exit(2);
}
const { files, next } = handlers.includes(kind) ? await createHandler() : createPart(kinds[kind]);
const taken = files.filter(({ path }) => existsSync(join(source, path)));
if (taken.length > 0) {
  console.error(`already exists: ${taken.map(({ path }) => relative(root, join(source, path))).join(', ')}`);
  process.exit(1);
}
for (const { path, text } of files) {
  const file = join(source, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`wrote ${relative(root, file)}`);
}
console.log(`next: ${next}`);

function createPart({ folder, code, test, next: advise }) {
  return {
    files: [
      { path: `${folder}/${name}.ts`, text: code(name) },
      { path: `${folder}/${name}.test.ts`, text: test(name) },
    ],
    next: advise(name),
  };
}

async function createHandler() {
  const { createHandlerFiles } = await importSource(join(root, 'scripts', 'new', 'handler-files.ts'));
  const list = { component: 'components', trait: 'traits', policy: 'policies' }[kind];
  return {
    files: createHandlerFiles(kind, name),
    next: `add ${camel(name)} to builtIn.${list} in forms/application/catalog/catalog.ts;
      UPDATE_CASES=1 npx vitest run packages/kurel/test/application-cases.test.ts -t ${name}
      writes the output into each case, which you read; then npm run docs`,
  };
}

function camel(text) {
  return text.replaceAll(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}
