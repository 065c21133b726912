import { buildToOutput } from '../build-to-output.ts';
import type { CommandCall, ExitCode } from '../command.ts';
import { build as buildCommand } from '../commands/build.ts';
import { info } from '../commands/info.ts';
import type { Environment } from '../environment.ts';
import type { messageFormatFlag } from '../input-flags.ts';
import { openInput } from '../open-input.ts';
import { parseFlags } from '../parse-flags.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import { announceParameters } from './announce-parameters.ts';
import { readParameters } from './read-parameters.ts';
import { readSettings } from './read-settings.ts';

type Call = CommandCall<typeof messageFormatFlag>;

/** One call by Argo CD, in the directory of an Application. */
export async function runPlugin(call: Call): Promise<ExitCode> {
  const { positionals, environment } = call;
  if (positionals[0] === 'generate') return generate(call);
  return positionals[0] === 'parameters' ? announce(environment) : discover(environment);
}

/** Argo CD uses the plugin if something is printed. */
async function discover(environment: Environment): Promise<ExitCode> {
  const { as } = await openInput('.', {}, environment);
  if (as === 'application' || as === 'patch-package') environment.writeStdout(`${as}\n`);
  return 0;
}

/** The parameters are those of `kurel info`. */
async function announce(environment: Environment): Promise<ExitCode> {
  let text = '';
  const { positionals, flags } = parseFlags(info, ['.', '--format=json']);
  const exitCode = await info.run({
    positionals,
    flags,
    environment: { ...environment, writeStdout: (part) => void (text += part) },
  });
  if (exitCode === 0) environment.writeStdout(announceParameters(text));
  return exitCode;
}

async function generate({ flags: { 'message-format': format, color }, environment }: Call): Promise<ExitCode> {
  const { variables } = environment;
  const { words, values } = readParameters(variables['ARGOCD_APP_PARAMETERS'] ?? '');
  const { flags } = parseFlags(buildCommand, ['--layout=argocd', ...readSettings(environment), ...words, '--', '.']);
  const inline = { values, acceptances: [] };
  const built = await buildToOutput({ path: '.', flags, environment, inline });
  await printDiagnostics(built, { format, color }, environment);
  return built.exitCode;
}
