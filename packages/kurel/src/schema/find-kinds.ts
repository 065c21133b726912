import type { GroupVersionKind } from '../model/index.ts';
import { compareApiVersions } from './compare-api-versions.ts';
import type { SchemaStore } from './schema-node.ts';

/**
 * The kinds that a person may mean by `Deployment`, `deployment`, `apps/v1/Deployment` or `apps/Deployment`, best first: exact
 * spelling before another case, Kubernetes' own groups before those of CRDs, newer versions before older ones.
 */
export function findKinds(store: SchemaStore, text: string): readonly GroupVersionKind[] {
  const parts = text.split('/');
  const name = parts.pop()!;
  const exact = matching(store, parts, (kind) => kind === name);
  const found = exact.length > 0 ? exact : matching(store, parts, (kind) => kind.toLowerCase() === name.toLowerCase());
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
