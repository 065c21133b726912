/**
 * The data that a program reads and writes: JSON, plus `bigint` for integers that a double cannot represent.
 */
export type JqValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JqValue[]
  | { readonly [key: string]: JqValue };

export type JqObject = { readonly [key: string]: JqValue };
export type JqArray = readonly JqValue[];
/** A function provided by the caller; programs can catch the errors it throws. */
export interface JqFunction {
  readonly arity: number | { readonly min: number; readonly max: number };
  call(input: JqValue, args: readonly JqValue[]): JqValue;
}

export type JqType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export function typeOf(value: JqValue): JqType {
  if (value === null || value === undefined) return 'null';
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'number':
    case 'bigint':
      return 'number';
    case 'string':
      return 'string';
    default:
      return Array.isArray(value) ? 'array' : 'object';
  }
}

export function isArray(value: JqValue): value is JqArray {
  return Array.isArray(value);
}

export function isObject(value: JqValue): value is JqObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isNumber(value: JqValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

export function isTruthy(value: JqValue): boolean {
  return value !== null && value !== false && value !== undefined;
}

/** Reads an own property only: a key such as `constructor` must never reach the prototype. */
export function readKey(object: JqObject, key: string): JqValue {
  const value = object[key];
  if (value === undefined) return null;
  if ((typeof value === 'function' || key === '__proto__') && !Object.hasOwn(object, key)) return null;
  return value;
}

/** Writes an own property into an object that is not shared yet. */
export function writeKey(object: { [key: string]: JqValue }, key: string, value: JqValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}
