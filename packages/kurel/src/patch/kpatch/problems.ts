import { defineProblems, quote } from '../../diagnostics/index.ts';

interface Syntax {
  readonly reason: string;
  readonly hint?: string | undefined;
}

interface NotScalar {
  readonly word: string;
  /** `nested`: the word is a key, and keys or items stand indented below it, as in YAML. */
  readonly kind: 'list' | 'mapping' | 'template' | 'nested';
}

export const kpatchProblems = defineProblems({
  'kpatch-syntax': {
    severity: 'error',
    summary: 'A line of a .kpatch file is not written as headers, keys and values are.',
    message: ({ reason }: Syntax) => reason,
    hint: ({ hint }) => hint,
  },
  'kpatch-colon-space': {
    severity: 'warning',
    summary: 'A key and its value have no blank between them.',
    message: ({ word }: { readonly word: string; readonly hint: string }) =>
      `there is no blank after the \`:\` of ${quote(word)}`,
    hint: ({ hint }) => hint,
  },
  'kpatch-duplicate-key': {
    severity: 'warning',
    summary: 'A section has the same key twice; both are applied, so the later one wins.',
    message: ({ word }: { readonly word: string; readonly inItem: boolean }) =>
      `the key ${quote(word)} is already in this section; this later value wins`,
    hint: ({ inItem }) =>
      inItem ? 'all keys here make one new item; for a second item start a second section' : 'remove one of the two',
  },
  'kpatch-value-not-scalar': {
    severity: 'error',
    summary: 'The value of an entry is a list or a mapping.',
    message: ({ word, kind }: NotScalar) =>
      kind === 'nested'
        ? `what stands indented below the key ${quote(word)} is not its value; an entry takes one scalar on its own line`
        : `the value ${quote(word)} is a ${kind}, but an entry takes one scalar`,
    hint: ({ kind }: NotScalar) => notScalarHints[kind],
  },
});

const elsewhere =
  'set its fields one by one, add items with a section such as `[deployment.web.containers[-]]`, take it from a variable, or write the patch in YAML';

const notScalarHints: Readonly<Record<NotScalar['kind'], string>> = {
  list: `${elsewhere}; a text that starts with a bracket or a dash is quoted`,
  mapping: `${elsewhere}; a text that starts with a brace is quoted`,
  template: 'there are no templates here: a variable is written `${values.name}`; quote the text if braces are meant',
  nested: 'write the whole path in front of the value, as in `spec.replicas: 3`; an empty text is `""`',
};
