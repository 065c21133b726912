import { nearest } from '../diagnostics/index.ts';
import { formatApiVersion, kindsNamed } from '../kube/index.ts';
import { compareText } from '../model/index.ts';
import type { GroupVersionKind } from '../model/index.ts';
import type { SchemaStore } from './schema-node.ts';

/**
 * The kinds that a user may mean by `Deployment`, `deployment`, `deploy`, `apps/v1/Deployment` or `apps/Deployment`, best first:
 * exact spelling before other case and short names, built-in groups before those of CRDs, newer versions before
 * older ones.
 */
export function findKinds(store: SchemaStore, text: string): readonly GroupVersionKind[] {
  const parts = text.split('/');
  const name = parts.pop()!;
  let kinds = matching(store, parts, (kind) => kind === name);
  for (const named of kinds.length > 0 ? [] : kindsNamed(name)) {
    if (kinds.length === 0) kinds = matching(store, parts, (kind) => kind.toLowerCase() === named);
  }
  return kinds.toSorted((a, b) => rank(a) - rank(b) || compareApiVersions(a.version, b.version));
}

function matching(
  store: SchemaStore,
  parts: readonly string[],
  isNamed: (kind: string) => boolean,
): readonly GroupVersionKind[] {
  const written = parts.join('/');
  return store
    .kinds()
    .filter(
      (gvk) => isNamed(gvk.kind) && (parts.length === 0 || written === formatApiVersion(gvk) || written === gvk.group),
    );
}

function rank({ group }: GroupVersionKind): number {
  if (group === '') return 0;
  return !group.includes('.') || group.endsWith('.k8s.io') ? 1 : 2;
}

/** `apps/v1/Deployment`, and `/v1/Service` for the core group. */
export function keyOfKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

export function kindOfKey(key: string): GroupVersionKind {
  const [group, version, kind] = key.split('/');
  return { group: group!, version: version!, kind: kind! };
}

const pattern = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;
const stabilities = ['alpha', 'beta', undefined];

/** Orders API versions like Kubernetes, newest first: v2, v1, v1beta2, v1alpha1, then other names by code unit. */
export function compareApiVersions(a: string, b: string): number {
  const [first, second] = [pattern.exec(a), pattern.exec(b)];
  if (first === null || second === null) {
    if (first !== null || second !== null) return first === null ? 1 : -1;
    return compareText(a, b);
  }
  return (
    stabilities.indexOf(second[2]) - stabilities.indexOf(first[2]) ||
    Number(second[1]) - Number(first[1]) ||
    Number(second[3] ?? 0) - Number(first[3] ?? 0)
  );
}

/**
 * The kind that was most likely meant by an unknown one: the same kind in another version, else in another
 * group, else a similar name in the same group, else in any group.
 */
export function nearestKind(store: SchemaStore, gvk: GroupVersionKind): GroupVersionKind | undefined {
  const all = store.kinds();
  const inGroup = all.filter(({ group }) => group === gvk.group);
  for (const candidates of [inGroup, all]) {
    const same = newest(candidates.filter(({ kind }) => kind === gvk.kind));
    if (same !== undefined) return same;
  }
  for (const candidates of [inGroup, all]) {
    const name = nearest(gvk.kind, new Set(candidates.map(({ kind }) => kind)));
    if (name !== undefined) return newest(candidates.filter(({ kind }) => kind === name));
  }
  return undefined;
}

/** Of the first group among them, so that built-in kinds come before those of CRDs. */
function newest(kinds: readonly GroupVersionKind[]): GroupVersionKind | undefined {
  return kinds
    .filter(({ group }) => group === kinds[0]!.group)
    .toSorted((a, b) => compareApiVersions(a.version, b.version))[0];
}
