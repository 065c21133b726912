import { isJsonObject } from '../model/index.ts';
import { EngineError } from './errors.ts';

// Code without types passes anything. What a filter or transformer cannot work with is refused where it is created, not at the
// first object.

export function requireFunctions(of: string, operations: readonly unknown[]): void {
  const index = operations.findIndex((operation) => typeof operation !== 'function');
  if (index !== -1)
    refuse(of, `a function${operations.length > 1 ? ` as argument ${index + 1}` : ''}`, operations[index]);
}

export function requireStrings(of: string, values: readonly unknown[]): void {
  const wrong = values.find((value) => typeof value !== 'string');
  if (values.some((value) => typeof value !== 'string')) refuse(of, 'a string', wrong);
}

export function requireList(of: string, value: unknown): void {
  if (!Array.isArray(value)) refuse(of, 'a list', value);
}

export function requireMap(of: string, value: unknown): void {
  if (!isJsonObject(value)) refuse(of, 'an object', value);
}

function refuse(of: string, wanted: string, value: unknown): never {
  const got = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  throw new EngineError(`${of} needs ${wanted}, got ${got}`, { code: 'invalid-option' });
}
