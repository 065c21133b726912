import { getOrAdd } from '../../budget/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Diagnostic, DirectoryEntry, FileSystem, ProgramWorkspace, SourceFile } from '../../model/index.ts';
import { editDocument, readYaml } from '../../yaml/index.ts';
import { joinPath, leavesRoot, normalisePath, placeOfEntry, rootOf } from '../paths.ts';
import { kustomizeProblems } from './problems.ts';
import { kindOfField, listTexts, resolveReference } from './scan-kustomization.ts';
import type { Kustomization, KustomizationScan, NamedPath } from './scan-kustomization.ts';

export interface KustomizationCopy {
  readonly workspace: ProgramWorkspace;
  /** Path of the kustomization in the workspace. */
  readonly path: string;
  /** Replaces workspace paths in a text with the user's paths. */
  restorePaths(text: string): string;
}

export interface CopyOptions {
  readonly path: string;
  /** The content of `values.yaml` beside the kustomization, when there are values. */
  readonly values: string | undefined;
  /** Asks kustomize where each object comes from. */
  readonly withOrigins: boolean;
  readonly fileSystem: FileSystem;
  readonly loadRestrictions: 'root' | 'none';
}

const mostFiles = 10_000;
const mostContent = 64 * 1024 * 1024;
const token = '{kurel-workspace}';

/**
 * kustomize reads from disk, where values must not be written next to the user's files. So the kustomization and everything it
 * refers to is copied with the same relative paths, and `values.yaml` is added to the copy, or its file is changed there.
 */
export async function copyKustomization(scan: KustomizationScan, options: CopyOptions): Promise<KustomizationCopy> {
  const { path, fileSystem } = options;
  const root = normalisePath(path);
  // An absolute path such as `/etc/a.yaml` means the same in a copy, so it is copied only for an absolute kustomization.
  const paths = [...(await listPaths(scan, options))].filter((file) => rootOf(file) === rootOf(root));
  const tooLarge = (limit: string) => kustomizeProblems.error('kustomization-too-large', { path, limit });
  if (paths.length > mostFiles) throw tooLarge(`${mostFiles} files`);

  const { place, restorePaths } = arrange([...paths, root], rootOf(root));
  const files = new Map<string, string | Uint8Array>();
  let length = 0;
  for (const file of paths) {
    // Files of generators may be binary.
    const content = await (fileSystem.readBytes?.(file) ?? fileSystem.readText(file));
    length += content.length;
    if (length > mostContent) throw tooLarge(`${mostContent} bytes`);
    files.set(place(file), content);
  }
  const copied = place(root);
  if (options.values !== undefined) files.set(joinPath(copied, 'values.yaml'), options.values);
  const [first] = scan.kustomizations;
  if (options.withOrigins && first !== undefined) {
    files.set(place(normalisePath(first.source.path)), askForOrigins(first).text);
  }
  return { workspace: { token, files }, path: joinPath(token, copied), restorePaths };
}

const setting = 'originAnnotations';

/** Whether a kustomization asks kustomize to annotate objects with where they come from. */
export function asksForOrigins({ data }: Kustomization): boolean {
  const { buildMetadata } = data;
  return isJsonArray(buildMetadata) && buildMetadata.includes(setting);
}

/** The file of a kustomization, changed so that it asks for origins. One that kustomize will refuse stays as it is. */
function askForOrigins({ source, data }: Kustomization): SourceFile {
  const { buildMetadata = [] } = data;
  const document = readYaml(source).documents[0];
  if (!isJsonObject(document?.data) || !isJsonArray(buildMetadata)) return source;
  const { range } = document;
  const wanted = { ...data, buildMetadata: [...buildMetadata, setting] };
  const edited = editDocument(source, range, { wanted, parsed: document.data });
  return { ...source, text: source.text.slice(0, range.start) + edited + source.text.slice(range.end) };
}

/**
 * Lists everything to copy. The copy has no links, so kustomize could not detect one that points outside its root. They are rejected
 * here unless load restrictions are off.
 */
