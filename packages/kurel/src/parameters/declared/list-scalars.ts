import type { Path } from '../../model/index.ts';
import type { DeclaredValue, ValuePart } from './declared-values.ts';
import { isScalar } from './same-value.ts';

interface ScalarPart {
  readonly path: Path;
  /** As it was given. */
  readonly text: () => string;
}

/**
 * The numbers and booleans in a value that are what a reference stands for, itself among them; not those that whoever wrote the value
 * wrote as such. Defaults may refer to defaults as often as anybody likes.
 */
export function listScalars(whole: DeclaredValue): readonly ScalarPart[] {
  const found: ScalarPart[] = [];
  const rest: ValuePart[] = [{ path: [], value: whole }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { path, value } = next;
    const parts = value.parts();
    const scalar = value.value;
    if (isScalar(scalar) && parts.length === 0) {
      found.push({ path, text: () => value.writtenAt([], scalar) ?? String(scalar) });
    } else for (const part of parts) rest.push({ path: path.concat(part.path), value: part.value });
  }
  return found;
}
