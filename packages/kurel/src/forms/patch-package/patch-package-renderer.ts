import { createBudget, listFindings } from '../../budget/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { defineRenderer } from '../../engine/index.ts';
import type { RendererOptions, SourceOptions } from '../../engine/index.ts';
import type { RenderContext, Renderer, Values } from '../../model/index.ts';
import { layersOfData } from '../../parameters/index.ts';
import type { PatchFile } from '../../patch/index.ts';
import type { PackageRequest } from '../package-loading.ts';
import { pathInside } from '../paths.ts';
import { checkGivenValues } from './check-given-values.ts';
import { checkUnusedParameters } from './check-unused-parameters.ts';
import { loadPatchPackage } from './load-patch-package.ts';
import type { PackageRendering } from './patch-package.ts';
import { renderPackage } from './render-package.ts';
import type { PackageOptions } from './render-package.ts';

export interface PatchPackageSource
  extends
    PackageRequest,
    SourceOptions<PatchPackageSource>,
    Pick<PackageOptions, 'layers' | 'force' | 'maxDepth' | 'namespace' | 'trace'> {
  /** Patches applied after the package, which may use its parameters as well. */
  readonly laidOver?: readonly PatchFile[] | undefined;
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
    render: async (source, values, context) => (await renderPatchPackage(source, values, context)).objects,
  });
}

/** Loads and renders a package; errors are thrown together. */
export async function renderPatchPackage(
  source: PatchPackageSource,
  values: Values,
  { origins, report, budget = createBudget() }: RenderContext,
): Promise<PackageRendering> {
  const { report: reportFinding, all } = listFindings(budget);
  let isIncomplete = false;
  const pkg = await loadPatchPackage({ ...source, budget }, (diagnostic) => {
    isIncomplete ||= diagnostic.severity === 'error';
    reportFinding(diagnostic);
  });
  const layers = source.layers ?? layersOfData(values);
  // Values of a render are shared by all renderers, so unused ones are not reported.
  if (pkg !== undefined) {
    await checkGivenValues(pkg, { layers: source.layers ?? [], patches: source.laidOver, report: reportFinding });
    // What was not read may refer to a parameter.
    if (!isIncomplete) await checkUnusedParameters(pkg, { layers, patches: source.laidOver, report: reportFinding });
  }
  const { force, maxDepth, namespace, trace } = source;
  const settings = { layers, force, maxDepth, namespace, trace, budget };
  const rendering =
    pkg === undefined
      ? undefined
      : renderPackage(pkg, { report: reportFinding, origins, store: source.store?.(), ...settings });
  const found = all();
  if (rendering === undefined || found.some(({ severity }) => severity === 'error')) throw new DiagnosticError(found);
  for (const diagnostic of found) report(diagnostic);
  return rendering;
}
