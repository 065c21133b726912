import { defineProblems, nearest, quote } from '../../../diagnostics/index.ts';
import type { Scope } from '../../../kube/index.ts';

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

const lives: Readonly<Record<Scope, string>> = { Cluster: 'in no namespace', Namespaced: 'in a namespace' };

/** What can be wrong with what is known and said of where objects live. */
export const scopeProblems = defineProblems({
  'scope-unknown': {
    severity: 'error',
    summary: 'Nobody knows whether an object lives in a namespace, and it names none.',
    message: ({ object, others }: { object: string; others: number }) =>
      `${object} names no namespace, and it is not known whether its kind lives in one` +
      (others === 0 ? '' : `; ${others} more of its kind ${others === 1 ? 'is' : 'are'} like it`),
    hint: ({ apiVersion, kind }: Kind) =>
      'add the CustomResourceDefinition to the same manifests, name a namespace, or say it in the properties:\n' +
      `  scopeOverrides:\n  - apiVersion: ${apiVersion}\n    kind: ${kind}\n    scope: Cluster  # or Namespaced`,
  },
  'scope-contradicted': {
    severity: 'error',
    summary: 'Something says that objects of a kind live where they are known not to live.',
    message: ({ property, apiVersion, kind, known }: Kind & { property: string; known: Scope }) =>
      `${property} says that ${apiVersion} ${kind} lives ${lives[known === 'Cluster' ? 'Namespaced' : 'Cluster']}, ` +
      `and it is known to live ${lives[known]}`,
    hint: () => 'take it out',
  },
  'scope-said-twice': {
    severity: 'error',
    summary: 'Two overrides say where objects of one kind live.',
    message: ({ apiVersion, kind }: Kind) => `"scopeOverrides" has ${apiVersion} ${kind} twice`,
    hint: () => 'keep one of them',
  },
  'scope-said-in-vain': {
    severity: 'warning',
    summary: 'An override says where objects of a kind live that is not among the manifests.',
    message: ({ apiVersion, kind }: Kind) => `no manifest is of ${quote(`${apiVersion} ${kind}`)}`,
    hint: ({ apiVersion, kind, kinds }: Kind & { kinds: readonly string[] }) => {
      const near = nearest(`${apiVersion} ${kind}`, kinds);
      return near === undefined ? 'take it out' : `did you mean ${near}?`;
    },
  },
  'scope-namespace': {
    severity: 'error',
    summary: 'An object that is said to live in no namespace names one.',
    message: ({ apiVersion, kind, namespace, property }: Kind & { namespace: string; property: string | undefined }) =>
      `this ${apiVersion} ${kind} names the namespace ${quote(namespace)}, and ` +
      (property === undefined ? 'its kind lives in none' : `${property} says that its kind lives in none`),
    hint: ({ property }: { property: string | undefined }) =>
      property === undefined ? 'take the namespace out' : 'take one of the two out',
  },
});
