import { reportUnpinned } from '../artifact/index.ts';
import { DiagnosticError } from '../diagnostics/index.ts';
import {
  createCatalog,
  deepMerge,
  detectInput,
  examineApplication,
  examinePackage,
  loadApplication,
  loadPatchPackage,
  markedDirectory,
} from '../index.ts';
import type { ApplicationExamination, ExaminationRequest, ExaminedPackage, PackageRequest } from '../index.ts';
import type { Diagnostic, FileSystem, SourceFile, Values } from '../model/index.ts';
import { recordReads } from '../reads/index.ts';
import type { FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import { fileProblem } from './file-problem.ts';
import type { valueFlags } from './input-flags.ts';
import { openDisk } from './open-world.ts';
import { applicationLayers, readPackageFlags } from './package-flags.ts';
import type { packageFlags } from './package-flags.ts';
import { hasErrors } from './usage-error.ts';
import { readLayers, readValueFlags } from './value-flags.ts';
import type { ValuesReading } from './value-flags.ts';

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
}

/** Reads the package at a path with the parameters from flags, for commands that do not build. */
export async function openPackage(argument: string, flags: Flags, environment: Environment): Promise<OpenedPackage> {
  const fileSystem = openDisk(environment);
  const settings = readPackageFlags(argument, flags, environment);
  const path = markedDirectory(argument);
  const values = await readValueFlags(flags, { reading: 'layered', paths: [argument] }, environment);
  const { layers, diagnostics: conflicts } = await readLayers(values.valueLayers, () =>
    readOwnParameters({ ...settings, path, fileSystem }),
  );
  const unpinned = reportUnpinned(fileSystem.packageAt?.(path));
  const parsed = [...values.diagnostics, ...conflicts, ...unpinned, ...(await checkPath(fileSystem, path))];
  const isRead = !hasErrors(parsed);
  const texts = recordReads({ fileSystem });
  const request = { ...settings, path, fileSystem: texts.fileSystem, layers };
  const examined = isRead ? await examinePackage(request) : undefined;
  const diagnostics = [...parsed, ...Object.values(examined?.found ?? {}).flat()];
  return {
    request,
    examined,
    diagnostics,
    sourcesOf: async (list) => [...values.sources, ...(examined === undefined ? [] : await texts.sourcesOf(list))],
    ok: !hasErrors(diagnostics),
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
  const pkg = await loadPatchPackage(request, () => undefined);
  return pkg?.layers.reduce<Values>((below, { data }) => deepMerge(below, data), {});
}

interface OpenedApplication extends Pick<OpenedPackage, 'diagnostics' | 'sourcesOf'> {
  /** `undefined` if there are errors. */
  readonly examination: ApplicationExamination | undefined;
}

/** Reads the application package at a path with values from flags, for commands that do not build. */
export async function openApplication(
  argument: string,
  values: Pick<ValuesReading, 'valueLayers' | 'diagnostics' | 'sources'>,
  environment: Environment,
): Promise<OpenedApplication> {
  const texts = recordReads({ fileSystem: openDisk(environment) });
  const { fileSystem } = texts;
  values.sources.forEach(texts.remember);
  const path = markedDirectory(argument);
  const diagnostics: Diagnostic[] = [...values.diagnostics, ...reportUnpinned(fileSystem.packageAt?.(path))];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const limits = environment.limits?.package;
  const isRead = values.diagnostics.length === 0;
  const pkg = isRead ? await loadApplication({ fileSystem, path, profile: false, limits }, report) : undefined;
  const options = { catalog: createCatalog(), layers: applicationLayers(values.valueLayers), report };
  const examination = pkg && examineApplication(pkg, options);
  return {
    examination: hasErrors(diagnostics) ? undefined : examination,
    diagnostics,
    sourcesOf: async (list) => [...values.sources, ...(await texts.sourcesOf(list))],
  };
}
