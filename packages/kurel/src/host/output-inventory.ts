import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/index.ts';
import { foldPath } from './check-output-paths.ts';
import type { OutputOwner } from './output-owner.ts';
import { hostProblems } from './problems.ts';
import { findUnportable, nameFile } from './relative-path.ts';

/** The file in an output directory that records which files belong to which build. */
export const inventoryName = '.kurel-inventory';

/** The files of one build: paths in the output directory, with the digests of their content. */
export interface RecordedFiles {
  readonly files: ReadonlyMap<string, string>;
  /** Files that killed builds were about to write, some of which may exist instead of or in addition to the files above. */
  readonly next: ReadonlyMap<string, readonly string[]>;
}

export interface OwnedFiles extends OutputOwner, RecordedFiles {
  /** The subdirectory of the owner; empty for the output directory itself. */
  readonly directory: string;
}

export interface Inventory {
  /** One for each instance. */
  readonly owners: readonly OwnedFiles[];
  /** Files in an inventory of kurel 0.1.0, which had no owners. */
  readonly unowned?: RecordedFiles | undefined;
}

const version = 3;
const versionWithoutOwners = 2;
const digestForm = /^sha256:[0-9a-f]{64}$/;

/** Deterministic: the same owners always result in the same bytes. */
export function formatInventory(owners: readonly OwnedFiles[]): string {
  const sorted = owners.toSorted((a, b) => compare(a.instance, b.instance));
  const records = sorted.map(({ instance, layout, directory, files, next }) => ({
    instance,
    layout,
    directory: directory === '' ? undefined : directory,
    files: sortEntries(files),
    next: next.size === 0 ? undefined : sortEntries(next),
  }));
  return `${JSON.stringify({ version, owners: records }, undefined, 2)}\n`;
}

function sortEntries<Value>(entries: ReadonlyMap<string, Value>): Readonly<Record<string, Value>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => compare(a, b)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** Recorded before files are replaced: if this build is killed, the next one knows that old and new files belong to the owner. */
export function addPending(before: RecordedFiles, files: ReadonlyMap<string, string>): RecordedFiles['next'] {
  const next = new Map(before.next);
  for (const [path, digest] of files) next.set(path, [...new Set([...(next.get(path) ?? []), digest])]);
  return next;
}

/** Loads the crypto module on first use, because most builds do not need it. */
export function digestOf(content: string | Uint8Array): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** Whether a file has this digest, or had it before git changed its line breaks at a checkout. */
export function hasDigest(bytes: Uint8Array, digest: string | undefined): boolean {
  if (digestOf(bytes) === digest) return true;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return content.includes('\r\n') && digestOf(content.toString('utf8').replaceAll('\r\n', '\n')) === digest;
}

/**
 * Empty if there is no inventory. Builds overwrite and delete the files in the inventory, so one entry that kurel would not write makes
 * all of it invalid.
 */
export function readInventory(directory: string): Inventory {
  const path = join(directory, inventoryName);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { owners: [] };
  const refuse = (reason: string): never => {
    throw new DiagnosticError([
      hostProblems.create('output-inventory-broken', { path: nameFile(directory, inventoryName), reason }),
    ]);
  };
  if (!stats.isFile()) return refuse('it is not a regular file');
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return refuse('it is not JSON');
  }
  if (!isJsonObject(data)) return refuse('it is not a JSON object');
  if (data.version === versionWithoutOwners) return { owners: [], unowned: readFiles(data, refuse) };
  if (data.version !== version) {
    return refuse(`its version is ${JSON.stringify(data.version)}, not ${versionWithoutOwners} or ${version}`);
  }
  if (!isJsonArray(data.owners)) return refuse('"owners" must be a list');
  const owners = data.owners.map((owner) => readOwner(owner, refuse));
  requireApart(owners, refuse);
  return { owners };
}

type Refuse = (reason: string) => never;

function readOwner(data: Json, refuse: Refuse): OwnedFiles {
  if (!isJsonObject(data)) return refuse('an owner is not an object');
  const { instance, layout, directory = '' } = data;
  if (typeof instance !== 'string' || instance === '') return refuse('an owner has no instance');
  if (typeof layout !== 'string' || layout === '') return refuse(`${JSON.stringify(instance)} has no layout`);
  const fault = typeof directory !== 'string' ? 'it is not a string' : directory && findUnportable(directory);
  if (fault !== undefined && fault !== '')
    return refuse(`the directory of ${JSON.stringify(instance)} is not valid, ${fault}`);
  return { instance, layout, directory: directory as string, ...readFiles(data, refuse) };
}

/** Checks that each file has one owner and each instance one entry. */
function requireApart(owners: readonly OwnedFiles[], refuse: Refuse): void {
  const instances = new Set<string>();
  const holders = new Map<string, OwnedFiles>();
  for (const owner of owners) {
    if (instances.has(owner.instance)) refuse(`duplicate owner ${JSON.stringify(owner.instance)}`);
    instances.add(owner.instance);
    for (const path of recordedPaths(owner)) {
      const holder = holders.get(foldPath(path));
      if (holder !== undefined && holder !== owner) refuse(`file ${JSON.stringify(path)} has two owners`);
      holders.set(foldPath(path), owner);
    }
  }
}

/** All paths that may have a file of the owner. */
export function recordedPaths({ files, next }: RecordedFiles): ReadonlySet<string> {
  return new Set([...files.keys(), ...next.keys()]);
}

function readFiles(data: JsonObject, refuse: Refuse): RecordedFiles {
  const { files, next = {} } = data;
  if (!isJsonObject(files)) return refuse('"files" must be an object');
  if (!isJsonObject(next)) return refuse('"next" must be an object');
  const requireEntry = (path: string, digests: readonly unknown[]): void => {
    const fault = findFault(path, digests);
    if (fault !== undefined) refuse(`entry ${JSON.stringify(path)} is not valid, ${fault}`);
  };
  for (const [path, digest] of Object.entries(files)) requireEntry(path, [digest]);
  for (const [path, digests] of Object.entries(next)) requireEntry(path, isJsonArray(digests) ? digests : []);
  return {
    files: new Map(Object.entries(files) as [string, string][]),
    next: new Map(Object.entries(next) as [string, string[]][]),
  };
}

function findFault(path: string, digests: readonly unknown[]): string | undefined {
  if (path === inventoryName) return 'an inventory must not list itself';
  const areDigests = digests.every((digest) => typeof digest === 'string' && digestForm.test(digest));
  return findUnportable(path) ?? (areDigests && digests.length > 0 ? undefined : 'its value is not a SHA-256 digest');
}
