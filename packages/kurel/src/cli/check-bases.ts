import { detectInput, DiagnosticError, forms } from '../index.ts';
import type { Diagnostic, FileSystem } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { fileProblem } from './file-problem.ts';
import { openDisk } from './open-world.ts';
import { cliProblems } from './problems.ts';

/** Refuses charts, kustomizations and packages: patching their files is not the same as patching the objects built from them. */
export async function checkBases(paths: readonly string[], environment: Environment): Promise<readonly Diagnostic[]> {
  const fileSystem = openDisk(environment);
  const found: Diagnostic[] = [];
  for (const path of paths) {
    if (path === '-') continue;
    for (const diagnostic of await checkBase(path, fileSystem)) found.push(diagnostic);
  }
  return found;
}

async function checkBase(path: string, fileSystem: FileSystem): Promise<readonly Diagnostic[]> {
  try {
    const { form } = await detectInput({ fileSystem, path });
    return form === forms.at(-1)
      ? []
      : [cliProblems.create('base-not-manifests', { path, form: `a ${form.name.replace('-', ' ')}` })];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) return [fileProblem(error)];
    const isMissing = error.diagnostics.some(({ code }) => code === 'input-not-found' || code === 'input-not-a-file');
    return isMissing ? error.diagnostics : [cliProblems.create('base-not-manifests', { path, form: 'a package' })];
  }
}
