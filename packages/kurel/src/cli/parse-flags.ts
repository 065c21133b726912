import { sep } from 'node:path';

import { didYouMean, nearest, quote } from '../diagnostics/index.ts';
import { toSlashes } from '../host/index.ts';
import { commonFlags, takesPath } from './command.ts';
import type { Command, FlagDefinition, FlagDefinitions, FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import { tokensOf } from './tokens-of.ts';
import type { Token } from './tokens-of.ts';
import { collectUsage, UsageError } from './usage-error.ts';

export interface ParsedLine<Flags extends FlagDefinitions> {
  readonly positionals: readonly string[];
  readonly flags: FlagValues<Flags & typeof commonFlags>;
}

/** Reads the arguments after the command's name. Throws all mistakes in them. */
export function parseFlags<Flags extends FlagDefinitions>(
  command: Command<Flags>,
  words: readonly string[],
  separator?: Environment['separator'],
): ParsedLine<Flags> {
  const { error, ...line } = readLine(command, words, separator);
  if (error !== undefined) throw error;
  return line;
}

/**
 * Reads the arguments after the command's name, and collects the mistakes: everything that is not in the command's table. Flags without
 * mistakes have their values all the same, such as the format to print the mistakes in. Paths have `/` from here on: on Windows a
 * backslash separates directories, and is never an escape of a pattern.
 */
export function readLine<Flags extends FlagDefinitions>(
  command: Command<Flags>,
  words: readonly string[],
  separator: Environment['separator'] = sep,
): ParsedLine<Flags> & { readonly error: UsageError | undefined } {
  const usage = collectUsage();
  const definitions: FlagDefinitions = { ...command.flags, ...commonFlags };
  const values = new Map<string, boolean | string | string[]>();
  const positionals: string[] = [];
  const tokens = tokensOf(definitions, words);
  const withSlashes = (path: string): string => toSlashes(path, { sep: separator });
  for (const token of tokens) {
    if (token.kind === 'positional') {
      const argument = command.arguments[positionals.length] ?? command.arguments.at(-1);
      const isPath = argument !== undefined && takesPath(argument, positionals);
      positionals.push(isPath ? withSlashes(token.value) : token.value);
    }
    if (token.kind === 'option') {
      usage.attempt(() => {
        refuseFlagAsValue(definitions, token);
        const definition = flagOf(definitions, token);
        const isPath = takesPath(definition, positionals) && token.value !== undefined;
        collect(values, definition, isPath ? { ...token, value: withSlashes(token.value) } : token);
      });
    }
  }
  const flags: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(definitions)) {
    flags[name] = values.get(name) ?? { switch: false, list: [], text: undefined }[definition.type];
  }
  // The value of an unknown flag looks like an argument.
  if (flags['help'] !== true && usage.error() === undefined) {
    usage.attempt(() => checkPositionals(command, positionals, tokens));
  }
  return { positionals, flags: flags as ParsedLine<Flags>['flags'], error: usage.error() };
}

type OptionToken = Extract<Token, { readonly kind: 'option' }>;

/** `--profile --values v.yaml`: the value between them is missing. */
function refuseFlagAsValue(definitions: FlagDefinitions, { name, value, inlineValue }: OptionToken): void {
  if (value === undefined || inlineValue === true) return;
  const [, long, short] = /^(?:--([^=]+)(?:=.*)?|-(.))$/s.exec(value) ?? [];
  const isFlag =
    (long !== undefined && Object.hasOwn(definitions, long)) ||
    (short !== undefined && Object.values(definitions).some((definition) => definition.short === short));
  if (!isFlag) return;
  const placeholder = definitions[name]?.placeholder ?? 'VALUE';
  throw new UsageError(`--${name} requires a value, got the flag ${quote(value)}`, `use --${name} ${placeholder}`);
}

function flagOf(definitions: FlagDefinitions, { name, rawName }: OptionToken): FlagDefinition {
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  if (definition !== undefined) return definition;
  throw new UsageError(`unknown flag ${quote(rawName)}`, hintForFlag(rawName, definitions));
}

function collect(
  values: Map<string, boolean | string | string[]>,
  definition: FlagDefinition,
  { name, value }: OptionToken,
): void {
  const written = `--${name}`;
  if (definition.type === 'switch') {
    if (value !== undefined) throw new UsageError(`${written} takes no value, got ${quote(value)}`);
    values.set(name, true);
    return;
  }
  if (value === undefined)
    throw new UsageError(`${written} requires a value`, `use ${written} ${definition.placeholder ?? 'VALUE'}`);
  if (value === '' && definition.completes === 'path') {
    const uses = (definition.placeholder ?? 'PATH').split('|').map((placeholder) => `${written} ${placeholder}`);
    throw new UsageError(`${written} is empty`, `use ${uses.join(' or ')}`);
  }
  checkChoice(written, value, definition.choices);
  if (definition.type === 'list') {
    const list = values.get(name);
    if (Array.isArray(list)) list.push(value);
    else values.set(name, [value]);
    return;
  }
  if (values.has(name)) throw new UsageError(`duplicate flag ${written}`, 'remove one of them');
  values.set(name, value);
}

