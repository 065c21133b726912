import { kindsNamed } from '../kube/index.ts';
import type { GroupVersionKind } from '../model/index.ts';
import { compareApiVersions } from './compare-api-versions.ts';
import type { SchemaStore } from './schema-node.ts';

/**
 * The kinds that a person may mean by `Deployment`, `deployment`, `deploy`, `apps/v1/Deployment` or `apps/Deployment`, best first:
 * exact spelling before another case and before short names, Kubernetes' own groups before those of CRDs, newer versions before
 * older ones.
 */
export function findKinds(store: SchemaStore, text: string): readonly GroupVersionKind[] {
  const parts = text.split('/');
  const name = parts.pop()!;
  let found = matching(store, parts, (kind) => kind === name);
  for (const named of found.length > 0 ? [] : kindsNamed(name)) {
    if (found.length === 0) found = matching(store, parts, (kind) => kind.toLowerCase() === named);
  }
  return found.toSorted((a, b) => rank(a) - rank(b) || compareApiVersions(a.version, b.version));
}

function matching(
  store: SchemaStore,
  parts: readonly string[],
  isNamed: (kind: string) => boolean,
): readonly GroupVersionKind[] {
  return store.kinds().filter(({ group, version, kind }) => {
    if (!isNamed(kind)) return false;
    if (parts.length === 0) return true;
    const written = parts.join('/');
    return written === (group === '' ? version : `${group}/${version}`) || written === group;
  });
}

function rank({ group }: GroupVersionKind): number {
  if (group === '') return 0;
  return !group.includes('.') || group.endsWith('.k8s.io') ? 1 : 2;
}
