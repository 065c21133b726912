import { commandTable } from '../command-table.ts';
import { commonFlags, takesPath } from '../command.ts';
import type { CompletionSource, FlagDefinition } from '../command.ts';
import type { Environment } from '../environment.ts';
import type { Candidate, Position, Run } from './position.ts';
import { listCandidates } from './sources.ts';

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** The shell completes names of files. */
  readonly files: boolean;
}

/** Candidates for the last of the arguments after `kurel`, which is unfinished and may be empty. */
export async function complete(typed: readonly string[], environment: Environment, run: Run): Promise<Completion> {
  // bash splits `--flag=value`.
  const words = typed.filter((word, index) => word !== '=' || index === typed.length - 1);
  const current = words.at(-1) === '=' ? '' : (words.at(-1) ?? '');
  const before = words.slice(0, -1);
  const [name, ...rest] = before;
  if (name === undefined)
    return choose(
      commandTable.map(({ name: value, summary }) => ({ value, description: summary })),
      current,
    );
  const command = await commandTable.find((entry) => entry.name === name)?.load();
  if (command === undefined) return nothing;
  const flags: Readonly<Record<string, FlagDefinition>> = { ...command.flags, ...commonFlags };
  const line = readLine(rest, flags);
  const { pending, positionals } = line;
  if (pending !== undefined)
    return completeValue(pending, { command, words: rest, positionals, current, environment, run });
  if (current.startsWith('-')) {
    const named = Object.entries(flags).map(([flag, { summary }]) => ({ value: `--${flag}`, description: summary }));
    return choose(named, current);
  }
  const last = command.arguments.at(-1);
  const argument = command.arguments[positionals.length] ?? (last?.repeats === true ? last : undefined);
  if (argument === undefined) return nothing;
  return completeValue(argument, { command, words: rest, positionals, current, environment, run });
}

const nothing: Completion = { candidates: [], files: false };

interface Line {
  /** The flag whose value comes next. */
  readonly pending: FlagDefinition | undefined;
  readonly positionals: readonly string[];
}

function readLine(words: readonly string[], flags: Readonly<Record<string, FlagDefinition>>): Line {
  const positionals: string[] = [];
  let pending: FlagDefinition | undefined;
  for (const word of words) {
    if (pending !== undefined) pending = undefined;
    else if (!word.startsWith('-') || word === '-') positionals.push(word);
    else if (!word.includes('=')) {
      const flag = flags[word.replace(/^--/, '')] ?? Object.values(flags).find(({ short }) => word === `-${short}`);
      pending = flag?.type === 'switch' ? undefined : flag;
    }
  }
  return { pending, positionals };
}

interface Completed {
  readonly choices?: readonly string[];
  readonly completes?: 'path' | CompletionSource;
}

async function completeValue(completed: Completed, position: Position): Promise<Completion> {
  const { choices, completes } = completed;
  const { current } = position;
  if (choices !== undefined)
    return choose(
      choices.map((value) => ({ value })),
      current,
    );
  if (completes === undefined) return nothing;
  if (completes === 'path' || takesPath(completed, position.positionals)) return { candidates: [], files: true };
  return choose(await listCandidates(completes, position), current);
}

// Characters that a shell inserts without quoting: a package must not insert any others into the command line.
const harmless = /^[\w./:=@,[\]-]+$/;

function choose(candidates: readonly Candidate[], current: string): Completion {
  return {
    candidates: candidates.filter(({ value }) => value.startsWith(current) && harmless.test(value)),
    files: false,
  };
}

/** One candidate per line with its description after a tab, then a line that tells the shell whether to complete files. */
export function formatCompletion({ candidates, files }: Completion): string {
  const lines = candidates.map(({ value, description = '' }) =>
    description === '' ? value : `${value}\t${description.replaceAll(/[\s\p{Cc}]+/gu, ' ')}`,
  );
  return [...lines, files ? ':files' : ':end', ''].join('\n');
}
