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
  for (const token of tokensOf(definitions, words)) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind === 'option') collect(values, flagOf(definitions, token), token);
  }
  const flags: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(definitions)) {
    flags[name] = values.get(name) ?? { switch: false, list: [], text: undefined }[definition.type];
  }
  if (flags['help'] !== true) checkPositionals(command, positionals);
  return { positionals, flags: flags as ParsedLine<Flags>['flags'] };
}

interface OptionToken {
  readonly kind: 'option';
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

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

interface NamedFlag {
  readonly name: string;
  readonly definition: FlagDefinition;
}

function flagOf(definitions: FlagDefinitions, token: OptionToken): NamedFlag {
  const definition = Object.hasOwn(definitions, token.name) ? definitions[token.name] : undefined;
  if (definition !== undefined) return { name: token.name, definition };
  throw new UsageError(`unknown flag ${quote(token.rawName)}`, hintFor(token.rawName, definitions));
}

function hintFor(written: string, definitions: FlagDefinitions): string {
  // helm has values behind it, and kubectl what is to be built.
  if (written === '-f' && Object.hasOwn(definitions, 'values'))
    return 'values are given with --values FILE, and what is built without a flag';
  const near = nearest(written.replace(/^-+/, ''), Object.keys(definitions));
  return near === undefined ? 'see --help for the flags there are' : `did you mean --${near}?`;
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

function checkPositionals(command: Pick<Command, 'name' | 'arguments'>, positionals: readonly string[]): void {
  const extra = positionals[command.arguments.length];
  const repeats = command.arguments.at(-1)?.repeats === true;
  if (extra !== undefined && !repeats)
    throw new UsageError(`unexpected argument ${quote(extra)}`, `see kurel ${command.name} --help`);
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
