import { readPatchFile } from '../index.ts';
import type { PatchFile } from '../index.ts';
import type { Diagnostic, SourceFile } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { fileProblem, fileProblemWithHint } from './file-problem.ts';
import { openDisk } from './open-disk.ts';
import type { Findings } from './print-diagnostics.ts';
import { cliProblems } from './problems.ts';

export interface PatchReading extends Findings {
  readonly files: readonly PatchFile[];
}

/** What `--patch` names, in order: files, the patches in directories, standard input. The problems of all of them are found. */
export async function readPatches(paths: readonly string[], environment: Environment): Promise<PatchReading> {
  const diagnostics: Diagnostic[] = [];
  const sources: SourceFile[] = [];
  const files: PatchFile[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  for (const path of paths) {
    for (const named of await listPatches(path, environment, report)) {
      const source = await readSource(named, environment, report);
      if (source === undefined) continue;
      sources.push(source);
      files.push(readPatchFile(source, report, environment.budget));
    }
  }
  return { files, diagnostics, sources };
}

type Tell = (diagnostic: Diagnostic) => void;

interface NamedPatch {
  readonly path: string;
  /** The directory that was named, when the patch itself was not. */
  readonly root?: string;
}

/** A directory stands for the patches right in it, by name; links must not lead out of it. */
async function listPatches(path: string, environment: Environment, report: Tell): Promise<readonly NamedPatch[]> {
  if (path === '-') return [{ path }];
  try {
    const fileSystem = openDisk(environment, { root: path });
    if ((await fileSystem.kindOf(path)) !== 'directory') return [{ path }];
    const entries = (await fileSystem.list(path)).filter(
      ({ name, kind }) => /^[^.].*\.(?:kpatch|ya?ml)$/s.test(name) && kind !== 'directory',
    );
    if (entries.length === 0) report(cliProblems.create('patch-directory-empty', { path }));
    const directory = path.replace(/\/+$/, '');
    const files = entries.map(({ name, escapes = false }) => ({ file: `${directory}/${name}`, escapes }));
    for (const { file } of files.filter(({ escapes }) => escapes)) {
      report(cliProblems.create('patch-link-out', { file, path }, { location: { file } }));
    }
    return files.filter(({ escapes }) => !escapes).map(({ file }) => ({ path: file, root: path }));
  } catch (error) {
    report(fileProblem(error));
    return [];
  }
}

async function readSource(
  { path, root }: NamedPatch,
  environment: Environment,
  report: Tell,
): Promise<SourceFile | undefined> {
  if (path === '-') return { path: 'stdin', text: await environment.readStdin() };
  // A pipe in a directory would be waited for, though nobody has asked for it.
  const fileSystem = openDisk(environment, root === undefined ? { pipes: true } : { root });
  try {
    return { path, text: await fileSystem.readText(path) };
  } catch (error) {
    report(await fileProblemWithHint(error, fileSystem));
    return undefined;
  }
}
