import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import type { Diagnostic, OutputFile } from '../model/index.ts';
import { statIfThere } from './file-errors.ts';
import {
  addPending,
  claimOutput,
  digestOf,
  findCollisions,
  findNeighbours,
  hasDigest,
  readInventory,
  recordedPaths,
  type OutputClaim,
  type OutputSurroundings,
  type OwnedFiles,
  type RecordedFiles,
} from './output-inventory.ts';
import { hostProblems } from './problems.ts';
import { checkOutputPaths, foldPath, nameFile, parentsOf } from './relative-path.ts';
import { reportFailure } from './replace-files.ts';

/** The changes that bring a directory to the given files. */
export interface OutputPlan {
  /** The inventory while files are replaced. */
  readonly pending: readonly OwnedFiles[];
  /** The inventory afterwards. */
  readonly after: readonly OwnedFiles[];
  readonly added: readonly OutputFile[];
  readonly changed: readonly ChangedFile[];
  /** Written by an earlier build of the owner and no longer part of the output. */
  readonly removed: readonly RemovedFile[];
  /** Files that a killed run has already removed, but whose directories may remain. */
  readonly left: readonly string[];
  readonly unchanged: readonly string[];
  /** Errors that come before all others, because the files belong or may belong to another build. */
  readonly refusals: readonly Diagnostic[];
  /** Other errors, such as foreign files at output paths. */
  readonly problems: readonly Diagnostic[];
  /** About files that are no longer part of the output, but are kept because they were edited. */
  readonly warnings: readonly Diagnostic[];
  readonly notes: readonly Diagnostic[];
}

interface ChangedFile extends OutputFile {
  readonly before: Buffer;
}

interface RemovedFile {
  readonly path: string;
  readonly before: Buffer;
}

type Standing =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly bytes: Buffer }
  | { readonly kind: 'blocked'; readonly at: string; readonly found: string; readonly needed: string };

export function planOutput(directory: string, files: readonly OutputFile[], claim: OutputClaim): OutputPlan {
  requireWritable(directory, files);
  const inventory = readInventory(directory);
  const { own, others, isAdopted } = claimOutput(inventory, claim, surroundingsOf(directory));
  const wanted = new Set(files.map((file) => file.path));
  const { removed, kept, left, warnings } = planRemovals(directory, {
    own,
    wanted,
    isPartial: claim.isPartial === true,
  });
  const leaving = new Set([...removed.map((file) => file.path), ...left.flatMap(parentsOf)]);
  const { added, changed, unchanged, problems } = planFiles(directory, { files, own, leaving, removed });
  const digests = new Map(files.map(({ path, text }) => [path, digestOf(text)]));
  const owner = { ...claim.owner, directory: own.directory };
  const isUnrelated = isAdopted && ![...recordedPaths(own)].some((path) => wanted.has(path));
  return {
    pending: [...others, { ...own, ...owner, next: addPending(own, digests) }],
    after: [...others, { ...owner, files: new Map([...kept, ...digests]), next: new Map() }].filter(hasFiles),
    added,
    changed,
    removed,
    left,
    unchanged,
    refusals: [
      ...(own.directory === (claim.directory ?? '')
        ? []
        : [hostProblems.create('output-place-taken', { path: directory })]),
      ...(isUnrelated ? [hostProblems.create('output-unowned', { path: directory })] : []),
      ...findCollisions(files, { others: [...others, ...findNeighbours(directory, files)], path: directory }),
      ...changed.flatMap(({ path, isPartial }) =>
        isPartial === true ? [hostProblems.create('output-partial-file', { path: nameFile(directory, path) })] : [],
      ),
    ],
    problems,
    warnings,
    notes: [
      ...others
        .filter(({ next }) => next.size > 0)
        .map((other) => hostProblems.create('output-unfinished', { path: directory, other })),
      ...(isAdopted ? [hostProblems.create('output-adopted', { path: directory, count: own.files.size, owner })] : []),
      ...(kept.size === 0 ? [] : [hostProblems.create('output-not-pruned', { path: directory, count: kept.size })]),
    ],
  };
}

