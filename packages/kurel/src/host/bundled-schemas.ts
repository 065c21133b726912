import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SchemaFiles } from '../schema/index.ts';

/** The schemas that come with kurel, in the `schemas` directory of its package. */
export function bundledSchemas(): SchemaFiles {
  const directory = findSchemas(import.meta.dirname);
  return {
    read(name) {
      const file = join(directory, name);
      return existsSync(file) ? readFileSync(file, 'utf8') : decompress(readFileSync(`${file}.br`));
    },
  };
}

/** Loads the decompressor on first use: only descriptions are compressed, and most commands need none. */
function decompress(bytes: Buffer): string {
  return process.getBuiltinModule('node:zlib').brotliDecompressSync(bytes).toString('utf8');
}

/** Sources, library and program are at different depths in the package. */
function findSchemas(from: string): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const schemas = join(directory, 'schemas');
    if (existsSync(join(schemas, 'manifest.json'))) return schemas;
    if (directory === dirname(directory))
      throw new Error(`no schemas above ${from}: the installation of kurel is incomplete`);
  }
}
