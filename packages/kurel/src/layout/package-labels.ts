import { isJsonObject } from '../model/index.ts';
import type { KubeObject } from '../model/index.ts';

export interface PackageLabels {
  readonly labels: Readonly<Record<string, string>>;
  /** Keys that objects use for something else. */
  readonly leftOut: readonly string[];
}

/**
 * The labels that kustomize is to give to all of the objects. It would overwrite what an object says itself, and other objects
 * may select it by that, so a label that one of them has with another value is left out.
 */
export function choosePackageLabels(objects: readonly KubeObject[], name: string | undefined): PackageLabels {
  const wanted = Object.entries({
    ...(name === undefined ? {} : { 'app.kubernetes.io/name': name }),
    'app.kubernetes.io/managed-by': 'kurel',
  });
  const isFree = ([key, value]: readonly [string, string]): boolean =>
    objects.every((object) => !hasOther(object, { key, value }));
  return {
    labels: Object.fromEntries(wanted.filter(isFree)),
    leftOut: wanted.filter((label) => !isFree(label)).map(([key]) => key),
  };
}

function hasOther({ metadata }: KubeObject, { key, value }: { readonly key: string; readonly value: string }): boolean {
  const labels = isJsonObject(metadata) ? metadata['labels'] : undefined;
  return isJsonObject(labels) && Object.hasOwn(labels, key) && labels[key] !== value;
}
