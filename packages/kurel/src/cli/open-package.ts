import { reportUnpinned } from '../artifact/index.ts';
import { DiagnosticError } from '../diagnostics/index.ts';
import { deepMerge, detectInput, examinePackage, loadPatchPackage, markedDirectory } from '../index.ts';
import type { ExaminationRequest, ExaminedPackage, PackageRequest } from '../index.ts';
import type { Diagnostic, FileSystem, SourceFile, Values } from '../model/index.ts';
import { recordReads } from '../reads/index.ts';
import type { FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import { fileProblem } from './file-problem.ts';
import { openDisk } from './open-world.ts';
import type { packageFlags } from './package-flags.ts';
import { readPackageFlags } from './package-flags.ts';
import { readLayers, readValueFlags } from './value-flags.ts';
import type { valueFlags } from './value-flags.ts';

type Flags = FlagValues<typeof valueFlags & typeof packageFlags>;

interface OpenedPackage {
  readonly request: ExaminationRequest;
  /** `undefined` if the flags are wrong. */
  readonly examined: ExaminedPackage | undefined;
  /** Findings about the flags and the package. */
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that these and further findings point into. */
  readonly sourcesOf: (diagnostics: readonly Diagnostic[]) => Promise<readonly SourceFile[]>;
  readonly ok: boolean;
  /** The exit code after errors. */
  readonly failure: 1 | 2;
}

/** Reads the package at a path with the parameters from flags, for commands that do not build. */
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
  const unpinned = reportUnpinned(fileSystem.packageAt?.(path));
  const parsed = [...values.diagnostics, ...conflicts, ...unpinned, ...(await checkPath(fileSystem, path))];
  const isRead = parsed.every(({ severity }) => severity !== 'error');
  const texts = recordReads({ fileSystem });
  const request = { ...settings, path, fileSystem: texts.fileSystem, layers };
  const examined = isRead ? await examinePackage(request) : undefined;
  const found = Object.values(examined?.found ?? {}).flat();
  const diagnostics = [...parsed, ...found];
  return {
    request,
    examined,
    diagnostics,
    sourcesOf: async (list) => [...values.sources, ...(examined === undefined ? [] : await texts.sourcesOf(list))],
    ok: diagnostics.every(({ severity }) => severity !== 'error'),
    failure: parsed.some(({ code }) => code === 'set-syntax') ? 2 : 1,
  };
}

/** Findings about a path that does not exist, with the nearest existing name. */
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

/** Unresolved parameters of a package and its local extension; `undefined` if they cannot be read, which the caller reports. */
export async function readOwnParameters(request: PackageRequest): Promise<Values | undefined> {
  const found = await loadPatchPackage(request, () => undefined);
  return found?.layers.reduce<Values>((below, { data }) => deepMerge(below, data), {});
}
