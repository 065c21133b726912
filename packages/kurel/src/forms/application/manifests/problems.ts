import { defineProblems, quote } from '../../../diagnostics/index.ts';

/** What can be wrong with where manifests come from, and with the manifests themselves. */
export const manifestProblems = defineProblems({
  'manifest-source-missing': {
    severity: 'error',
    summary: 'A component does not say where its manifests are.',
    message: ({ component }: { component: string }) =>
      `component ${quote(component)} does not say where its manifests are`,
    hint: () => 'give it "inline" with the text, "file" with a path in the package, or "url"',
  },
  'manifest-source-several': {
    severity: 'error',
    summary: 'A component says in several ways where its manifests are.',
    message: ({ first, second }: { first: string; second: string }) =>
      `${quote(first)} and ${quote(second)} are both given, and manifests come from one place`,
    hint: () => 'keep one of them; what is in the other is for a component of its own',
  },
  'manifest-pin-vain': {
    severity: 'error',
    summary: 'Manifests that are in the package are pinned by a digest.',
    message: () => '"sha256" pins what a "url" gives, and there is none',
    hint: () => 'take it out: what is in the package changes only with the package',
  },
  'manifest-none': {
    severity: 'error',
    summary: 'A text that should hold manifests holds none.',
    message: ({ source }: { source: string }) => `there is no Kubernetes object in ${source}`,
  },
  'manifest-foreign': {
    severity: 'error',
    summary: 'A document among manifests is no Kubernetes object.',
    message: ({ document, isItem, reason }: { document: number; isItem: boolean; reason: string }) =>
      `${isItem ? 'an item of the List in ' : ''}document ${document + 1} is no Kubernetes object: ${reason}`,
    hint: () => 'give it an apiVersion and a kind, or take it out',
  },
  'manifest-key-boolean': {
    severity: 'warning',
    summary: 'A key of a manifest is a word that Kubernetes reads as true or false.',
    message: ({ word, key }: { word: string; key: string }) =>
      `the key ${quote(word)} is read as ${quote(key)}, as Kubernetes reads it`,
    hint: ({ word }: { word: string }) => `put it in quotes to keep it as written: "${word}"`,
  },
  'manifest-name': {
    severity: 'error',
    summary: 'A manifest has a name or a namespace that Kubernetes does not take.',
    message: ({ what, object, reason }: { what: 'name' | 'namespace'; object: string; reason: string }) =>
      `the ${what} of ${object} ${reason}`,
  },
  'manifest-items': {
    severity: 'error',
    summary: 'An object has a list of items, which clients of Kubernetes take for objects of their own.',
    message: ({ object }: { object: string }) =>
      `${object} has "items", which clients of Kubernetes take for a list of objects`,
    hint: () => 'write the objects as documents of a component of type "manifests"',
  },
});
