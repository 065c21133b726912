import { parseDuration } from '../../kube/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { bytesOfBase64 } from '../findings.ts';
import { reserved } from './read-expression.ts';
import { missingDefaults } from '../../schema/index.ts';

/** Converts JSON to the values that rules see. */
type CelConverter = (value: Json, node: SchemaNode) => unknown;

interface ConverterOptions {
  readonly spend: (steps: number) => void;
  /** The type of the evaluator, which is loaded only where rules are evaluated. */
  readonly createDuration: (seconds: bigint, nanoseconds: number) => unknown;
}

interface Converted {
  readonly node: SchemaNode | undefined;
  readonly value: unknown;
}

/** The cache is cleared after this many values, to limit memory in a run with many objects. */
const forgetAfter = 2_000_000;
const stepsOfDefault = 8;

/**
 * Converts as the API server does: integers become `int`, defaults are filled in, nulls of fields that are not nullable are dropped, and
 * strings of some formats become times, durations or bytes. Converted values are cached, because fields with rules may be nested and
 * each rule sees everything below its field.
 */
export function createCelConverter({ spend, createDuration }: ConverterOptions): CelConverter {
  let kept = new WeakMap<object, Converted>();
  let count = 0;
  return (value, node) => {
    if (count > forgetAfter) {
      kept = new WeakMap();
      count = 0;
    }
    return convert(value, node);
  };

  function convert(value: Json, node: SchemaNode | undefined): unknown {
    if (typeof value !== 'object' || value === null) return toScalar(value, node, createDuration);
    const earlier = kept.get(value);
    if (earlier !== undefined && earlier.node === node) return earlier.value;
    const converted = isJsonArray(value) ? toList(value, node) : toMapping(value, node);
    kept.set(value, { node, value: converted });
    return converted;
  }

  function toList(list: JsonArray, node: SchemaNode | undefined): unknown {
    countValues(list.length);
    return list.map((item) => convert(item, node?.items));
  }

  /** The library reads `constructor` to find the type of an object, so an object with a key of this name becomes a Map. */
  function toMapping(mapping: JsonObject, node: SchemaNode | undefined): CelMapping {
    const missing = node === undefined ? [] : missingDefaults(mapping, node);
    const isSpecial = ({ name }: { readonly name: string }): boolean => name === 'constructor' || name === '__proto__';
    const hasSpecial = ['constructor', '__proto__'].some((name) => Object.hasOwn(mapping, name));
    const result: CelMapping = hasSpecial || missing.some(isSpecial) ? new Map() : {};
    const isMap = node === undefined || (node.propertyNames.length === 0 && node.values !== undefined);
    const entries = Object.entries(mapping);
    countValues(entries.length + missing.length * stepsOfDefault);
    for (const [name, value] of entries) {
      const child = node?.property(name);
      if (value === null && child !== undefined && child.nullable !== true) continue;
      put(result, isMap ? [name] : keysOf(name), convert(value, child));
    }
    for (const { name, value } of missing)
      put(result, isMap ? [name] : keysOf(name), convert(value, node?.property(name)));
    return result;
  }

  function countValues(values: number): void {
    count += values;
    spend(values);
  }
}

type CelMapping = Record<string, unknown> | Map<string, unknown>;

function put(mapping: CelMapping, keys: readonly string[], value: unknown): void {
  for (const key of keys) {
    if (mapping instanceof Map) mapping.set(key, value);
    else mapping[key] = value;
  }
}

function toScalar(
  value: Exclude<Json, JsonArray | JsonObject>,
  node: SchemaNode | undefined,
  createDuration: ConverterOptions['createDuration'],
): unknown {
  switch (typeof value) {
    case 'number':
      return node?.type === 'number' || !Number.isInteger(value) ? value : BigInt(value);
    case 'bigint':
      return node?.type === 'number' ? Number(value) : value;
    case 'string':
      return node?.type === 'string' && node.format !== undefined
        ? toFormatted(value, node.format, createDuration)
        : value;
    default:
      return value;
  }
}

/** The names of a field in rules. Keys of maps are data, and are not escaped. */
function keysOf(name: string): readonly string[] {
  const escaped = escapeName(name);
  return escaped === name ? [name] : [name, escaped];
}

/** Rules use an escaped name for fields whose names are not CEL identifiers. */
function escapeName(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  if (/^[A-Za-z0-9]*$/.test(name)) return name;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
    .replaceAll('$', '__dollar__');
}

const billion = 1_000_000_000n;

function toFormatted(text: string, format: string, createDuration: ConverterOptions['createDuration']): unknown {
  if (format === 'date-time' || format === 'date') {
    const time = new Date(text);
    return Number.isNaN(time.getTime()) ? text : time;
  }
  if (format === 'duration') {
    const nanoseconds = parseDuration(text);
    return nanoseconds === undefined ? text : createDuration(nanoseconds / billion, Number(nanoseconds % billion));
  }
  return format === 'byte' ? (bytesOfBase64(text) ?? text) : text;
}
