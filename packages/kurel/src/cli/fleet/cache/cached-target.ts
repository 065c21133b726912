import { annotationsOf } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Diagnostic, KubeObject, OutputFile, Path } from '../../../model/index.ts';
import { fieldsOf, findingWith, isCount, isPath, isText, listOf, oneOf } from '../data-shapes.ts';

/** What is kept of the result of a target. Plain data. */
export interface TargetFacts {
  readonly diagnostics: readonly Diagnostic[];
  readonly accepted: number;
  /** The entries of the fleet file that accepted findings. */
  readonly acceptedBy: readonly Path[];
  readonly objects: number;
}

/** A target as another run has built it, before its files were written. */
export interface CachedTarget extends TargetFacts {
  readonly name?: string | undefined;
  /** The subdirectory of the output directory that it writes to. */
  readonly directory: string;
  readonly files: readonly Pick<OutputFile, 'path' | 'text'>[];
}

// Findings quote the user; a server must not make a run print or search long texts.
const longestText = 64 * 1024;

const isEntry = fieldsOf(
  {
    diagnostics: listOf(findingWith(oneOf('warning', 'note'))),
    accepted: isCount,
    acceptedBy: listOf(isPath),
    objects: isCount,
    directory: isText,
    files: listOf(fieldsOf({ path: isText, text: isText })),
  },
  { name: isText },
);

/**
 * Signed entries are ours, but an operator may also trust a cache without a key. The paths of files are
 * checked when they are written. A target with errors is never stored.
 */
export function isCachedTarget(data: unknown): data is CachedTarget {
  if (!isEntry(data)) return false;
  const { diagnostics } = data as CachedTarget;
  return diagnostics.every(({ message, hint = '', related = [] }) =>
    [message, hint, ...related.map((place) => place.message)].every((text) => text.length <= longestText),
  );
}

/** kubectl copies the whole object into it. */
const copy = 'kubectl.kubernetes.io/last-applied-configuration';

/** Whether an object has data that should not leave the machine without a decision of the user. */
export function hasSecretData(object: KubeObject): boolean {
  if (object.kind !== 'Secret') return false;
  const hasData = ['data', 'stringData'].some((field) => {
    const data = object[field];
    return isJsonObject(data) && Object.keys(data).length > 0;
  });
  return hasData || Object.hasOwn(annotationsOf(object), copy);
}
