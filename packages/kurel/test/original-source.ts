import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { toolFile } from './render-case.ts';
import { repository } from './source-tree.ts';

interface GoSource {
  readonly name: string;
  readonly module: string;
  readonly version: string;
  /** Checksum of its files, as in a go.sum. */
  readonly sum: string;
}

const go = process.platform === 'win32' ? 'go.exe' : 'go';
const sources = JSON.parse(readFileSync(join(repository, 'scripts', 'go-sources.json'), 'utf8')) as readonly GoSource[];

type Originals = { readonly directories: Readonly<Record<string, string>> } | { readonly missing: string };

/**
 * The directories of all applications in the module cache of Go, where `npm run tools` puts them, or why one of them or a program that
 * renders them is missing.
 */
export function findOriginals(): Originals {
  const program = ['helm', 'kustomize'].find((one) => !existsSync(toolFile(one)));
  if (program !== undefined) return { missing: `${program} is not installed; run \`npm run tools\`` };
  const { stdout, status } = spawnSync(go, ['env', 'GOMODCACHE'], { encoding: 'utf8' });
  if (status !== 0) return { missing: 'Go is not installed' };
  const cache = stdout.trim();
  const missing = sources.map((source) => explainMissing(source, cache)).find((reason) => reason !== undefined);
  if (missing !== undefined) return { missing };
  return { directories: Object.fromEntries(sources.map((source) => [source.name, directoryOf(source, cache)])) };
}

function directoryOf({ module, version }: GoSource, cache: string): string {
  return join(cache, `${module}@${version}`);
}

function explainMissing(source: GoSource, cache: string): string | undefined {
  const { name, module, version, sum } = source;
  const hash = join(cache, 'cache', 'download', module, '@v', `${version}.ziphash`);
  if (!existsSync(hash) || !existsSync(directoryOf(source, cache))) {
    return `${name} ${version} is not in ${cache}; run \`npm run tools\``;
  }
  const actual = readFileSync(hash, 'utf8').trim();
  return actual === sum ? undefined : `${name} in ${cache} has the checksum ${actual}, not ${sum}`;
}
