import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import { emptyRoot } from '../layout/index.ts';
import type { Diagnostic, OutputFile } from '../model/index.ts';
import { readIfThere, statIfThere } from './file-errors.ts';
import { holdSignals } from './hold-signals.ts';
import { isUnwritable, lockOutput, removeStaleLock } from './lock-output.ts';
import type { LockOptions } from './lock-output.ts';
import type { OutputClaim } from './claim-output.ts';
import { formatInventory, hasDigest, inventoryName, readInventory } from './output-inventory.ts';
import type { OwnedFiles } from './output-inventory.ts';
import { lookAt, planOutput, requireWritable } from './plan-output.ts';
import type { OutputPlan } from './plan-output.ts';
import { hostProblems } from './problems.ts';
import { nameFile } from './relative-path.ts';
import { createUndoLog, makeDirectory, replaceFiles, reportFailure } from './replace-files.ts';
import { makeTree, placeTree, removeStaging, removeStaleStagings } from './staging-directory.ts';

export interface OutputSummary {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Whether other instances have files in the directory. */
  readonly isShared: boolean;
  /** Notes, and warnings about files that are no longer part of the output, but are kept because they were edited. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes the files of the owner: all of them or, if anything fails, none. Never touches files of other owners, foreign files and files
 * that are up to date. Removes earlier files of the owner unless they were edited. Other processes that write to the directory wait, and
 * so do signals. A process that is killed leaves a new directory uncreated; in an existing one, it may have replaced some files, each of
 * them completely, and the next build of the owner does the rest.
 */
export function writeOutputDirectory(
  directory: string,
  files: readonly OutputFile[],
  { onWait, ...claim }: OutputClaim & Pick<LockOptions, 'onWait'>,
): OutputSummary {
  return reportFailure(directory, () => {
    requireWritable(directory, files);
    let unlock: () => void;
    try {
      unlock = lockOutput(directory, { onWait });
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      // In a read-only directory, a build without changes still succeeds.
      const plan = makePlan(directory, files, claim);
      if (isDone(directory, plan)) return summarise(plan);
      throw error;
    }
    const release = holdSignals();
    try {
      return writeLocked(directory, files, claim);
    } finally {
      unlock();
      release();
    }
  });
}

function writeLocked(directory: string, files: readonly OutputFile[], claim: OutputClaim): OutputSummary {
  const plan = makePlan(directory, files, claim);
  removeStaleStagings(directory);
  removeStaleStagings(dirname(directory));
  if (existsSync(directory)) removeStaleLock(directory);
  if (isDone(directory, plan)) return summarise(plan);
  const text = formatInventory(plan.after);
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) {
    placeDirectory(directory, files, text);
  } else {
    const inventory = { path: inventoryName, text, exists: readInventoryText(directory) !== '' };
    replaceFiles(directory, { plan, pending: formatInventory(plan.pending), inventory });
  }
  return summarise(plan);
}

function makePlan(directory: string, files: readonly OutputFile[], claim: OutputClaim): OutputPlan {
  const plan = planOutput(directory, files, claim);
  // Other problems are irrelevant if this build may not use the directory.
  const problems = plan.refusals.length > 0 ? plan.refusals : plan.problems;
  if (problems.length > 0) throw new DiagnosticError(problems);
  return plan;
}

function isDone(directory: string, { added, changed, removed, after }: OutputPlan): boolean {
  const isUpToDate = added.length + changed.length + removed.length === 0;
  return isUpToDate && readInventoryText(directory) === formatInventory(after);
}

function summarise({ added, changed, removed, unchanged, isShared, warnings, notes }: OutputPlan): OutputSummary {
  return {
    added: added.length,
    changed: changed.length,
    removed: removed.length,
    unchanged: unchanged.length,
    isShared,
    diagnostics: [...warnings, ...notes],
  };
}

function readInventoryText(directory: string): string {
  return readIfThere(() => readFileSync(join(directory, inventoryName), 'utf8'));
}

/** Creates a directory with all its files in one step, or not at all. */
function placeDirectory(directory: string, files: readonly OutputFile[], inventory: string): void {
  const log = createUndoLog();
  try {
    makeDirectory(dirname(directory), log);
    const tree = makeTree(dirname(directory));
    log.cleanUp(() => removeStaging(tree));
    writeFileSync(join(tree, inventoryName), inventory);
    for (const parent of new Set(files.map(({ path }) => dirname(join(tree, path))))) {
      if (parent !== tree) mkdirSync(parent, { recursive: true });
    }
    for (const { path, text } of files) writeFileSync(join(tree, path), text);
    placeTree(tree, directory);
  } catch (error) {
    log.takeBack();
    throw error;
  }
}

export interface Removal {
  /** The instances to remove; if they are not known, there is only one in the directory. */
  readonly instances: readonly string[];
  /** Leaves an empty root in layouts that have one, so that a controller deletes what it has applied from there. */
  readonly keepsRoot: boolean;
}

/**
 * Removes the files that builds of an instance have written to a directory, and the directory if it is empty then. Keeps and reports edited
 * files.
 */
export function removeOutput(directory: string, { instances, keepsRoot }: Removal): readonly Diagnostic[] {
  if (statIfThere(directory)?.isDirectory() !== true) return [];
  return reportFailure(directory, () => {
    const { owners } = readInventory(directory);
    const isUnlisted = owners.length === 0 && readdirSync(directory).some((name) => name !== inventoryName);
    if (isUnlisted) return [hostProblems.create('output-inventory-missing', { path: directory })];
    const live = owners.filter(({ files, next }) =>
      [...files.keys(), ...next.keys()].some((path) => lookAt(directory, path).kind === 'file'),
    );
    if (instances.length === 0 && live.length > 1) {
      const candidates = live.map((owner) => owner.instance);
      return [hostProblems.create('output-earlier-unknown', { path: directory, instances: candidates })];
    }
    const diagnostics = owners.flatMap((owner) => {
      const isMeant = instances.length === 0 || instances.includes(owner.instance);
      return isMeant ? removeOwner(directory, owner, keepsRoot) : [];
    });
    if (readInventory(directory).owners.length === 0) rmSync(join(directory, inventoryName), { force: true });
    const isLink = lstatSync(directory).isSymbolicLink();
    if (!isLink && readdirSync(directory).length === 0) rmdirSync(directory);
    return diagnostics;
  });
}

function removeOwner(directory: string, owner: OwnedFiles, keepsRoot: boolean): readonly Diagnostic[] {
  const { instance, layout, directory: inner, files } = owner;
  const root = keepsRoot ? emptyRoot(layout, inner) : undefined;
  const standing = root === undefined ? undefined : lookAt(directory, root.path);
  // One that was edited or deleted is not written again.
  const isOwn = root !== undefined && standing?.kind === 'file' && hasDigest(standing.bytes, files.get(root.path));
  const claim = { owner: { instance, layout }, directory: inner };
  const { diagnostics } = writeOutputDirectory(directory, isOwn ? [root] : [], claim);
  if (!isOwn) return diagnostics;
  return [...diagnostics, hostProblems.create('output-root-kept', { path: nameFile(directory, root.path) })];
}
