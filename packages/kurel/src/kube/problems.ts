import { defineProblems, didYouMean, nearest, quote } from '../diagnostics/index.ts';

interface DocumentArgs {
  /** The document or item as the user counts: `document 2`, `item 3 of the List in document 2`. */
  readonly what: string;
}

const addType = 'add apiVersion and kind, or remove it from the sources';

export const kubeProblems = defineProblems(() => ({
  'object-skipped': {
    severity: 'warning',
    summary:
      'A document without apiVersion, kind and metadata is not a Kubernetes object and is left out of the output.',
    message: ({ what, reason }: DocumentArgs & { readonly reason: string }) => `${what} is ignored: ${reason}`,
    hint: () => addType,
    fix: 'Add apiVersion and kind if the document is a Kubernetes object. Otherwise move it out of the directory, or remove it from the file.',
  },
  'object-incomplete': {
    summary: 'A document that looks like a Kubernetes object has no apiVersion or no kind.',
    message: ({ what, reason }: DocumentArgs & { readonly reason: string }) =>
      `${what} is not a complete Kubernetes object: ${reason}`,
    hint: ({ misspelled }: { readonly misspelled: readonly Record<'key' | 'meant', string>[] }) =>
      misspelled.length === 0
        ? addType
        : misspelled.map(({ key, meant }) => `write ${quote(meant)} instead of ${quote(key)}`).join(' and '),
    fix: 'Add the missing apiVersion or kind at the top level of the document, or correct its spelling. `kubectl api-resources` lists the values for each kind.',
  },
  'object-not-a-mapping': {
    summary: 'A document or list item that should be a Kubernetes object is a list, a string or a number.',
    message: ({ what, found: type }: DocumentArgs & { readonly found: string }) =>
      `${what} must be a Kubernetes object, got ${type}`,
    hint: () => 'write an object with apiVersion, kind and metadata',
    fix: 'Write each document as an object with apiVersion, kind and metadata. To put several objects in one document, use a List with kind "List" and "items".',
  },
  'list-items-not-a-list': {
    summary: 'The items of a List are not a list.',
    message: ({ what, found: type }: DocumentArgs & { readonly found: string }) =>
      `"items" of the List in ${what} must be a list, got ${type}`,
    hint: () => 'write the objects as a list under "items"',
    fix: 'Write the objects as a list under "items", each starting with "- ".',
  },
  'list-too-deep': {
    summary: 'Lists are nested inside Lists too deeply.',
    message: ({ what, limit }: DocumentArgs & { readonly limit: number }) =>
      `${what} has more than ${limit} nested Lists`,
    hint: () => 'put the objects in one List, or in separate documents',
    fix: 'Put the objects in one List, or write each of them as a separate document.',
  },
  'list-too-long': {
    summary: 'A List has too many items.',
    message: ({ what, limit }: DocumentArgs & { readonly limit: number }) => `${what} has more than ${limit} items`,
    hint: () => 'split it into several files',
    fix: 'Split the List into several files with fewer items each.',
  },
  'sops-list': {
    summary: 'A List is encrypted with SOPS.',
    message: ({ what }: DocumentArgs) =>
      `the List in ${what} is encrypted with SOPS as a whole, so its items cannot be decrypted one by one`,
    hint: () => 'write each object as a file of its own, and encrypt that',
    fix: 'SOPS keeps its metadata in the List, whose items every tool for Kubernetes takes apart. Write each object to a file of its own, and encrypt the files.',
  },
  'sops-together': {
    severity: 'note',
    summary: 'SOPS has encrypted several documents of a file together.',
    message: ({ first, second }: { readonly first: number; readonly second: number }) =>
      `documents ${first} and ${second} are encrypted with SOPS as one file, so "sops decrypt" refuses them in other files`,
    hint: () => 'encrypt each object in a file of its own',
    fix: 'The MAC of SOPS covers all documents of a file. Encrypt each object in a file of its own, so that it can also be decrypted in the file that kurel writes. Flux decrypts the objects all the same, because it does not check the MAC.',
  },
  'label-selector-invalid': {
    summary: 'A label selector has invalid syntax.',
    message: ({ selector, reason }: { readonly selector: string; readonly reason: string }) =>
      `${quote(selector)} is not a valid label selector: ${reason}`,
    hint: () => 'write it as in "app=web,tier in (front,back),!legacy"',
    fix: 'Write the selector as for `kubectl --selector`, for example `app=web,tier in (front,back),!legacy`. In objects, use matchLabels and matchExpressions with the operators In, NotIn, Exists and DoesNotExist.',
  },
  'apply-order-unknown-kind': {
    summary: 'A kind is placed before or after a kind that has no fixed position in the apply order.',
    message: ({ kind }: KnownKindArgs) => `kind ${quote(kind)} has no fixed position in the apply order`,
    hint: ({ kind, known: kinds }: KnownKindArgs) =>
      didYouMean(nearest(kind, kinds)) ?? `use one of ${kinds.join(', ')}`,
    fix: 'Place the kind next to one that has a fixed position, such as Namespace, Service or Deployment.',
  },
}));

interface KnownKindArgs {
  readonly kind: string;
  readonly known: readonly string[];
}
