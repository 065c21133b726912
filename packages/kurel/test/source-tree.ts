import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

export interface SourceText {
  /** Relative to `src`, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly SourceImport[];
}

interface SourceImport {
  readonly specifier: string;
  /** Relative imports resolved to a path in `src`. */
  readonly target: string | undefined;
  readonly lazy: boolean;
}

export function listFiles(directory: string, ending: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(ending) && !path.includes('node_modules/') && !path.includes('dist/'))
    .toSorted();
}

export function readSources(source: string): SourceText[] {
  return listFiles(source, '.ts').map((path) => {
    const text = readFileSync(join(source, path), 'utf8');
    return { path, text, imports: importsOf(path, text) };
  });
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*'([^']+)'|(?:^|\n)import\s*'([^']+)'|\bimport\('([^']+)'\)/g;

function importsOf(path: string, text: string): SourceImport[] {
  return Array.from(text.matchAll(IMPORT), ([, named, bare, lazy]) => {
    const specifier = named ?? bare ?? lazy ?? '';
    const target = specifier.startsWith('.')
      ? relative('/', join('/', dirname(path), specifier)).replaceAll('\\', '/')
      : undefined;
    return { specifier, target, lazy: lazy !== undefined };
  });
}
