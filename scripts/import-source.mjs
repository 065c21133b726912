import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';

/** Imports a TypeScript file of this repository, which the oldest supported Node cannot do by itself. */
export async function importSource(file) {
  const directory = mkdtempSync(join(tmpdir(), 'kurel-source-'));
  try {
    const outfile = join(directory, 'module.mjs');
    await build({
      entryPoints: [file],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      conditions: ['kurel-source'],
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
