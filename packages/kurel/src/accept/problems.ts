import { defineProblems, didYouMean, nearest, pass, quote, sentence, setting } from '../diagnostics/index.ts';

interface Named {
  readonly code: string;
}

export const acceptProblems = defineProblems(() => ({
  'acceptance-code-unknown': {
    summary: 'An acceptance names a code that does not exist.',
    message: ({ code }: Named) => `unknown code ${quote(code)} in an acceptance`,
    hint: ({ code, codes }: { code: string; codes: readonly string[] }) =>
      didYouMean(nearest(code, codes)) ?? 'use the code in the brackets of the finding',
    fix: 'Copy the code from the brackets of the finding, for example `field-unknown` from `error[field-unknown]`.',
  },
  'acceptance-object-invalid': {
    summary: 'The object of an acceptance has no kind or no name.',
    message: ({ object }: { object: string }) => `${quote(object)} is not a valid object name`,
    hint: () => 'write kind/name or namespace/kind/name, such as deployment/web or shop/deployment/web',
    fix: 'Write the object as kind/name or namespace/kind/name, for example deployment/web or shop/deployment/web. Leave the object out to accept the finding everywhere.',
  },
  'acceptance-refused': {
    summary: sentence`An acceptance names a finding that cannot be accepted at all, or only with ${setting('accept')}.`,
    message: ({ code, isForUsers }: Named & { isForUsers: boolean }) =>
      isForUsers ? `${quote(code)} cannot be accepted in a file` : `${quote(code)} cannot be accepted`,
    hint: ({ code, isPolicy, isForUsers }: Named & { isPolicy: boolean; isForUsers: boolean }) => {
      if (isForUsers)
        return sentence`${pass('accept', `${code}=OBJECT`)}; a package cannot accept its own gaps in a policy check`;
      return isPolicy
        ? 'change the object or the policy; policy errors cannot be accepted'
        : 'fix the cause; only warnings and validation errors can be accepted';
    },
    fix: sentence`Remove the acceptance and fix the cause of the finding. If the message says that it cannot be accepted in a file, pass it on the command line instead: ${setting('accept', 'CODE=OBJECT')}.`,
  },
  'acceptance-unused': {
    severity: 'warning',
    isBrief: true,
    summary: 'An acceptance matches no finding.',
    message: ({ code, object }: { code: string; object: string | undefined }) =>
      `no finding ${quote(code)}${object === undefined ? '' : ` about ${quote(object)}`} to accept`,
    hint: () => 'remove the acceptance',
    fix: 'Remove the acceptance if the finding is fixed. Otherwise check the spelling of its object and its namespace.',
  },
}));
