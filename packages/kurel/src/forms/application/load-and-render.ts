import { createBudget, listFindings } from '../../budget/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { defineRenderer } from '../../engine/index.ts';
import type { RendererOptions, SourceOptions } from '../../engine/index.ts';
import type { Diagnostic, RenderContext, Rendered, Renderer, SourceFile, Values } from '../../model/index.ts';
import { layersOfData } from '../../parameters/index.ts';
import { createPlaceFinding } from '../../provenance/index.ts';
import { pathInside } from '../paths.ts';
import { applicationProvenance } from './application-provenance.ts';
import { createCatalog } from './catalog/catalog.ts';
import type { Handlers } from './catalog/catalog.ts';
import { readOneDocument } from '../../documents/index.ts';
import { findNeeded, loadApplication } from './load-application.ts';
import type { ApplicationFiles } from './load-application.ts';
import type { NeededCapability } from './problems.ts';
import { errorOf } from './missing-capability.ts';
import { renderApplication } from './render-application.ts';
import type { ApplicationOptions, ApplicationRendering } from './render-application.ts';
import type { SourceSettings } from './sources/open-sources.ts';
import { listSecretWords } from './static-secrets.ts';

export interface ApplicationSource
  extends
    ApplicationFiles,
    SourceOptions<ApplicationSource>,
    Pick<ApplicationOptions, 'layers' | 'namespace' | 'fluxNamespace' | 'store' | 'trace'>,
    SourceSettings {
  /** Components, traits and policies in addition to the built-in ones. */
  readonly handlers?: Handlers | undefined;
}

/** Renders application packages. Render values become parameter values, unless the source has its own layers. */
export function applicationRenderer(
  sources: ApplicationSource | readonly ApplicationSource[],
  options: RendererOptions = {},
): Renderer<Rendered> {
  return defineRenderer<ApplicationSource>({
    name: 'application',
    sources,
    options,
    describe: ({ path }) => path,
    pathOf: ({ path }) => path,
    fileOf: ({ path }, file) => pathInside(path, file),
    render: renderInspected,
  });
}

/** The policy is checked when all objects are final, as in a build. */
async function renderInspected(source: ApplicationSource, values: Values, context: RenderContext): Promise<Rendered> {
  const rendering = await renderApplicationSource(source, values, context);
  const { objects } = rendering;
  const own = new Set(objects.map((object) => context.origins.get(object)));
  return {
    objects,
    check(final, { origins, report }) {
      // Those of other sources have their own policies. An object that nothing is known about is checked.
      const checked = final.filter((object) => {
        const origin = origins.get(object);
        return origin === undefined || own.has(origin);
      });
      const place = createPlaceFinding(applicationProvenance(rendering, origins));
      const diagnostics: Diagnostic[] = [];
      rendering.enforcePolicy(checked, (finding) => void diagnostics.push(place(finding)!));
      if (diagnostics.some(({ severity }) => severity === 'error')) throw new DiagnosticError(diagnostics);
      diagnostics.forEach(report);
    },
  };
}

/** Loads and renders; all findings are thrown together if one of them is an error. */
export async function renderApplicationSource(
  source: ApplicationSource,
  values: Values,
  { origins, report, budget = createBudget(), signal }: RenderContext,
): Promise<ApplicationRendering> {
  const { report: reportFinding, all } = listFindings(budget);
  const texts: SourceFile[] = [];
  const { namespace, fluxNamespace, store, trace, handlers } = source;
  const catalog = createCatalog(handlers);
  const needsOf = (application: SourceFile): readonly NeededCapability[] =>
    findNeeded(readOneDocument(application, () => {}, budget.memory)?.data ?? null, catalog);
  const layers = source.layers ?? layersOfData(values);
  const pkg = await loadApplication({ ...source, needsOf, budget }, reportFinding);
  const rendering =
    pkg === undefined
      ? undefined
      : await renderApplication(pkg, {
          report: reportFinding,
          origins,
          catalog,
          // Loaded lazily: most applications have no remote sources.
          openSources: async () => {
            const { openSources } = await import('./sources/open-sources.ts');
            return openSources({ ...source, path: pkg.path, signal });
          },
          layers,
          namespace,
          fluxNamespace,
          store,
          trace,
          budget,
          onText: (text) => void texts.push(text),
        });
  const diagnostics = all();
  if (rendering === undefined || diagnostics.some(({ severity }) => severity === 'error')) {
    const secrets = pkg === undefined ? [] : listSecretWords(pkg, layers);
    const sources = pkg === undefined || secrets.length === 0 ? texts : [...texts, { ...pkg.application, secrets }];
    throw errorOf(diagnostics, { sources });
  }
  for (const diagnostic of diagnostics) report(diagnostic);
  return rendering;
}
