import type { Fetcher, FileSystem, ProgramRunner } from '../../../model/index.ts';
import { noPrograms } from '../../no-programs.ts';
import { checkChartArchive } from '../fetching/check-chart-archive.ts';
import type { SourceAccess } from './load-sources.ts';
import { createPackageFiles } from './package-files.ts';
import { renderChart } from './render-chart.ts';
import { createSourceNetwork } from './source-network.ts';

export interface SourceSettings extends Pick<SourceAccess, 'isLocking' | 'onTaken'> {
  /** Gets what the package names and does not hold; without it there is no network. */
  readonly fetcher?: Fetcher | undefined;
  /** The fetcher is there to unpack what the package holds, and fetches nothing. */
  readonly isOffline?: boolean | undefined;
  /** Speak plain HTTP with registries on this machine. */
  readonly plainHttp?: boolean | undefined;
  /** Renders charts with helm. */
  readonly programs?: ProgramRunner | undefined;
}

interface ApplicationPlace {
  readonly fileSystem: FileSystem;
  /** The directory of the package. */
  readonly path: string;
}

export type OpenSources = Omit<SourceAccess, 'lock'>;

/** Programs and network are used only if they are given. */
export function openSources({
  fileSystem,
  path,
  fetcher,
  isOffline = false,
  plainHttp,
  programs = noPrograms,
  isLocking,
  onTaken,
}: SourceSettings & ApplicationPlace): OpenSources {
  return {
    files: createPackageFiles({ fileSystem, path }),
    network: fetcher === undefined || isOffline ? undefined : createSourceNetwork({ fetcher, plainHttp }),
    checkArchive: async (archive, url) => void (await checkChartArchive(archive, { url })),
    renderChart: async (archive, request, report) => await renderChart(archive, request, { programs, report }),
    isLocking,
    onTaken,
  };
}
