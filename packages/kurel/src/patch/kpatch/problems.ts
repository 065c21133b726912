import { defineProblems, quote } from '../../diagnostics/index.ts';
import type { Message } from '../../model/index.ts';

interface Syntax {
  readonly reason: string;
  readonly hint?: Message | undefined;
}

interface NotScalar {
  readonly word: string;
  /** `nested`: the word is a key with keys or items indented below it, as in YAML. */
  readonly kind: 'list' | 'object' | 'template' | 'nested';
}

export const kpatchProblems = defineProblems(() => ({
  'kpatch-syntax': {
    summary: 'A line of a .kpatch file is not a valid header or entry.',
    fix: 'Correct the line as the message describes. A .kpatch file contains headers such as `[deployment.web]`, entries such as `spec.replicas: 3` and comments that start with `#`.',
    message: ({ reason }: Syntax) => reason,
  },
  'kpatch-colon-space': {
    severity: 'warning',
    summary: 'The space after the colon of an entry is missing.',
    fix: 'Put a space after the colon, or run `kurel fmt`, which adds it.',
    message: ({ word }: { readonly word: string; readonly hint: string }) =>
      `a space is missing after \`:\` in ${quote(word)}`,
  },
  'kpatch-duplicate-key': {
    severity: 'warning',
    summary: 'A section contains the same key twice; the later value wins.',
    fix: 'Remove one of the entries. To add two items to a list, use a section for each.',
    message: ({ word }: { readonly word: string; readonly inItem: boolean }) =>
      `duplicate key ${quote(word)} in this section; the later value wins`,
    hint: ({ inItem }) =>
      inItem ? 'add another section to add another item: all keys here form one item' : 'remove one of them',
  },
  'kpatch-value-not-scalar': {
    summary: 'The value of an entry is a list or an object.',
    fix: 'Set each field on its own line with its full path, add list items with a section such as `[deployment.web.containers[-]]`, or write the patch in YAML. Quote a string that starts with a bracket, brace or dash.',
    message: ({ word, kind }: NotScalar) =>
      kind === 'nested'
        ? `the key ${quote(word)} has indented lines below it, but an entry accepts only a scalar on its own line`
        : `the value ${quote(word)} is ${kind === 'object' ? 'an' : 'a'} ${kind}, but an entry accepts only a scalar`,
    hint: ({ kind }: NotScalar) => notScalarHints[kind],
  },
}));

const elsewhere =
  'set its fields one by one, add items with a section such as `[deployment.web.containers[-]]`, use a variable, or write the patch in YAML';

const notScalarHints: Readonly<Record<NotScalar['kind'], string>> = {
  list: `${elsewhere}; quote a string that starts with a bracket or a dash`,
  object: `${elsewhere}; quote a string that starts with a brace`,
  template: 'use a variable such as `${values.name}`: patches have no templates; quote a string that contains braces',
  nested: 'use the full path on each line, as in `spec.replicas: 3`, or `""` for an empty string',
};
