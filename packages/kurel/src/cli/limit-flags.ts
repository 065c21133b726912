import { quote } from '../diagnostics/index.ts';
import type { FlagDefinitions, FlagValues } from './command.ts';
import type { Limits } from './limits.ts';
import { UsageError } from './usage-error.ts';

/** Of every command that reads files. */
export const fileLimitFlags = {
  'max-file-size': {
    type: 'text',
    placeholder: 'SIZE',
    section: 'limit',
    summary: 'Refuse files and standard input that are larger, as in 4Mi; defaults to 256Mi, which is also the most.',
  },
} as const satisfies FlagDefinitions;

/** Of the commands that run other programs or ask other machines. */
export const timeLimitFlags = {
  timeout: {
    type: 'text',
    placeholder: 'SECONDS',
    section: 'limit',
    summary:
      'How long helm, kustomize and git have for each call, and another machine for each answer; defaults to 120, 60 and 30.',
  },
} as const satisfies FlagDefinitions;

/** Of the commands that read packages. */
export const packageLimitFlags = {
  'max-package-size': {
    type: 'text',
    placeholder: 'SIZE',
    section: 'limit',
    summary: 'Package: how much text all of its files may hold, as in 80Mi; defaults to 50Mi.',
  },
  'max-resources': {
    type: 'text',
    placeholder: 'N',
    section: 'limit',
    summary: 'Patch package: how many files there may be below resources/; defaults to 1000.',
  },
  'max-patches': {
    type: 'text',
    placeholder: 'N',
    section: 'limit',
    summary: 'Package: how many patches it may have; defaults to 200.',
  },
} as const satisfies FlagDefinitions;

/** Of the commands that read, patch or check anything: limits of the whole run. */
export const budgetFlags = {
  'max-values': {
    type: 'text',
    placeholder: 'N',
    section: 'limit',
    summary:
      'How many values aliases, merge keys, references and JSON patches may copy in the whole run; defaults to 1000000.',
  },
  'max-changes': {
    type: 'text',
    placeholder: 'N',
    section: 'limit',
    summary:
      'How many changes patches may make in the whole run, one for each object and field they reach; defaults to 500000.',
  },
  'max-pattern-steps': {
    type: 'text',
    placeholder: 'N',
    section: 'limit',
    summary:
      'How many steps patterns and alternatives of schemas and parameters may take in the whole run; defaults to 100000000.',
  },
  'max-rule-steps': {
    type: 'text',
    placeholder: 'N',
    section: 'limit',
    summary: 'How many steps the CEL rules of CRDs may take in the whole run; defaults to 50000000.',
  },
  'max-findings': {
    type: 'text',
    placeholder: 'N',
    section: 'limit',
    summary: 'How many findings of one code are reported; the others are counted. Defaults to 100.',
  },
} as const satisfies FlagDefinitions;

/** Of the commands that build something. */
export const buildLimitFlags = {
  ...timeLimitFlags,
  'max-program-memory': {
    type: 'text',
    placeholder: 'SIZE',
    section: 'limit',
    summary: 'How much memory helm and kustomize may use in each call, on Linux, as in 2048Mi; defaults to 1024Mi.',
  },
  ...budgetFlags,
  'max-objects': {
    type: 'text',
    placeholder: 'N',
    section: 'limit',
    summary: 'How many objects there may be; defaults to 1000000.',
  },
  'max-jq-steps': {
    type: 'text',
    placeholder: 'N',
    section: 'limit',
    summary: 'How many steps the jq programs of a run may take together; defaults to 50000000.',
  },
} as const satisfies FlagDefinitions;

type LimitFlags = Partial<FlagValues<typeof buildLimitFlags & typeof fileLimitFlags & typeof packageLimitFlags>>;

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
