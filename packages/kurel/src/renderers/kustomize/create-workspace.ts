import { DiagnosticError } from '../../diagnostics/index.ts';
import { FileAccessError, type FileSystem, type ProgramWorkspace } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { joinPath, normalisePath } from '../paths.ts';
import { listTexts } from './list-references.ts';
import { kustomizeProblems } from './problems.ts';
import { type KustomizationScan, resolveReference } from './scan-kustomization.ts';

export interface KustomizationCopy {
  readonly workspace: ProgramWorkspace;
  /** Argument that names the kustomization in the workspace. */
  readonly path: string;
  /** Puts the user's paths into a text about the workspace. */
  restorePaths(text: string): string;
}

const mostFiles = 10_000;
const mostText = 64 * 1024 * 1024;
const token = '{kurel-workspace}';

/**
 * Kustomize reads the disk, where values must not be written. So the kustomization and all it names is copied, at the same
 * distances from one another, and `values.yaml` is put beside it in the copy.
 */
export async function createWorkspace(
  scan: KustomizationScan,
  options: { readonly path: string; readonly values: string; readonly fileSystem: FileSystem },
): Promise<KustomizationCopy> {
  const { path, fileSystem } = options;
  const paths = new Set([...scan.kustomizations.map(({ source }) => normalisePath(source.path)), ...scan.files]);
  for (const file of await findFurtherFiles(scan, fileSystem)) paths.add(file);
  if (paths.size > mostFiles) throw tooLarge(path, `${mostFiles} files`);

  const place = arrange([...paths, normalisePath(path)]);
  const files = new Map<string, string>();
  let length = 0;
  for (const file of paths) {
    const text = await fileSystem.readText(file);
    length += text.length;
    if (length > mostText) throw tooLarge(path, `${mostText} characters`);
    files.set(place(file), text);
  }
  const root = place(normalisePath(path));
  files.set(joinPath(root, 'values.yaml'), options.values);
  return {
    workspace: { token, files },
    path: joinPath(token, root),
    restorePaths: (text) => text.replaceAll(`${token}/`, ''),
  };
}

/** Files that any other text in a kustomization, or in a file that one names, leads to: plugins have fields of their own. */
async function findFurtherFiles(scan: KustomizationScan, fileSystem: FileSystem): Promise<readonly string[]> {
  const further: string[] = [];
  async function look(texts: Iterable<string>, directory: string): Promise<void> {
    for (const text of new Set(texts)) {
      if (text === '' || text.length > 1024 || text.includes('\n') || text.startsWith('/')) continue;
      const target = resolveReference(directory, text);
      if (await isFile(fileSystem, target)) further.push(target);
    }
  }
  for (const { data, directory } of scan.kustomizations) {
    await look(listTexts(data), directory);
    for (const field of ['generators', 'transformers', 'validators']) {
      for (const name of listTexts(data[field] ?? null)) {
        const file = resolveReference(directory, name);
        if (!scan.files.includes(file)) continue;
        const { documents } = readYaml({ path: file, text: await fileSystem.readText(file) });
        for (const document of documents) await look(listTexts(document.data ?? null), directory);
      }
    }
  }
  return further;
}

/** Most texts are not paths at all, and some are such that the disk refuses to look. */
async function isFile(fileSystem: FileSystem, path: string): Promise<boolean> {
  try {
    return (await fileSystem.kindOf(path)) === 'file';
  } catch (error) {
    if (error instanceof FileAccessError) return false;
    throw error;
  }
}

/**
 * Gives each path a place in the workspace. Paths above the current directory, whose names nobody knows, keep their distance
 * by as many directories of an invented name.
 */
function arrange(paths: readonly string[]): (path: string) => string {
  const climbs = (path: string): number => /^(?:\.\.(?:\/|$))*/.exec(path)![0].split('..').length - 1;
  const highest = Math.max(...paths.map(climbs));
  return (path) => {
    const up = climbs(path);
    const rest = path.split('/').slice(up).join('/').replace(/^\//, '');
    return normalisePath(`${'below/'.repeat(highest - up)}${rest}`);
  };
}

function tooLarge(path: string, limit: string): DiagnosticError {
  return new DiagnosticError([kustomizeProblems.create('kustomization-too-large', { path, limit })]);
}
