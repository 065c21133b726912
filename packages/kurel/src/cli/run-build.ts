import { escapeControls, summarise } from '../diagnostics/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { buildToOutput } from './build-to-output.ts';
import type { Destination } from './choose-destination.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { BuildFlags } from './commands/build.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { runWatched } from './run-watched.ts';
import { UsageError } from './usage-error.ts';

type Call = CommandCall<BuildFlags>;

/** Builds, once or after every change. */
export async function runBuild(call: Call): Promise<ExitCode> {
  return call.flags.watch ? runWatched(call, 'built', runOnce) : runOnce(call);
}

async function runOnce({ positionals, flags, environment }: Call): Promise<ExitCode> {
  if (flags.check && flags.output === undefined) {
    throw new UsageError('--check requires --output', 'add --output with the directory or file to compare');
  }
  const built = await buildToOutput({ path: positionals[0]!, flags, environment });
  const { destination, result, effect, exitCode, diagnostics } = built;
  await printDiagnostics(built, { format: flags['message-format'], color: flags.color }, environment);
  const { watched } = environment;
  if (result === undefined) {
    watched?.conclude('failed', 'nothing written');
    return exitCode;
  }
  const count = result.objects.length === 1 ? '1 object' : `${result.objects.length} objects`;
  watched?.conclude(`${count}, ${countFindings(diagnostics)}`, effect ?? '');
  const isForPeople = environment.stderrIsTerminal && (flags['message-format'] ?? 'text') === 'text';
  if (watched === undefined && isForPeople && exitCode === 0 && !destination.check) {
    environment.writeStderr(describeWritten(destination, { files: result.files.length, effect }));
  }
  return exitCode;
}

interface Written {
  readonly files: number;
  readonly effect: string | undefined;
}

/** Nothing for stdout: the user sees the result. */
function describeWritten({ path, target }: Destination, { files, effect }: Written): string {
  if (path === undefined) return '';
  if (target === 'file') return `wrote ${escapeControls(path)}\n`;
  const directory = `${escapeControls(path).replace(/\/+$/, '')}/`;
  return `wrote ${files === 1 ? '1 file' : `${files} files`} to ${directory} (${effect})\n`;
}

function countFindings(diagnostics: readonly Diagnostic[]): string {
  const found = summarise(diagnostics);
  return found.includes('error') ? found : ['0 errors', found].filter((words) => words !== '').join(', ');
}