async function listPaths(scan: KustomizationScan, options: CopyOptions): Promise<ReadonlySet<string>> {
  const { fileSystem } = options;
  const paths = new Set<string>();
  const problems: Diagnostic[] = [];
  const findLinkOut = options.loadRestrictions === 'none' ? () => undefined : createLinkFinder(fileSystem);
  async function check({ path, root, location }: Omit<NamedPath, 'kind'>): Promise<void> {
    const link = await findLinkOut(root, path);
    if (link === undefined) return;
    problems.push(kustomizeProblems.create('kustomization-link-out', { path: link, directory: root }, { location }));
  }
  for (const { source, directory } of scan.kustomizations) {
    const path = normalisePath(source.path);
    await check({ path, root: directory, location: { file: source.path } });
    paths.add(path);
  }
  for (const named of scan.named) {
    await check(named);
    if (named.kind === 'file') paths.add(named.path);
  }
  if (problems.length > 0) throw new DiagnosticError(problems);
  // Any other string in a kustomization may refer to a file.
  for (const { data, directory } of scan.kustomizations) {
    for (const text of new Set(listTexts(data))) {
      if (text === '' || text.length > 1024 || text.includes('\n') || text.startsWith('/')) continue;
      const path = resolveReference(directory, text);
      if (paths.has(path) || (await kindOfField(fileSystem, path)) !== 'file') continue;
      // Few strings that equal a file name refer to it; kustomize reports a file that is missing in the copy.
      if ((await findLinkOut(directory, path)) === undefined) paths.add(path);
    }
  }
  return paths;
}

/**
 * Assigns each path a location in the workspace. Parents of the current directory, whose names are unknown, are replaced by as many
 * directories with an invented name that no path has.
 */
function arrange(paths: readonly string[], root: string) {
  const highest = paths.reduce((most, path) => Math.max(most, countParents(path)), 0);
  const taken = new Set(paths.flatMap((path) => path.split('/')));
  let below = 'below';
  for (let count = 1; taken.has(below); count += 1) below = `below-${count}`;
  // The placeholder with the invented directories and the slash after it.
  const placed = new RegExp(String.raw`\{kurel-workspace\}((?:/${below}(?![\w.-]))*)(/?)`, 'g');
  return {
    place: (path: string): string => {
      const up = countParents(path);
      const rest = path.slice(root.length).split('/').slice(up).join('/');
      return normalisePath(`${`${below}/`.repeat(highest - up)}${rest}`);
    },
    restorePaths: (text: string): string =>
      text.replaceAll(placed, (_, invented: string, slash: string) => {
        if (root !== '') return root;
        const down = invented.split(`/${below}`).length - 1;
        return '../'.repeat(highest - down) || (slash === '' ? '.' : '');
      }),
  };
}

function countParents(path: string): number {
  return /^(?:\.\.(?:\/|$))*/.exec(path)![0].split('..').length - 1;
}

/**
 * Creates a function that finds a link between a directory and a path below it that points outside the directory. Paths that leave
 * the directory by name are not its concern.
 */
function createLinkFinder(fileSystem: FileSystem) {
  const listed = new Map<string, Promise<ReadonlyMap<string, DirectoryEntry>>>();

  async function listEntries(directory: string): Promise<ReadonlyMap<string, DirectoryEntry>> {
    return new Map((await fileSystem.list(directory)).map((entry) => [entry.name, entry]));
  }

  return async function findLinkOut(directory: string, path: string): Promise<string | undefined> {
    const root = normalisePath(directory);
    const prefix = root === '.' ? '' : joinPath(root, '');
    const rest = path.slice(prefix.length);
    if (!path.startsWith(prefix) || rest === '.' || leavesRoot(rest)) return undefined;
    let lexical = root;
    let place = '.';
    for (const part of rest.split('/')) {
      const entry = (await getOrAdd(listed, lexical, () => listEntries(lexical))).get(part);
      lexical = joinPath(lexical, part);
      // It exists under another name, as on a case-insensitive file system, so its target is unknown.
      if (entry === undefined) return lexical;
      place = placeOfEntry(entry, place);
      if (entry.escapes === true || leavesRoot(place)) return lexical;
    }
    return undefined;
  };
}
