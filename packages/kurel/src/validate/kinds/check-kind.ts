import { nearest, quote } from '../../diagnostics/index.ts';
import { isBuiltInGroup } from '../../kube/index.ts';
import type { GroupVersionKind, KubeObject } from '../../model/index.ts';
import { nearestKind } from '../../schema/index.ts';
import type { KindSchema, SchemaStore } from '../../schema/index.ts';
import type { Findings } from '../findings.ts';

interface KindLookup {
  readonly object: KubeObject;
  readonly gvk: GroupVersionKind;
  readonly store: SchemaStore;
  readonly findings: Findings;
  /** For how many more kinds similar names are looked for. */
  readonly guesses: { left: number };
}

/**
 * Finds the schema of a kind, and reports kinds that are going away or most likely mistyped. A kind of another project that nothing
 * describes is `not-described`: there may be many, and they are reported together.
 */
export function findKind({
  object,
  gvk,
  store,
  findings,
  guesses,
}: KindLookup): KindSchema | 'not-described' | undefined {
  const known = store.find(gvk);
  const kind = nameOfKind(gvk);
  const version = store.kubernetesVersion;
  if (object.apiVersion.startsWith('/')) {
    const args = { text: object.apiVersion, usual: gvk.version };
    findings.add(object, { path: ['apiVersion'] }, ['api-version-spelling', args]);
  }
  if (known !== undefined) {
    if (known.deprecation !== undefined) {
      findings.add(object, { path: ['apiVersion'] }, ['kind-deprecated', { kind, version, ...known.deprecation }]);
    }
    return known;
  }
  const removed = store.removed(gvk);
  if (removed !== undefined) {
    findings.add(object, { path: ['apiVersion'] }, ['kind-removed', { kind, version, ...removed }]);
    return undefined;
  }
  const isBuiltIn = isBuiltInGroup(gvk.group);
  const advice = adviseKind(gvk, { store, isBuiltIn, guesses });
  if (!isBuiltIn && advice === undefined) return 'not-described';
  const isOtherVersion = store.addedIn(gvk) !== undefined || store.versionsOf(gvk).length > 0;
  findings.add(
    object,
    { path: [isOtherVersion ? 'apiVersion' : 'kind'], ...(isBuiltIn ? { severity: 'error' } : {}) },
    ['kind-unknown', { kind, isBuiltIn, advice }],
  );
  return undefined;
}

interface Advice extends Pick<KindLookup, 'store' | 'guesses'> {
  readonly isBuiltIn: boolean;
}

function adviseKind(gvk: GroupVersionKind, { store, isBuiltIn, guesses }: Advice): string | undefined {
  const added = store.addedIn(gvk);
  if (added !== undefined)
    return `it is there from Kubernetes ${added} on; this is checked for ${store.kubernetesVersion}`;
  const versions = store.versionsOf(gvk);
  if (versions.length > 0) {
    return `${gvk.kind} is there in ${versions.map((version) => quote(apiVersionOf({ group: gvk.group, version }))).join(', ')}`;
  }
  if (guesses.left === 0) return undefined;
  guesses.left -= 1;
  const near = nearestKind(store, gvk);
  // A kind of another project may well be spelt like one that is known; only its group tells.
  const isMeant =
    near !== undefined && (isBuiltIn || near.group === gvk.group || nearest(gvk.group, [near.group]) !== undefined);
  return isMeant ? `did you mean ${quote(nameOfKind(near))}?` : undefined;
}

export function nameOfKind(gvk: GroupVersionKind): string {
  return `${apiVersionOf(gvk)} ${gvk.kind}`;
}

export function apiVersionOf({ group, version }: Pick<GroupVersionKind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}
