import { reportUnpinned } from '../artifact/index.ts';
import { DiagnosticError } from '../diagnostics/index.ts';
import { detectInput, markedDirectory } from '../index.ts';
import type { DescriptionRequest, PackageDescription } from '../index.ts';
import type { Diagnostic, FileSystem } from '../model/index.ts';
import { recordReads } from '../reads/index.ts';
import { completeSettings } from '../settings/index.ts';
import type { BuildSettings } from '../settings/index.ts';
import type { Environment } from './environment.ts';
import { fileProblem } from './file-problem.ts';
import { formsOf, isPackage, openInput } from './open-input.ts';
import type { FormOfPackages, OpenedInput } from './open-input.ts';
import { openDisk } from './open-world.ts';
import { readPackageFlags } from './package-flags.ts';
import type { SourcedFindings } from './sourced-findings.ts';
import { hasErrors } from './usage-error.ts';
import { readLayersFor, readValueFlags } from './value-flags.ts';

/** A path that must be a package. */
interface PackageInput extends Pick<OpenedInput, 'path'> {
  readonly form: FormOfPackages;
}

/** A path that is not a package is read as the last form of a package, which reports what is missing. */
export async function openPackageInput(argument: string, environment: Environment): Promise<PackageInput> {
  const forms = formsOf(environment);
  const { form } = await openInput(argument, {}, environment);
  return { form: isPackage(form) ? form : forms.findLast(isPackage)!, path: markedDirectory(argument, forms) };
}

/** For commands without settings of packages. */
export const noSettings = completeSettings({});

interface OpenedPackage {
  /** `undefined` if the package cannot be read, or the settings are wrong. */
  readonly description: PackageDescription | undefined;
  /** `description`, unless there are errors. */
  readonly usable: PackageDescription | undefined;
  /** Values of parameters that end up in a Secret. */
  readonly secretWords: () => readonly string[];
  /** What was reported so far about the settings and the package, and more, with the texts that they point into. */
  readonly findings: (more?: readonly Diagnostic[]) => Promise<SourcedFindings>;
}

type Question = Pick<DescriptionRequest, 'store' | 'package' | 'isToBePublished'>;

/** Reads a package with the parameters from settings, for commands that do not build. */
export async function openPackage(
  { form, path }: PackageInput,
  settings: BuildSettings,
  environment: Environment,
  { package: more, ...question }: Question = {},
): Promise<OpenedPackage> {
  const disk = openDisk(environment);
  const packageSettings = { ...readPackageFlags(path, settings, environment), ...more };
  const reading = await readValueFlags(settings, { reading: form.values, paths: [path] }, environment);
  const layered = await readLayersFor(form, reading.valueLayers, { path, fileSystem: disk, package: packageSettings });
  const diagnostics: Diagnostic[] = [
    ...reading.diagnostics,
    ...layered.diagnostics,
    ...reportUnpinned(disk.packageAt?.(path)),
    ...(await checkPath(disk, path)),
  ];
  const texts = recordReads({ fileSystem: disk });
  reading.sources.forEach(texts.remember);
  const { layers } = layered;
  const request: DescriptionRequest = {
    ...question,
    path,
    fileSystem: texts.fileSystem,
    ...(layers === undefined ? { values: reading.values } : {}),
    package: layers === undefined ? packageSettings : { ...packageSettings, layers },
    onSecrets: (list) => void (listSecrets = list),
  };
  let listSecrets = (): readonly string[] => [];
  const { describe } = await form.package.load();
  const description = hasErrors(diagnostics)
    ? undefined
    : await describe(request, (diagnostic) => void diagnostics.push(diagnostic));
  return {
    description,
    usable: hasErrors(diagnostics) ? undefined : description,
    secretWords: () => listSecrets(),
    async findings(more = []) {
      const all = [...diagnostics, ...more];
      const sources = [...reading.sources, ...(await texts.sourcesOf(all))];
      const secrets = sources.length === 0 || all.length === 0 ? [] : listSecrets();
      return { diagnostics: all, sources: sources.map((source) => Object.assign({}, source, { secrets })) };
    },
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
