import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import { isJsonObject } from '../model/index.ts';
import { hostProblems } from './problems.ts';
import { findUnportable } from './relative-path.ts';

/** The file in an output directory that names the files of the last run. */
export const inventoryName = '.kurel-inventory.json';

const version = 1;

export function formatInventory(paths: readonly string[]): string {
  return `${JSON.stringify({ version, files: [...paths].sort() }, undefined, 2)}\n`;
}

/**
 * The files of the last run; empty when there was none. Files are deleted because they stand here, so an entry that kurel
 * would not have written makes the whole list unbelievable.
 */
export function readInventory(directory: string): ReadonlySet<string> {
  const path = join(directory, inventoryName);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return new Set();
  if (!stats.isFile()) throw broken(path, 'it is not a regular file');
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw broken(path, 'it is not JSON');
  }
  if (!isJsonObject(data) || !Array.isArray(data.files)) throw broken(path, 'it has no list "files"');
  if (data.version !== version) throw broken(path, `its version is ${JSON.stringify(data.version)}, not ${version}`);
  const files: readonly unknown[] = data.files;
  for (const file of files) {
    const fault = typeof file === 'string' ? findUnportable(file) : 'it is not a text';
    if (fault !== undefined) throw broken(path, `the entry ${JSON.stringify(file)} is refused, ${fault}`);
  }
  return new Set(files as readonly string[]);
}

function broken(path: string, reason: string): DiagnosticError {
  return new DiagnosticError([hostProblems.create('output-inventory-broken', { path, reason })]);
}
