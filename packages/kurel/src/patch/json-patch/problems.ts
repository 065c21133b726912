import { defineProblems } from '../../diagnostics/index.ts';

interface Reason {
  /** A clause that says what is wrong, with the user's own words in quotes. */
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

export const jsonPatchProblems = defineProblems({
  'json-patch-invalid': {
    severity: 'error',
    summary: 'An operation of a JSON Patch (RFC 6902) is malformed.',
    message: ({ reason }: Reason) => reason,
    hint: ({ hint }) => hint,
  },
  'json-patch-path': {
    severity: 'error',
    summary: 'The path of a JSON Patch operation does not lead to a place where the operation can be done.',
    message: ({ op, place, reason }: Undone) => `cannot ${op} ${place}: ${reason}`,
    hint: ({ hint }) => hint,
  },
  'json-patch-test-failed': {
    severity: 'error',
    summary: 'A `test` operation of a JSON Patch finds another value than it wants, so nothing is changed.',
    message: ({ place, reason }: Failed) => `the test of ${place} failed: ${reason}`,
    hint: ({ hint }) => hint,
  },
  'json-patch-too-large': {
    severity: 'error',
    summary: 'A JSON Patch makes more data, or nests it deeper, than allowed.',
    message: ({ op, place, reason }: Undone) => `cannot ${op} ${place}: ${reason}`,
    hint: ({ hint }) => hint,
  },
});
