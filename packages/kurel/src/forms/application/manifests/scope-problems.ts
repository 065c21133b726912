import { defineProblems, nearest, quote } from '../../../diagnostics/index.ts';
import type { Scope } from '../../../kube/index.ts';

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

const adjectives: Readonly<Record<Scope, string>> = { Cluster: 'cluster-scoped', Namespaced: 'namespaced' };

/** Findings about the scope of objects. */
export const scopeProblems = defineProblems({
  'scope-unknown': {
    severity: 'error',
    summary: 'An object has no namespace, and the scope of its kind is unknown.',
    message: ({ object, others }: { object: string; others: number }) =>
      `the scope of ${object} is unknown, and it has no namespace` +
      (others === 0 ? '' : `; the same applies to ${others} more ${others === 1 ? 'object' : 'objects'} of its kind`),
    hint: ({ apiVersion, kind }: Kind) =>
      'add the CustomResourceDefinition to the same manifests, set a namespace, or add to the properties:\n' +
      `  scopeOverrides:\n  - apiVersion: ${apiVersion}\n    kind: ${kind}\n    scope: Cluster  # or Namespaced`,
    fix: 'Tell kurel whether the kind is namespaced: add its CustomResourceDefinition to the same manifests, set metadata.namespace, or declare the scope in scopeOverrides.',
  },
  'scope-contradicted': {
    severity: 'error',
    summary: 'A property contradicts the known scope of a kind.',
    message: ({ property, apiVersion, kind, known }: Kind & { property: string; known: Scope }) =>
      `${property} contradicts the scope of ${apiVersion} ${kind}, which is ${adjectives[known]}`,
    hint: () => 'remove it',
    fix: 'Remove the entry from scopeOverrides, or clusterScoped. The scope of built-in kinds and of kinds with a CustomResourceDefinition is known.',
  },
  'scope-said-twice': {
    severity: 'error',
    summary: 'scopeOverrides has two entries for the same kind.',
    message: ({ apiVersion, kind }: Kind) => `duplicate ${apiVersion} ${kind} in "scopeOverrides"`,
    hint: () => 'remove one of them',
    fix: 'Keep one entry per apiVersion and kind in scopeOverrides.',
  },
  'scope-said-in-vain': {
    severity: 'warning',
    summary: 'An entry of scopeOverrides matches none of the manifests.',
    message: ({ apiVersion, kind }: Kind) =>
      `the entry has no effect: no manifest is of kind ${quote(`${apiVersion} ${kind}`)}`,
    hint: ({ apiVersion, kind, kinds }: Kind & { kinds: readonly string[] }) => {
      const near = nearest(`${apiVersion} ${kind}`, kinds);
      return near === undefined ? 'remove it' : `did you mean ${quote(near)}?`;
    },
    fix: 'Correct apiVersion and kind of the entry, which must match a manifest exactly, or remove it.',
  },
  'scope-namespace': {
    severity: 'error',
    summary: 'A cluster-scoped object has a namespace.',
    message: ({ apiVersion, kind, namespace, property }: Kind & { namespace: string; property: string | undefined }) =>
      `${apiVersion} ${kind} has the namespace ${quote(namespace)} but is cluster-scoped` +
      (property === undefined ? '' : ` according to ${property}`),
    hint: ({ property }: { property: string | undefined }) =>
      property === undefined ? 'remove the namespace' : `remove the namespace or ${property}`,
    fix: 'Remove metadata.namespace from the object. If the kind is namespaced, correct scopeOverrides or clusterScoped instead.',
  },
});
