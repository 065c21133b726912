import { build } from '../build-api.ts';
import type { BuildRequest } from '../build-api.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { BuildFlags } from './commands/build.ts';
import { chooseDestination, deliver } from './deliver.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { readRequest } from './read-request.ts';
import { UsageError } from './usage-error.ts';

export async function runBuild({ positionals, flags, environment }: CommandCall<BuildFlags>): Promise<ExitCode> {
  if (flags.check && flags.output === undefined) {
    throw new UsageError('--check needs --output', 'it compares with what is there');
  }
  const destination = chooseDestination(flags, environment);
  const given = await readRequest(positionals[0]!, flags, environment);
  const tell = (findings: Pick<typeof given, 'diagnostics' | 'sources'>): Promise<void> =>
    printDiagnostics(findings, { format: flags['message-format'], color: flags.color }, environment);
  if (!given.ok) {
    await tell(given);
    return given.diagnostics.some(({ code }) => code === 'set-syntax') ? 2 : 1;
  }
  const { layout, format } = destination;
  const result = await build({ ...(await withStore(given.request)), order: flags.order, layout, format });
  const sources = [...given.sources, ...result.sources];
  const diagnostics = [...given.diagnostics, ...result.diagnostics];
  if (!result.ok) {
    await tell({ diagnostics, sources });
    return 1;
  }
  const delivery = await deliver(result, destination, environment);
  await tell({ diagnostics: [...diagnostics, ...delivery.diagnostics], sources });
  return delivery.exitCode;
}

/** Patches want to know the types of fields. */
async function withStore(request: BuildRequest): Promise<BuildRequest> {
  if (request.patches === undefined) return request;
  const { createStore } = await import('./create-store.ts');
  return { ...request, patches: { ...request.patches, store: createStore(undefined) } };
}
