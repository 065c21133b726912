import { isJsonObject } from '../../../model/index.ts';
import type { Diagnostic, KubeObject, OutputFile, Path } from '../../../model/index.ts';

/** A target as another run has built it, before its files were written. Plain data. */
export interface CachedTarget {
  readonly diagnostics: readonly Diagnostic[];
  readonly accepted: number;
  readonly acceptedBy: readonly Path[];
  readonly objects: number;
  /** The name of its package. */
  readonly name?: string | undefined;
  /** The subdirectory of the output directory that it writes to. */
  readonly directory: string;
  readonly files: readonly Pick<OutputFile, 'path' | 'text'>[];
}

/** Signed entries are ours; an operator may also trust a cache without a key. */
export function isCachedTarget(data: unknown): data is CachedTarget {
  if (!isJsonObject(data)) return false;
  const { diagnostics, accepted, acceptedBy, objects, directory, files } = data;
  return (
    Array.isArray(diagnostics) &&
    Array.isArray(acceptedBy) &&
    Array.isArray(files) &&
    typeof accepted === 'number' &&
    typeof objects === 'number' &&
    typeof directory === 'string' &&
    diagnostics.every((one) => isJsonObject(one) && typeof one['code'] === 'string' && one['severity'] !== 'error') &&
    files.every((one) => isJsonObject(one) && typeof one['path'] === 'string' && typeof one['text'] === 'string')
  );
}

/** Whether an object has data that should not leave the machine without a decision of the user. */
export function hasSecretData(object: KubeObject): boolean {
  if (object.kind !== 'Secret') return false;
  return ['data', 'stringData'].some((field) => {
    const data = object[field];
    return isJsonObject(data) && Object.keys(data).length > 0;
  });
}
