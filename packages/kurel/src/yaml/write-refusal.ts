import type { Json, Path } from '../model/index.ts';

/** Maximum nesting depth of written data; far beyond any manifest, and safe for the stack. */
export const DEEPEST = 1000;

/** With the `u` flag, this matches only surrogates without their other half. */
export const HALF_PAIR = /\p{Surrogate}/u;

/**
 * Throws for data that is not JSON, which untyped code can pass in: `undefined`, `NaN`, functions, cycles, broken strings.
 * Searches for the first such value, so that the message can name its path.
 */
export function refuseData(data: unknown, cause?: unknown): never {
  const found = findRefused(data);
  if (found === undefined) throw cause instanceof Error ? cause : new TypeError('The data cannot be written.');
  const place = found.path.length === 0 ? 'The data' : `The value at ${formatPath(found.path)}`;
  throw new TypeError(`${place} cannot be written: it is ${found.reason}.`);
}

function findRefused(data: unknown): { readonly path: Path; readonly reason: string } | undefined {
  const open: { readonly value: unknown; readonly path: Path }[] = [{ value: data, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    const reason = reasonToRefuse(value, path.length);
    if (reason !== undefined) return { path, reason };
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [key, item] of Object.entries(value).reverse() as [string, unknown][]) {
      if (HALF_PAIR.test(key)) return { path, reason: 'an object with half a surrogate pair in a key' };
      open.push({ value: item, path: [...path, isList ? Number(key) : key] });
    }
  }
  return undefined;
}

function reasonToRefuse(value: unknown, depth: number): string | undefined {
  if (typeof value === 'object' && depth >= DEEPEST && value !== null) return `nested deeper than ${DEEPEST} levels`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value}, which Kubernetes cannot read`;
  if (typeof value === 'string' && HALF_PAIR.test(value)) return 'a string with half a surrogate pair';
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol')
    return `${typeof value}, not data`;
  return undefined;
}

function formatPath(path: Path): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text.replace(/^\./u, '');
}

/** Documents with deeper nesting are examined more closely. */
export const commonDepth = 40;

/** Limit for the sum of the depths of all values of such a document. */
export const mostLevels = 4_000_000;

/**
 * The sum of the depths of all values. The length of every path and every indentation grows with depth: 250,000 values
 * that are 250 levels deep would take hundreds of megabytes.
 */
export function countLevels(data: Json): number {
  let levels = 0;
  const walk = (value: Json, depth: number): void => {
    levels += depth;
    if (typeof value !== 'object' || value === null) return;
    for (const inner of Object.values(value) as readonly Json[]) walk(inner, depth + 1);
  };
  walk(data, 0);
  return levels;
}
