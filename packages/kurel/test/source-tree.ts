import { readdirSync, readFileSync, statSync } from 'node:fs';
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

const skipped = new Set(['node_modules', 'dist']);

/** Hidden directories are left out: other tests create and remove them at the same time. */
export function listFiles(directory: string, ending: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      // A link counts as what it leads to.
      const isDirectory = entry.isSymbolicLink() ? isDirectoryAt(path) : entry.isDirectory();
      if (!isDirectory) return entry.name.endsWith(ending) ? [entry.name] : [];
      if (entry.name.startsWith('.') || skipped.has(entry.name)) return [];
      return listFiles(path, ending).map((path) => `${entry.name}/${path}`);
    })
    .toSorted();
}

function isDirectoryAt(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
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
