import { countNoun, defineProblems, didYouMean, nearest, quote } from '../../../diagnostics/index.ts';
import type { Scope } from '../../../kube/index.ts';

export const manifestProblems = defineProblems(() => ({
  'manifest-none': {
    summary: 'A source of manifests contains no Kubernetes object.',
    message: ({ source }: { source: string }) => `${source} contains no Kubernetes object`,
    fix: 'Add at least one manifest, or remove the component. Check that the path or URL is the intended one.',
  },
  'manifest-foreign': {
    summary: 'A document among manifests is not a Kubernetes object.',
    message: ({ document, isItem, reason }: { document: number; isItem: boolean; reason: string }) =>
      `${isItem ? 'an item of the List in ' : ''}document ${document + 1} is not a Kubernetes object: ${reason}`,
    hint: () => 'add apiVersion and kind, or remove it',
    fix: 'Add apiVersion and kind to the document, or remove it from the manifests.',
  },
  'manifest-key-boolean': {
    severity: 'warning',
    summary: 'A key of a manifest is a word that Kubernetes reads as a boolean.',
    message: ({ word, key }: { word: string; key: string }) =>
      `Kubernetes reads the key ${quote(word)} as ${quote(key)}`,
    hint: ({ word }: { word: string }) => `quote it to keep it as written: "${word}"`,
    fix: 'Quote keys such as y, yes, no, on and off: YAML 1.1, which Kubernetes uses, reads them as booleans.',
  },
  'manifest-name': {
    summary: 'The name or namespace of a manifest is not valid.',
    message: ({ what, object, reason }: { what: 'name' | 'namespace'; object: string; reason: string }) =>
      `the ${what} of ${object} ${reason}`,
    fix: 'Correct metadata.name or metadata.namespace in the manifest.',
  },
  'manifest-items': {
    summary: 'An object that is not a List has an items field, which Kubernetes clients read as a list of objects.',
    message: ({ object }: { object: string }) => `Kubernetes clients read "items" of ${object} as a list of objects`,
    hint: () => 'write the objects as documents of a component of type "manifests"',
    fix: 'Use a component of type manifests, and write each object of the list as a document of its own.',
  },
}));

type Kind = Readonly<Record<'apiVersion' | 'kind', string>>;

const adjectives: Readonly<Record<Scope, string>> = { Cluster: 'cluster-scoped', Namespaced: 'namespaced' };

export const scopeProblems = defineProblems(() => ({
  'scope-unknown': {
    summary: 'An object has no namespace, and the scope of its kind is unknown.',
    message: ({ object, others }: { object: string; others: number }) =>
      `the scope of ${object} is unknown, and it has no namespace` +
      (others === 0 ? '' : `; the same applies to ${countNoun(others, 'more object')} of its kind`),
    hint: ({ apiVersion, kind }: Kind) =>
      'add the CustomResourceDefinition to the same manifests, set a namespace, or add to the properties:\n' +
      `  scopeOverrides:\n  - apiVersion: ${apiVersion}\n    kind: ${kind}\n    scope: Cluster  # or Namespaced`,
    fix: 'Tell kurel whether the kind is namespaced: add its CustomResourceDefinition to the same manifests, set metadata.namespace, or declare the scope in scopeOverrides.',
  },
  'scope-contradicted': {
    summary: 'A property contradicts the known scope of a kind.',
    message: ({ property, apiVersion, kind, known: scope }: Kind & { property: string; known: Scope }) =>
      `${property} contradicts the scope of ${apiVersion} ${kind}, which is ${adjectives[scope]}`,
    hint: () => 'remove it',
    fix: 'Remove the entry from scopeOverrides, or clusterScoped. The scope of built-in kinds and of kinds with a CustomResourceDefinition is known.',
  },
  'scope-said-twice': {
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
    hint: ({ apiVersion, kind, kinds }: Kind & { kinds: readonly string[] }) =>
      didYouMean(nearest(`${apiVersion} ${kind}`, kinds)) ?? 'remove it',
    fix: 'Correct apiVersion and kind of the entry, which must match a manifest exactly, or remove it.',
  },
  'scope-namespace': {
    summary: 'A cluster-scoped object has a namespace.',
    message: ({ apiVersion, kind, namespace, property }: Kind & { namespace: string; property: string | undefined }) =>
      `${apiVersion} ${kind} has the namespace ${quote(namespace)} but is cluster-scoped` +
      (property === undefined ? '' : ` according to ${property}`),
    hint: ({ property }: { property: string | undefined }) =>
      property === undefined ? 'remove the namespace' : `remove the namespace or ${property}`,
    fix: 'Remove metadata.namespace from the object. If the kind is namespaced, correct scopeOverrides or clusterScoped instead.',
  },
}));
