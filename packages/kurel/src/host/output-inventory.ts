import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import { isJsonObject, type OutputFile } from '../model/index.ts';
import { hostProblems } from './problems.ts';
import { findUnportable } from './relative-path.ts';

/** The file in an output directory that names the files of the last run. */
export const inventoryName = '.kurel-inventory';

/** The files of the last run with the digest of what was written; an inventory of version 1 knew none. */
type Inventory = ReadonlyMap<string, string | undefined>;

const version = 2;
const digestForm = /^sha256:[0-9a-f]{64}$/;

export function formatInventory(files: readonly OutputFile[]): string {
  const entries = files.map(({ path, text }) => [path, digestOf(text)] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ version, files: Object.fromEntries(entries) }, undefined, 2)}\n`;
}

/** Loaded on first use: whoever writes no directory does without the cryptography. */
export function digestOf(content: string | Buffer): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/**
 * Empty when there was no run before. Files are overwritten and deleted because they stand here, so an entry that kurel
 * would not have written makes the whole list unbelievable.
 */
export function readInventory(directory: string): Inventory {
  const path = join(directory, inventoryName);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return new Map();
  if (!stats.isFile()) throw broken(path, 'it is not a regular file');
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw broken(path, 'it is not JSON');
  }
  const entries = entriesOf(data, path);
  for (const [file, digest] of entries) {
    const fault = findFault(file, digest);
    if (fault !== undefined) throw broken(path, `the entry ${JSON.stringify(file)} is refused, ${fault}`);
  }
  return new Map(entries as readonly [string, string | undefined][]);
}

function entriesOf(data: unknown, path: string): readonly (readonly [unknown, unknown])[] {
  if (!isJsonObject(data)) throw broken(path, 'it is not a JSON object');
  if (data.version === 1) {
    if (!Array.isArray(data.files)) throw broken(path, 'it has no list "files"');
    return data.files.map((file: unknown) => [file, undefined]);
  }
  if (data.version !== version)
    throw broken(path, `its version is ${JSON.stringify(data.version)}, not 1 or ${version}`);
  if (!isJsonObject(data.files)) throw broken(path, 'it has no mapping "files"');
  return Object.entries(data.files).map(([file, digest]) => [file, digest ?? null]);
}

function findFault(file: unknown, digest: unknown): string | undefined {
  if (typeof file !== 'string') return 'it is not a text';
  if (file === inventoryName) return 'an inventory does not list itself';
  const isDigest = digest === undefined || (typeof digest === 'string' && digestForm.test(digest));
  return findUnportable(file) ?? (isDigest ? undefined : 'its value is not a SHA-256 digest');
}

function broken(path: string, reason: string): DiagnosticError {
  return new DiagnosticError([hostProblems.create('output-inventory-broken', { path, reason })]);
}
