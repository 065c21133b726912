import { isJsonObject } from '../../model/index.ts';
import type { Diagnostic, Json, Location, Path } from '../../model/index.ts';
import { describeJson } from './describe-json.ts';
import type { Difference } from './find-difference.ts';
import { nameOf } from './find-place.ts';
import type { Obstacle } from './find-place.ts';
import { jsonPatchProblems } from './problems.ts';
import type { JsonPatchOperation } from './read-operations.ts';

/** Why a well-formed operation could not be done. */
export interface Failure extends Obstacle {
  readonly type: 'path' | 'test-failed' | 'too-large';
  /** Where in the operation the member stands that does not fit. */
  readonly at: Path;
}

export function describeDifference({ path, found, wanted }: Difference, from: Path): Obstacle {
  const place = nameOf([...from, ...path]);
  if (found === undefined) return { reason: `${place} is not there` };
  if (wanted === undefined) return { reason: `${place} is there, but the test does not have it` };
  const reason = `${path.length === 0 ? 'it' : place} is ${describeJson(found)}, not ${describeJson(wanted)}`;
  const looksSame = typeof found !== typeof wanted && textOf(found) === textOf(wanted);
  return { reason, hint: looksSame ? 'a text never equals a number, a boolean or null; mind the quotes' : undefined };
}

function textOf(value: Json): string | undefined {
  return typeof value === 'object' && value !== null ? undefined : String(value);
}

export const hiddenDifference = 'it is another value (hidden)';

/** What a Secret holds is not told, neither what is there nor what was expected. */
export function isSecretField(root: Json, [field]: Path): boolean {
  return isJsonObject(root) && root['kind'] === 'Secret' && (field === 'data' || field === 'stringData');
}

export function describeFailure(operation: JsonPatchOperation, failure: Failure, location: Location): Diagnostic {
  const { type, at, reason, hint } = failure;
  const isMoving = 'from' in operation;
  const place = nameOf(isMoving && at[0] === 'from' ? operation.from : operation.path);
  const op = isMoving && at[0] === 'path' ? `${operation.op} to` : operation.op;
  const problem = { op, place, reason, hint };
  if (type === 'path') return jsonPatchProblems.create('json-patch-path', problem, { location });
  if (type === 'test-failed') return jsonPatchProblems.create('json-patch-test-failed', problem, { location });
  return jsonPatchProblems.create('json-patch-too-large', problem, { location });
}
