import { causesOf, defineProblems, diagnosticsOf, escapeControls, sourcesOfError } from '../diagnostics/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { ExitCode } from './command.ts';
import { fileProblem } from './file-problem.ts';
import type { SourcedFindings } from './sourced-findings.ts';
import { UsageError } from './usage-error.ts';

/** Mistakes in kurel itself. */
export const bugProblems = defineProblems(() => ({
  'internal-error': {
    summary: 'kurel has a bug: it stopped at a place that it should never reach.',
    message: ({ name }: { readonly name: string; readonly hint: string }) =>
      `internal error (${name}): this is a bug in kurel`,
    fix: 'Report it with the command and its input. With KURE_DEBUG=1, kurel prints a stack trace, which may quote the input.',
  },
}));

/** The findings of an error that has stopped a command. */
export interface Failure extends SourcedFindings {
  readonly exitCode: ExitCode;
}

/** The findings in an error; `undefined` if it is a bug. */
export function describeRefusal(error: unknown): Failure | undefined {
  if (error instanceof UsageError) return { exitCode: 2, diagnostics: error.diagnostics, sources: error.sources };
  if (error instanceof FileAccessError) return { exitCode: 1, diagnostics: [fileProblem(error)], sources: [] };
  const diagnostics = diagnosticsOf(error);
  return diagnostics && { exitCode: 1, diagnostics, sources: sourcesOfError(error) };
}

/** The findings in an error, or that it is a bug. An error may quote the input, and so a secret: only its name is shown. */
export function describeFailure(error: unknown, hint = usualHint): Failure {
  const refusal = describeRefusal(error);
  if (refusal !== undefined) return refusal;
  // The engine wraps errors of its stages.
  const deepest = [...causesOf(error)].at(-1);
  const name = deepest === undefined ? typeof error : escapeControls(deepest.name);
  return { exitCode: 1, diagnostics: [bugProblems.create('internal-error', { name, hint })], sources: [] };
}

const usualHint = 'report it with the command and its input; KURE_DEBUG=1 prints a stack trace';
