import type { Budget, Diagnostic, Json, Location, Path } from '../../../model/index.ts';
import { formatReferencePath } from '../../../parameters/index.ts';
import type { PatternTest } from '../../../schema/index.ts';
import { parameterSchemaProblems } from './problems.ts';

/** One way in which a value does not fit its schema. */
export interface Violation {
  readonly code: keyof Definitions;
  readonly path: Path;
  /** It is of another type, so that nothing else can be said about it. */
  readonly isType: boolean;
  /** The key is wrong, whatever its value. */
  readonly isKey: boolean;
  readonly tell: (location: Location | undefined) => Diagnostic;
}

/** A value on its way through a schema. */
export interface Checking {
  readonly path: Path;
  readonly found: Violation[];
  /** The whole schema, which `$ref` leads into. */
  readonly root: Json;
  readonly patterns: Map<string, PatternTest | undefined>;
  /** Values that an `enum` allows, for those with thousands. */
  readonly choices: Map<Json, ReadonlySet<string>>;
  /** All patterns draw on it. */
  readonly run: Budget;
  /** Checks a value that this one leads to. */
  readonly check: (value: Json, schema: Json | undefined, checking: Checking) => void;
  /** Steps that are left, and how deep they have led: references can make a small schema endless. */
  readonly budget: { steps: number; depth: number };
}

/** Counts work that is in proportion to a schema, for values of which there may be many. */
export function countSteps({ budget }: Checking, words: number): void {
  budget.steps -= words / wordsOfStep;
}

const wordsOfStep = 16;

type Definitions = typeof parameterSchemaProblems.definitions;
type ArgumentsOf<Code extends keyof Definitions> = Parameters<typeof parameterSchemaProblems.create<Code>>[1];

/**
 * The parameter itself need not be said: it is where the checking has got to. Arguments that are costly to make are a function: only
 * the first violations are reported.
 */
export function fail<Code extends keyof Definitions>(
  { path, found, budget }: Checking,
  code: Code,
  args: Omit<ArgumentsOf<Code>, 'parameter'> | (() => Omit<ArgumentsOf<Code>, 'parameter'>),
): void {
  // Each is kept until all are known.
  budget.steps -= 1;
  if (budget.steps <= 0) return;
  const parameter = formatReferencePath(path);
  found.push({
    code,
    path,
    isType: code === 'parameter-type',
    isKey: code === 'parameter-not-allowed',
    tell(location) {
      const told = { ...(typeof args === 'function' ? args() : args), parameter, isAssigned: isAssignment(location) };
      return parameterSchemaProblems.create(code, told as unknown as ArgumentsOf<Code>, { location });
    },
  });
}

/** `--set` has no file: its place is called as the flag is. */
function isAssignment(location: Location | undefined): boolean {
  return location?.file.startsWith('--set[') === true;
}
