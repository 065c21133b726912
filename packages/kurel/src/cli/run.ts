import { commandTable } from './command-table.ts';
import type { Command, CommandCall, ExitCode, FlagDefinitions } from './command.ts';
import type { Environment } from './environment.ts';
import { readLine } from './parse-flags.ts';
import type { ParsedLine } from './parse-flags.ts';
import { printFailure, printOptionsOf, printResult } from './print-result.ts';
import type { PrintedRun } from './run-watched.ts';
import { showProgress } from './show-progress.ts';

/** The whole program: the arguments after `kurel` → an exit code. */
export async function run(words: readonly string[], environment: Environment): Promise<ExitCode> {
  try {
    return await dispatch(words, environment);
  } catch (error) {
    return await printFailure(error, {}, environment);
  }
}

async function dispatch(words: readonly string[], environment: Environment): Promise<ExitCode> {
  const [first, ...rest] = words;
  if (first === undefined || first === '--help' || first === '-h') return dispatch(['help'], environment);
  if (first === '--version' || first === '-V') return dispatch(['version'], environment);
  if (first === '__complete') {
    const { complete, formatCompletion } = await import('./completion/complete.ts');
    environment.writeStdout(formatCompletion(await complete(rest, environment, run)));
    return 0;
  }
  if (first === '__fleet-worker') return (await import('./fleet/run-targets.ts')).serveTargets(environment);
  const entry = commandTable.find(({ name }) => name === first);
  // Loaded on demand, like every command: the start of the program is kept small.
  if (entry === undefined) throw (await import('./unknown-command.ts')).unknownCommand(first);
  const command = await entry.load();
  const { error, ...line } = readLine(command, rest, environment.separator);
  if (error !== undefined) return printFailure(error, printOptionsOf(command, line.flags), environment);
  if (line.flags.help) return dispatch(['help', command.name], environment);
  return runCommand(command, line, environment);
}

/** Commands return their findings or throw them; only here they are printed, in the format of the flags. */
async function runCommand(
  command: Command,
  { positionals, flags }: ParsedLine<FlagDefinitions>,
  outside: Environment,
): Promise<ExitCode> {
  const options = printOptionsOf(command, flags);
  let environment = outside;

  async function runOnce(inside: Environment): Promise<PrintedRun> {
    try {
      const result = await command.run({ positionals, flags, environment: inside });
      return { exitCode: await printResult(result, options, inside), conclusion: result.conclusion };
    } catch (error) {
      return { exitCode: await printFailure(error, options, inside), conclusion: { result: 'stopped' } };
    }
  }

  try {
    // Help and version start without the table of settings.
    const limited = command.readsNothing === true ? outside : (await import('./limits.ts')).limitRun(outside, flags);
    environment = isInteractive(limited) ? showProgress(limited) : limited;
    const opened = await openReferences(command, { positionals, flags, environment });
    if ((flags as Readonly<Record<string, unknown>>)['watch'] !== true) return (await runOnce(opened)).exitCode;
    const { runWatched } = await import('./run-watched.ts');
    return await runWatched({ positionals, flags, environment: opened }, runOnce);
  } catch (error) {
    return await printFailure(error, options, environment);
  } finally {
    environment.progress?.clear();
  }
}

/** Packages in registries are fetched here, for all commands. Loaded on demand: most calls name none. */
async function openReferences(command: Command, call: CommandCall<FlagDefinitions>): Promise<Environment> {
  if (!call.positionals.some((text) => text.startsWith('oci://'))) return call.environment;
  const { openRemoteInputs } = await import('./packages/open-remote-package.ts');
  return await openRemoteInputs(command, call);
}

function isInteractive({ stderrIsTerminal, variables }: Environment): boolean {
  const isSet = (name: string): boolean => (variables[name] ?? '') !== '';
  return stderrIsTerminal && variables['TERM'] !== 'dumb' && !isSet('NO_COLOR') && !isSet('CI');
}