/** Throws for errors that do not depend on the content of the directory. */
export function requireWritable(directory: string, files: readonly OutputFile[]): void {
  const faults = checkOutputPaths(files);
  if (faults.length > 0) throw new DiagnosticError(faults);
  requireDirectory(directory);
}

function surroundingsOf(directory: string): OutputSurroundings {
  return { path: directory, isFile: (path) => lookAt(directory, path).kind === 'file' };
}

function hasFiles({ files }: OwnedFiles): boolean {
  return files.size > 0;
}

interface Removals extends Pick<OutputPlan, 'removed' | 'left' | 'warnings'> {
  /** Files that are not part of the output and remain the owner's. */
  readonly kept: ReadonlyMap<string, string>;
}

function planRemovals(
  directory: string,
  {
    own,
    wanted,
    isPartial,
  }: { readonly own: OwnedFiles; readonly wanted: ReadonlySet<string>; readonly isPartial: boolean },
): Removals {
  const removed: RemovedFile[] = [];
  const kept = new Map<string, string>();
  const warnings: Diagnostic[] = [];
  const left: string[] = [];
  for (const path of [...recordedPaths(own)].sort()) {
    if (wanted.has(path)) continue;
    // Anything else than a file was not written by an earlier build, and is kept.
    const standing = lookAt(directory, path);
    if (standing.kind === 'absent' && own.next.size > 0) left.push(path);
    if (standing.kind !== 'file') continue;
    const isOurs = own.files.has(path) || isOfNext(path, standing.bytes, own);
    if (isPartial && isOurs)
      kept.set(path, isOfNext(path, standing.bytes, own) ? digestOf(standing.bytes) : own.files.get(path)!);
    else if (isUnchanged(path, standing.bytes, own)) removed.push({ path, before: standing.bytes });
    else if (own.files.has(path))
      warnings.push(hostProblems.create('output-edited-file', { path: nameFile(directory, path) }));
  }
  return { removed, kept, left, warnings };
}

interface WantedFiles {
  readonly files: readonly OutputFile[];
  readonly own: OwnedFiles;
  readonly leaving: ReadonlySet<string>;
  readonly removed: readonly RemovedFile[];
}

function planFiles(
  directory: string,
  { files, own, leaving, removed }: WantedFiles,
): Pick<OutputPlan, 'added' | 'changed' | 'unchanged' | 'problems'> {
  const removedPaths = new Map(removed.map(({ path }) => [foldPath(path), path]));
  const added: OutputFile[] = [];
  const changed: ChangedFile[] = [];
  const unchanged: string[] = [];
  const problems: Diagnostic[] = [];
  for (const file of files) {
    const standing = lookAt(directory, file.path, leaving);
    const renamed = removedPaths.get(foldPath(file.path));
    // Where case is ignored, a file that is removed under its old name is also found under the new one.
    const isRenamed = renamed !== undefined && isSameFile(join(directory, renamed), join(directory, file.path));
    if (standing.kind === 'absent' || isRenamed) added.push(file);
    else if (standing.kind === 'blocked') {
      const { at, found, needed } = standing;
      problems.push(hostProblems.create('output-blocked', { path: nameFile(directory, at), found, needed }));
    } else if (standing.bytes.equals(Buffer.from(file.text))) unchanged.push(file.path);
    else {
      changed.push({ ...file, before: standing.bytes });
      if (own.files.has(file.path) || isOfNext(file.path, standing.bytes, own)) continue;
      problems.push(hostProblems.create('output-foreign-file', { path: nameFile(directory, file.path) }));
    }
  }
  return { added, changed, unchanged, problems };
}

