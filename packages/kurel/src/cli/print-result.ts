import { escapeControls, formatDiagnostics } from '../diagnostics/index.ts';
import type { Command, CommandResult, ExitCode } from './command.ts';
import { describeFailure } from './describe-failure.ts';
import type { Failure } from './describe-failure.ts';
import type { Environment } from './environment.ts';
import type { PrintOptions } from './print-diagnostics.ts';
import { terminalWidth, useColor } from './terminal.ts';
import { exitCodeOf, UsageError } from './usage-error.ts';

interface ResultOptions extends PrintOptions {
  /** Whether the findings are the output of the command. */
  readonly isReport?: boolean | undefined;
}

/** How the findings of a command are printed. */
export function printOptionsOf({ isReport }: Pick<Command, 'isReport'>, flags: object): ResultOptions {
  const { color, format, ...others } = flags as PrintOptions & { readonly format?: PrintOptions['message-format'] };
  return { color, 'message-format': isReport === true ? format : others['message-format'], isReport };
}

/** Prints what a command returns: its output, then its findings. */
export async function printResult(
  result: CommandResult,
  options: PrintOptions,
  outside: Environment,
): Promise<ExitCode> {
  const { stdout, diagnostics, sources = [], accepted, remark } = result;
  const environment = result.isReport === true ? reportToStdout(outside) : outside;
  if (stdout !== undefined) environment.writeStdout(stdout);
  if (diagnostics !== undefined) {
    // Loaded on demand: excerpts need the reader of YAML, and help or completion have no findings.
    const { printDiagnostics } = await import('./print-diagnostics.ts');
    await printDiagnostics({ diagnostics, sources, accepted }, options, environment);
  }
  if (remark !== undefined && isText(options)) environment.writeStderr(remark);
  return result.exitCode ?? exitCodeOf(diagnostics ?? []);
}

/** Prints the findings of an error like those that a command returns. */
export async function printFailure(
  error: unknown,
  options: ResultOptions,
  environment: Environment,
): Promise<ExitCode> {
  const failure = describeFailure(error);
  const isFinding = failure.exitCode !== 2 && !isBug(failure);
  if (isText(options) && !isFinding) return printPlainly(error, environment, options);
  // The user has ended the command.
  if (environment.signal?.aborted === true && failure.exitCode !== 2) return 1;
  const isReport = options.isReport === true && !isText(options);
  return await printResult({ ...failure, isReport }, options, environment);
}

/** Prints an error as text: a mistake in the call or in kurel is not counted like findings, and points into no file. */
export function printPlainly(
  error: unknown,
  environment: Environment,
  { color }: Pick<PrintOptions, 'color'> = {},
): ExitCode {
  const failure = describeFailure(error);
  const { variables, signal } = environment;
  if (signal?.aborted === true && !(error instanceof UsageError)) return 1;
  environment.writeStderr(
    formatDiagnostics(failure.diagnostics, {
      sources: failure.sources,
      locate: () => undefined,
      color: useColor(color, environment),
      width: terminalWidth(environment),
    }),
  );
  if (isBug(failure) && variables['KURE_DEBUG'] === '1') {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const lines = detail.split('\n').map((line) => escapeControls(line));
    environment.writeStderr(`${lines.join('\n')}\n`);
  }
  return failure.exitCode;
}

function isBug({ diagnostics }: Failure): boolean {
  return diagnostics.some(({ code }) => code === 'internal-error');
}

/** Whether findings are printed for people. */
export function isText({ 'message-format': format = 'text' }: PrintOptions): boolean {
  return format === 'text';
}

/** The report is the output of a validation, as it is for single inputs. */
function reportToStdout(environment: Environment): Environment {
  return { ...environment, writeStderr: environment.writeStdout, stderrIsTerminal: environment.stdoutIsTerminal };
}
