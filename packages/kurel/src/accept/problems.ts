import { defineProblems, nearest, quote } from '../diagnostics/index.ts';

interface Named {
  readonly code: string;
  /** `--accept` or the file, for findings that have no position. */
  readonly source: string;
}

export const acceptProblems = defineProblems({
  'acceptance-code-unknown': {
    severity: 'error',
    summary: 'An acceptance names a code that kurel never reports.',
    message: ({ code }: Named) => `unknown code ${quote(code)} in an acceptance`,
    hint: ({ code, known }: { code: string; known: readonly string[] }) => {
      const near = nearest(code, known);
      return near === undefined ? 'use the code in the brackets of the finding' : `did you mean ${quote(near)}?`;
    },
  },
  'acceptance-object-invalid': {
    severity: 'error',
    summary: 'The object of an acceptance has no kind or no name.',
    message: ({ object }: { object: string }) => `${quote(object)} does not name an object`,
    hint: () => 'write kind/name or namespace/kind/name, such as deployment/web or shop/deployment/web',
  },
  'acceptance-refused': {
    severity: 'error',
    summary: 'An acceptance names a finding that cannot be accepted, or not in a file.',
    message: ({ code, isForUsers }: Named & { isForUsers: boolean }) =>
      isForUsers ? `${quote(code)} cannot be accepted in a file` : `${quote(code)} cannot be accepted`,
    hint: ({ code, isPolicy, isForUsers }: Named & { isPolicy: boolean; isForUsers: boolean }) => {
      if (isForUsers)
        return `pass --accept ${code}=OBJECT; only the one who builds can accept what a policy did not check`;
      return isPolicy
        ? 'change the object or the policy; an acceptance never lifts a policy error'
        : 'fix the cause; only warnings and validation errors can be accepted';
    },
  },
  'acceptance-unused': {
    severity: 'warning',
    summary: 'An acceptance matches no finding.',
    message: ({ code, object }: { code: string; object: string | undefined }) =>
      `no finding ${quote(code)}${object === undefined ? '' : ` about ${quote(object)}`} to accept`,
    hint: () => 'remove the acceptance',
  },
});
