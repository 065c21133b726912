import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import type { Diagnostic, OutputFile } from '../model/index.ts';
import { checkOutputPaths, parentsOf } from './check-output-paths.ts';
import { digestOf, type Inventory, readInventory } from './output-inventory.ts';
import { hostProblems } from './problems.ts';
import { statIfThere } from './stat-if-there.ts';

/** What has to happen to a directory so that it holds the given files; nothing has been touched yet. */
export interface OutputPlan {
  readonly before: Inventory;
  readonly added: readonly OutputFile[];
  readonly changed: readonly ChangedFile[];
  /** Written by the last run and no longer produced. */
  readonly removed: readonly RemovedFile[];
  /** Where files are gone already, because a run was killed; their directories may have stayed. */
  readonly left: readonly string[];
  readonly unchanged: readonly string[];
  /** Reasons not to write, such as foreign files in the way. */
  readonly problems: readonly Diagnostic[];
  /** About files of the last run that are no longer produced and stay all the same. */
  readonly warnings: readonly Diagnostic[];
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

export function planOutput(directory: string, files: readonly OutputFile[]): OutputPlan {
  const faults = checkOutputPaths(files);
  if (faults.length > 0) throw new DiagnosticError(faults);
  requireDirectory(directory);

  const ours = readInventory(directory);
  const wanted = new Set(files.map((file) => file.path));
  const removed: RemovedFile[] = [];
  const warnings: Diagnostic[] = [];
  const left: string[] = [];
  for (const path of [...new Set([...ours.files.keys(), ...ours.next.keys()])].sort()) {
    if (wanted.has(path)) continue;
    // Whatever else stands there now is not what the last run wrote, and stays.
    const standing = lookAt(directory, path);
    if (standing.kind === 'absent' && ours.next.size > 0) left.push(path);
    if (standing.kind !== 'file') continue;
    const reason = findReasonToKeep({ path, ours, bytes: standing.bytes });
    if (reason === undefined) removed.push({ path, before: standing.bytes });
    else if (ours.files.has(path))
      warnings.push(hostProblems.create('output-edited-file', { path: join(directory, path), reason }));
  }

  const leaving = new Set([...removed.map((file) => file.path), ...left.flatMap(parentsOf)]);
  const added: OutputFile[] = [];
  const changed: ChangedFile[] = [];
  const unchanged: string[] = [];
  const problems: Diagnostic[] = [];
  for (const file of files) {
    const standing = lookAt(directory, file.path, leaving);
    if (standing.kind === 'absent') added.push(file);
    else if (standing.kind === 'blocked') {
      const { at, found, needed } = standing;
      problems.push(hostProblems.create('output-blocked', { path: join(directory, at), found, needed }));
    } else if (standing.bytes.equals(Buffer.from(file.text))) unchanged.push(file.path);
    else {
      changed.push({ ...file, before: standing.bytes });
      if (ours.files.has(file.path) || isOfNext(file.path, standing.bytes, ours)) continue;
      problems.push(hostProblems.create('output-foreign-file', { path: join(directory, file.path) }));
    }
  }
  return { before: ours, added, changed, removed, left, unchanged, problems, warnings };
}

/** The inventory is a file that anybody can write, so its word alone deletes nothing but what looks like our output. */
function findReasonToKeep(file: {
  readonly path: string;
  readonly ours: Inventory;
  readonly bytes: Buffer;
}): string | undefined {
  const { path, ours, bytes } = file;
  if (isOfNext(path, bytes, ours)) return undefined;
  if (!ours.files.has(path)) return 'is not what kurel was about to write';
  const digest = ours.files.get(path);
  if (digest !== undefined) return digestOf(bytes) === digest ? undefined : 'was changed since kurel wrote it';
  if (/^[^/]+\.(?:ya?ml|json)$/.test(path)) return undefined;
  return 'stands in an inventory of version 1, which does not say what kurel wrote';
}

/** Whether a run that was killed has written this; what only was to be written there may be somebody else's by now. */
function isOfNext(path: string, bytes: Buffer, { next }: Inventory): boolean {
  return next.get(path)?.includes(digestOf(bytes)) === true;
}

/** Looks at each part of the path, so that no link is ever followed below the output directory. */
export function lookAt(directory: string, path: string, leaving: ReadonlySet<string> = new Set()): Standing {
  for (const part of [...parentsOf(path), path]) {
    const stats = lstatSync(join(directory, part), { throwIfNoEntry: false });
    if (stats === undefined) return { kind: 'absent' };
    if (part !== path) {
      if (stats.isDirectory()) continue;
      // A file of the last run that makes way for a directory of the same name.
      if (leaving.has(part)) return { kind: 'absent' };
      return { kind: 'blocked', at: part, found: describe(stats), needed: 'a directory' };
    }
    if (stats.isFile()) return { kind: 'file', bytes: readFileSync(join(directory, part)) };
    if (stats.isDirectory() && isEmptied(directory, part, leaving)) return { kind: 'absent' };
    return { kind: 'blocked', at: part, found: describe(stats), needed: 'a file' };
  }
  return { kind: 'absent' };
}

/** Whether the directory will be empty, and go, once what is leaving is gone. */
function isEmptied(directory: string, path: string, leaving: ReadonlySet<string>): boolean {
  const entries = readdirSync(join(directory, path), { withFileTypes: true });
  if (entries.length === 0) return leaving.has(path);
  return entries.every((entry) => {
    const inner = `${path}/${entry.name}`;
    return entry.isDirectory() ? isEmptied(directory, inner, leaving) : leaving.has(inner);
  });
}

/** The directory, or the nearest one above it that exists and in which it can be made. */
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
