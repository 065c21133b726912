import type { ProblemSummary } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { problemDefinitions } from '../../problem-definitions.ts';
import { commandTable } from '../command-table.ts';
import { commonFlags, takesPath } from '../command.ts';
import type { CompletionSource, FlagDefinition } from '../command.ts';
import type { Environment } from '../environment.ts';
import { inputFlags } from '../input-flags.ts';
import { createStore } from '../open-schemas.ts';
import { loadDefinitions } from '../print-diagnostics.ts';

interface Completion {
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
  if (name === undefined) return choose(commands, current);
  const command = await commandTable.find((entry) => entry.name === name)?.load();
  if (command === undefined) return nothing;
  const flags: Readonly<Record<string, FlagDefinition>> = { ...command.flags, ...commonFlags };
  const { pending, positionals } = readLine(rest, flags);
  const position = { words: rest, positionals, current, environment, run };
  if (pending !== undefined) return completeValue(pending, position);
  if (current.startsWith('-')) {
    const named = Object.entries(flags).map(([flag, { summary }]) => ({ value: `--${flag}`, description: summary }));
    return choose(named, current);
  }
  const last = command.arguments.at(-1);
  const argument = command.arguments[positionals.length] ?? (last?.repeats === true ? last : undefined);
  if (argument === undefined) return nothing;
  return completeValue(argument, position);
}

const nothing: Completion = { candidates: [], files: false };

const commands: readonly Candidate[] = commandTable.map(({ name, summary }) => ({ value: name, description: summary }));

function readLine(words: readonly string[], flags: Readonly<Record<string, FlagDefinition>>) {
  const positionals: string[] = [];
  /** The flag whose value comes next. */
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

async function completeValue(
  completed: Pick<FlagDefinition, 'choices' | 'completes'>,
  position: Position,
): Promise<Completion> {
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

/** The candidates of each source. They come from the program's own JSON output, so they are what the commands accept. */
const sources: Readonly<Record<CompletionSource, (position: Position) => Promise<readonly Candidate[]>>> = {
  parameter: async (position) => parametersOf(await askInfo(position)),
  patch: async (position) => patchesOf(await askInfo(position)),
  kind: async (position) => unique((await objectsOf(position)).map((name) => kindOf(name))),
  name: async (position) => unique((await objectsOf(position)).map((name) => name.slice(name.lastIndexOf('.') + 1))),
  object: async (position) => (await objectsOf(position)).map((value) => ({ value })),
  field: async (position) => namesIn(await askExplain(position.positionals.slice(0, 2), position), 'fields', 'field'),
  subject: subjectsOf,
  target: targetsOf,
  topic: async () => [...commands, ...describeCodes(await loadDefinitions())],
  // Findings of the program itself cannot be accepted.
  code: async () => describeCodes(problemDefinitions),
};

async function listCandidates(source: CompletionSource, position: Position): Promise<readonly Candidate[]> {
  try {
    return await sources[source](position);
  } catch {
    // There is nothing to complete in a package that cannot be read, and no place to report it.
    return [];
  }
}

async function ask(
  words: readonly string[],
  { environment, run }: Pick<Position, 'environment' | 'run'>,
): Promise<Json> {
  let output = '';
  const quiet = {
    ...environment,
    stderrIsTerminal: false,
    stdoutIsTerminal: false,
    writeStdout: (text: string) => void (output += text),
    writeStderr: () => undefined,
  };
  await run([...words, '--format', 'json'], quiet);
  return JSON.parse(output === '' ? 'null' : output) as Json;
}

async function askInfo({ positionals: [path], ...asker }: Position): Promise<Json> {
  return path === undefined ? null : ask(['info', path], asker);
}

function parametersOf(info: Json): readonly Candidate[] {
  const parameters = isJsonObject(info) ? info['parameters'] : undefined;
  if (isJsonArray(parameters)) {
    return parameters.filter(isJsonObject).map((entry) => ({
      value: `${textOf(entry['name'])}=`,
      description: [entry['type'], entry['description']].filter((part) => typeof part === 'string').join(': '),
    }));
  }
  return isJsonObject(parameters) ? leavesOf(parameters, '').map((path) => ({ value: `${path}=` })) : [];
}

function leavesOf(values: JsonObject, prefix: string): readonly string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    // Other keys, such as those of labels, cannot be written in a path without quoting.
    if (!/^[\w-]+$/.test(key)) return [];
    return isJsonObject(value) ? leavesOf(value, `${prefix}${key}.`) : [`${prefix}${key}`];
  });
}

