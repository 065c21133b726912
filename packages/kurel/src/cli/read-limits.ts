import { quote } from '../diagnostics/index.ts';
import type { FlagValues } from './command.ts';
import type { buildLimitFlags, fileLimitFlags, packageLimitFlags } from './limit-flags.ts';
import type { Limits } from './limits.ts';
import { UsageError } from './usage-error.ts';

export type LimitFlags = Partial<FlagValues<typeof buildLimitFlags & typeof fileLimitFlags & typeof packageLimitFlags>>;

const mebibyte = 1024 * 1024;
/** A text cannot be much longer in JavaScript, and no reader takes more. */
const largestFile = 256 * mebibyte;
const largestPackage = 512 * mebibyte;
const largestMemory = 65_536 * mebibyte;
const longestSeconds = 86_400;
const highestCount = 10_000_000;
const highestSteps = 1_000_000_000_000;

export function readLimits(flags: LimitFlags): Limits {
  const seconds = readCount(flags, 'timeout', longestSeconds);
  return {
    maxFileBytes: readSize(flags, 'max-file-size', largestFile),
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    maxProgramMemory: readSize(flags, 'max-program-memory', largestMemory),
    maxObjects: readCount(flags, 'max-objects', highestCount),
    maxJqSteps: readCount(flags, 'max-jq-steps', highestSteps),
    package: {
      maxSize: readSize(flags, 'max-package-size', largestPackage),
      maxResources: readCount(flags, 'max-resources', highestCount),
      maxPatches: readCount(flags, 'max-patches', highestCount),
    },
    budget: {
      maxValues: readCount(flags, 'max-values', highestSteps),
      maxChanges: readCount(flags, 'max-changes', highestSteps),
      maxPatternSteps: readCount(flags, 'max-pattern-steps', highestSteps),
      maxRuleSteps: readCount(flags, 'max-rule-steps', highestSteps),
      maxFindings: readCount(flags, 'max-findings', highestCount),
    },
  };
}

function readCount(flags: LimitFlags, name: keyof LimitFlags, most: number): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  const count = /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : Infinity;
  if (count <= most) return count;
  throw new UsageError(`--${name} cannot be ${quote(text)}`, `it is a whole number from 1 to ${most}`);
}

const units: Readonly<Record<string, number>> = { '': 1, Ki: 1024, Mi: mebibyte };

function readSize(flags: LimitFlags, name: keyof LimitFlags, most: number): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  const [, digits, unit] = /^([1-9][0-9]{0,11})(|Ki|Mi)$/.exec(text) ?? [];
  const size = digits === undefined ? Infinity : Number(digits) * units[unit!]!;
  if (size <= most) return size;
  const hint = `it is a number of bytes, or one with Ki or Mi behind it, up to ${most / mebibyte}Mi`;
  throw new UsageError(`--${name} cannot be ${quote(text)}`, hint);
}
