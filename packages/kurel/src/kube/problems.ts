import { defineProblems, nearest, quote } from '../diagnostics/index.ts';

interface DocumentArgs {
  /** What is meant, as the user counts: `document 2`, `item 3 of the List in document 2`. */
  readonly what: string;
}

interface MisspeltKey {
  readonly key: string;
  readonly meant: string;
}

export const kubeProblems = defineProblems({
  'object-skipped': {
    severity: 'warning',
    summary: 'A document without apiVersion, kind and metadata is no Kubernetes object and does not reach the output.',
    message: ({ what, reason }: DocumentArgs & { readonly reason: string }) => `${what} is skipped: ${reason}`,
    hint: () => 'give it an apiVersion and a kind, or take it out of the sources',
  },
  'object-incomplete': {
    severity: 'error',
    summary: 'A document that looks like a Kubernetes object lacks its apiVersion or its kind.',
    message: ({ what, reason }: DocumentArgs & { readonly reason: string }) =>
      `${what} is not a complete Kubernetes object: ${reason}`,
    hint: ({ misspelt }: { readonly misspelt: readonly MisspeltKey[] }) =>
      misspelt.length === 0
        ? 'give it an apiVersion and a kind, or take it out of the sources'
        : misspelt.map(({ key, meant }) => `write ${quote(meant)} in place of ${quote(key)}`).join(' and '),
  },
  'object-not-a-mapping': {
    severity: 'error',
    summary: 'A document that should be a Kubernetes object is a list, a text or a number.',
    message: ({ what, found }: DocumentArgs & { readonly found: string }) =>
      `${what} is ${found}, not a Kubernetes object`,
    hint: () => 'a Kubernetes object is a mapping with apiVersion, kind and metadata',
  },
  'list-items-not-a-list': {
    severity: 'error',
    summary: 'The items of a List are something other than a list.',
    message: ({ what, found }: DocumentArgs & { readonly found: string }) =>
      `"items" of the List in ${what} is ${found}, not a list`,
    hint: () => 'write the objects as a list under "items"',
  },
  'list-too-deep': {
    severity: 'error',
    summary: 'Lists inside Lists go deeper than any real file.',
    message: ({ what, limit }: DocumentArgs & { readonly limit: number }) =>
      `${what} has more than ${limit} Lists inside one another`,
    hint: () => 'put the objects into one List, or into documents of their own',
  },
  'list-too-long': {
    severity: 'error',
    summary: 'A List holds more items than any real file.',
    message: ({ what, limit }: DocumentArgs & { readonly limit: number }) => `${what} holds more than ${limit} items`,
    hint: () => 'split it into several files',
  },
  'label-selector-invalid': {
    severity: 'error',
    summary: 'A label selector cannot be read.',
    message: ({ selector, reason }: { readonly selector: string; readonly reason: string }) =>
      `label selector ${quote(selector)} is invalid: ${reason}`,
    hint: () => 'write it as in "app=web,tier in (front,back),!legacy"',
  },
  'apply-order-unknown-kind': {
    severity: 'error',
    summary: 'A kind is to be ordered before or after a kind that has no place of its own in the apply order.',
    message: ({ kind }: KnownKindArgs) => `kind ${quote(kind)} has no place of its own in the apply order`,
    hint: ({ kind, known }: KnownKindArgs) => {
      const meant = nearest(kind, known);
      return meant === undefined ? `name one of ${known.join(', ')}` : `did you mean ${quote(meant)}?`;
    },
  },
});

interface KnownKindArgs {
  readonly kind: string;
  readonly known: readonly string[];
}
