import { escapeControls, formatDiagnostics } from '../diagnostics/index.ts';
import type { Command, CommandResult, ExitCode } from './command.ts';
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
  const isSilent = isText(options) && diagnostics?.length === 0 && (accepted ?? []).length === 0;
  if (diagnostics !== undefined && !isSilent) {
    // Loaded on demand: excerpts need the reader of YAML, and most runs have no findings.
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
  // Other errors are described on demand, because that needs the findings of the host.
  const isUsage = error instanceof UsageError;
  // The user has ended the command.
  if (!isUsage && environment.signal?.aborted === true) return 1;
  const failure: CommandResult = isUsage
    ? { diagnostics: error.diagnostics, sources: error.sources, exitCode: 2 }
    : (await import('./describe-failure.ts')).describeFailure(error);
  const { diagnostics = [], exitCode } = failure;
  const isBug = diagnostics.some(({ code }) => code === 'internal-error');
  if (isText(options) && (isUsage || isBug)) await printPlainly(failure, options, environment);
  else await printResult({ ...failure, isReport: options.isReport === true && !isText(options) }, options, environment);
  if (isBug && environment.variables['KURE_DEBUG'] === '1') environment.writeStderr(describeStack(error));
  return exitCode ?? 1;
}

/** A mistake in the call or in kurel is not counted like findings, and points into no file. */
async function printPlainly(failure: CommandResult, { color }: PrintOptions, environment: Environment): Promise<void> {
  // Loaded on demand: it needs the table of settings.
  const { spellFindings } = await import('./spell-findings.ts');
  const { diagnostics = [], sources = [] } = spellFindings(failure);
  environment.writeStderr(
    formatDiagnostics(diagnostics, {
      sources,
      locate: () => undefined,
      color: useColor(color, environment),
      width: terminalWidth(environment),
    }),
  );
}

function describeStack(error: unknown): string {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = detail.split('\n').map((line) => escapeControls(line));
  return `${lines.join('\n')}\n`;
}

/** Whether findings are printed for people. */
export function isText({ 'message-format': format = 'text' }: PrintOptions): boolean {
  return format === 'text';
}

/** The report is the output of a validation, as it is for single inputs. */
function reportToStdout(environment: Environment): Environment {
  return { ...environment, writeStderr: environment.writeStdout, stderrIsTerminal: environment.stdoutIsTerminal };
}
