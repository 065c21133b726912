import { createRequire } from 'node:module';
import { join } from 'node:path';

import { build } from 'esbuild';

import type { run } from '../../src/cli/run.ts';
import { repository } from '../source-tree.ts';

type Run = typeof run;

const source = join(repository, 'packages', 'kurel', 'src');

/** The program with the path module of Windows, and a disk whose paths look like those of Windows. */
export async function bundleForWindows(directory: string): Promise<Run> {
  const outfile = join(directory, 'run.cjs');
  await build({
    entryPoints: [join(source, 'cli', 'run.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['kurel-source'],
    define: { 'import.meta.dirname': JSON.stringify(toWindows(join(source, 'host'))) },
    logLevel: 'error',
    plugins: [
      {
        name: 'windows',
        setup(bundling) {
          bundling.onResolve({ filter: /^node:path$/ }, () => ({ path: 'path', namespace: 'windows' }));
          bundling.onLoad({ filter: /.*/, namespace: 'windows' }, () => ({
            contents: "module.exports = process.getBuiltinModule('node:path').win32;",
          }));
          bundling.onResolve({ filter: /^node:fs$/ }, ({ importer }) =>
            importer.endsWith('windows-fs.cjs')
              ? { external: true }
              : { path: join(import.meta.dirname, 'windows-fs.cjs') },
          );
        },
      },
    ],
  });
  return (createRequire(import.meta.url)(outfile) as { readonly run: Run }).run;
}

export function toWindows(path: string): string {
  return `C:${path.replaceAll('/', '\\')}`;
}
