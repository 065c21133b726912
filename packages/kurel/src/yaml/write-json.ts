import type { Json } from '../model/index.ts';
import { DEEPEST, refuseData } from './write-refusal.ts';
import { writeDoubleQuoted } from './write-string.ts';

/** JSON without a final line break; big integers keep all their digits. `indent: 0` writes one line. */
export function writeJson(data: Json, indent = 2): string {
  try {
    // One flat list of chunks: joining nested texts would copy them once per level.
    const chunks: string[] = [];
    writeValue(data, { step: ' '.repeat(indent), pad: '', depth: 0, chunks });
    return chunks.join('');
  } catch (error) {
    return refuseData(data, error);
  }
}

interface Frame {
  readonly step: string;
  readonly pad: string;
  readonly depth: number;
  readonly chunks: string[];
}

function writeValue(value: Json, frame: Frame): void {
  if (typeof value === 'object' && value !== null) writeCollection(value, frame);
  else frame.chunks.push(writeScalar(value));
}

function writeScalar(value: Exclude<Json, object>): string {
  switch (typeof value) {
    case 'string':
      return writeDoubleQuoted(value);
    case 'number':
      // JSON.stringify writes `0` for -0, and `null` for numbers that JSON lacks.
      if (!Number.isFinite(value)) break;
      // Our reader, like kubectl's, reads `-0` as an integer, which loses the sign.
      if (Object.is(value, -0)) return '-0.0';
      // Plain digits would claim that an integer beyond the precision of a double is exact.
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return 'null';
  }
  return refuseData(value);
}

function writeCollection(value: Json & object, frame: Frame): void {
  const { step, pad, depth, chunks } = frame;
  if (depth >= DEEPEST) return void refuseData(value);
  const inner = { step, pad: pad + step, depth: depth + 1, chunks };
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const entries: readonly [string, Json][] = Object.entries(value);
  if (entries.length === 0) return void chunks.push(`${open}${close}`);
  const lead = step === '' ? '' : `\n${inner.pad}`;
  const colon = step === '' ? ':' : ': ';
  chunks.push(open!);
  for (const [index, [key, item]] of entries.entries()) {
    chunks.push(index === 0 ? lead : `,${lead}`);
    if (!isList) chunks.push(writeDoubleQuoted(key), colon);
    writeValue(item, inner);
  }
  chunks.push(step === '' ? close! : `\n${pad}${close}`);
}
