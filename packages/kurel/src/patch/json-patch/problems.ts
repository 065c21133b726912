import { defineProblems, sentence, setting } from '../../diagnostics/index.ts';

interface Reason {
  /** A clause that states the problem and quotes the input. */
  readonly reason: string;
  readonly hint?: string | undefined;
}

interface Failed extends Reason {
  /** In quotes, or `the document`. */
  readonly place: string;
}

interface Undone extends Failed {
  /** `remove`, `move to` */
  readonly op: string;
}

export const jsonPatchProblems = defineProblems(() => ({
  'json-patch-invalid': {
    summary: 'A JSON Patch operation (RFC 6902) is malformed.',
    fix: 'Correct the operation: it needs `op` and `path`, `value` for add, replace and test, and `from` for move and copy. Paths are JSON Pointers such as `/spec/replicas`.',
    message: ({ reason }: Reason) => reason,
  },
  'json-patch-path': {
    summary: 'The path of a JSON Patch operation does not exist in the object, or the operation is not possible there.',
    fix: 'Correct the path, or add the missing parent first. JSON Patch does not create parents and selects list items by index only; use a field patch to select an item by name.',
    message: ({ op, place, reason }: Undone) => `cannot ${op} ${place}: ${reason}`,
  },
  'json-patch-test-failed': {
    summary: 'A JSON Patch `test` operation fails because the value differs; the patch is not applied.',
    fix: 'Update the value that the `test` operation expects, or remove the operation. If the object is the wrong one, correct `target`.',
    message: ({ place, reason }: Failed) => `test of ${place} failed: ${reason}`,
  },
  'json-patch-too-large': {
    summary: 'A JSON Patch creates too much data, or nests it too deeply.',
    fix: sentence`Copy less data, or split the patch. Raise \`${setting('maxValues')}\` if the amount is intended.`,
    message: ({ op, place, reason }: Undone) => `cannot ${op} ${place}: ${reason}`,
  },
}));
