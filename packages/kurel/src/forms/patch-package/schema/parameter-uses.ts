import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, Location, Path, Values } from '../../../model/index.ts';
import { formatReferencePath, parseTemplate, wholeReference } from '../../../parameters/index.ts';
import { enterField, nameOfField } from '../../../patch/index.ts';
import type { ReferenceRole, TracedField } from '../../../patch/index.ts';

/** A use of a parameter, or of something inside it. */
export interface ParameterUse {
  readonly role: ReferenceRole;
  readonly field: TracedField | undefined;
  /** The patch that the parameter enables. */
  readonly enables?: string | undefined;
  /** The field is a key of the parameter's own value, such as one of its labels, so its presence says nothing. */
  readonly isEntry?: boolean | undefined;
  readonly location: Location;
}

export interface ParameterUses {
  at(path: Path): readonly ParameterUse[];
}

// More add no information; an object of labels is used by every object of a package.
const mostUses = 50;
const mostHops = 50;
// Each use of a list counts for all its items; real packages have far fewer.
const mostInAll = 100_000;

/**
 * Uses of all parameters: a use of an object is a use of everything in it, and a parameter that is a single reference passes its
 * uses on.
 */
export function collectUses(
  uses: readonly (ParameterUse & { readonly parameter: Path })[],
  values: Values,
): ParameterUses {
  const found = new Map<string, { readonly uses: ParameterUse[]; readonly keys: Set<string> }>();
  const count = { left: mostInAll };
  for (const { parameter, ...use } of uses) spread(parameter, use, { values, found, count, hops: 0 });
  return { at: (path) => found.get(formatReferencePath(path))?.uses ?? [] };
}

interface Spreading {
  readonly values: Values;
  readonly found: Map<string, { readonly uses: ParameterUse[]; readonly keys: Set<string> }>;
  /** How many more uses may be recorded. */
  readonly count: { left: number };
  readonly hops: number;
}

function spread(path: Path, use: ParameterUse, spreading: Spreading): void {
  let value: Json | undefined = spreading.values;
  for (const [index, step] of path.entries()) {
    if (typeof value === 'string') return goOn(value, path.slice(index), { use, spreading });
    if (isJsonArray(value)) value = typeof step === 'number' ? value[step] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    if (value === undefined) return;
  }
  if (!remember(path, use, spreading)) return;
  if (typeof value === 'string') return goOn(value, [], { use, spreading });
  const { role, field } = use;
  if (role !== 'whole' || field === undefined || typeof value !== 'object' || value === null) return;
  const steps = isJsonArray(value) ? value.keys() : Object.keys(value);
  const isEntry = use.isEntry === true || field.node?.values?.type === 'string';
  for (const step of steps) spread([...path, step], { ...use, isEntry, field: enterField(field, step) }, spreading);
}

/** Follows the references in the value of a parameter. */
function goOn(
  text: string,
  rest: Path,
  { use, spreading }: { readonly use: ParameterUse; readonly spreading: Spreading },
): void {
  if (!text.includes('${') || spreading.hops >= mostHops) return;
  const template = parseTemplate(text);
  const whole = wholeReference(template);
  const next = { ...spreading, hops: spreading.hops + 1 };
  for (const part of template.parts) {
    if (typeof part === 'string' || part.path === undefined) continue;
    if (part === whole) spread([...part.path, ...rest], use, next);
    else if (rest.length === 0) spread(part.path, { role: 'part', field: use.field, location: use.location }, next);
  }
}

/** Whether the use is new. */
function remember(path: Path, use: ParameterUse, { found, count }: Spreading): boolean {
  if (count.left === 0) return false;
  const place = formatReferencePath(path);
  const known = found.get(place) ?? { uses: [], keys: new Set() };
  found.set(place, known);
  const field = use.field === undefined ? '' : `${nameOfField(use.field)} ${use.field.node?.type ?? ''}`;
  const key = `${use.role} ${field} ${use.enables ?? ''} ${use.location.file}`;
  if (known.keys.has(key) || known.uses.length >= mostUses) return false;
  count.left -= 1;
  known.keys.add(key);
  known.uses.push(use);
  return true;
}
