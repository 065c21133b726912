import { diskFileSystem, programRunner } from '../host/index.ts';
import type { BuildRequest } from '../index.ts';
import type { FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import { filtersOf, transformersOf } from './flags-to-pipeline.ts';
import type { InputFlags } from './input-flags.ts';
import type { Findings } from './print-diagnostics.ts';
import { readValueFlags } from './read-value-flags.ts';

export interface RequestReading extends Findings {
  readonly request: BuildRequest;
}

/** The flags that say what to build → a request. There is something to build when nothing was found. */
export async function readRequest(
  path: string,
  flags: FlagValues<InputFlags>,
  environment: Environment,
): Promise<RequestReading> {
  const { workingDirectory } = environment;
  const filters = filtersOf(flags);
  const transformers = transformersOf(flags);
  const fileSystem = diskFileSystem({ workingDirectory });
  const { values, diagnostics, sources } = await readValueFlags(
    flags,
    diskFileSystem({ workingDirectory, pipes: true }),
  );
  const request: BuildRequest = {
    path,
    fileSystem,
    programs: programRunner({
      workingDirectory,
      environment: environment.variables,
      toolsDirectories: environment.toolsDirectories,
    }),
    ...(path === '-' && diagnostics.length === 0 ? { stdin: await environment.readStdin() } : {}),
    values,
    filters,
    transformers,
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
    signal: environment.signal,
  };
  return { request, diagnostics, sources };
}
