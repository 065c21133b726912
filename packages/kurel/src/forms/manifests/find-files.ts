import { DiagnosticError, quote } from '../../diagnostics/index.ts';
import type { FileSystem, Report } from '../../model/index.ts';
import { comparePaths, findNearPath } from '../paths.ts';
import { compileGlob, type Glob, isGlob } from './compile-glob.ts';
import { GlobError } from './parse-glob.ts';
import { manifestsProblems } from './problems.ts';
import { type Found, walkTree } from './walk-tree.ts';

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
  let hasErrors = false;
  const found = await (kind === 'directory' ? searchDirectory : searchPattern)({
    ...search,
    report(diagnostic) {
      hasErrors ||= diagnostic.severity === 'error';
      report(diagnostic);
    },
  });
  const files = found.filter(isManifest).sort(comparePaths);
  if (files.length > mostFiles) {
    report(manifestsProblems.create('manifests-too-many', { path, limit: `${mostFiles} files` }, place));
    return [];
  }
  if (files.length === 0 && !hasErrors) {
    const hint = kind === 'directory' ? endings : await explainPattern(fileSystem, path);
    report(manifestsProblems.create('manifests-none', { path, isPattern: kind === undefined, hint }));
  }
  return files;
}

async function searchDirectory({ fileSystem, path, report }: Search): Promise<readonly string[]> {
  const found = await walkTree({
    fileSystem,
    directory: path,
    start: true,
    visit: ({ name }) => (name.startsWith('.') ? { isWanted: false } : { isWanted: isManifest(name), inside: true }),
    report,
  });
  return found.filter(({ kind }) => kind === 'file').map((one) => one.path);
}

async function searchPattern({ fileSystem, path: pattern, report }: Search): Promise<readonly string[]> {
  const glob = compile(pattern);
  if ((await fileSystem.kindOf(glob.directory)) !== 'directory') return [];
  const found = await walkTree({
    fileSystem,
    directory: glob.directory,
    start: glob.start,
    visit({ name }, readings) {
      const after = glob.read(readings, name);
      const inside = glob.read(after, '/');
      return { isWanted: glob.accepts(after), inside: inside.size === 0 ? undefined : inside };
    },
    report,
  });
  for (const one of found) reportSkipped(one, pattern, report);
  return found.filter(({ kind }) => kind === 'file').map(({ path }) => path);
}

function compile(pattern: string): Glob {
  try {
    return compileGlob(pattern);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new DiagnosticError([
      manifestsProblems.create('manifests-bad-pattern', { path: pattern, reason: error.message }),
    ]);
  }
}

/** Reports ignored matches of a pattern, because they may be unintended. */
function reportSkipped({ path, kind, isEntered }: Found, pattern: string, report: Report): void {
  const place = { location: { file: path } };
  if (kind === 'directory') {
    if (!isEntered) report(manifestsProblems.create('manifests-directory-skipped', { path, pattern }, place));
  } else if (!isManifest(path)) report(manifestsProblems.create('manifests-file-skipped', { path, pattern }, place));
}

/** Acceptance files are next to the manifests, but are not manifests. */
function isManifest(path: string): boolean {
  return /\.(?:ya?ml|json)$/.test(path) && !/(?:^|\/)[^/]+\.accept\.yaml$/.test(path);
}

async function explainPattern(fileSystem: FileSystem, pattern: string): Promise<string> {
  const { directory } = compile(pattern);
  if ((await fileSystem.kindOf(directory)) !== 'directory') {
    const near = await findNearPath(fileSystem, directory);
    const missing = `directory ${quote(directory)} does not exist`;
    return near === undefined ? missing : `${missing}; did you mean ${quote(near)}?`;
  }
  const names = (await fileSystem.list(directory)).map(({ name }) => name).filter((name) => !name.startsWith('.'));
  if (names.length === 0) return `${quote(directory)} is empty`;
  return `match one of the files in ${quote(directory)}: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`;
}
