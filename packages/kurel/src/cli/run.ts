import { escapeControls, formatDiagnostics, nearest, quote, shouldUseColor } from '../diagnostics/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { ExitCode } from './command.ts';
import { commandTable } from './command-table.ts';
import type { Environment } from './environment.ts';
import { parseFlags } from './parse-flags.ts';
import { UsageError } from './usage-error.ts';

/** The whole program: the words after `kurel` → an exit code. */
export async function run(words: readonly string[], environment: Environment): Promise<ExitCode> {
  try {
    return await dispatch(words, environment);
  } catch (error) {
    if (error instanceof UsageError) return reportUsage(error, environment);
    if (error instanceof FileAccessError)
      return reportUsage(new UsageError(`cannot read ${error.message}`), environment, 1);
    if (environment.signal?.aborted === true) return 1;
    return reportUnexpected(error, environment);
  }
}

async function dispatch(words: readonly string[], environment: Environment): Promise<ExitCode> {
  const [first, ...rest] = words;
  if (first === undefined || first === '--help' || first === '-h') return dispatch(['help'], environment);
  if (first === '--version' || first === '-V') return dispatch(['version'], environment);
  const entry = commandTable.find(({ name }) => name === first);
  if (entry === undefined) throw unknownCommand(first);
  const command = await entry.load();
  const { positionals, flags } = parseFlags(command, rest);
  if (flags.help) return dispatch(['help', command.name], environment);
  return command.run({ positionals, flags, environment });
}

function unknownCommand(word: string): UsageError {
  if (word.startsWith('-')) return new UsageError(`unknown flag ${quote(word)} before a command`, 'see kurel help');
  const near = nearest(
    word,
    commandTable.map(({ name }) => name),
  );
  return new UsageError(
    `unknown command ${quote(word)}`,
    near === undefined ? 'see kurel help for the commands there are' : `did you mean kurel ${near}?`,
  );
}

function reportUsage({ diagnostic, sources }: UsageError, environment: Environment, exitCode: ExitCode = 2): ExitCode {
  const color = shouldUseColor({ isTerminal: environment.stderrIsTerminal, environment: environment.variables });
  environment.writeStderr(formatDiagnostics([diagnostic], { sources, locate: () => undefined, color }));
  return exitCode;
}

// Whatever gets here is a defect of kurel, not of the input: say so, and give what a report needs.
function reportUnexpected(error: unknown, environment: Environment): ExitCode {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = detail.split('\n').map((line) => escapeControls(line));
  environment.writeStderr(`error: kurel failed in a way it should not; please report this\n${lines.join('\n')}\n`);
  return 1;
}
