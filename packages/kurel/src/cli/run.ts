import { createBudget } from '../budget/index.ts';
import {
  diagnosticsOf,
  didYouMean,
  escapeControls,
  formatDiagnostics,
  nearest,
  quote,
  shouldUseColor,
  sourcesOfError,
} from '../diagnostics/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { Diagnostic, SourceFile } from '../model/index.ts';
import { commandTable } from './command-table.ts';
import type { Command, CommandCall, ExitCode, FlagDefinitions } from './command.ts';
import type { Environment } from './environment.ts';
import { createJqBudget, readLimits } from './limits.ts';
import { parseFlags } from './parse-flags.ts';
import { showProgress } from './show-progress.ts';
import { terminalWidth } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** The whole program: the arguments after `kurel` → an exit code. */
export async function run(words: readonly string[], environment: Environment): Promise<ExitCode> {
  try {
    return await dispatch(words, environment);
  } catch (error) {
    return reportFailure(error, environment);
  }
}

export function reportFailure(error: unknown, environment: Environment): ExitCode {
  if (error instanceof UsageError) {
    print([error.diagnostic], error.sources, environment);
    return 2;
  }
  if (error instanceof FileAccessError) {
    print([new UsageError(`cannot read ${error.message}`).diagnostic], [], environment);
    return 1;
  }
  if (environment.signal?.aborted === true) return 1;
  const diagnostics = diagnosticsOf(error);
  if (diagnostics !== undefined) {
    // Such as a budget that runs out in the middle of a command.
    print(diagnostics, sourcesOfError(error), environment);
    return 1;
  }
  return reportUnexpected(error, environment);
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
  if (entry === undefined) throw unknownCommand(first);
  const command = await entry.load();
  const { positionals, flags } = parseFlags(command, rest, environment.separator);
  if (flags.help) return dispatch(['help', command.name], environment);
  const limited = withLimits(environment, flags);
  const shown = isInteractive(limited) ? showProgress(limited) : limited;
  const call = { positionals, flags, environment: shown };
  try {
    return await command.run({ positionals, flags, environment: await openReferences(command, call) });
  } finally {
    shown.progress?.clear();
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

function withLimits(environment: Environment, flags: object): Environment {
  const limits = readLimits(flags);
  return {
    ...environment,
    fetchers: new Map(),
    credentials: new Map(),
    limits,
    budget: createBudget(limits.budget),
    jqBudget: createJqBudget(limits),
    readStdin: () => environment.readStdin(limits.maxFileBytes),
  };
}

function unknownCommand(word: string): UsageError {
  if (word.startsWith('-')) {
    const flag = nearest(word, ['--help', '--version', '-h', '-V']);
    const hint = didYouMean(flag, (name) => `kurel ${name}`) ?? 'see kurel help';
    return new UsageError(`unknown flag ${quote(word)} before a command`, hint);
  }
  const near = nearest(
    word,
    commandTable.map(({ name }) => name),
  );
  const guess = didYouMean(near, (name) => `kurel ${name}`) ?? 'see kurel help for all commands';
  const elsewhere = hints.find(([, words]) => words.includes(word))?.[0];
  return new UsageError(`unknown command ${quote(word)}`, elsewhere ?? guess);
}

function print(diagnostics: readonly Diagnostic[], sources: readonly SourceFile[], environment: Environment): void {
  const color = shouldUseColor({ isTerminal: environment.stderrIsTerminal, environment: environment.variables });
  const width = terminalWidth(environment);
  environment.writeStderr(formatDiagnostics(diagnostics, { sources, locate: () => undefined, color, width }));
}

// Anything that gets here is a bug in kurel. The error may quote the input, and so a secret: it is shown only with KURE_DEBUG.
function reportUnexpected(error: unknown, environment: Environment): ExitCode {
  const diagnostic: Diagnostic = {
    code: 'internal-error',
    severity: 'error',
    message: `internal error (${nameOfCause(error)}): this is a bug in kurel`,
    hint: 'report it with the command and its input; KURE_DEBUG=1 prints a stack trace',
  };
  print([diagnostic], [], environment);
  if (environment.variables['KURE_DEBUG'] === '1') {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const lines = detail.split('\n').map((line) => escapeControls(line));
    environment.writeStderr(`${lines.join('\n')}\n`);
  }
  return 1;
}

/** The engine wraps errors of its stages. */
function nameOfCause(error: unknown): string {
  let [deepest, count] = [error, 0];
  while (deepest instanceof Error && deepest.cause !== undefined && count < 100)
    [deepest, count] = [deepest.cause, count + 1];
  return deepest instanceof Error ? escapeControls(deepest.name) : typeof deepest;
}

const cluster = 'kurel never talks to a cluster; pipe its output: kurel build PATH | kubectl apply -f -';

/** Commands of helm, kustomize, kubectl, timoni and others, and what to use instead. */
const hints: readonly (readonly [hint: string, words: readonly string[]])[] = [
  ['use kurel build', ['template', 'render', 'compile', 'generate', 'kustomize', 'make', 'manifest']],
  ['use kurel validate', ['lint', 'check', 'verify', 'vet', 'test', 'kubeconform']],
  ['use kurel info', ['show', 'inspect', 'values', 'describe', 'parameters', 'params']],
  ['use kurel init', ['create', 'new', 'scaffold']],
  ['use kurel vendor', ['dependency', 'dep', 'lock']],
  ['use kurel update', ['outdated', 'bump']],
  ['use kurel push', ['publish', 'upload']],
  ['use kurel pull', ['fetch', 'download']],
  ['use kurel explain', ['why', 'trace', 'blame']],
  ['use kurel diff', ['compare']],
  ['use kurel fmt', ['format']],
  [cluster, ['apply', 'install', 'upgrade', 'deploy', 'sync', 'delete', 'uninstall', 'rollback', 'status', 'run']],
];
