import { createBudget } from '../budget/index.ts';
import { allowSuggestions, quote } from '../diagnostics/index.ts';
import type { JqBudget, JqLimits } from '../index.ts';
import type { Memory } from '../model/index.ts';
import { settingTable } from '../settings/index.ts';
import type { BuildSettings, SettingName } from '../settings/index.ts';
import type { FlagDefinitions } from './command.ts';
import type { Environment, Limits } from './environment.ts';
import { settingFlags, settingsOf } from './setting-flags.ts';
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
export const fleetLimitFlags = settingFlags('maxFleetSteps');

/** For commands that build. */
export const buildLimitFlags = {
  ...timeLimitFlags,
  ...settingFlags('maxProgramMemory'),
  ...budgetFlags,
  ...settingFlags('maxObjects', 'maxJqSteps'),
} as const satisfies FlagDefinitions;

type LimitName = 'timeout' | Extract<SettingName, `max${string}`>;

/** The limits of a run. */
export type LimitSettings = Partial<Pick<BuildSettings, LimitName>>;

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
  readonly settings?: LimitSettings | undefined;
  /** For runs that share what they have parsed. */
  readonly memory?: Memory | undefined;
}

/** The environment of another run, which has full budgets. */
export function withLimits(environment: Environment, { settings, memory }: RunLimits): Environment {
  allowSuggestions();
  const limits = settings === undefined ? environment.limits : readLimits(settings);
  return { ...environment, limits, budget: createBudget(limits?.budget, memory), jqBudget: createJqBudget(limits) };
}

/** The environment of a command, with the limits that its flags set. */
export function limitRun(environment: Environment, flags: object): Environment {
  const limited = withLimits(environment, {
    settings: settingsOf(flags),
    memory: environment.budget?.memory,
  });
  return {
    ...limited,
    fetchers: new Map(),
    credentials: new Map(),
    readStdin: (maxBytes = limited.limits?.maxFileBytes) => environment.readStdin(maxBytes),
  };
}

export function readLimits(settings: LimitSettings): Limits {
  const usage = collectUsage();
  const count = (name: LimitName, most: number) => usage.attempt(() => readCount(settings, name, most));
  const size = (name: LimitName, most: number) => usage.attempt(() => readSize(settings, name, most));
  const seconds = count('timeout', longestSeconds);
  const limits: Limits = {
    maxFileBytes: size('maxFileSize', largestFile),
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    maxProgramMemory: size('maxProgramMemory', largestMemory),
    maxObjects: count('maxObjects', highestCount),
    maxJqSteps: count('maxJqSteps', highestSteps),
    package: {
      maxSize: size('maxPackageSize', largestPackage),
      maxResources: count('maxResources', highestCount),
      maxPatches: count('maxPatches', highestCount),
    },
    budget: {
      maxValues: count('maxValues', highestSteps),
      maxChanges: count('maxChanges', highestSteps),
      maxPatternSteps: count('maxPatternSteps', highestSteps),
      maxRuleSteps: count('maxRuleSteps', highestSteps),
      maxFleetSteps: count('maxFleetSteps', highestSteps),
      maxFindings: count('maxFindings', highestCount),
    },
  };
  usage.throwAll();
  return limits;
}

function readCount(settings: LimitSettings, name: LimitName, most: number): number | undefined {
  const text = settings[name];
  if (text === undefined) return undefined;
  const count = /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : Infinity;
  if (count <= most) return count;
  throw new UsageError(`--${settingTable[name].flag} must be an integer from 1 to ${most}, got ${quote(text)}`);
}

const units: Readonly<Record<string, number>> = { '': 1, Ki: 1024, Mi: mebibyte };

function readSize(settings: LimitSettings, name: LimitName, most: number): number | undefined {
  const text = settings[name];
  if (text === undefined) return undefined;
  const [, digits, unit] = /^([1-9][0-9]{0,11})(|Ki|Mi)$/.exec(text) ?? [];
  const size = digits === undefined ? Infinity : Number(digits) * units[unit!]!;
  if (size <= most) return size;
  throw new UsageError(
    `--${settingTable[name].flag} must be a size up to ${most / mebibyte}Mi, got ${quote(text)}`,
    'use a number of bytes, or a number with Ki or Mi, such as 4Mi',
  );
}
