import { quote } from '../diagnostics/index.ts';
import {
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  filters,
  JqError,
  kindsNamed,
  LabelSelectorError,
  pure,
  transformers,
} from '../index.ts';
import type { JqOptions, NameChanges, NamedTransformer } from '../index.ts';
import type { Filter } from '../model/index.ts';
import type { FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import type { InputFlags } from './input-flags.ts';
import { jqLimits } from './limits.ts';
import { UsageError } from './usage-error.ts';
import type { UsageCollector } from './usage-error.ts';

type Flags = FlagValues<InputFlags>;

// A build with one of them is partial: files of other objects are kept.
const filterFlags = ['kind', 'name', 'selector', 'jq-filter'] as const;
type FilterFlag = (typeof filterFlags)[number];

export interface FlagFilter {
  readonly flag: FilterFlag;
  /** Values of the flag; an object must match one of them. */
  readonly words: readonly string[];
  readonly filter: Filter;
}

type JqAllowance = Pick<Environment, 'limits' | 'jqBudget' | 'budget'>;

export function filtersOf(flags: Flags, allowance: JqAllowance, usage: UsageCollector): readonly FlagFilter[] {
  const { kind, name, selector } = flags;
  const bySelector = (text: string): FlagFilter => {
    const filter = construct('--selector', text, () => filters.labels.selector(text));
    return { flag: 'selector', words: [text], filter };
  };
  const byProgram = (program: string): FlagFilter => {
    const filter = construct('--jq-filter', program, () => filters.jq(program, jqOptions(allowance)));
    return { flag: 'jq-filter', words: [program], filter };
  };
  return [
    ...(kind.length === 0 ? [] : [{ flag: 'kind', words: kind, filter: filters.or(...kind.map(byKind)) } as const]),
    ...(name.length === 0 ? [] : [{ flag: 'name', words: name, filter: filters.name.exact(...name) } as const]),
    ...usage.attemptEach(selector === undefined ? [] : [selector], bySelector),
    ...usage.attemptEach(flags['jq-filter'], byProgram),
  ];
}

/** Whether flags may drop objects. */
export function hasFilters(flags: Pick<Flags, FilterFlag>): boolean {
  return filterFlags.some((flag) => typeof flags[flag] === 'string' || (flags[flag] ?? []).length > 0);
}

/** A word with capitals is a kind; others are names that kubectl accepts for kinds, such as `deploy`. */
function byKind(word: string): Filter {
  const [, version = '', name = ''] = /^(.*\/)?(.*)$/s.exec(word)!;
  if (name !== name.toLowerCase()) return filters.kind(word);
  const kinds = kindsNamed(name);
  return pure(
    ({ apiVersion, kind }) => kinds.includes(kind.toLowerCase()) && (version === '' || version === `${apiVersion}/`),
  );
}

export function namesOf(
  { 'name-prefix': prefix, 'name-suffix': suffix, 'content-hash': contentHash }: Flags,
  usage: UsageCollector,
): NameChanges {
  usage.attempt(() => checkNamePart('--name-prefix', prefix, `${prefix}a`));
  usage.attempt(() => checkNamePart('--name-suffix', suffix, `a${suffix}`));
  return { prefix, suffix, contentHash };
}

/** One transformer per flag, so that `explain` can name the flag. */
export function readSteps(flags: Flags, allowance: JqAllowance, usage: UsageCollector): readonly NamedTransformer[] {
  return [
    ...usage.attemptEach(flags.label, (pair) => readPair('label', pair)),
    ...usage.attemptEach(flags.annotation, (pair) => readPair('annotation', pair)),
    ...usage.attemptEach(flags.jq, (program) => ({
      words: `--jq '${program}'`,
      transform: construct('--jq', program, () => transformers.jq(program, jqOptions(allowance))),
    })),
  ];
}

function jqOptions({ limits, jqBudget, budget }: JqAllowance): JqOptions {
  return {
    memory: budget?.memory,
    ...(jqBudget === undefined ? {} : { budget: jqBudget }),
    ...(limits?.maxJqSteps === undefined ? {} : { limits: jqLimits(limits.maxJqSteps) }),
  };
}

function checkNamePart(flag: string, part: string | undefined, name: string): void {
  const reason = part === undefined ? undefined : checkDnsSubdomain(name);
  if (reason !== undefined) throw new UsageError(`${flag} ${quote(part!)} cannot be part of a name: a name ${reason}`);
}

/** A program or selector that does not parse is wrong usage; the message points at the column. */
function construct<T>(flag: string, text: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof LabelSelectorError) {
      throw new UsageError(error.message, undefined, { source: { path: flag, text }, offset: error.position });
    }
    if (error instanceof JqError) {
      const offset = error.position?.offset ?? 0;
      const message = `jq program cannot be compiled: ${error.reason}`;
      throw new UsageError(message, error.hint, { source: { path: flag, text }, offset });
    }
    throw error;
  }
}

function readPair(flag: 'label' | 'annotation', pair: string): NamedTransformer {
  const equals = pair.indexOf('=');
  if (equals <= 0) throw new UsageError(`--${flag} ${quote(pair)} is not of the form KEY=VALUE`);
  const [key, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
  const reason = checkLabelKey(key) ?? (flag === 'label' ? checkLabelValue(value) : undefined);
  if (reason !== undefined) throw new UsageError(`--${flag} ${quote(pair)} cannot be set: it ${reason}`);
  const field = `${flag}s` as const;
  const transform = transformers[field].set({ [key]: value });
  return { words: `--${flag} ${pair}`, sets: ['metadata', field, key], transform };
}
