import { defineProblems, quote } from '../../diagnostics/index.ts';

interface Reason {
  /** A clause that says what is wrong, with the user's own words in quotes. */
  readonly reason: string;
  readonly hint?: string | undefined;
}

interface Typed {
  readonly type: string;
  /** The target as the user wrote it, when there is one. */
  readonly target?: string | undefined;
}

export const yamlPatchProblems = defineProblems({
  'patch-format-unrecognized': {
    severity: 'error',
    summary: 'A patch file is neither in the kpatch format nor in YAML.',
    message: ({ word }: { readonly word: string; readonly hint: string }) =>
      `${quote(word)} starts neither a kpatch file nor a YAML patch`,
    hint: ({ hint }) => hint,
  },
  'patch-file-invalid': {
    severity: 'error',
    summary: 'A YAML patch file is no mapping of paths and no list of entries.',
    message: ({ reason }: Reason) => reason,
    hint: ({ hint }) => hint,
  },
  'yaml-multiple-documents': {
    severity: 'error',
    summary: 'A YAML patch file holds more than one document.',
    message: ({ count }: { readonly count: number }) =>
      `a YAML patch file holds one document, but this one holds ${count}`,
    hint: () => 'write one list with all entries, or one file for each document',
  },
  'patch-entry-invalid': {
    severity: 'error',
    summary: 'An entry of a YAML patch has no patch, or something in it is not what it has to be.',
    message: ({ reason }: Reason) => reason,
    hint: ({ hint }) => hint,
  },
  'patch-unknown-key': {
    severity: 'error',
    summary: 'An entry of a YAML patch has a key that means nothing there.',
    message: ({ key }: { readonly key: string; readonly hint: string }) =>
      `an entry of a patch has no key ${quote(key)}`,
    hint: ({ hint }) => hint,
  },
  'patch-type-unknown': {
    severity: 'error',
    summary: 'The `type` of an entry of a YAML patch is none that exists.',
    message: ({ type, target }: Typed & { readonly hint: string }) =>
      `${type} is not a type of patch${target === undefined ? '' : ` (target ${quote(target)})`}`,
    hint: ({ hint }) => hint,
  },
  'smp-empty': {
    severity: 'error',
    summary: 'A patch that is a document (`type: strategic`, `merge` or `json`) has nothing in it.',
    message: ({ type, target }: Typed) =>
      `the ${type} patch${target === undefined ? '' : ` for ${quote(target)}`} is empty`,
    hint: ({ type }) =>
      type === 'json'
        ? 'write a list of operations below `patch`, or remove the entry'
        : 'write the part of the object that is to change below `patch`, or remove the entry',
  },
  'smp-target-required': {
    severity: 'error',
    summary: 'A patch that is a document (`type: strategic`, `merge` or `json`) does not say what it is for.',
    message: ({ type }: Typed) => `the ${type} patch has no target`,
    hint: () =>
      'say which object is meant: `target: deployment.web`, or `target: shop/deployment.web` with a namespace',
  },
  'patch-path-syntax': {
    severity: 'error',
    summary: 'A key of a YAML patch is not the path of a field.',
    message: ({ key, reason }: Reason & { readonly key: string }) => `cannot read the path ${quote(key)}: ${reason}`,
    hint: ({ hint }) => hint,
  },
});
