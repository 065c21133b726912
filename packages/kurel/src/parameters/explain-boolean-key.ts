import { isJsonObject } from '../model/index.ts';
import type { Json } from '../model/index.ts';

/** Why a key is not there that stands in the file: YAML 1.1, which Kubernetes reads, takes `n` for `false`, also as a key. */
export function explainBooleanKey(step: string | number, value: Json | undefined): string | undefined {
  const word = String(step).toLowerCase();
  const key = /^(?:y|yes|on)$/.test(word) ? 'true' : /^(?:n|no|off)$/.test(word) ? 'false' : undefined;
  if (key === undefined || !isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
  return `in YAML the key ${step} is read as ${key}; write it in quotes: "${step}"`;
}
