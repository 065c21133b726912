import { createBudget, listFindings } from '../../budget/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { defineRenderer } from '../../engine/index.ts';
import type { RendererOptions, SourceOptions } from '../../engine/index.ts';
import type { Diagnostic, KubeObject, RenderContext, Renderer, Values } from '../../model/index.ts';
import { layersOfData } from '../../parameters/index.ts';
import { RenderingError } from '../../provenance/index.ts';
import { pathInside } from '../paths.ts';
import { checkUnusedParameters } from './check-unused-parameters.ts';
import { examinePackage } from './examine-package.ts';
import type { ExaminationRequest } from './examine-package.ts';
import type { PackageFacts } from './package-facts.ts';
import type { ExaminedPackage, PackageRendering } from './patch-package.ts';
import { isConflict, renderPackage } from './render-package.ts';
import type { PackageOptions } from './render-package.ts';

export interface PatchPackageSource
  extends
    Omit<ExaminationRequest, 'values'>,
    SourceOptions<PatchPackageSource>,
    Pick<PackageOptions, 'namespace' | 'trace'> {
  /** Created on demand. */
  readonly store?: (() => NonNullable<PackageOptions['store']>) | undefined;
}

/** Renders patch packages. Values of the render override those of the package, unless the source has layers of its own. */
export function patchPackageRenderer(
  sources: PatchPackageSource | readonly PatchPackageSource[],
  options: RendererOptions = {},
): Renderer {
  return defineRenderer<PatchPackageSource>({
    name: 'patch-package',
    sources,
    options,
    describe: ({ path }) => path,
    pathOf: ({ path }) => path,
    fileOf: ({ path }, file) => pathInside(path, file),
    render: renderObjects,
  });
}

/** A build reports conflicts after its checks. An engine only receives objects, so they are thrown here. */
async function renderObjects(
  source: PatchPackageSource,
  values: Values,
  context: RenderContext,
): Promise<readonly KubeObject[]> {
  const { objects, facts } = await renderPatchPackage(source, values, context);
  if (facts.lateErrors !== undefined) throw new DiagnosticError(facts.lateErrors);
  return objects;
}

export interface RenderedPatchPackage extends PackageRendering {
  readonly facts: PackageFacts;
}

/** Examines and renders a package; all findings are thrown together if one of them is an error other than a conflict. */
export async function renderPatchPackage(
  source: PatchPackageSource,
  values: Values,
  { origins, report, budget = createBudget() }: RenderContext,
): Promise<RenderedPatchPackage> {
  const request = { ...source, values, budget };
  const examined = await addUnused(await examinePackage(request), request);
  const { report: reportFinding, all } = listFindings(budget);
  const early = Object.values(examined.found).flat();
  for (const diagnostic of early) if (!isConflict(diagnostic)) reportFinding(diagnostic);
  const { namespace, trace } = source;
  const settings = { origins, store: source.store?.(), namespace, trace, budget };
  const { rendering, applied } = renderPackage(examined, { ...settings, report: reportFinding });
  const facts: PackageFacts = { examined: { ...examined, applied } };
  const conflicts = early.filter(isConflict);
  if (rendering === undefined) throw new RenderingError([...all(), ...conflicts], facts);
  for (const diagnostic of all()) report(diagnostic);
  return { ...rendering, facts: conflicts.length === 0 ? facts : { ...facts, lateErrors: conflicts } };
}

/** The examination with findings about unused parameters. Files that could not be read may use them. */
async function addUnused(examined: ExaminedPackage, request: ExaminationRequest): Promise<ExaminedPackage> {
  const { package: pkg, found } = examined;
  const { values = {}, layers = layersOfData(values), laidOver } = request;
  if (pkg === undefined || found.load.some(({ severity }) => severity === 'error')) return examined;
  const unused: Diagnostic[] = [];
  await checkUnusedParameters(pkg, { layers, patches: laidOver, report: (diagnostic) => void unused.push(diagnostic) });
  return { ...examined, found: { ...found, parameters: [...found.parameters, ...unused] } };
}
