import type { GroupVersionKind } from '../model/index.ts';

/** `apps/v1/Deployment`, and `/v1/Service` for the core group. */
export function keyOfKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

export function kindOfKey(key: string): GroupVersionKind {
  const [group, version, kind] = key.split('/');
  return { group: group!, version: version!, kind: kind! };
}
