import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';

import { createMemory } from '../budget/index.ts';
import { countNoun, escapeControls, quote } from '../diagnostics/index.ts';
import { createReadRecord, toSlashes, watchReads } from '../host/index.ts';
import type { ReadChange, ReadRecord } from '../host/index.ts';
import type { CommandResult, ExitCode } from './command.ts';
import type { Environment } from './environment.ts';
import { withLimits } from './limits.ts';
import { placeOfLocal } from './package-flags.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import type { PrintOptions } from './print-diagnostics.ts';
import { isText } from './print-result.ts';
import { paint, useColor } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface WatchedCall {
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, unknown>> & Pick<PrintOptions, 'color' | 'message-format'>;
  readonly environment: Environment;
}

/** A run whose result was printed. */
export interface PrintedRun extends Pick<CommandResult, 'conclusion'> {
  readonly exitCode: ExitCode;
}

/**
 * Runs a command, and again whenever a file that it read has changed. Runs share only parsed texts, so that each has the same result as
 * a new process. Signals end the process as usual; wrong usage exits with 2, because no change of files can fix it.
 */
export async function runWatched(
  call: WatchedCall,
  runOnce: (environment: Environment) => Promise<PrintedRun>,
): Promise<ExitCode> {
  checkWatchable(call);
  const { environment, flags } = call;
  const { workingDirectory, signal } = environment;
  const memory = createMemory();
  const watch = watchReads({
    workingDirectory,
    signal,
    report: (diagnostic) =>
      void printDiagnostics({ diagnostics: [diagnostic], sources: [] }, { color: flags.color }, environment),
  });
  try {
    for (let isFirst = true; ; isFirst = false) {
      const record = createRecord(call);
      const exitCode = await runAndConclude(record);
      if (signal?.aborted === true) return 0;
      if (isFirst && exitCode === 2) return 2;
      if (isFirst) say('2', describeWatch(record));
      const changes = await watch.next(record);
      if (changes.length === 0) return 0;
      environment.progress?.clear();
      const timeOfDay = new Date().toTimeString().slice(0, 8);
      say('1', `\n${timeOfDay} ${describeChanges(changes, workingDirectory)}`);
    }
  } finally {
    watch.close();
  }

  /** Prints a line to stderr, unless its output is for programs. The code is a Select Graphic Rendition code. */
  function say(code: string, text: string): void {
    if (!isText(flags)) return;
    environment.writeStderr(`${paint(code, text, useColor(flags.color, environment))}\n`);
  }

  async function runAndConclude(record: ReadRecord): Promise<ExitCode> {
    // Each run has full budgets and fetches again.
    const inside: Environment = {
      ...withLimits(environment, { memory }),
      fetchers: new Map(),
      watched: { note: record.note, noteProgram: record.noteProgram },
    };
    const startedAt = performance.now();
    const { exitCode, conclusion } = await runOnce(inside);
    const { result, effect = '' } = conclusion ?? { result: 'done' };
    if (exitCode === 2) return exitCode;
    const took = `${Math.round(performance.now() - startedAt)} ms`;
    say(exitCode === 0 ? '32' : '31', `${result} in ${took}${effect === '' ? '' : `; ${effect}`}`);
    return exitCode;
  }
}

function createRecord({ positionals, flags, environment: { workingDirectory } }: WatchedCall): ReadRecord {
  const { output } = flags;
  const record = createReadRecord({
    workingDirectory,
    output: typeof output === 'string' ? resolve(workingDirectory, output) : undefined,
  });
  for (const path of positionals) {
    const local = placeOfLocal(path, workingDirectory);
    if (local !== undefined) record.note(local, 'kind');
  }
  return record;
}

function describeWatch(record: ReadRecord): string {
  if ([...record.places()].length === 0) {
    throw new UsageError('--watch has nothing to watch', 'no file was read; what git has in a revision stays as it is');
  }
  const counts = [
    countNoun(record.count('content'), 'file'),
    countNoun(record.count('names'), 'directory', 'directories'),
  ];
  const counted = counts.filter((words) => !words.startsWith('0')).join(' and ');
  return `watching${counted === '' ? '' : ` ${counted}`}; Ctrl-C ends`;
}

const mostNamed = 3;

function describeChanges(changes: readonly ReadChange[], workingDirectory: string): string {
  const words = { changed: 'changed', new: 'is new', gone: 'is gone' } as const;
  const named = changes.slice(0, mostNamed).map(({ path, what }) => {
    const near = relative(workingDirectory, path);
    return `${escapeControls(toSlashes(near.length < path.length ? near : path))} ${words[what]}`;
  });
  const rest = changes.length - named.length;
  return named.join(', ') + (rest === 0 ? '' : `, and ${countNoun(rest, 'other')}`);
}

/** Refuses inputs that can be read only once. */
function checkWatchable({ positionals, flags, environment }: WatchedCall): void {
  const named = (flag: string): boolean => ['', '-a', '-b'].some((side) => textsOf(flags[flag + side]).includes('-'));
  if (positionals.includes('-') || named('patch')) {
    throw new UsageError('--watch cannot read standard input', 'it can be read only once; give a file');
  }
  const read = [['', positionals] as const, ...Object.entries(flags).filter(([name]) => name !== 'output')];
  for (const [name, value] of read) {
    const pipe = textsOf(value).find((text) => isPipe(text, environment));
    if (pipe === undefined) continue;
    const subject = name === '' ? quote(pipe) : `--${name} ${quote(pipe)}`;
    throw new UsageError(`--watch cannot read ${subject}`, 'a pipe can be read only once; give a file');
  }
  const format = ['sarif', 'junit'].find((name) => flags['format'] === name || flags['message-format'] === name);
  if (format !== undefined) {
    throw new UsageError(
      `--watch and ${format} cannot be combined`,
      'it is one report of one run; json gives one after another',
    );
  }
  if ('output' in flags) checkOutput(flags);
}

function checkOutput({ output, check }: WatchedCall['flags']): void {
  if (output === undefined || output === '-') {
    throw new UsageError('--watch needs --output', 'what is on standard output cannot be replaced by a later run');
  }
  if (check === true) {
    throw new UsageError('--watch and --check cannot be combined', 'kurel diff OUTPUT PATH --watch shows what differs');
  }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : typeof value === 'string' ? [value] : [];
}

/** A pipe of a shell, such as `<(sops -d secrets.yaml)`, or of mkfifo. */
function isPipe(text: string, { workingDirectory }: Environment): boolean {
  if (/^\/(?:dev|proc\/self)\/fd\/\d+$/.test(text)) return true;
  try {
    return statSync(resolve(workingDirectory, text)).isFIFO();
  } catch {
    return false;
  }
}
