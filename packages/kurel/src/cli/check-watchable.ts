import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import { quote } from '../diagnostics/index.ts';
import type { Environment } from './environment.ts';
import { UsageError } from './usage-error.ts';

export interface WatchableCall {
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
  readonly environment: Environment;
}

/** Refuses what cannot be done twice. */
export function checkWatchable({ positionals, flags, environment }: WatchableCall): void {
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
  const format = ['sarif', 'junit'].find((one) => flags['format'] === one || flags['message-format'] === one);
  if (format !== undefined) {
    throw new UsageError(
      `--watch and ${format} cannot be combined`,
      'it is one report of one run; json gives one after another',
    );
  }
  if ('output' in flags) checkOutput(flags);
}

function checkOutput({ output, check }: WatchableCall['flags']): void {
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

/** Of a shell, such as `<(sops -d secrets.yaml)`, or made by mkfifo. */
function isPipe(text: string, { workingDirectory }: Environment): boolean {
  if (/^\/(?:dev|proc\/self)\/fd\/\d+$/.test(text)) return true;
  try {
    return statSync(resolve(workingDirectory, text)).isFIFO();
  } catch {
    return false;
  }
}
