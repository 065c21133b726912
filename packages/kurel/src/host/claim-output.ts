import { DiagnosticError } from '../diagnostics/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { foldPath, parentsOf } from './check-output-paths.ts';
import { type Inventory, type OwnedFiles, type RecordedFiles, recordedPaths } from './output-inventory.ts';
import type { OutputClaim, OutputOwner } from './output-owner.ts';
import { hostProblems } from './problems.ts';
import { findUnportable } from './relative-path.ts';

/** An inventory as one owner sees it. */
export interface ClaimedOutput {
  readonly own: OwnedFiles;
  /** Other owners that still have files here. */
  readonly others: readonly OwnedFiles[];
  /** The files come from an inventory of kurel 0.1.0. */
  readonly isAdopted: boolean;
}

export interface OutputSurroundings {
  /** The output directory, for messages. */
  readonly path: string;
  readonly isFile: (path: string) => boolean;
}

/** Layouts that cannot share a directory with other instances. */
const unsharedLayouts: readonly string[] = ['phases'];
/** Layouts in which every instance after the first has its own subdirectory. */
const treeLayouts: readonly string[] = ['flux', 'argocd'];
/** Directories that these layouts create themselves. */
const treeNames: readonly string[] = ['pre-install', 'main', 'post-install', 'kustomizations'];

/** Returns the files of the owner; throws if it may not use the directory. Drops owners without remaining files. */
export function claimOutput(
  { owners, unowned }: Inventory,
  { owner, mayChangeLayout = false }: OutputClaim,
  { path, isFile }: OutputSurroundings,
): ClaimedOutput {
  const isLive = (files: RecordedFiles): boolean => [...recordedPaths(files)].some(isFile);
  const recorded = owners.find(({ instance }) => instance === owner.instance);
  const others = owners.filter((other) => other !== recorded && isLive(other));
  const outdated =
    recorded !== undefined && recorded.layout !== owner.layout && isLive(recorded) ? recorded : undefined;
  if (outdated !== undefined && !mayChangeLayout) {
    throw refusal('output-other-layout', { path, other: outdated, layout: owner.layout });
  }
  const unshared = unsharedLayouts.includes(owner.layout)
    ? others[0]
    : others.find(({ layout }) => unsharedLayouts.includes(layout));
  if (unshared !== undefined) throw refusal('output-not-shared', { path, other: unshared, layout: owner.layout });
  if (recorded?.layout === owner.layout) return { own: recorded, others, isAdopted: false };
  const adopted = unowned !== undefined && isLive(unowned) ? unowned : undefined;
  const { files, next } = outdated ?? adopted ?? noFiles;
  const own = { ...owner, directory: directoryFor(owner, others, path), files, next };
  return { own, others, isAdopted: adopted !== undefined };
}

const noFiles: RecordedFiles = { files: new Map(), next: new Map() };

/** The first instance uses the output directory itself; later ones get a subdirectory with their name. */
function directoryFor({ instance, layout }: OutputOwner, [other]: readonly OwnedFiles[], path: string): string {
  if (other === undefined || !treeLayouts.includes(layout)) return '';
  const reason = treeNames.includes(instance)
    ? 'the layout already has a directory of that name'
    : /^[a-z0-9][-a-z0-9]*$/.test(instance) && findUnportable(instance) === undefined
      ? undefined
      : 'it is not a valid directory name';
  if (reason === undefined) return instance;
  throw new DiagnosticError([hostProblems.create('output-instance-name', { path, instance, other, reason })]);
}

function refusal(
  code: 'output-other-layout' | 'output-not-shared',
  args: { readonly path: string; readonly other: OutputOwner; readonly layout: string },
): DiagnosticError {
  return new DiagnosticError([hostProblems.create(code, args)]);
}

/** Reports files whose paths conflict with files of other owners. */
export function findCollisions(
  files: readonly { readonly path: string }[],
  { others, path: directory }: { readonly others: readonly OwnedFiles[]; readonly path: string },
): readonly Diagnostic[] {
  const taken = new Map<string, { readonly path: string; readonly owner: OutputOwner }>();
  const parents = new Map<string, { readonly path: string; readonly owner: OutputOwner }>();
  for (const owner of others) {
    for (const path of recordedPaths(owner)) {
      taken.set(foldPath(path), { path, owner });
      for (const parent of parentsOf(path)) parents.set(foldPath(parent), { path, owner });
    }
  }
  return files.flatMap(({ path }) => {
    const above = parentsOf(path).map((parent) => taken.get(foldPath(parent)));
    const found = [taken.get(foldPath(path)), parents.get(foldPath(path)), ...above].find((one) => one !== undefined);
    if (found === undefined) return [];
    return [hostProblems.create('output-owned-file', { directory, path, other: found.path, owner: found.owner })];
  });
}
