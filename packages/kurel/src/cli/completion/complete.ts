import type { ProblemSummary } from '../../diagnostics/index.ts';
import { createCatalog } from '../../index.ts';
import { problemDefinitions } from '../../problem-definitions.ts';
import { commandTable } from '../command-table.ts';
import { commonFlags, takesPath } from '../command.ts';
import type { CompletionSource } from '../../settings/index.ts';
import type { Command, FlagDefinition, FlagDefinitions } from '../command.ts';
import { findField } from '../commands/schema.ts';
import type { Environment } from '../environment.ts';
import { openFleet } from '../fleet/open-fleet.ts';
import { holderOf } from '../format-field.ts';
import { withLimits } from '../limits.ts';
import { noSettings, openPackage, openPackageInput } from '../open-package.ts';
import { createStore } from '../open-schemas.ts';
import { tokensOf } from '../tokens-of.ts';
import type { Token } from '../tokens-of.ts';
import { loadDefinitions } from '../print-diagnostics.ts';
import { spellSummary } from '../spell-findings.ts';

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
  const [name, ...rest] = words.slice(0, -1);
  if (name === undefined) return choose(commands, current);
  const command = await commandTable.find((entry) => entry.name === name)?.load();
  if (command === undefined) return nothing;
  const flags: FlagDefinitions = { ...command.flags, ...commonFlags };
  const tokens = tokensOf(flags, rest);
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const position = { command, tokens, positionals, current, environment, run };
  const before = tokens.at(-1);
  const pending = before?.kind === 'option' && before.value === undefined ? flags[before.name] : undefined;
  if (pending !== undefined && pending.type !== 'switch') return completeValue(pending, position);
  if (current.startsWith('-')) {
    const named = Object.entries(flags).map(([flag, { summary }]) => ({ value: `--${flag}`, description: summary }));
    return choose(named, current);
  }
  const last = command.arguments.at(-1);
  const argument = command.arguments[positionals.length] ?? (last?.repeats === true ? last : undefined);
  return argument === undefined ? nothing : completeValue(argument, position);
}

const nothing: Completion = { candidates: [], files: false };

const commands: readonly Candidate[] = commandTable.map(({ name, summary }) => ({ value: name, description: summary }));

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

