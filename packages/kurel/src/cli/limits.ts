import { createBudget } from '../budget/index.ts';
import { allowSuggestions, quote } from '../diagnostics/index.ts';
import type { JqBudget, JqLimits } from '../index.ts';
import type { Memory } from '../model/index.ts';
import { textFlag } from './command.ts';
import type { FlagDefinitions, FlagValues } from './command.ts';
import type { Environment, Limits } from './environment.ts';
import { settingFlags } from './setting-flags.ts';
import { collectUsage, UsageError } from './usage-error.ts';

/** Enough for 10,000 objects with programs ten times as long as most. */
const usualJqSteps = 50_000_000;
/** Programs may create one value per this many steps. */
const stepsPerValue = 2.5;
/** Limit of one program for one object, unless more steps are allowed. */
const usualValuesOfOne = 5_000_000;

/** Budget of all jq programs of a run, for all objects together. */
function createJqBudget(limits: Limits | undefined): JqBudget {
  const steps = limits?.maxJqSteps ?? usualJqSteps;
  return { steps, values: Math.ceil(steps / stepsPerValue) };
}

/** A higher limit for all programs also raises the limit of each. */
export function jqLimits(steps: number): JqLimits {
  return { maxSteps: steps, maxValues: Math.max(usualValuesOfOne, Math.ceil(steps / 10)) };
}

/** For every command that reads files. */
export const fileLimitFlags = settingFlags('maxFileSize');

/** For commands that run other programs or use the network. */
export const timeLimitFlags = settingFlags('timeout');

/** For commands that read packages. */
export const packageLimitFlags = settingFlags('maxPackageSize', 'maxResources', 'maxPatches');

/** Limits of a whole run, for commands that read, patch or check anything. */
export const budgetFlags = settingFlags('maxValues', 'maxChanges', 'maxPatternSteps', 'maxRuleSteps', 'maxFindings');

/** For commands that read a fleet file. */
export const fleetLimitFlags = {
  'max-fleet-steps': textFlag('N', 'Steps to find the targets of a fleet and their settings; defaults to 6000000.', {
    section: 'limit',
  }),
} as const satisfies FlagDefinitions;

/** For commands that build. */
export const buildLimitFlags = {
  ...timeLimitFlags,
  ...settingFlags('maxProgramMemory'),
  ...budgetFlags,
  ...settingFlags('maxObjects', 'maxJqSteps'),
} as const satisfies FlagDefinitions;

type LimitFlags = Partial<
  FlagValues<typeof buildLimitFlags & typeof fileLimitFlags & typeof packageLimitFlags & typeof fleetLimitFlags>
>;

const mebibyte = 1024 * 1024;
/** A string cannot be much longer in JavaScript. */
const largestFile = 256 * mebibyte;
const largestPackage = 512 * mebibyte;
const largestMemory = 65_536 * mebibyte;
const longestSeconds = 86_400;
const highestCount = 10_000_000;
const highestSteps = 1_000_000_000_000;

interface RunLimits {
  /** Defaults to the limits of the environment. */
  readonly flags?: LimitFlags | undefined;
  /** For runs that share what they have parsed. */
  readonly memory?: Memory | undefined;
}

/** The environment of another run, which has full budgets. */
export function withLimits(environment: Environment, { flags, memory }: RunLimits): Environment {
  allowSuggestions();
  const limits = flags === undefined ? environment.limits : readLimits(flags);
  return { ...environment, limits, budget: createBudget(limits?.budget, memory), jqBudget: createJqBudget(limits) };
}

export function readLimits(flags: LimitFlags): Limits {
  const usage = collectUsage();
  const count = (name: keyof LimitFlags, most: number) => usage.attempt(() => readCount(flags, name, most));
  const size = (name: keyof LimitFlags, most: number) => usage.attempt(() => readSize(flags, name, most));
  const seconds = count('timeout', longestSeconds);
  const limits: Limits = {
    maxFileBytes: size('max-file-size', largestFile),
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    maxProgramMemory: size('max-program-memory', largestMemory),
    maxObjects: count('max-objects', highestCount),
    maxJqSteps: count('max-jq-steps', highestSteps),
    package: {
      maxSize: size('max-package-size', largestPackage),
      maxResources: count('max-resources', highestCount),
      maxPatches: count('max-patches', highestCount),
    },
    budget: {
      maxValues: count('max-values', highestSteps),
      maxChanges: count('max-changes', highestSteps),
      maxPatternSteps: count('max-pattern-steps', highestSteps),
      maxRuleSteps: count('max-rule-steps', highestSteps),
      maxFleetSteps: count('max-fleet-steps', highestSteps),
      maxFindings: count('max-findings', highestCount),
    },
  };
  usage.throwAll();
  return limits;
}

function readCount(flags: LimitFlags, name: keyof LimitFlags, most: number): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  const count = /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : Infinity;
  if (count <= most) return count;
  throw new UsageError(`--${name} must be an integer from 1 to ${most}, got ${quote(text)}`);
}

const units: Readonly<Record<string, number>> = { '': 1, Ki: 1024, Mi: mebibyte };

function readSize(flags: LimitFlags, name: keyof LimitFlags, most: number): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  const [, digits, unit] = /^([1-9][0-9]{0,11})(|Ki|Mi)$/.exec(text) ?? [];
  const size = digits === undefined ? Infinity : Number(digits) * units[unit!]!;
  if (size <= most) return size;
  throw new UsageError(
    `--${name} must be a size up to ${most / mebibyte}Mi, got ${quote(text)}`,
    'use a number of bytes, or a number with Ki or Mi, such as 4Mi',
  );
}