function isSameFile(a: string, b: string): boolean {
  const [first, second] = [a, b].map((path) => lstatSync(path, { throwIfNoEntry: false, bigint: true }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/** The inventory can be edited, so kurel deletes only files with the recorded digest. */
function isUnchanged(path: string, bytes: Buffer, own: RecordedFiles): boolean {
  return isOfNext(path, bytes, own) || hasDigest(bytes, own.files.get(path));
}

/** Whether a killed run has written this file; one with other content may be a foreign file. */
function isOfNext(path: string, bytes: Buffer, { next }: RecordedFiles): boolean {
  return next.get(path)?.includes(digestOf(bytes)) === true;
}

/** Checks each part of the path, so that no link inside the output directory is followed. */
export function lookAt(directory: string, path: string, leaving: ReadonlySet<string> = new Set()): Standing {
  for (const part of [...parentsOf(path), path]) {
    const stats = lstatSync(join(directory, part), { throwIfNoEntry: false });
    if (stats === undefined) return { kind: 'absent' };
    if (part !== path) {
      if (stats.isDirectory()) continue;
      // A file of the last run that a directory of the same name replaces.
      if (leaving.has(part)) return { kind: 'absent' };
      return { kind: 'blocked', at: part, found: describe(stats), needed: 'a directory' };
    }
    if (stats.isFile()) return { kind: 'file', bytes: readFileSync(join(directory, part)) };
    if (stats.isDirectory() && isEmptied(directory, part, leaving)) return { kind: 'absent' };
    return { kind: 'blocked', at: part, found: describe(stats), needed: 'a file' };
  }
  return { kind: 'absent' };
}

/** Whether the directory will be empty after the removals. */
function isEmptied(directory: string, path: string, leaving: ReadonlySet<string>): boolean {
  const entries = readdirSync(join(directory, path), { withFileTypes: true });
  if (entries.length === 0) return leaving.has(path);
  return entries.every((entry) => {
    const inner = `${path}/${entry.name}`;
    return entry.isDirectory() ? isEmptied(directory, inner, leaving) : leaving.has(inner);
  });
}

/** Checks that the directory, or its nearest existing parent, is a directory. */
function requireDirectory(directory: string): void {
  const stats = statIfThere(directory);
  if (stats?.isDirectory() === true) return;
  if (stats !== undefined) {
    const args = { path: directory, found: describe(stats), needed: 'a directory' };
    throw new DiagnosticError([hostProblems.create('output-blocked', args)]);
  }
  const parent = dirname(directory);
  if (parent !== directory) requireDirectory(parent);
}

function describe(stats: Stats): string {
  if (stats.isFile()) return 'a file';
  if (stats.isDirectory()) return 'a directory';
  return stats.isSymbolicLink() ? 'a link' : 'a device, a pipe or a socket';
}

/** The location of an owner's files in an output directory. */
export interface OutputPlace {
  /** A subdirectory, or empty for the output directory itself. */
  readonly directory: string;
  /** Files of the owner that a partial build keeps, relative to that directory. */
  readonly kept: readonly string[];
}

/** An instance keeps its first location. Throws if the owner may not use the directory. */
export function findOutputPlace(directory: string, claim: OutputClaim): OutputPlace {
  return reportFailure(directory, () => {
    requireDirectory(directory);
    const surroundings = surroundingsOf(directory);
    const { own } = claimOutput(readInventory(directory), claim, surroundings);
    const start = own.directory === '' ? '' : `${own.directory}/`;
    const paths = claim.isPartial === true ? [...recordedPaths(own)].filter(surroundings.isFile) : [];
    const kept = paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
    return { directory: own.directory, kept: kept.toSorted() };
  });
}

/** How a directory differs from the output of a build. Foreign files that differ count as changed. */
export interface OutputComparison {
  readonly added: readonly OutputFile[];
  readonly changed: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  /** Written by an earlier build of the owner and no longer part of the output. */
  readonly removed: readonly OutputFile[];
  readonly unchanged: readonly string[];
  /** Warnings about files that are no longer part of the output, but would be kept because they were edited. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns what `writeOutputDirectory` would do, without doing it. Files of other owners are ignored. */
export function compareOutputDirectory(
  directory: string,
  files: readonly OutputFile[],
  claim: OutputClaim,
): OutputComparison {
  return reportFailure(directory, () => {
    const { added, changed, removed, unchanged, refusals, warnings } = planOutput(directory, files, claim);
    if (refusals.length > 0) throw new DiagnosticError(refusals);
    return {
      added: added.map(({ path, text }) => ({ path, text })),
      changed: changed.map(({ path, text, before }) => ({ path, before: before.toString('utf8'), after: text })),
      removed: removed.map(({ path, before }) => ({ path, text: before.toString('utf8') })),
      unchanged,
      diagnostics: warnings,
    };
  });
}
