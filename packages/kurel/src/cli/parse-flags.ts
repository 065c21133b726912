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
export async function parseFlags<Flags extends FlagDefinitions>(
  command: Command<Flags>,
  words: readonly string[],
): Promise<ParsedLine<Flags>> {
  const definitions: FlagDefinitions = { ...command.flags, ...commonFlags };
  const values = new Map<string, boolean | string | string[]>();
  const positionals: string[] = [];
  const tokens = tokensOf(definitions, words);
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind === 'option') {
      refuseFlagAsValue(definitions, token);
      collect(values, await flagOf(definitions, token), token);
    }
  }
  const flags: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(definitions)) {
    flags[name] = values.get(name) ?? { switch: false, list: [], text: undefined }[definition.type];
  }
  if (flags['help'] !== true) await checkPositionals(command, positionals, tokens);
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

// Hints are loaded when they are needed: every command waits for the code that is here.

async function flagOf(definitions: FlagDefinitions, { name, rawName }: OptionToken): Promise<NamedFlag> {
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  if (definition !== undefined) return { name, definition };
  const { hintForFlag } = await import('./usage-hints.ts');
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

async function checkPositionals(
  command: Command,
  positionals: readonly string[],
  tokens: readonly Token[],
): Promise<void> {
  const extra = positionals[command.arguments.length];
  const repeats = command.arguments.at(-1)?.repeats === true;
  if (extra !== undefined && !repeats) {
    const { hintForExtra } = await import('./usage-hints.ts');
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
