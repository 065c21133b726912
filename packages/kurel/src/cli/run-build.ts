import { diskFileSystem, programRunner } from '../host/index.ts';
import { build } from '../index.ts';
import type { BuildRequest } from '../index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { BuildFlags } from './commands/build.ts';
import { filtersOf, transformersOf } from './flags-to-pipeline.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { readValueFlags } from './read-value-flags.ts';
import { UsageError } from './usage-error.ts';
import { chooseDestination, deliver } from './deliver.ts';

export async function runBuild({ positionals, flags, environment }: CommandCall<BuildFlags>): Promise<ExitCode> {
  if (flags.check && flags.output === undefined)
    throw new UsageError('--check needs --output', 'it compares with what is there');
  const path = positionals[0]!;
  const { workingDirectory } = environment;
  const filters = filtersOf(flags);
  const transformers = transformersOf(flags);
  const destination = chooseDestination(flags, environment);
  const given = await readValueFlags(flags, diskFileSystem({ workingDirectory }));
  if (given.diagnostics.length > 0) {
    printDiagnostics(given, flags, environment);
    return given.diagnostics.some(({ code }) => code === 'set-syntax') ? 2 : 1;
  }
  const request: BuildRequest = {
    path,
    fileSystem: diskFileSystem({ workingDirectory }),
    programs: programRunner({
      workingDirectory,
      environment: environment.variables,
      toolsDirectories: environment.toolsDirectories,
    }),
    ...(path === '-' ? { stdin: await environment.readStdin() } : {}),
    values: given.values,
    filters,
    transformers,
    layout: destination.layout,
    format: destination.format,
    strict: flags.strict,
    chart: {
      releaseName: flags['release-name'],
      includeCrds: flags['include-crds'],
      kubeVersion: flags['kube-version'],
      apiVersions: flags['api-version'],
    },
    kustomization: { loadRestrictions: flags['load-restrictions'] },
    allowNetwork: flags['allow-network'],
    as: flags.as,
    namespace: flags.namespace,
    order: flags.order,
    signal: environment.signal,
  };
  const result = await build(request);
  const sources = [...given.sources, ...result.sources];
  if (!result.ok) {
    printDiagnostics({ diagnostics: result.diagnostics, sources }, flags, environment);
    return 1;
  }
  const delivery = deliver(result.files, destination, environment);
  printDiagnostics({ diagnostics: [...result.diagnostics, ...delivery.diagnostics], sources }, flags, environment);
  return delivery.exitCode;
}
