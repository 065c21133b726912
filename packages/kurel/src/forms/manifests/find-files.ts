import { quote, watchErrors } from '../../diagnostics/index.ts';
import type { DirectoryEntry, FileSystem, Report } from '../../model/index.ts';
import { findNearPath } from '../paths.ts';
import { treeLimits, walkTree } from '../walk-tree.ts';
import { compileGlob, directoryOfGlob, isGlob } from './glob.ts';
import { manifestsProblems } from './problems.ts';

interface Search {
  readonly fileSystem: FileSystem;
  readonly path: string;
  readonly report: Report;
}

const mostFiles = 100_000;
const endings = 'add files that end in .yaml, .yml or .json; hidden files are skipped';

/**
 * Files of a path, sorted by name: the file itself whatever its name, the manifests in a directory and below, or those that match a
 * pattern. An existing path is never read as a pattern.
 */
export async function findFiles(search: Search): Promise<readonly string[]> {
  const { fileSystem, path, report } = search;
  const kind = await fileSystem.kindOf(path);
  if (kind === 'file') return [path];
  const place = { location: { file: path } };
  if (kind === 'other') {
    report(manifestsProblems.create('manifests-not-a-file', { path }, place));
    return [];
  }
  if (kind === undefined && !isGlob(path)) {
    const near = await findNearPath(fileSystem, path);
    report(manifestsProblems.create('manifests-not-found', { path, near }));
    return [];
  }
  const watched = watchErrors(report);
  const matches = await (kind === 'directory' ? searchDirectory : searchPattern)({ ...search, report: watched.report });
  const paths = matches.filter((match) => match.kind === 'file').map((match) => match.path);
  const files = paths.filter(isManifest).sort();
  if (files.length > mostFiles) {
    report(manifestsProblems.create('manifests-too-many', { path, limit: `${mostFiles} files` }, place));
    return [];
  }
  if (files.length === 0 && !watched.hasErrors()) {
    const hint = kind === 'directory' ? endings : await explainPattern(fileSystem, path);
    report(manifestsProblems.create('manifests-none', { path, isPattern: kind === undefined, hint }));
  }
  return files;
}

async function searchDirectory(search: Search): Promise<readonly Match[]> {
  return await searchTree(search, search.path, true, ({ name }) =>
    name.startsWith('.') ? { isWanted: false } : { isWanted: isManifest(name), inside: true },
  );
}

async function searchPattern(search: Search): Promise<readonly Match[]> {
  const { fileSystem, path: pattern, report } = search;
  const glob = compileGlob(pattern);
  if ((await fileSystem.kindOf(glob.directory)) !== 'directory') return [];
  const matches = await searchTree(search, glob.directory, glob.start, ({ name }, readings) => {
    const after = glob.read(readings, name);
    const inside = glob.read(after, '/');
    return { isWanted: glob.accepts(after), inside: inside.size === 0 ? undefined : inside };
  });
  // Ignored matches may be unintended.
  for (const { path, kind, isEntered } of matches) {
    if (kind === 'directory' ? isEntered : isManifest(path)) continue;
    const code = kind === 'directory' ? 'manifests-directory-skipped' : 'manifests-file-skipped';
    report(manifestsProblems.create(code, { path, pattern }, { location: { file: path } }));
  }
  return matches;
}

/** Decides about an entry of a directory that was entered with `state`. */
type Decide<State> = (
  entry: DirectoryEntry,
  state: State,
) => {
  /** Links that point outside and pipes are errors only if they would be read. */
  readonly isWanted: boolean;
  /** State for entering the entry, if it is a directory. */
  readonly inside?: State | undefined;
};

/** A wanted entry. */
interface Match {
  readonly path: string;
  readonly kind: 'file' | 'directory';
  readonly isEntered: boolean;
}

async function searchTree<State>(
  { fileSystem, report }: Search,
  directory: string,
  start: State,
  decide: Decide<State>,
): Promise<readonly Match[]> {
  const matches: Match[] = [];
  const exceeded = new Set<keyof typeof treeLimits>();
  await walkTree<State>({
    fileSystem,
    root: directory,
    start,
    visit({ entry, path, fault, state }) {
      const { isWanted, inside } = decide(entry, state);
      const isEntered = entry.kind === 'directory' && inside !== undefined;
      const place = { location: { file: path } };
      if (fault === 'too-deep' || fault === 'endless') {
        if (isEntered) exceeded.add(fault);
      } else if (fault !== undefined) {
        const isInTheWay = isWanted || isEntered || (entry.escapes === true && inside !== undefined);
        if (isInTheWay) report(manifestsProblems.create(`manifests-${fault}`, { path, directory }, place));
        return undefined;
      }
      if (isWanted && entry.kind !== 'other') matches.push({ path, kind: entry.kind, isEntered });
      return inside;
    },
    onUnreadable({ message: reason }, file) {
      report(manifestsProblems.create('manifests-unreadable', { reason }, { location: { file } }));
    },
  });
  for (const limit of exceeded) {
    report(manifestsProblems.create('manifests-too-many', { path: directory, limit: treeLimits[limit] }));
  }
  return matches;
}

/** Acceptance files are next to the manifests, but are not manifests. */
function isManifest(path: string): boolean {
  return /\.(?:ya?ml|json)$/.test(path) && !/(?:^|\/)[^/]+\.accept\.yaml$/.test(path);
}

async function explainPattern(fileSystem: FileSystem, pattern: string): Promise<string> {
  const directory = directoryOfGlob(pattern);
  if ((await fileSystem.kindOf(directory)) !== 'directory') {
    const near = await findNearPath(fileSystem, directory);
    const missing = `directory ${quote(directory)} does not exist`;
    return near === undefined ? missing : `${missing}; did you mean ${quote(near)}?`;
  }
  const names = (await fileSystem.list(directory)).map(({ name }) => name).filter((name) => !name.startsWith('.'));
  if (names.length === 0) return `${quote(directory)} is empty`;
  return `match one of the files in ${quote(directory)}: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`;
}
