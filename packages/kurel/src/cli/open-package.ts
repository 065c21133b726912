import { DiagnosticError } from '../diagnostics/index.ts';
import { detectInput, markedDirectory } from '../index.ts';
import type { Diagnostic, FileSystem, SourceFile } from '../model/index.ts';
import type { FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import { examinePackage } from './examine-package.ts';
import type { Examination, ExaminationRequest } from './examine-package.ts';
import { fileProblem } from './file-problem.ts';
import { openDisk } from './open-world.ts';
import type { packageFlags } from './package-flags.ts';
import { readLayers, readValueFlags } from './value-flags.ts';
import { readOwnParameters } from './read-own-parameters.ts';
import { readPackageFlags } from './package-flags.ts';
import type { valueFlags } from './value-flags.ts';

type Flags = FlagValues<typeof valueFlags & typeof packageFlags>;

export interface OpenedPackage {
  readonly request: ExaminationRequest;
  /** What could be read of it; `undefined` when the flags are wrong already. */
  readonly examination: Examination | undefined;
  /** Of the flags and of the package. */
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that these and further findings point into. */
  readonly sourcesOf: (diagnostics: readonly Diagnostic[]) => Promise<readonly SourceFile[]>;
  readonly ok: boolean;
  /** The exit code after errors. */
  readonly failure: 1 | 2;
}

/** The package that an argument names, with the parameters that flags give it. */
export async function openPackage(argument: string, flags: Flags, environment: Environment): Promise<OpenedPackage> {
  const fileSystem = openDisk(environment);
  const settings = readPackageFlags(argument, flags, environment);
  const path = markedDirectory(argument);
  const values = await readValueFlags(flags, openDisk(environment, { pipes: true }), {
    reading: 'layered',
    budget: environment.budget,
    readStdin: environment.readStdin,
    paths: [argument],
  });
  const { layers, diagnostics: conflicts } = await readLayers(values.given, () =>
    readOwnParameters({ ...settings, path, fileSystem }),
  );
  const parsed = [...values.diagnostics, ...conflicts, ...(await checkPath(fileSystem, path))];
  const isRead = parsed.every(({ severity }) => severity !== 'error');
  const request = { ...settings, path, fileSystem, layers };
  const examination = isRead ? await examinePackage(request) : undefined;
  const found = examination === undefined ? [] : Object.values(examination.found).flat();
  const diagnostics = [...parsed, ...found];
  return {
    request,
    examination,
    diagnostics,
    sourcesOf: async (list) => [...values.sources, ...((await examination?.sourcesOf(list)) ?? [])],
    ok: diagnostics.every(({ severity }) => severity !== 'error'),
    failure: parsed.some(({ code }) => code === 'set-syntax') ? 2 : 1,
  };
}

/** What is wrong with a path where there is nothing, with the name that was most likely meant. */
async function checkPath(fileSystem: FileSystem, path: string): Promise<readonly Diagnostic[]> {
  try {
    const kind = await fileSystem.kindOf(path);
    if (kind === undefined || kind === 'other') await detectInput({ fileSystem, path });
    return [];
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    return [fileProblem(error)];
  }
}
