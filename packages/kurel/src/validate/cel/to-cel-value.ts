import { Duration } from '@marcbachmann/cel-js/evaluator';
import { parseDuration } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { fillDefaults } from '../fields/fill-defaults.ts';

/**
 * A value as rules see it: whole numbers are `int`, defaults are filled in, nulls of fields that cannot be null are gone,
 * and texts of some formats are times, durations or bytes. Without a schema numbers are what they look like.
 */
export function toCelValue(value: Json, node: SchemaNode | undefined): unknown {
  return convert(fillDefaults(value, node), node);
}

function convert(value: Json, node: SchemaNode | undefined): unknown {
  switch (typeof value) {
    case 'number':
      return node?.type === 'number' || !Number.isInteger(value) ? value : BigInt(value);
    case 'bigint':
      return node?.type === 'number' ? Number(value) : value;
    case 'string':
      return node?.type === 'string' && node.format !== undefined ? toFormatted(value, node.format) : value;
    case 'boolean':
      return value;
    default:
      if (isJsonArray(value)) return value.map((item) => convert(item, node?.items));
      return isJsonObject(value) ? toCelMapping(value, node) : value;
  }
}

type CelMapping = Record<string, unknown> | Map<string, unknown>;

/** The library asks mappings for their constructor to know what they are; one that has a key of this name is a Map. */
function toCelMapping(mapping: JsonObject, node: SchemaNode | undefined): CelMapping {
  const result: CelMapping = ['constructor', '__proto__'].some((name) => Object.hasOwn(mapping, name)) ? new Map() : {};
  const isMap = node === undefined || (node.propertyNames.length === 0 && node.values !== undefined);
  for (const [name, value] of Object.entries(mapping)) {
    const child = node?.property(name);
    if (value === null && child !== undefined && child.nullable !== true) continue;
    put(name, convert(value, child));
  }
  return result;

  function put(name: string, value: unknown): void {
    const escaped = isMap ? name : escapeName(name);
    for (const key of new Set([name, escaped])) {
      if (result instanceof Map) result.set(key, value);
      else result[key] = value;
    }
  }
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** Fields whose names CEL could not read have another name in rules. */
function escapeName(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
    .replaceAll('$', '__dollar__');
}

const billion = 1_000_000_000n;

function toFormatted(text: string, format: string): unknown {
  if (format === 'date-time' || format === 'date') {
    const time = new Date(text);
    return Number.isNaN(time.getTime()) ? text : time;
  }
  if (format === 'duration') {
    const nanoseconds = parseDuration(text);
    return nanoseconds === undefined ? text : new Duration(nanoseconds / billion, Number(nanoseconds % billion));
  }
  if (format === 'byte') {
    try {
      return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    } catch {
      return text;
    }
  }
  return text;
}
