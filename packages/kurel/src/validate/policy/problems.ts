import { defineProblems, quote } from '../../diagnostics/index.ts';
import { showList } from './list-index.ts';

interface OfSubject {
  /** `container "proxy" of apps/v1 Deployment "web"` */
  readonly subject: string;
}

/** Who said a rule. */
interface OfRule {
  /** `security.allowPrivileged` */
  readonly rule: string;
  readonly of: 'platform' | 'application';
}

/** What a policy refuses (ViolationError). */
export const policyProblems = defineProblems({
  'policy-limit': {
    severity: 'error',
    summary: 'Something exceeds a limit of the policy.',
    message: ({ what, found, limit, subject }: OfSubject & OfRule & { what: string; found: string; limit: string }) =>
      `${what} of ${subject} is ${found}, and the policy allows at most ${limit}`,
    hint: ({ rule, of }: OfRule) =>
      of === 'application'
        ? `the application limits itself, with ${nameRule(rule, of)}`
        : `the limit is ${nameRule(rule, of)}`,
  },
  'policy-registry': {
    severity: 'error',
    summary: 'An image or a source comes from a registry or host that the policy does not allow.',
    message: ({ what, source, subject }: OfSubject & { what: 'image' | 'URL'; source: string }) =>
      what === 'image'
        ? `the image ${quote(source)} of ${subject} comes from a registry that the policy does not allow`
        : `the policy does not allow the URL ${quote(source)} of ${subject}`,
    hint: ({ allowed }: { allowed: readonly string[] }) => `allowed: ${showList(allowed)}`,
  },
  'policy-source-unknown': {
    severity: 'warning',
    summary: 'Something comes from a source that is not among the objects, so that its registry is not known.',
    message: ({ kind, name, subject }: OfSubject & { kind: string; name: string }) =>
      `the ${kind} ${quote(name)} of ${subject} is not among the objects, so that nobody knows whether the policy allows its registry`,
    hint: ({ allowed }: { allowed: readonly string[] }) =>
      `write its "url" instead of its name, or see to it that the one on the cluster is of: ${showList(allowed)}`,
  },
  'policy-security': {
    severity: 'error',
    summary: 'A pod asks for something that reaches beyond it, and the policy does not allow it.',
    message: ({ what, subject }: OfSubject & { what: string }) => `${what} of ${subject} is not allowed`,
    hint: ({ rule, of, isWritten }: OfRule & { isWritten: boolean }) => {
      if (of === 'application') return `the application refuses it itself, with ${nameRule(rule, of)}`;
      return isWritten
        ? `the policy would have to say ${nameRule(rule, of)}: true`
        : `a policy can allow it, in the file that --policy names: ${nameRule(rule, of)}: true`;
    },
  },
  'policy-security-unsaid': {
    severity: 'warning',
    summary:
      'A pod outside of an application package is privileged, shares a namespace of its node, is unconfined or adds capabilities, and there is no policy.',
    message: ({ what, subject }: OfSubject & { what: string }) =>
      `${what} of ${subject} gives access to the node, and no policy allows or denies it`,
    hint: ({ rule, capability }: { rule: string; capability?: string }) =>
      capability === undefined
        ? `allow or deny it in a policy, with --policy FILE: ${nameRule(rule, 'platform')}`
        : `allow or deny it in a policy, with --policy FILE: add ${capability} to ${nameRule(rule, 'platform')}`,
  },
  'policy-capability': {
    severity: 'error',
    summary: 'A container adds a capability that is not among those that the policy allows.',
    message: ({ capability, subject }: OfSubject & { capability: string }) =>
      `the capability ${quote(capability)} of ${subject} is not allowed`,
    hint: ({
      allowed,
      capability,
      isWritten,
    }: {
      allowed: readonly string[];
      capability: string;
      isWritten: boolean;
    }) =>
      isWritten
        ? `allowed: ${showList(allowed)}`
        : `to allow it, list ${capability} in ${nameRule('security.allowedCapabilities', 'platform')} of the policy that --policy names`,
  },
  'policy-trait': {
    severity: 'error',
    summary: 'An application has a trait that the policy does not allow, or lacks one that it requires.',
    message: ({
      trait,
      application,
      rule,
    }: {
      trait: string;
      application: string;
      rule: 'allowed' | 'forbidden' | 'required';
    }) =>
      ({
        allowed: `the trait ${quote(trait)} is not among those that the policy allows`,
        forbidden: `the trait ${quote(trait)} is forbidden by the policy`,
        required: `the policy requires the trait ${quote(trait)}, which no component of the application ${quote(application)} has`,
      })[rule],
    hint: ({ allowed }: { allowed: readonly string[] | undefined }) =>
      allowed === undefined ? undefined : `allowed: ${showList(allowed)}`,
  },
  'policy-trait-object': {
    severity: 'error',
    summary: 'An object grants rights, and the policy does not let applications have the trait that does so.',
    message: ({ subject, trait, rule }: OfSubject & { trait: string; rule: string }) =>
      rule === 'forbidden'
        ? `${subject} does what the trait ${quote(trait)} does, which the policy forbids`
        : `${subject} does what the trait ${quote(trait)} does, which is not among the traits that the policy allows`,
    hint: ({ trait }: { trait: string }) => `remove the object, or change what capabilities say about ${quote(trait)}`,
  },
  'policy-object': {
    severity: 'error',
    summary: 'A policy does not allow the kind, the API group, the namespace or the scope of an object.',
    message: ({ subject, what, reason }: OfSubject & { what: string; reason?: string }) =>
      reason === undefined ? `the policy does not allow ${what}: ${subject}` : `${subject} ${reason}`,
    hint: ({ rule, of, allowed, hint }: OfRule & { allowed: readonly string[] | undefined; hint?: string }) =>
      hint ??
      (allowed === undefined
        ? `the rule is ${nameRule(rule, of)}`
        : `allowed by ${nameRule(rule, of)}: ${showList(allowed)}`),
  },
  'policy-unidentified': {
    severity: 'error',
    summary: 'A policy is in force, and it cannot be said what a cluster takes an object for.',
    message: ({ subject, reason }: OfSubject & { reason: string }) =>
      `${subject} cannot be checked against the policy: ${reason}`,
    hint: () => 'write it so that it can be identified; a policy refuses what it cannot check',
  },
  'policy-not-checked': {
    severity: 'warning',
    summary: 'A policy is in force, and a field that could run something could not be checked against it.',
    message: ({ field, subject, reason }: OfSubject & { field: string; reason: string }) =>
      `${quote(field)} of ${subject} is not checked against the policy: ${reason}`,
    hint: () => 'review it yourself, or use a form that can be checked',
  },
  'policy-cannot-allow': {
    severity: 'warning',
    summary: 'A policy of an application allows what the platform does not, and so has no effect.',
    message: ({ rule, policy }: { rule: string; policy: string }) =>
      `${quote(rule)} of the policy ${quote(policy)} has no effect: the platform does not allow it`,
    hint: () => 'policies of an application can only tighten; what is allowed is said in the file that --policy names',
  },
  'policy-default-outranked': {
    severity: 'warning',
    summary: 'A policy of an application gives a default that the platform gives already, and so has no effect.',
    message: ({ rule, policy, outranking }: { rule: string; policy: string; outranking: string }) =>
      `${quote(rule)} of the policy ${quote(policy)} has no effect: the platform says ${outranking}`,
    hint: () => 'take it out; what a component says itself outranks both',
  },
});

function nameRule(rule: string, of: OfRule['of']): string {
  return of === 'platform' ? `spec.${rule}` : `${quote(rule)} of its own policies`;
}
