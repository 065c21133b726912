import { DiagnosticError } from '../../diagnostics/index.ts';
import { defineRenderer } from '../../engine/index.ts';
import type { RendererOptions, SourceOptions } from '../../engine/index.ts';
import type {
  Diagnostic,
  Fetcher,
  KubeObject,
  ProgramRunner,
  RenderContext,
  Renderer,
  SourceFile,
  Values,
} from '../../model/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { noPrograms } from '../no-programs.ts';
import { createCatalog } from './catalog/catalog.ts';
import type { Handlers } from './catalog/catalog.ts';
import { checkChartArchive } from './fetching/check-chart-archive.ts';
import { loadApplication } from './load-application.ts';
import type { ApplicationFiles } from './load-application.ts';
import { renderApplication } from './render-application.ts';
import type { ApplicationOptions, ApplicationRendering } from './render-application.ts';
import type { SourceAccess } from './sources/load-sources.ts';
import { createPackageFiles } from './sources/package-files.ts';
import { renderChart } from './sources/render-chart.ts';
import { createSourceNetwork } from './sources/source-network.ts';

interface SourceSettings {
  /** Gets what the package names and does not hold; without it there is no network. */
  readonly fetcher?: Fetcher | undefined;
  /** The fetcher is there to unpack what the package holds, and fetches nothing. */
  readonly isOffline?: boolean | undefined;
  /** Speak plain HTTP with registries on this machine. */
  readonly plainHttp?: boolean | undefined;
  /** Renders charts with helm. */
  readonly programs?: ProgramRunner | undefined;
}

type SourceWishes = Pick<SourceAccess, 'isLocking' | 'onTaken'>;

export interface ApplicationSource
  extends
    ApplicationFiles,
    SourceOptions<ApplicationSource>,
    Pick<ApplicationOptions, 'layers' | 'namespace' | 'fluxNamespace' | 'store' | 'strict' | 'trace' | 'unchanged'>,
    SourceSettings,
    SourceWishes {
  /** Components, traits and policies beside the built-in ones. */
  readonly handlers?: Handlers | undefined;
  /** Gets everything that was found out on the way. */
  readonly onRendered?: ((rendering: ApplicationRendering) => void) | undefined;
}

/** Renders application packages. Values of the render are values of parameters, unless the source has layers of its own. */
export function applicationRenderer(
  sources: ApplicationSource | readonly ApplicationSource[],
  options: RendererOptions = {},
): Renderer {
  return defineRenderer<ApplicationSource>({
    name: 'application',
    sources,
    options,
    describe: ({ path }) => path,
    pathOf: ({ path }) => path,
    render: (source, values, context) => renderSource(source, values, context),
  });
}

async function renderSource(
  source: ApplicationSource,
  values: Values,
  { origins, report }: RenderContext,
): Promise<readonly KubeObject[]> {
  const found: Diagnostic[] = [];
  const texts: SourceFile[] = [];
  const tell = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const pkg = await loadApplication(source, tell);
  const { namespace, fluxNamespace, store, strict, trace, unchanged, handlers } = source;
  const settings = {
    layers: source.layers ?? layerOf(values),
    namespace,
    fluxNamespace,
    store,
    strict,
    trace,
    unchanged,
    onText: (text: SourceFile) => void texts.push(text),
  };
  const catalog = createCatalog(handlers);
  const rendering =
    pkg === undefined
      ? undefined
      : await renderApplication(pkg, { report: tell, origins, catalog, sources: accessOf(source), ...settings });
  if (rendering === undefined || found.some(({ severity }) => severity === 'error')) {
    throw new DiagnosticError(found, { sources: texts });
  }
  for (const diagnostic of found) report(diagnostic);
  source.onRendered?.(rendering);
  return rendering.objects;
}

/** Programs and network are used only if they are given. */
function accessOf({
  fileSystem,
  path,
  fetcher,
  isOffline = false,
  plainHttp,
  programs = noPrograms,
  isLocking,
  onTaken,
}: ApplicationSource): Omit<SourceAccess, 'lock'> {
  return {
    files: createPackageFiles({ fileSystem, path }),
    network: fetcher === undefined || isOffline ? undefined : createSourceNetwork({ fetcher, plainHttp }),
    checkArchive:
      fetcher === undefined
        ? undefined
        : async (archive, url) => void (await checkChartArchive(archive, { url, fetcher })),
    renderChart: async (archive, request, report) => await renderChart(archive, request, { programs, report }),
    isLocking,
    onTaken,
  };
}

function layerOf(values: Values): readonly ParameterLayer[] {
  const source = { path: 'values', text: '' };
  return Object.keys(values).length === 0 ? [] : [{ kind: 'values', source, data: values }];
}
