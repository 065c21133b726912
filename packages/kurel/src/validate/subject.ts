import { parseApiVersion, podSiteOf, textAt } from '../kube/index.ts';
import type { GroupVersionKind, KubeObject } from '../model/index.ts';
import type { PodSite } from '../kube/index.ts';

/** An object with the facts that all checks need, read once. */
export interface Subject {
  readonly object: KubeObject;
  readonly gvk: GroupVersionKind;
  /** Namespace and name as written; empty if absent. */
  readonly namespace: string;
  readonly name: string;
  readonly pod: PodSite | undefined;
}

/** The objects with a valid apiVersion; `refuse` is called for the others. */
export function readSubjects(objects: readonly KubeObject[], refuse: (object: KubeObject) => void): readonly Subject[] {
  const types = new Map<string, Map<string, GroupVersionKind>>();
  const subjects: Subject[] = [];
  for (const object of objects) {
    const gvk = types.get(object.apiVersion)?.get(object.kind) ?? readType(object, types);
    if (gvk === undefined) refuse(object);
    else {
      const { metadata } = object;
      subjects.push({
        object,
        gvk,
        namespace: textAt(metadata, 'namespace') ?? '',
        name: textAt(metadata, 'name') ?? '',
        pod: podSiteOf(object, gvk),
      });
    }
  }
  return subjects;
}

function readType(object: KubeObject, types: Map<string, Map<string, GroupVersionKind>>): GroupVersionKind | undefined {
  const version = parseApiVersion(object.apiVersion);
  if (version === undefined) return undefined;
  const gvk = { ...version, kind: object.kind };
  const kinds = types.get(object.apiVersion) ?? new Map<string, GroupVersionKind>();
  types.set(object.apiVersion, kinds.set(object.kind, gvk));
  return gvk;
}
