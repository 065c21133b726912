import { lstatSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import {
  compareText,
  isJsonArray,
  isJsonObject,
  readJson,
  type Diagnostic,
  type Json,
  type JsonObject,
  type OutputFile,
} from '../model/index.ts';
import { isSystemError } from './file-errors.ts';
import { hostProblems, type OutputOwner } from './problems.ts';
import { findUnportable, foldPath, nameFile, parentsOf, realPathOf, toSlashes } from './relative-path.ts';

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

interface Inventory {
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
  const sorted = owners.toSorted((a, b) => compareText(a.instance, b.instance));
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
  return Object.fromEntries([...entries].sort(([a], [b]) => compareText(a, b)));
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
    throw hostProblems.error('output-inventory-broken', { path: nameFile(directory, inventoryName), reason });
  };
  if (!stats.isFile()) return refuse('it is not a regular file');
  const reading = readJson(readFileSync(path));
  if ('reason' in reading) return refuse(reading.reason);
  const { data } = reading;
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
  const entries = [
    ...Object.entries(files).map(([path, digest]) => [path, [digest]] as const),
    ...Object.entries(next).map(([path, digests]) => [path, isJsonArray(digests) ? digests : []] as const),
  ];
  for (const [path, digests] of entries) {
    const fault = findFault(path, digests);
    if (fault !== undefined) refuse(`entry ${JSON.stringify(path)} is not valid, ${fault}`);
  }
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

interface TakenPath {
  readonly path: string;
  readonly owner: OutputOwner;
}

/** Reports files whose paths conflict with files of other owners in the directory, above it and inside it. */
export function findCollisions(
  directory: string,
  files: readonly OutputFile[],
  others: readonly OwnedFiles[],
): readonly Diagnostic[] {
  const taken = new Map<string, TakenPath>();
  const parents = new Map<string, TakenPath>();
  for (const place of [...others.flatMap((owner) => pathsOf(owner)), ...findNeighbours(directory, files)]) {
    taken.set(foldPath(place.path), place);
    for (const parent of parentsOf(place.path)) parents.set(foldPath(parent), place);
  }
  return files.flatMap(({ path }) => {
    const above = parentsOf(path).map((parent) => taken.get(foldPath(parent)));
    const place = [taken.get(foldPath(path)), parents.get(foldPath(path)), ...above].find((each) => each !== undefined);
    if (place === undefined) return [];
    return [hostProblems.create('output-owned-file', { directory, path, other: place.path, owner: place.owner })];
  });
}

function pathsOf(owner: OwnedFiles, move = (path: string): string => path): readonly TakenPath[] {
  return Array.from(recordedPaths(owner), (path) => ({ path: move(path), owner }));
}

/**
 * Paths from other inventories: of an output directory above this one, or of one inside it that contains some of the given files. They
 * are relative to this directory.
 */
function findNeighbours(directory: string, files: readonly OutputFile[]): readonly TakenPath[] {
  const real = realPathOf(resolve(directory));
  const around = directoriesAbove(real).flatMap((above) => {
    const way = `${toSlashes(relative(above, real))}/`;
    const places = ownersIn(above).flatMap((owner) => pathsOf(owner));
    return places.flatMap(({ path, owner }) => (path.startsWith(way) ? [{ path: path.slice(way.length), owner }] : []));
  });
  const inside = [...new Set(files.flatMap(({ path }) => parentsOf(path)))].flatMap((below) =>
    ownersIn(join(real, below)).flatMap((owner) => pathsOf(owner, (path) => `${below}/${path}`)),
  );
  return [...around, ...inside];
}

/** Throws if a file belongs to a build that wrote a directory above it. */
export function requireUnowned(path: string): void {
  const real = realPathOf(resolve(path));
  for (const above of directoriesAbove(real)) {
    const way = toSlashes(relative(above, real));
    const owner = ownersIn(above).find((files) => recordedPaths(files).has(way));
    if (owner === undefined) continue;
    const name = basename(path);
    throw hostProblems.error('output-owned-file', { directory: dirname(path), path: name, other: name, owner });
  }
}

function directoriesAbove(directory: string): readonly string[] {
  const parent = dirname(directory);
  return parent === directory ? [] : [parent, ...directoriesAbove(parent)];
}

/** Ignores a broken inventory of another directory, because the builds there report it. */
function ownersIn(directory: string): readonly OwnedFiles[] {
  try {
    return readInventory(directory).owners;
  } catch (error) {
    if (error instanceof DiagnosticError || isSystemError(error)) return [];
    throw error;
  }
}
