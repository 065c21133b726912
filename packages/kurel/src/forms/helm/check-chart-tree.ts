import {
  checkValuesSchema,
  foldName,
  isSubchart,
  isValuesSchema,
  readChartArchive,
  TarError,
} from '../../archive/index.ts';
import type { Diagnostic, DirectoryEntry, FileSystem } from '../../model/index.ts';
import { deepestDirectory, joinPath, leadsOut, placeOfEntry } from '../paths.ts';
import { helmProblems } from './problems.ts';

// Far more than real charts have; a few directories that link to each other can form endless paths.
const mostBehindLinks = 1000;

/**
 * helm follows every link in a chart, and templates may print the content. So links that point outside the chart are rejected, as
 * is anything that would make helm wait forever.
 */
export async function checkChartTree(fileSystem: FileSystem, chart: string): Promise<readonly Diagnostic[]> {
  const ignored = await readIgnoredNames(fileSystem, chart);
  const problems: Diagnostic[] = [];
  let behindLinks = 0;

  /** `trail` contains the real paths of the current directory and its parents, relative to the chart. */
  async function enter(directory: string, trail: readonly string[]): Promise<void> {
    // Without a link, the path would equal the real path.
    if (trail.length > 1 && joinPath(chart, trail.at(-1)!) !== directory) behindLinks += 1;
    const spellings = new Map<string, string>();
    for (const entry of await fileSystem.list(directory)) {
      if (isIgnored(entry, ignored)) continue;
      const path = joinPath(directory, entry.name);
      const other = spellings.get(foldName(entry.name));
      spellings.set(foldName(entry.name), path);
      if (other !== undefined) {
        problems.push(helmProblems.create('chart-names-alike', { path, other }, { location: { file: path } }));
      }
      const place = placeOfEntry(entry, trail.at(-1)!);
      const code = findFault(entry, { place, trail });
      if (code !== undefined) {
        problems.push(helmProblems.create(code, { path, chart }, { location: { file: path } }));
      } else if (entry.kind === 'file') {
        const problem = await checkFile(fileSystem, path);
        if (problem !== undefined) problems.push(problem);
      } else if (trail.length > deepestDirectory) {
        const args = { path, limit: deepestDirectory };
        problems.push(helmProblems.create('chart-too-deep', args, { location: { file: path } }));
      } else {
        if (behindLinks < mostBehindLinks) await enter(path, [...trail, place]);
        else problems.push(helmProblems.create('chart-link-circle', { path }, { location: { file: path } }));
      }
    }
  }

  await enter(chart, ['.']);
  return problems;
}

async function checkFile(fileSystem: FileSystem, path: string): Promise<Diagnostic | undefined> {
  if (isSubchart(path)) return await checkArchive(fileSystem, path);
  if (!isValuesSchema(path)) return undefined;
  const reason = checkValuesSchema(await fileSystem.readText(path));
  if (reason === undefined) return undefined;
  return helmProblems.create('chart-schema-refused', { path, reason }, { location: { file: path } });
}

/** Checks a chart archive before it is passed to helm. */
export async function checkArchive(fileSystem: FileSystem, path: string): Promise<Diagnostic | undefined> {
  if (fileSystem.readBytes === undefined) return undefined;
  const bytes = await fileSystem.readBytes(path);
  try {
    await readChartArchive(bytes);
    return undefined;
  } catch (error) {
    if (!(error instanceof TarError)) throw error;
    const place = { location: { file: path } };
    return helmProblems.create('chart-archive-refused', { path, reason: error.message }, place);
  }
}

function findFault(
  entry: DirectoryEntry,
  at: { readonly place: string; readonly trail: readonly string[] },
): 'chart-link-out' | 'chart-not-a-file' | 'chart-link-circle' | undefined {
  if (entry.escapes === true || leadsOut(at.place)) return 'chart-link-out';
  if (entry.kind === 'other') return 'chart-not-a-file';
  return entry.kind === 'directory' && at.trail.includes(at.place) ? 'chart-link-circle' : undefined;
}

/** helm matches the target name of a link, not its own, so links never count as ignored. */
function isIgnored({ name, kind, target, escapes }: DirectoryEntry, ignored: ReadonlySet<string>): boolean {
  if (target !== undefined || escapes === true) return false;
  return ignored.has(name) || (kind === 'directory' && ignored.has(`${name}/`));
}

/**
 * Names that helm ignores everywhere. Only plain names are read from `.helmignore`, because a pattern that helm reads differently
 * would skip a check. Any exception could re-include a name, so no name is ignored then.
 */
async function readIgnoredNames(fileSystem: FileSystem, chart: string): Promise<ReadonlySet<string>> {
  const path = joinPath(chart, '.helmignore');
  if ((await fileSystem.kindOf(path)) !== 'file') return new Set();
  const lines = (await fileSystem.readText(path)).split('\n').map((line) => line.trim());
  if (lines.some((line) => line.startsWith('!'))) return new Set();
  return new Set(lines.filter((line) => /^[\w.-]+\/?$/.test(line)));
}
