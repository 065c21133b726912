// npm run schemas: makes packages/kurel/schemas from the pinned sources, with Go and its module proxy.
// With --check it only says what is out of date.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

import { importSource } from '../import-source.mjs';
import { hasGo } from './go-modules.mjs';
import { makeData } from './make-data.mjs';

const root = resolve(import.meta.dirname, '../..');
const output = join(root, 'packages/kurel/schemas');
const check = process.argv.includes('--check');

if (!hasGo()) {
  console.error('Go is not on PATH; it fetches the sources of the schemas');
  process.exit(1);
}
const { findDeprecation } = await importSource(join(root, 'packages/kurel/src/schema/json-schema-node.ts'));
const files = makeData({ findDeprecation, log: (line) => console.log(line) });
mkdirSync(output, { recursive: true });
const gone = readdirSync(output).filter((file) => !files.has(file));
// Compressed bytes differ between releases of Node.js; what they hold must not.
const stale = [...files].filter(([file, text]) => readText(join(output, file)) !== text);
if (check) {
  for (const file of [...gone, ...stale.map(([file]) => file)])
    console.error(`out of date: packages/kurel/schemas/${file}`);
  process.exitCode = gone.length + stale.length === 0 ? 0 : 1;
} else {
  for (const file of gone) rmSync(join(output, file));
  for (const [file, text] of stale) writeFileSync(join(output, file), file.endsWith('.br') ? compress(text) : text);
  console.log(`${stale.length} of ${files.size} files written`);
}

function readText(file) {
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  return (file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString('utf8');
}

function compress(text) {
  const bytes = Buffer.from(text);
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
