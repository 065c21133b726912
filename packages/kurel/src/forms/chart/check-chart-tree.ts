import {
  checkValuesSchema,
  foldName,
  isSubchart,
  isValuesSchema,
  readChartArchive,
  TarError,
} from '../../archive/index.ts';
import type { Awaitable, Diagnostic, DirectoryEntry, FileSystem } from '../../model/index.ts';
import { deepestDirectory, joinPath } from '../paths.ts';
import { walkTree } from '../walk-tree.ts';
import { helmProblems } from './problems.ts';

/**
 * helm follows every link in a chart, and templates may print the content. So links that point outside the chart are rejected, as
 * is anything that would make helm wait forever.
 */
export async function checkChartTree(fileSystem: FileSystem, chart: string): Promise<readonly Diagnostic[]> {
  const ignored = await readIgnoredNames(fileSystem, chart);
  const checks: (() => Awaitable<Diagnostic | undefined>)[] = [];
  // A set of names for each directory.
  type Spellings = Map<string, string>;
  await walkTree<Spellings>({
    fileSystem,
    root: chart,
    start: new Map(),
    visit({ entry, path, fault, state: spellings }) {
      if (isIgnored(entry, ignored)) return undefined;
      const place = { location: { file: path } };
      const other = spellings.get(foldName(entry.name));
      spellings.set(foldName(entry.name), path);
      if (other !== undefined) checks.push(() => helmProblems.create('chart-names-alike', { path, other }, place));
      if (fault !== undefined) {
        const code = fault === 'endless' ? 'chart-link-circle' : (`chart-${fault}` as const);
        const args = { path, chart, limit: deepestDirectory };
        checks.push(() => helmProblems.create(code, args, place));
      } else if (entry.kind === 'file') checks.push(() => checkFile(fileSystem, path));
      return new Map();
    },
  });
  const problems: Diagnostic[] = [];
  for (const check of checks) {
    const problem = await check();
    if (problem !== undefined) problems.push(problem);
  }
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
