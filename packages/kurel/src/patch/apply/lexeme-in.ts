import { isJsonObject } from '../../model/index.ts';
import type { Json, Location, Path, SourceFile } from '../../model/index.ts';
import { parseTemplate, readLexeme } from '../../parameters/index.ts';
import type { DataValue } from '../patch.ts';
import type { Substitution } from './substitute.ts';

/** How a scalar was written that is at a path of data once its variables are replaced: in the patch, or where a variable has its value. */
export function lexemeIn(
  { data, location }: DataValue,
  path: Path,
  { source, substitution }: { readonly source: SourceFile; readonly substitution: Substitution },
): string | undefined {
  let value: Json | undefined = data;
  const own: (string | number)[] = [...(location.path ?? [])];
  for (const [depth, step] of path.entries()) {
    // From here on it is the inside of what a variable stands for.
    if (typeof value === 'string') return substitution.writtenIn(parseTemplate(value), path.slice(depth));
    const key = keyOf(value, step, { location, substitution });
    value = (value as { readonly [name in string | number]: Json } | undefined)?.[key];
    own.push(key);
  }
  if (typeof value === 'string') return substitution.writtenIn(parseTemplate(value), []);
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  return readLexeme(source, { ...location, path: own }, value);
}

/** Keys may have variables, too. */
function keyOf(
  value: Json | undefined,
  step: string | number,
  { location, substitution }: { readonly location: Location; readonly substitution: Substitution },
): string | number {
  if (!isJsonObject(value) || Object.hasOwn(value, step)) return step;
  const written = Object.keys(value).find(
    (key) => key.includes('${') && substitution.fillText(parseTemplate(key), location) === step,
  );
  return written ?? step;
}
