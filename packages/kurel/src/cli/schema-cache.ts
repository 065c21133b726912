import type { Stats } from 'node:fs';

import { openOwnCache } from './own-cache.ts';

/** Schemas of packages that an earlier run made. Whatever goes wrong with it, a schema is just made again. */
export interface SchemaCache {
  /** What was written for the key in the last hour. */
  read(key: string): string | undefined;
  write(key: string, text: string): void;
}

export interface SchemaCacheOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userId?: number | undefined;
  /** In milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

const hour = 60 * 60 * 1000;
const fileName = /^schema-[0-9a-f]{16,128}\.json(?:\.\d+)?$/;

/** Undefined when there is no place to keep anything. */
export function openSchemaCache(options: SchemaCacheOptions): SchemaCache | undefined {
  const { environment, userId = process.getuid?.(), now = Date.now } = options;
  const cache = openOwnCache({ variables: environment, userId });
  if (cache === undefined) return undefined;
  const isFresh = ({ mtimeMs }: Stats): boolean => Math.abs(now() - mtimeMs) < hour;
  return {
    read(key) {
      const name = nameOf(key);
      return name === undefined ? undefined : cache.read(name, isFresh)?.toString('utf8');
    },
    write(key, text) {
      const name = nameOf(key);
      if (name === undefined) return;
      // Schemas of packages that have changed since, and drafts of runs that were killed. Other files are not ours.
      cache.clear((file, stats) => fileName.test(file) && !isFresh(stats));
      cache.write(name, text);
    },
  };
}

/** Keys are hashes; anything else could lead out of the directory. */
function nameOf(key: string): string | undefined {
  const name = `schema-${key}.json`;
  return fileName.test(name) ? name : undefined;
}
