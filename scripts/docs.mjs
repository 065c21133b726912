// npm run docs: writes docs/reference from the code. With --check it only says what is out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { importSource } from './import-source.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const reference = join(root, 'docs', 'reference');
const check = process.argv.includes('--check');
const { referencePages } = await importSource(join(root, 'scripts', 'reference.ts'));

mkdirSync(reference, { recursive: true });
const stale = [];
for (const { path, text } of await referencePages()) {
  const file = join(reference, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (check) stale.push(`docs/reference/${path}`);
  else writeFileSync(file, text);
}
if (stale.length > 0) {
  console.error(`out of date: ${stale.join(', ')}; run npm run docs`);
  process.exit(1);
}