const sources: Readonly<Record<CompletionSource, (position: Position) => Promise<readonly Candidate[]>>> = {
  parameter: parametersOf,
  patch: patchesOf,
  kind: async (position) => unique((await explain(1, position)).map(kindOf)),
  name: async (position) => unique((await explain(1, position)).map((name) => name.slice(name.lastIndexOf('.') + 1))),
  object: async (position) => unique(await explain(1, position)),
  field: async (position) => unique(await explain(2, position)),
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

async function parametersOf(position: Position): Promise<readonly Candidate[]> {
  const parameters = (await describePackage(position))?.listParameters() ?? [];
  return parameters.map(({ name, type, description = '' }) => ({
    value: `${name}=`,
    description: description === '' ? type : `${type}: ${description}`,
  }));
}

async function patchesOf(position: Position): Promise<readonly Candidate[]> {
  const { enabled, disabled } = (await describePackage(position))?.plan ?? { enabled: [], disabled: [] };
  return [...enabled, ...disabled].map(({ patch: { id, sidecar } }) => ({
    value: id.replace(/\.kpatch$/, ''),
    description: sidecar?.description,
  }));
}

/** The package on the command line, without values of flags; `undefined` if there is none, or if it has errors. */
async function describePackage({ command, positionals: [path], environment: outside }: Position) {
  if (path === undefined) return undefined;
  const { openRemoteInputs } = await import('../packages/open-remote-package.ts');
  const call = { positionals: [path], flags: {}, environment: withLimits(outside, {}) };
  const environment = await openRemoteInputs(command, call);
  return (await openPackage(await openPackageInput(path, environment), noSettings, environment)).usable;
}

/** The objects of the build, or the fields of an object in it, by the number of arguments that `explain` gets. */
async function explain(length: 1 | 2, position: Position): Promise<readonly string[]> {
  const subject = position.positionals.slice(0, length);
  if (subject.length < length) return [];
  const words = ['explain', ...wordsOf(inputNames, position)];
  return (await ask(words, subject, position)) ?? (await ask([...words, '--no-profile'], subject, position)) ?? [];
}

/** What `explain` lists, which are its own arguments; `undefined` if it fails. */
async function ask(
  words: readonly string[],
  subject: readonly string[],
  { environment, run }: Position,
): Promise<readonly string[] | undefined> {
  let output = '';
  const quiet = {
    ...environment,
    stderrIsTerminal: false,
    stdoutIsTerminal: false,
    writeStdout: (text: string) => void (output += text),
    writeStderr: () => undefined,
  };
  await run([...words, '--format=json', '--', ...subject], quiet);
  if (output === '') return undefined;
  const { objects, fields = [] } = JSON.parse(output) as ExplainOutput;
  return objects ?? fields.map(({ field }) => field);
}

interface ExplainOutput {
  readonly objects?: readonly string[];
  readonly fields?: readonly { readonly field: string }[];
}

/** Flags that decide what is built. */
const inputNames = 'as values set set-string patch namespace profile no-profile policy enable local'.split(' ');

/** The flags on the line with these names. */
function wordsOf(names: readonly string[], { tokens }: Position): readonly string[] {
  return tokens.flatMap((token) => {
    if (token.kind !== 'option' || !names.includes(token.name)) return [];
    return token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`;
  });
}

/** `shop/deployment.web` → `deployment`. */
function kindOf(name: string): string {
  return name.slice(name.indexOf('/') + 1).replace(/[.@].*$/, '');
}

function unique(values: readonly string[]): readonly Candidate[] {
  return [...new Set(values)].map((value) => ({ value }));
}

/** Of `schema show`: kinds, components and traits, then the fields below what is already typed. */
async function subjectsOf({ positionals: [action], current }: Position): Promise<readonly Candidate[]> {
  if (action !== 'show') return [];
  const store = createStore(undefined);
  const end = current.lastIndexOf('.');
  if (end === -1) {
    const { components, traits, policies } = createCatalog();
    const types = [...components.values(), ...traits.values(), ...policies.values()];
    return [
      ...types.map(({ type, summary }) => ({ value: type, description: summary })),
      ...unique(store.kinds().map(({ kind }) => kind)),
    ];
  }
  const parent = current.slice(0, end);
  return holderOf(findField(store, parent).node).propertyNames.map((name) => ({ value: `${parent}.${name}` }));
}

/** Of `fleet`: targets, and for `fleet explain` one target, then its objects and fields. */
async function targetsOf(position: Position): Promise<readonly Candidate[]> {
  const { positionals, environment } = position;
  const [action, ...subject] = positionals;
  const words = wordsOf(['fleet'], position);
  if (action === 'explain' && subject.length > 0) {
    return unique((await ask(['fleet', ...words], [action, ...subject], position)) ?? []);
  }
  const written = words[0]?.replace('--fleet=', '');
  const { fleet } = await openFleet(written, withLimits(environment, {}));
  return unique((fleet?.targets ?? []).map(({ name }) => name));
}

function describeCodes(definitions: Readonly<Record<string, ProblemSummary>>): readonly Candidate[] {
  return Object.entries(definitions).map(([code, definition]) => ({
    value: code,
    description: spellSummary(definition).summary,
  }));
}

interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

interface Position {
  readonly command: Command;
  /** Of the arguments before the cursor. */
  readonly tokens: readonly Token[];
  readonly positionals: readonly string[];
  readonly current: string;
  readonly environment: Environment;
  readonly run: Run;
}

type Run = (words: readonly string[], environment: Environment) => Promise<unknown>;