function patchesOf(info: Json): readonly Candidate[] {
  const patches = isJsonObject(info) ? info['patches'] : undefined;
  return (isJsonArray(patches) ? patches : []).filter(isJsonObject).map((entry) => ({
    value: textOf(entry['id']).replace(/\.kpatch$/, ''),
    description: typeof entry['description'] === 'string' ? entry['description'] : undefined,
  }));
}

/** The answer of `explain` about the build, or about an object in it. */
async function askExplain(subject: readonly (string | undefined)[], { words, ...asker }: Position): Promise<Json> {
  if (subject.includes(undefined)) return null;
  const call = ['explain', ...(subject as readonly string[]), ...flagsOfInput(words)];
  const answer = await ask(call, asker).catch(() => null);
  return answer ?? (await ask([...call, '--no-profile'], asker).catch(() => null));
}

/** The objects of the build, as `explain` names them. */
async function objectsOf(position: Position): Promise<readonly string[]> {
  return namesIn(await askExplain([position.positionals[0]], position), 'objects').map(({ value }) => value);
}

const inputNames = ['as', 'values', 'set', 'set-string', 'patch', 'namespace', 'profile', 'policy', 'enable', 'local'];

/** Flags on the line that decide what is built. */
function flagsOfInput(words: readonly string[]): readonly string[] {
  const taken = flagsIn(words, inputNames);
  return words.includes('--no-profile') ? [...taken, '--no-profile'] : taken;
}

function flagsIn(words: readonly string[], names: readonly string[]): readonly string[] {
  const taken: string[] = [];
  for (const [index, word] of words.entries()) {
    const flag = names.find((name) => word === `--${name}` || word.startsWith(`--${name}=`) || word === shortOf(name));
    if (flag === undefined) continue;
    taken.push(word);
    const value = words[index + 1];
    if (!word.includes('=') && value !== undefined) taken.push(value);
  }
  return taken;
}

function shortOf(name: string): string | undefined {
  const flag: FlagDefinition | undefined = (inputFlags as Readonly<Record<string, FlagDefinition>>)[name];
  return flag?.short === undefined ? undefined : `-${flag.short}`;
}

/** `shop/deployment.web` → `deployment`. */
function kindOf(name: string): string {
  return name.slice(name.indexOf('/') + 1).replace(/[.@].*$/, '');
}

function unique(values: readonly string[]): readonly Candidate[] {
  return [...new Set(values)].map((value) => ({ value }));
}

/** Of `schema show`: kinds, components and traits, then the fields below what is already typed. */
async function subjectsOf({ positionals: [action], current, ...asker }: Position): Promise<readonly Candidate[]> {
  if (action !== 'show') return [];
  const end = current.lastIndexOf('.');
  if (end === -1) {
    const types = await ask(['schema', 'show'], asker);
    const own = (isJsonArray(types) ? types : []).filter(isJsonObject);
    return [
      ...own.map((entry) => ({ value: textOf(entry['type']), description: textOf(entry['summary']) })),
      ...unique(
        createStore(undefined)
          .kinds()
          .map(({ kind }) => kind),
      ),
    ];
  }
  const parent = current.slice(0, end);
  const answer = await ask(['schema', 'show', parent], asker);
  return namesIn(answer, 'fields').map(({ value }) => ({ value: `${parent}.${value}` }));
}

/** Of `fleet`: targets, and for `fleet explain` one target, then its objects and fields. */
async function targetsOf({ positionals, words, ...asker }: Position): Promise<readonly Candidate[]> {
  const [action, ...subject] = positionals;
  const fleet = flagsIn(words, ['fleet']);
  if (action !== 'explain' || subject.length === 0) {
    return namesIn(await ask(['fleet', 'list', ...fleet], asker), 'targets', 'name');
  }
  const answer = await ask(['fleet', 'explain', ...subject, ...fleet], asker);
  return subject.length === 1 ? namesIn(answer, 'objects') : namesIn(answer, 'fields', 'field');
}

function namesIn(answer: Json, list: string, key?: string): readonly Candidate[] {
  const entries = isJsonObject(answer) ? answer[list] : undefined;
  return (isJsonArray(entries) ? entries : []).map((entry) => ({
    value: textOf(key === undefined ? entry : isJsonObject(entry) ? entry[key] : undefined),
  }));
}

function describeCodes(definitions: Readonly<Record<string, ProblemSummary>>): readonly Candidate[] {
  return Object.entries(definitions).map(([code, { summary }]) => ({ value: code, description: summary }));
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

interface Position {
  /** All arguments before the cursor, without the command. */
  readonly words: readonly string[];
  readonly positionals: readonly string[];
  readonly current: string;
  readonly environment: Environment;
  readonly run: Run;
}

type Run = (words: readonly string[], environment: Environment) => Promise<unknown>;
