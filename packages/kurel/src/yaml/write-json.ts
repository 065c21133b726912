import type { Json } from '../model/index.ts';
import { DEEPEST, refuseData } from './write-refusal.ts';
import { writeDoubleQuoted } from './write-string.ts';

/** JSON text without a line break at its end; big integers keep all their digits. `indent: 0` writes one line. */
export function writeJson(data: Json, indent = 2): string {
  try {
    return writeValue(data, { step: ' '.repeat(indent), pad: '', depth: 0 });
  } catch (error) {
    return refuseData(data, error);
  }
}

interface Frame {
  readonly step: string;
  readonly pad: string;
  readonly depth: number;
}

function writeValue(value: Json, frame: Frame): string {
  switch (typeof value) {
    case 'string':
      return writeDoubleQuoted(value);
    case 'number':
      // JSON.stringify gives `0` for -0, and `null` for what is no JSON.
      if (!Number.isFinite(value)) break;
      // Our own reader, as kubectl's, takes `-0` for an integer, which has no sign then.
      if (Object.is(value, -0)) return '-0.0';
      // Digits alone would claim that an integer beyond what a double holds is exact.
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : writeCollection(value, frame);
  }
  return refuseData(value);
}

function writeCollection(value: Json & object, { step, pad, depth }: Frame): string {
  if (depth >= DEEPEST) return refuseData(value);
  const inner = { step, pad: pad + step, depth: depth + 1 };
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((item: Json) => writeValue(item, inner))
    : Object.entries(value).map(([key, item]: [string, Json]) => {
        return `${writeDoubleQuoted(key)}:${step === '' ? '' : ' '}${writeValue(item, inner)}`;
      });
  if (parts.length === 0) return `${open}${close}`;
  if (step === '') return `${open}${parts.join(',')}${close}`;
  return `${open}\n${inner.pad}${parts.join(`,\n${inner.pad}`)}\n${pad}${close}`;
}
