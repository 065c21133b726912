// npm run docs: writes docs/reference and the examples of `kurel help CODE` from the code. With --check it only reports stale files.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { importSource } from './import-source.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const reference = join(root, 'docs', 'reference');
const check = process.argv.includes('--check');
const { createReference } = await importSource(join(root, 'scripts', 'reference.ts'));

mkdirSync(reference, { recursive: true });
const { pages, withoutExample, examples, withoutFinding } = await createReference(root);
const stale = [];
const examplesFile = '../../packages/kurel/src/cli/finding-examples.json';
for (const { path, text } of [...pages, { path: examplesFile, text: examples }]) {
  const file = join(reference, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  stale.push(path);
  if (check) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
// Pages of removed handlers.
const known = new Set(pages.map(({ path }) => path));
for (const path of readdirSync(reference, { recursive: true }).map((name) => name.replaceAll('\\', '/'))) {
  if (!path.endsWith('.md') || known.has(path)) continue;
  stale.push(path);
  if (!check) rmSync(join(reference, path));
}
if (withoutFinding.length > 0)
  console.error(
    `no example of ${withoutFinding.join(', ')}: add a case, or arguments in scripts/reference/example-arguments.ts`,
  );
if (withoutExample.length > 0) console.error(`no case "minimal" that builds: ${withoutExample.join(', ')}`);
if (check && stale.length > 0) {
  console.error(`out of date: ${stale.map((path) => `docs/reference/${path}`).join(', ')}; run npm run docs`);
}
if (check && stale.length + withoutExample.length + withoutFinding.length > 0) process.exit(1);
