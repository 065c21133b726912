import { defineProblems, quote } from '../../diagnostics/index.ts';
import type { Message } from '../../model/index.ts';

interface Reason {
  /** A clause that states the problem and quotes the input. */
  readonly reason: string;
  readonly hint?: Message | undefined;
}

interface Typed {
  readonly type: string;
  /** Target as written, if there is one. */
  readonly target?: string | undefined;
}

export const yamlPatchProblems = defineProblems(() => ({
  'patch-format-unrecognized': {
    summary: 'A patch file is neither a .kpatch file nor a YAML patch.',
    fix: 'Start the file with a header such as `[deployment.web]` for the .kpatch format, or with `- target: …` or `path: value` for YAML. A name that ends in .kpatch or .yaml sets the format.',
    message: ({ word }: { readonly word: string; readonly hint: string }) =>
      `${quote(word)} is not a valid start of a .kpatch file or a YAML patch`,
  },
  'patch-file-invalid': {
    summary: 'A YAML patch file is neither a map of paths nor a list of entries.',
    fix: 'Write either a map of `path: value` or a list of entries with `target` and `patch`.',
    message: ({ reason }: Reason) => reason,
  },
  'yaml-multiple-documents': {
    summary: 'A YAML patch file contains more than one document.',
    fix: 'Combine the documents in one list of entries, or put each in its own file.',
    message: ({ count }: { readonly count: number }) => `a YAML patch file must contain one document, got ${count}`,
    hint: () => 'combine all entries in one list, or use one file per document',
  },
  'patch-entry-invalid': {
    summary: 'An entry of a YAML patch has no `patch`, or a value of the wrong type.',
    fix: 'Write the entry as `target: kind.name` with the paths to change below `patch:`. Add `type: strategic`, `merge` or `json` to use a document instead of paths.',
    message: ({ reason }: Reason) => reason,
  },
  'patch-unknown-key': {
    summary: 'An entry of a YAML patch has an unknown key.',
    fix: 'Use only `target`, `type` and `patch` in an entry. Field paths belong below `patch:`.',
    message: ({ key }: { readonly key: string; readonly hint: string }) => `unknown key ${quote(key)} in a patch entry`,
  },
  'patch-type-unknown': {
    summary: 'The `type` of a YAML patch entry is unknown.',
    fix: 'Set `type` to `strategic`, `merge` or `json`, or remove it for field paths.',
    message: ({ type, target }: Typed & { readonly hint: string }) =>
      `unknown patch type ${type}${target === undefined ? '' : ` for target ${quote(target)}`}`,
  },
  'smp-empty': {
    summary: 'A strategic, merge or JSON patch is empty.',
    fix: 'Add the content below `patch:`, or remove the entry.',
    message: ({ type, target }: Typed) =>
      `the ${type === 'json' ? 'JSON' : type} patch${target === undefined ? '' : ` for ${quote(target)}`} is empty`,
    hint: ({ type }) =>
      type === 'json'
        ? 'add a list of operations below `patch`, or remove the entry'
        : 'add the part of the object to change below `patch`, or remove the entry',
  },
  'smp-target-required': {
    summary: 'A strategic, merge or JSON patch has no target.',
    fix: 'Add `target: kind.name`, with a namespace if several objects match.',
    message: ({ type }: Typed) => `the ${type === 'json' ? 'JSON' : type} patch has no target`,
    hint: () => 'add `target: deployment.web`, or `target: shop/deployment.web` with a namespace',
  },
  'patch-path-syntax': {
    summary: 'A key of a YAML patch is not a valid field path.',
    fix: 'Correct the path. Examples: `spec.replicas`, `spec.containers[name=web].image`, `metadata.annotations["example.com/key"]`.',
    message: ({ key, reason }: Reason & { readonly key: string }) => `${quote(key)} is not a valid path: ${reason}`,
  },
}));
