import { parseArgs } from 'node:util';

import { nearest, quote } from '../diagnostics/index.ts';
import { commonFlags } from './command.ts';
import type { Command, FlagDefinition, FlagDefinitions, FlagValues } from './command.ts';
import { UsageError } from './usage-error.ts';

export interface ParsedLine<Flags extends FlagDefinitions> {
  readonly positionals: readonly string[];
  readonly flags: FlagValues<Flags & typeof commonFlags>;
}

/** Reads the words after the command's name. Everything that is not in the command's table is a usage error. */
export function parseFlags<Flags extends FlagDefinitions>(
  command: Command<Flags>,
  words: readonly string[],
): ParsedLine<Flags> {
  const definitions: FlagDefinitions = { ...command.flags, ...commonFlags };
  const values = new Map<string, boolean | string | string[]>();
  const positionals: string[] = [];
  const tokens = tokensOf(definitions, words);
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind === 'option') {
      refuseFlagAsValue(definitions, token);
      collect(values, flagOf(definitions, token), token);
    }
  }
  const flags: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(definitions)) {
    flags[name] = values.get(name) ?? { switch: false, list: [], text: undefined }[definition.type];
  }
  if (flags['help'] !== true) checkPositionals(command, positionals, tokens);
  return { positionals, flags: flags as ParsedLine<Flags>['flags'] };
}

interface OptionToken {
  readonly kind: 'option';
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  /** It stands in one word with the flag: `--name=value`. */
  readonly inlineValue?: boolean | undefined;
}

/** A word of the command line, as far as it is told apart here. */
export type Token = ReturnType<typeof tokensOf>[number];

