import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject, type JsonObject, type OutputFile } from '../model/index.ts';
import { hostProblems } from './problems.ts';
import { findUnportable } from './relative-path.ts';

/** The file in an output directory that names the files of the last run. */
export const inventoryName = '.kurel-inventory';

/** The files of the last run with the digest of what was written; an inventory of version 1 knew none. */
export interface Inventory {
  readonly files: ReadonlyMap<string, string | undefined>;
  /** What runs that were killed were about to write: some of it may be there, instead of or beside the files of the last. */
  readonly next: ReadonlyMap<string, readonly string[]>;
}

const version = 2;
const digestForm = /^sha256:[0-9a-f]{64}$/;

/** What is to stand in an inventory, by path. */
export type Digests = Readonly<Record<string, string>>;

export function formatInventory(files: Digests): string {
  return write({ version, files });
}

/** Stands there while files are exchanged, so that the next run knows all of them for ours should this one be killed. */
export function formatPending(before: Inventory, files: Digests): string {
  const next = new Map(before.next);
  for (const [path, digest] of Object.entries(files)) {
    next.set(path, [...new Set([...(next.get(path) ?? []), digest])]);
  }
  const known = [...before.files].some(([, digest]) => digest === undefined)
    ? { version: 1, files: [...before.files.keys()] }
    : { version, files: Object.fromEntries(before.files) };
  return write({ ...known, next: Object.fromEntries([...next].sort(([a], [b]) => (a < b ? -1 : 1))) });
}

export function digestsOf(files: readonly OutputFile[]): Digests {
  const entries = files.map(({ path, text }) => [path, digestOf(text)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function write(inventory: object): string {
  return `${JSON.stringify(inventory, undefined, 2)}\n`;
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
  if (stats === undefined) return { files: new Map(), next: new Map() };
  if (!stats.isFile()) throw broken(path, 'it is not a regular file');
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw broken(path, 'it is not JSON');
  }
  if (!isJsonObject(data)) throw broken(path, 'it is not a JSON object');
  const files = entriesOf(data, path);
  const next = nextOf(data, path);
  for (const [file, digest] of [...files, ...next.flatMap(([file, digests]) => digests.map((one) => [file, one]))]) {
    const fault = findFault(file, digest);
    if (fault !== undefined) throw broken(path, `the entry ${JSON.stringify(file)} is refused, ${fault}`);
  }
  return {
    files: new Map(files as readonly [string, string | undefined][]),
    next: new Map(next as readonly [string, readonly string[]][]),
  };
}

function entriesOf(data: JsonObject, path: string): readonly (readonly [unknown, unknown])[] {
  if (data.version === 1) {
    if (!Array.isArray(data.files)) throw broken(path, 'it has no list "files"');
    return data.files.map((file: unknown) => [file, undefined]);
  }
  if (data.version !== version)
    throw broken(path, `its version is ${JSON.stringify(data.version)}, not 1 or ${version}`);
  if (!isJsonObject(data.files)) throw broken(path, 'it has no mapping "files"');
  return Object.entries(data.files).map(([file, digest]) => [file, digest ?? null]);
}

function nextOf(data: JsonObject, path: string): readonly (readonly [string, readonly unknown[]])[] {
  const { next = {} } = data;
  if (!isJsonObject(next)) throw broken(path, 'its "next" is no mapping');
  return Object.entries(next).map(([file, digests]) => [
    file,
    isJsonArray(digests) && digests.length > 0 ? digests : [null],
  ]);
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
