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
import { listSet, settingTable } from '../settings/index.ts';
import type { BuildSettings, SettingName } from '../settings/index.ts';
import type { Environment } from './environment.ts';
import { jqLimits } from './limits.ts';
import { UsageError } from './usage-error.ts';
import type { UsageCollector } from './usage-error.ts';

// A build with one of them is partial: files of other objects are kept.
const filterSettings = ['kinds', 'names', 'selector', 'jqFilters'] as const;
type FilterSetting = (typeof filterSettings)[number];

export interface SettingFilter {
  readonly setting: FilterSetting;
  /** Values of the setting; an object must match one of them. */
  readonly words: readonly string[];
  readonly filter: Filter;
}

type JqAllowance = Pick<Environment, 'limits' | 'jqBudget' | 'budget'>;

export function filtersOf(
  { kinds, names, selector, jqFilters }: Pick<BuildSettings, FilterSetting>,
  allowance: JqAllowance,
  usage: UsageCollector,
): readonly SettingFilter[] {
  const bySelector = (text: string): SettingFilter => {
    const filter = construct('--selector', text, () => filters.labels.selector(text));
    return { setting: 'selector', words: [text], filter };
  };
  const byProgram = (program: string): SettingFilter => {
    const filter = construct('--jq-filter', program, () => filters.jq(program, jqOptions(allowance)));
    return { setting: 'jqFilters', words: [program], filter };
  };
  return [
    ...(kinds.length === 0
      ? []
      : [{ setting: 'kinds', words: kinds, filter: filters.or(...kinds.map(byKind)) } as const]),
    ...(names.length === 0 ? [] : [{ setting: 'names', words: names, filter: filters.name.exact(...names) } as const]),
    ...usage.attemptEach(selector === undefined ? [] : [selector], bySelector),
    ...usage.attemptEach(jqFilters, byProgram),
  ];
}

/** Whether settings may drop objects. */
export function hasFilters(settings: Pick<BuildSettings, FilterSetting>): boolean {
  return listSet(settings, filterSettings).length > 0;
}

export function flagOfFilter({ setting }: Pick<SettingFilter, 'setting'>): string {
  return `--${settingTable[setting].flag}`;
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
  { namePrefix: prefix, nameSuffix: suffix, contentHash }: BuildSettings,
  usage: UsageCollector,
): NameChanges {
  usage.attempt(() => checkNamePart('--name-prefix', prefix, `${prefix}a`));
  usage.attempt(() => checkNamePart('--name-suffix', suffix, `a${suffix}`));
  return { prefix, suffix, contentHash };
}

type CreateStep = (value: string, allowance: JqAllowance) => NamedTransformer;

/** One transformer for each value of a setting, in this order, so that `explain` can name it. */
export const stepsOfSettings: Partial<Record<SettingName, CreateStep>> = {
  labels: (pair) => readPair('label', pair),
  annotations: (pair) => readPair('annotation', pair),
  jq: (program, allowance) => ({
    words: `--jq '${program}'`,
    transform: construct('--jq', program, () => transformers.jq(program, jqOptions(allowance))),
  }),
};

export function readSteps(
  settings: BuildSettings,
  allowance: JqAllowance,
  usage: UsageCollector,
): readonly NamedTransformer[] {
  return Object.entries(stepsOfSettings).flatMap(([name, createStep]) => {
    const value = settings[name as SettingName];
    const values = Array.isArray(value) ? value : [value].filter((text) => text !== undefined);
    return usage.attemptEach(values as readonly string[], (text) => createStep(text, allowance));
  });
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
      throw new UsageError(message, error.hintParts ?? error.hint, { source: { path: flag, text }, offset });
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
