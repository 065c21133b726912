import { getOrAdd } from '../../../budget/index.ts';
import { describeObject, gvkOf, namespaceOf, parseApiVersion, scopeOf } from '../../../kube/index.ts';
import type { Scope } from '../../../kube/index.ts';
import type { KubeObject } from '../../../model/index.ts';
import type { ComponentInput, ReportAt } from '../catalog/define.ts';
import type { Field, ValueOf } from '../../../documents/index.ts';
import { scopeProblems } from './problems.ts';
import type { Manifest } from './check-manifest.ts';
import { choiceField, textField } from '../../../documents/index.ts';

export const scopeOverrides = {
  type: 'array',
  description:
    'Scope of kinds that kurel does not know. Not needed for kinds whose CustomResourceDefinition is among the manifests.',
  default: [],
  items: {
    type: 'object',
    properties: {
      apiVersion: { ...textField('filled', 'API version of the objects.'), required: true },
      kind: { ...textField('filled', 'Kind of the objects.'), required: true },
      scope: { ...choiceField(['Cluster', 'Namespaced'], 'Scope of the kind.'), required: true },
    },
  },
} as const satisfies Field;

type ScopeOverride = ValueOf<typeof scopeOverrides>[number];

/**
 * Determines the scope of each object from the known scope of its kind, a CustomResourceDefinition among the manifests, an
 * override, or its own namespace, in this order. Without any of these the object is rejected, because a guess could deploy
 * it to the wrong place.
 */
export function resolveScopes(
  manifests: readonly Manifest[],
  overrides: readonly ScopeOverride[],
  { report, reportPlaced }: Pick<ComponentInput<unknown>, 'report' | 'reportPlaced'>,
): ReadonlyMap<KubeObject, Scope> {
  const objects = manifests.map(({ object }) => object);
  const parsed = readOverrides(overrides, objects, report);
  const scopes = new Map<KubeObject, Scope>();
  const unknown = new Map<string, Manifest[]>();
  for (const manifest of manifests) {
    const { object, locate } = manifest;
    const gvk = gvkOf(object);
    const scopeOfKind = gvk === undefined ? undefined : scopeOf(gvk, objects);
    const namespace = namespaceOf(object);
    const isPlaced = namespace !== '';
    const key = keyOf(object);
    const scope = scopeOfKind ?? parsed.get(key) ?? (isPlaced ? 'Namespaced' : undefined);
    if (scope !== undefined) scopes.set(object, scope);
    else getOrAdd(unknown, key, () => []).push(manifest);
    if (scopeOfKind === undefined && scope === 'Cluster' && isPlaced) {
      const { apiVersion, kind } = object;
      const args = { apiVersion, kind, namespace, property: '"scopeOverrides"' };
      reportPlaced(scopeProblems.create('scope-namespace', args, { location: locate(['metadata', 'namespace']) }));
    }
  }
  for (const [first, ...others] of unknown.values()) {
    const { object, locate } = first!;
    const { apiVersion, kind } = object;
    const args = { object: describeObject(object), others: others.length, apiVersion, kind };
    reportPlaced(scopeProblems.create('scope-unknown', args, { location: locate(['kind']) }));
  }
  return scopes;
}

function readOverrides(
  overrides: readonly ScopeOverride[],
  objects: readonly KubeObject[],
  report: ReportAt,
): ReadonlyMap<string, Scope> {
  const kinds = new Set(objects.map(keyOf));
  const parsed = new Map<string, Scope>();
  for (const [index, { apiVersion, kind, scope }] of overrides.entries()) {
    const path = ['scopeOverrides', index];
    const key = keyOf({ apiVersion, kind });
    const group = parseApiVersion(apiVersion)?.group;
    const scopeOfKind = group === undefined ? undefined : scopeOf({ group, kind }, objects);
    if (scopeOfKind !== undefined && scopeOfKind !== scope) {
      const args = { property: '"scopeOverrides"', apiVersion, kind, known: scopeOfKind };
      report(scopeProblems.create('scope-contradicted', args), [...path, 'scope']);
    } else if (parsed.has(key)) {
      report(scopeProblems.create('scope-said-twice', { apiVersion, kind }), [...path, 'kind']);
    } else if (objects.length > 0 && !kinds.has(key)) {
      report(scopeProblems.create('scope-said-in-vain', { apiVersion, kind, kinds: [...kinds] }), [...path, 'kind']);
    }
    if (!parsed.has(key)) parsed.set(key, scope);
  }
  return parsed;
}

function keyOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): string {
  return `${apiVersion} ${kind}`;
}