function checkPositionals(command: Command, positionals: readonly string[], tokens: readonly Token[]): void {
  const extra = positionals[command.arguments.length];
  const repeats = command.arguments.at(-1)?.repeats === true;
  if (extra !== undefined && !repeats) {
    throw new UsageError(`unexpected argument ${quote(extra)}`, hintForExtra(command, extra, tokens));
  }
  const hint = `see kurel ${command.name} --help`;
  if (repeats && positionals.includes('', command.arguments.length)) {
    throw new UsageError(`${command.arguments.at(-1)!.name} is empty`, hint);
  }
  for (const [index, argument] of command.arguments.entries()) {
    const value = positionals[index];
    if (value === '') throw new UsageError(`${argument.name} is empty`, hint);
    if (value === undefined && argument.optional !== true) {
      throw new UsageError(`${command.name} requires ${argument.name}: ${argument.summary}`, hint);
    }
    if (value !== undefined) checkChoice(argument.name, value, argument.choices);
  }
}

function checkChoice(name: string, value: string, choices: readonly string[] | undefined): void {
  if (choices === undefined || choices.includes(value)) return;
  const near = nearest(value, choices);
  throw new UsageError(`${name} must be one of ${choices.join(', ')}, got ${quote(value)}`, didYouMean(near, String));
}

/** Flags of other programs, and what to use instead. */
const elsewhere: Readonly<Record<string, readonly [needs: string, hint: string]>> = {
  // helm expects values after it, kubectl manifests.
  '-f': ['values', 'pass values with --values FILE, and the input without a flag'],
  '--set-file': ['set-string', 'use --set-string PATH="$(cat FILE)"'],
  '--cluster-id': ['profile', 'remove it: the output does not depend on it'],
  '-o': ['format', 'use --format json'],
  '--json': ['format', 'use --format json'],
  '--dry-run': ['output', 'remove --output to print without writing, or use --check to compare with existing files'],
  '--verbose': ['help', 'set KURE_DEBUG=1 to trace patches'],
  '--debug': ['help', 'set KURE_DEBUG=1 for traces and stack traces'],
  '--add-label': ['label', 'use --label KEY=VALUE'],
  '--add-annotation': ['annotation', 'use --annotation KEY=VALUE'],
  '--strict-capabilities': ['strict', 'use --strict, which turns every warning into an error'],
};

const mostNamed = 3;

function hintForFlag(written: string, definitions: FlagDefinitions): string {
  const names = Object.keys(definitions);
  const [needs, hint] = (Object.hasOwn(elsewhere, written) ? elsewhere[written] : undefined) ?? [];
  if (needs !== undefined && hint !== undefined && names.includes(needs)) return hint;
  const word = written.replace(/^-+/, '');
  const begun = written.startsWith('--') ? [] : names.filter((name) => name.startsWith(word.toLowerCase()));
  const near = nearest(word, names);
  const meant = begun.length > 0 && begun.length <= mostNamed ? begun : near === undefined ? [] : [near];
  if (meant.length === 0) return 'see --help for all flags';
  return `did you mean ${meant.map((name) => `--${name}`).join(' or ')}?`;
}

function hintForExtra({ name, arguments: wanted, flags }: Command, extra: string, tokens: readonly Token[]): string {
  const slip = findSplitPair(flags, tokens);
  if (slip !== undefined) return slip;
  if (wanted.length !== 1 || !Object.hasOwn(flags, 'values') || !/\.(?:ya?ml|json)$/.test(extra)) {
    return `see kurel ${name} --help`;
  }
  return `pass values with --values ${extra}, several manifests as a directory or a quoted pattern`;
}

/** `--set replicas 3` → `--set replicas=3`. */
function findSplitPair(flags: FlagDefinitions, tokens: readonly Token[]): string | undefined {
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token.kind !== 'option' || next?.kind !== 'positional') continue;
    const { name, value = '=' } = token;
    const isPair = flags[name]?.placeholder?.includes('=') === true && !value.includes('=');
    if (isPair) return `did you mean --${name} ${value}=${next.value}?`;
  }
  return undefined;
}
