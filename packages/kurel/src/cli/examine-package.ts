import {
  checkGivenValues,
  checkUnusedParameters,
  loadPatchPackage,
  planPatches,
  resolvePackageParameters,
} from '../index.ts';
import type { PackageParameters, PackageSettings, PatchPackage, PatchPlan } from '../index.ts';
import type { Diagnostic, FileSystem, SourceFile } from '../model/index.ts';
import { recordReads } from '../reads/index.ts';

export interface ExaminationRequest extends Pick<
  PackageSettings,
  'local' | 'force' | 'maxDepth' | 'limits' | 'layers' | 'laidOver'
> {
  readonly path: string;
  readonly fileSystem: FileSystem;
}

/** A package as far as it could be read, and what each step found. */
export interface Examination {
  readonly package: PatchPackage | undefined;
  readonly parameters: PackageParameters | undefined;
  readonly plan: PatchPlan | undefined;
  readonly found: Readonly<Record<ExaminationStep, readonly Diagnostic[]>>;
  readonly sourcesOf: (diagnostics: readonly Diagnostic[]) => Promise<readonly SourceFile[]>;
}

export type ExaminationStep = 'load' | 'parameters' | 'plan';

/** Reads a package, resolves its parameters and chooses its patches, without building anything. */
export async function examinePackage(request: ExaminationRequest): Promise<Examination> {
  const { path, local, limits, layers = [], maxDepth, force } = request;
  const texts = recordReads(request);
  const found = { load: [] as Diagnostic[], parameters: [] as Diagnostic[], plan: [] as Diagnostic[] };
  const into = (step: ExaminationStep) => (diagnostic: Diagnostic) => void found[step].push(diagnostic);
  const pkg = await loadPatchPackage({ fileSystem: texts.fileSystem, path, local, limits }, into('load'));
  if (pkg !== undefined) {
    await checkGivenValues(pkg, { layers, patches: request.laidOver, report: into('parameters') });
  }
  const parameters = pkg && resolvePackageParameters(pkg, layers, { report: into('parameters'), maxDepth });
  const plan = pkg && parameters && planPatches(pkg, parameters, { report: into('plan'), force });
  return { package: pkg, parameters, plan, found, sourcesOf: (diagnostics) => texts.sourcesOf(diagnostics) };
}

/** Parameters that nothing refers to. A package that was not read completely may refer to them where it was not read. */
export async function findUnusedParameters(
  { package: pkg, found }: Examination,
  { layers = [], laidOver }: ExaminationRequest,
): Promise<readonly Diagnostic[]> {
  if (pkg === undefined || found.load.some(({ severity }) => severity === 'error')) return [];
  const unused: Diagnostic[] = [];
  await checkUnusedParameters(pkg, {
    layers,
    patches: laidOver,
    report: (diagnostic) => void unused.push(diagnostic),
  });
  return unused;
}
