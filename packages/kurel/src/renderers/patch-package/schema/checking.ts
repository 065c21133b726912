import type { Budget, Diagnostic, Json, Location, Path } from '../../../model/index.ts';
import { formatReferencePath } from '../../../parameters/index.ts';
import type { PatternTest } from '../../../schema/index.ts';
import { parameterSchemaProblems } from './problems.ts';

/** One way in which a value does not fit its schema. */
export interface Violation {
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
  /** All patterns draw on it. */
  readonly run: Budget;
  /** Checks a value that this one leads to. */
  readonly check: (value: Json, schema: Json | undefined, checking: Checking) => void;
  /** Steps that are left, and how deep they have led: references can make a small schema endless. */
  readonly budget: { steps: number; depth: number };
}

type Definitions = typeof parameterSchemaProblems.definitions;
type ArgumentsOf<Code extends keyof Definitions> = Parameters<typeof parameterSchemaProblems.create<Code>>[1];

/** The parameter itself need not be said: it is where the checking has got to. */
export function fail<Code extends keyof Definitions>(
  { path, found }: Checking,
  code: Code,
  args: Omit<ArgumentsOf<Code>, 'parameter'>,
): void {
  const parameter = formatReferencePath(path);
  found.push({
    path,
    isType: code === 'parameter-type',
    isKey: code === 'parameter-not-allowed',
    tell(location) {
      const told = { ...args, parameter, isAssigned: isAssignment(location) };
      return parameterSchemaProblems.create(code, told as unknown as ArgumentsOf<Code>, { location });
    },
  });
}

/** `--set` has no file: its place is called as the flag is. */
function isAssignment(location: Location | undefined): boolean {
  return location?.file.startsWith('--set[') === true;
}