function tokensOf(definitions: FlagDefinitions, words: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(definitions).map(([name, { type, short }]) => [
      name,
      {
        type: type === 'switch' ? ('boolean' as const) : ('string' as const),
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );
  // Not strict: Node's own errors know nothing of did-you-mean, so unknown names are found here.
  return parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** `--profile --values v.yaml`: what was to stand between them is missing. */
function refuseFlagAsValue(definitions: FlagDefinitions, { name, value, inlineValue }: OptionToken): void {
  if (value === undefined || inlineValue === true) return;
  const [, long, short] = /^(?:--([^=]+)(?:=.*)?|-(.))$/s.exec(value) ?? [];
  const isFlag =
    (long !== undefined && Object.hasOwn(definitions, long)) ||
    (short !== undefined && Object.values(definitions).some((one) => one.short === short));
  if (!isFlag) return;
  const placeholder = definitions[name]?.placeholder ?? 'VALUE';
  throw new UsageError(`--${name} needs a value, but ${quote(value)} is a flag`, `--${name} ${placeholder}`);
}

interface NamedFlag {
  readonly name: string;
  readonly definition: FlagDefinition;
}

function flagOf(definitions: FlagDefinitions, { name, rawName }: OptionToken): NamedFlag {
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  if (definition !== undefined) return { name, definition };
  throw new UsageError(`unknown flag ${quote(rawName)}`, hintForFlag(rawName, definitions));
}

function collect(
  values: Map<string, boolean | string | string[]>,
  { name, definition }: NamedFlag,
  { value }: OptionToken,
): void {
  const written = `--${name}`;
  if (definition.type === 'switch') {
    if (value !== undefined) throw new UsageError(`${written} takes no value, but got ${quote(value)}`);
    values.set(name, true);
    return;
  }
  if (value === undefined)
    throw new UsageError(`${written} needs a value`, `${written} ${definition.placeholder ?? 'VALUE'}`);
  if (definition.choices !== undefined && !definition.choices.includes(value)) {
    const near = nearest(value, definition.choices);
    throw new UsageError(
      `${written} cannot be ${quote(value)}`,
      near === undefined ? `it is one of ${definition.choices.join(', ')}` : `did you mean ${near}?`,
    );
  }
  if (definition.type === 'list') {
    const list = values.get(name);
    if (Array.isArray(list)) list.push(value);
    else values.set(name, [value]);
    return;
  }
  if (values.has(name)) throw new UsageError(`${written} is given twice`, `give it once`);
  values.set(name, value);
}

function checkPositionals(command: Command, positionals: readonly string[], tokens: readonly Token[]): void {
  const extra = positionals[command.arguments.length];
  const repeats = command.arguments.at(-1)?.repeats === true;
  if (extra !== undefined && !repeats) {
    throw new UsageError(`unexpected argument ${quote(extra)}`, hintForExtra(command, extra, tokens));
  }
  const empty = repeats ? positionals.indexOf('', command.arguments.length) : -1;
  if (empty !== -1)
    throw new UsageError(`${command.arguments.at(-1)!.name} is empty`, `see kurel ${command.name} --help`);
  for (const [index, argument] of command.arguments.entries()) {
    const value = positionals[index];
    if (value === '') throw new UsageError(`${argument.name} is empty`, `see kurel ${command.name} --help`);
    if (value === undefined && argument.required) {
      throw new UsageError(
        `${command.name} needs ${argument.name}: ${argument.summary}`,
        `see kurel ${command.name} --help`,
      );
    }
    if (value !== undefined && argument.choices !== undefined && !argument.choices.includes(value)) {
      const near = nearest(value, argument.choices);
      throw new UsageError(
        `${argument.name} cannot be ${quote(value)}`,
        near === undefined ? `it is one of ${argument.choices.join(', ')}` : `did you mean ${near}?`,
      );
    }
  }
}

/** What other programs have that kurel has in another way. */
const elsewhere: Readonly<Record<string, readonly [needs: string, hint: string]>> = {
  // helm has values behind it, and kubectl what is to be built.
  '-f': ['values', 'values are given with --values FILE, and what is built without a flag'],
  '--set-file': ['set-string', 'write --set-string PATH="$(cat FILE)"'],
  '--cluster-id': ['profile', 'take it out: nothing that is built depends on it'],
  '-o': ['format', 'write --format json'],
  '--json': ['format', 'write --format json'],
  '--dry-run': ['output', 'leave out --output: then nothing is written; --check compares with what is there'],
  '--verbose': ['help', 'see --help for the flags there are; KURE_DEBUG=1 prints what kurel does'],
  '--debug': ['help', 'set KURE_DEBUG=1, which prints the stack of a defect of kurel'],
  '--add-label': ['label', 'write --label KEY=VALUE'],
  '--add-annotation': ['annotation', 'write --annotation KEY=VALUE'],
  '--strict-capabilities': ['strict', 'write --strict, which makes an error of every warning'],
};

const mostNamed = 3;

function hintForFlag(written: string, definitions: FlagDefinitions): string {
  const names = Object.keys(definitions);
  const known = Object.hasOwn(elsewhere, written) ? elsewhere[written] : undefined;
  if (known !== undefined && names.includes(known[0])) return known[1];
  const word = written.replace(/^-+/, '');
  const begun = written.startsWith('--') ? [] : names.filter((name) => name.startsWith(word.toLowerCase()));
  const near = nearest(word, names);
  const meant = begun.length > 0 && begun.length <= mostNamed ? begun : near === undefined ? [] : [near];
  if (meant.length === 0) return 'see --help for the flags there are';
  return `did you mean ${meant.map((name) => `--${name}`).join(' or ')}?`;
}

/** For an argument that is one too many. */
function hintForExtra({ name, arguments: wanted, flags }: Command, extra: string, tokens: readonly Token[]): string {
  const slip = findSplitPair(flags, tokens);
  if (slip !== undefined) return slip;
  if (wanted.length !== 1 || !Object.hasOwn(flags, 'values') || !/\.(?:ya?ml|json)$/.test(extra)) {
    return `see kurel ${name} --help`;
  }
  return `${name} takes one ${wanted[0]!.name}: values are given with --values ${extra}, several manifests as a directory or as a pattern in quotes`;
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
