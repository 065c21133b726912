import { emptyRoot } from '../layout/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { digestOf, readInventory, recordedPaths } from './output-inventory.ts';
import type { OwnedFiles, RecordedFiles } from './output-inventory.ts';
import { hostProblems, type OutputOwner } from './problems.ts';
import { findUnportable } from './relative-path.ts';

/** The part of a build in an output directory that it may share with others. */
export interface OutputClaim {
  readonly owner: OutputOwner;
  /** The subdirectory from `findOutputPlace`. Defaults to the output directory itself. */
  readonly directory?: string | undefined;
  /** Filters dropped objects: other files of the owner are kept, and a file that would lose objects is an error. */
  readonly isPartial?: boolean | undefined;
  /** The caller knows that an earlier build of its own has written here, whose files this one replaces. */
  readonly earlier?: EarlierBuild | undefined;
}

/** A build whose files another one replaces, in any layout. */
export interface EarlierBuild {
  /** Several if a build that replaced one by another may have been killed. If none is known, it is the only one in the directory. */
  readonly instances: readonly string[];
}

/** An inventory as one owner sees it. */
interface ClaimedOutput {
  readonly own: OwnedFiles;
  /** Other owners that still have files here. */
  readonly others: readonly OwnedFiles[];
  /** Owners whose files are its own from now on: earlier instances and layouts of the same build. */
  readonly replaced: readonly OutputOwner[];
  /** The files come from an inventory of kurel 0.1.0. */
  readonly isAdopted: boolean;
  readonly warnings: readonly Diagnostic[];
}

/** Layouts that cannot share a directory with other instances. */
const unsharedLayouts: readonly string[] = ['phases'];
/** Layouts in which every instance after the first has its own subdirectory. */
const treeLayouts: readonly string[] = ['flux', 'argocd'];
/** Directories that these layouts create themselves. */
const treeNames: readonly string[] = ['pre-install', 'main', 'post-install', 'kustomizations'];

/** Returns the files of the owner; throws if it may not use the directory. Drops owners without remaining files. */
export function claimOutput(
  path: string,
  { owner, earlier }: OutputClaim,
  isFile: (path: string) => boolean,
): ClaimedOutput {
  const { owners, unowned } = readInventory(path);
  const isLive = (files: RecordedFiles): boolean => [...recordedPaths(files)].some(isFile);
  const live = owners.filter(isLive);
  const recorded = owners.find(({ instance }) => instance === owner.instance);
  const isOutdated = recorded !== undefined && recorded.layout !== owner.layout && live.includes(recorded);
  if (isOutdated && earlier === undefined) {
    throw hostProblems.error('output-other-layout', { path, other: recorded, layout: owner.layout });
  }
  const strangers = live.filter((other) => other !== recorded);
  const { replaced, warnings } = findReplaced(strangers, { path, owner, earlier, isNew: recorded === undefined });
  const others = strangers.filter((other) => !replaced.includes(other));
  const unshared = unsharedLayouts.includes(owner.layout)
    ? others[0]
    : others.find(({ layout }) => unsharedLayouts.includes(layout));
  if (unshared !== undefined) throw hostProblems.error('output-not-shared', { path, other: unshared });
  const own = recorded !== undefined && (isOutdated || recorded.layout === owner.layout) ? [recorded] : [];
  const adopted = unowned !== undefined && isLive(unowned) ? unowned : undefined;
  const before = [...own, ...replaced];
  const files = before.length > 0 ? joinFiles(before) : (adopted ?? noFiles);
  const directory =
    recorded?.layout === owner.layout ? recorded.directory : directoryFor(owner, { before, others, path });
  return {
    own: { ...owner, directory, ...files },
    others,
    replaced: [...(isOutdated ? [recorded] : []), ...replaced.filter((other) => !isEmptyRoot(other))],
    isAdopted: before.length === 0 && adopted !== undefined,
    warnings,
  };
}

interface ReplacingBuild extends Pick<OutputClaim, 'owner' | 'earlier'> {
  readonly path: string;
  /** Whether the owner has no files here yet. */
  readonly isNew: boolean;
}

/** The owners that a build replaces: what it was before, and empty roots at the place where it needs its own. */
function findReplaced(
  strangers: readonly OwnedFiles[],
  { path, owner, earlier, isNew }: ReplacingBuild,
): { readonly replaced: readonly OwnedFiles[]; readonly warnings: readonly Diagnostic[] } {
  const needsRoot = isNew && [...treeLayouts, ...unsharedLayouts].includes(owner.layout);
  const roots = needsRoot ? strangers.filter((other) => other.directory === '' && isEmptyRoot(other)) : [];
  const full = strangers.filter((other) => !isEmptyRoot(other));
  if (earlier === undefined) return { replaced: roots, warnings: [] };
  if (earlier.instances.length > 0) {
    const same = full.filter(({ instance }) => earlier.instances.includes(instance));
    return { replaced: [...same, ...roots], warnings: [] };
  }
  if (isNew && full.length === 1) return { replaced: [...full, ...roots], warnings: [] };
  const instances = full.map(({ instance }) => instance);
  const unknown = full.length === 0 ? [] : [hostProblems.create('output-earlier-unknown', { path, instances })];
  return { replaced: roots, warnings: unknown };
}

/** Whether an owner has nothing but what `removeOutput` leaves. */
function isEmptyRoot({ layout, directory, files, next }: OwnedFiles): boolean {
  const root = emptyRoot(layout, directory);
  return root !== undefined && files.size === 1 && next.size === 0 && files.get(root.path) === digestOf(root.text);
}

function joinFiles(owners: readonly RecordedFiles[]): RecordedFiles {
  return {
    files: new Map(owners.flatMap(({ files }) => [...files])),
    next: new Map(owners.flatMap(({ next }) => [...next])),
  };
}

const noFiles: RecordedFiles = { files: new Map(), next: new Map() };

interface Surroundings {
  /** Owners whose place becomes free. */
  readonly before: readonly OwnedFiles[];
  readonly others: readonly OwnedFiles[];
  readonly path: string;
}

/** The first instance uses the output directory itself, and so does its successor; later ones get a subdirectory with their name. */
function directoryFor({ instance, layout }: OutputOwner, { before, others: [other], path }: Surroundings): string {
  if (other === undefined || !treeLayouts.includes(layout)) return '';
  if (before.some((each) => treeLayouts.includes(each.layout) && each.directory === '')) return '';
  const reason = treeNames.includes(instance)
    ? 'the layout already has a directory of that name'
    : /^[a-z0-9][-a-z0-9]*$/.test(instance) && findUnportable(instance) === undefined
      ? undefined
      : 'it is not a valid directory name';
  if (reason === undefined) return instance;
  throw hostProblems.error('output-instance-name', { path, instance, other, reason });
}
