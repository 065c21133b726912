import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import type { Diagnostic, OutputFile } from '../model/index.ts';
import { statIfThere } from './file-errors.ts';
import { claimOutput, type OutputClaim } from './claim-output.ts';
import {
  addPending,
  digestOf,
  findCollisions,
  hasDigest,
  recordedPaths,
  type OwnedFiles,
  type RecordedFiles,
} from './output-inventory.ts';
import { hostProblems, type OutputOwner } from './problems.ts';
import { checkOutputPaths } from './check-output-paths.ts';
import { foldPath, nameFile, parentsOf } from './relative-path.ts';
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
  /** Owners whose files belong to this build from now on. */
  readonly replaced: readonly OutputOwner[];
  /** Whether other instances have files in the directory. */
  readonly isShared: boolean;
  /** Errors that come before all others, because the files belong or may belong to another build. */
  readonly refusals: readonly Diagnostic[];
  /** Other errors, such as foreign files at output paths. */
  readonly problems: readonly Diagnostic[];
  /** About files that are no longer part of the output, but are kept because they were edited. */
  readonly warnings: readonly Diagnostic[];
  readonly notes: readonly Diagnostic[];
}

interface ChangedFile extends OutputFile {
  readonly before: Uint8Array;
}

interface RemovedFile {
  readonly path: string;
  readonly before: Uint8Array;
}

type Standing =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'blocked'; readonly at: string; readonly problem: Diagnostic };

export function planOutput(directory: string, files: readonly OutputFile[], claim: OutputClaim): OutputPlan {
  requireWritable(directory, files);
  const { own, others, replaced, isAdopted, warnings } = claimOutput(directory, claim, (path) =>
    isFileIn(directory, path),
  );
  const wanted = new Set(files.map((file) => file.path));
  const isPartial = claim.isPartial === true;
  const { kept, ...removals } = planRemovals(directory, { own, wanted, isPartial });
  const additions = planFiles(directory, { files, own, ...removals });
  const digests = new Map(files.map(({ path, text }) => [path, digestOf(text)]));
  const owner = { ...claim.owner, directory: own.directory };
  const isUnrelated = isAdopted && ![...recordedPaths(own)].some((path) => wanted.has(path));
  return {
    pending: [...others, { ...own, ...owner, next: addPending(own, digests) }],
    after: [...others, { ...owner, files: new Map([...kept, ...digests]), next: new Map() }].filter(
      (each) => each.files.size > 0,
    ),
    ...removals,
    ...additions,
    replaced,
    isShared: others.length > 0,
    warnings: [...warnings, ...removals.warnings],
    refusals: [
      ...(own.directory === (claim.directory ?? '')
        ? []
        : [hostProblems.create('output-place-taken', { path: directory })]),
      ...(isUnrelated ? [hostProblems.create('output-unowned', { path: directory })] : []),
      ...findCollisions(directory, files, others),
      ...additions.changed
        .filter((file) => file.isPartial === true)
        .map(({ path }) => hostProblems.create('output-partial-file', { path: nameFile(directory, path) })),
    ],
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

function isFileIn(directory: string, path: string): boolean {
  return lookAt(directory, path).kind === 'file';
}

interface Removals extends Pick<OutputPlan, 'removed' | 'left' | 'warnings'> {
  /** Files that are not part of the output and remain the owner's. */
  readonly kept: ReadonlyMap<string, string>;
}

interface RemovalOptions {
  readonly own: OwnedFiles;
  readonly wanted: ReadonlySet<string>;
  readonly isPartial: boolean;
}

function planRemovals(directory: string, { own, wanted, isPartial }: RemovalOptions): Removals {
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
    const { bytes } = standing;
    const isNext = isOfNext(path, bytes, own);
    if (isPartial && (isNext || own.files.has(path))) kept.set(path, isNext ? digestOf(bytes) : own.files.get(path)!);
    // The inventory can be edited, so kurel deletes only files with the recorded digest.
    else if (isNext || hasDigest(bytes, own.files.get(path))) removed.push({ path, before: bytes });
    else if (own.files.has(path))
      warnings.push(hostProblems.create('output-edited-file', { path: nameFile(directory, path) }));
  }
  return { removed, kept, left, warnings };
}

interface WantedFiles extends Pick<OutputPlan, 'removed' | 'left'> {
  readonly files: readonly OutputFile[];
  readonly own: OwnedFiles;
}

function planFiles(
  directory: string,
  { files, own, removed, left }: WantedFiles,
): Pick<OutputPlan, 'added' | 'changed' | 'unchanged' | 'problems'> {
  const leaving = new Set([...removed.map((file) => file.path), ...left.flatMap(parentsOf)]);
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
    else if (standing.kind === 'blocked') problems.push(standing.problem);
    else if (Buffer.from(file.text).equals(standing.bytes)) unchanged.push(file.path);
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

/** Whether a killed run has written this file; one with other content may be a foreign file. */
function isOfNext(path: string, bytes: Uint8Array, { next }: RecordedFiles): boolean {
  return next.get(path)?.includes(digestOf(bytes)) === true;
}

/** Checks each part of the path, so that no link inside the output directory is followed. */
export function lookAt(directory: string, path: string, leaving: ReadonlySet<string> = new Set()): Standing {
  const block = (at: string, stats: Stats, needed: string): Standing => {
    const args = { path: nameFile(directory, at), found: describe(stats), needed };
    return { kind: 'blocked', at, problem: hostProblems.create('output-blocked', args) };
  };
  for (const parent of parentsOf(path)) {
    const stats = lstatSync(join(directory, parent), { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) continue;
    // A file of the last run that a directory of the same name replaces.
    if (stats === undefined || leaving.has(parent)) return { kind: 'absent' };
    return block(parent, stats, 'a directory');
  }
  const stats = lstatSync(join(directory, path), { throwIfNoEntry: false });
  if (stats?.isFile() === true) return { kind: 'file', bytes: readFileSync(join(directory, path)) };
  if (stats === undefined || (stats.isDirectory() && isEmptied(directory, path, leaving))) return { kind: 'absent' };
  return block(path, stats, 'a file');
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
  // Nothing can be created below a link that points to nothing.
  const obstacle = stats === undefined ? findLink(directory) : describe(stats);
  if (obstacle !== undefined)
    throw hostProblems.error('output-blocked', { path: directory, found: obstacle, needed: 'a directory' });
  const parent = dirname(directory);
  if (parent !== directory) requireDirectory(parent);
}

function findLink(path: string): string | undefined {
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? 'a link to something that does not exist' : undefined;
  } catch {
    return undefined;
  }
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
    const isFile = (path: string): boolean => isFileIn(directory, path);
    const { own } = claimOutput(directory, claim, isFile);
    const start = own.directory === '' ? '' : `${own.directory}/`;
    const paths = claim.isPartial === true ? [...recordedPaths(own)].filter(isFile) : [];
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
  /** Owners in the inventory whose files would belong to the build. */
  readonly replaced: readonly OutputOwner[];
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
    const plan = planOutput(directory, files, claim);
    const { added, changed, removed, unchanged, replaced, refusals, warnings } = plan;
    if (refusals.length > 0) throw new DiagnosticError(refusals);
    return {
      added: added.map(({ path, text }) => ({ path, text })),
      changed: changed.map(({ path, text, before }) => ({ path, before: textOf(before), after: text })),
      removed: removed.map(({ path, before }) => ({ path, text: textOf(before) })),
      unchanged,
      replaced,
      diagnostics: warnings,
    };
  });
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
