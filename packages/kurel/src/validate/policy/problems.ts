import { defineProblems, listFirst, pass, quote, sentence, setting } from '../../diagnostics/index.ts';
import type { Message } from '../../model/index.ts';

interface OfSubject {
  /** `container "proxy" of apps/v1 Deployment "web"` */
  readonly subject: string;
}

interface OfRule {
  /** `security.allowPrivileged` */
  readonly rule: string;
  /** Whose policy has the rule. */
  readonly of: 'platform' | 'application';
}

interface OfType {
  readonly type: string;
  readonly application: string;
  readonly rule: 'allowed' | 'forbidden' | 'required';
  /** The other types, if the policy lists them. */
  readonly allowed: readonly string[] | undefined;
}

/** Violations of a policy. */
export const policyProblems = defineProblems(() => ({
  'policy-limit': {
    summary: 'A value exceeds a limit of the policy.',
    message: ({ what, amount, limit, subject }: OfSubject & OfRule & { what: string; amount: string; limit: string }) =>
      `${what} of ${subject} must be at most ${limit} by policy, got ${amount}`,
    hint: ({ rule, of, isEndless }: OfRule & { isEndless?: boolean }) =>
      isEndless === true ? 'set a limit' : `lower it, or raise ${nameRule(rule, of)}`,
    fix: sentence`Lower the value, or raise the limit under spec.enforced of the policy that ${setting('policy')} names. Application policies can only lower limits.`,
  },
  'policy-limit-missing': {
    severity: 'warning',
    summary: 'A policy limits an amount, and an object leaves it unlimited.',
    message: ({ what, limit, subject }: OfSubject & { what: string; limit: string }) =>
      `${subject} has no ${what}, so it may exceed the ${limit} of the policy`,
    hint: ({ rule }: { rule: string }) => `set it, or make sure that a LimitRange or quota enforces ${rule}`,
    fix: sentence`Set the limit. In application packages, a policy can set it with spec.defaults.cpuLimit and memoryLimit. If a LimitRange or a ResourceQuota of the cluster enforces it, accept the finding with ${setting('accept')}.`,
  },
  'policy-registry': {
    summary: 'An image or a source comes from a registry or host that the policy does not allow.',
    message: ({ what, source, subject }: OfSubject & { what: 'image' | 'URL'; source: string }) =>
      what === 'image'
        ? `image ${quote(source)} of ${subject} comes from a registry that the policy does not allow`
        : `URL ${quote(source)} of ${subject} is not allowed by the policy`,
    hint: ({ what, allowed }: { what: 'image' | 'URL'; allowed: readonly string[] }) =>
      `use one of the allowed ${what === 'image' ? 'registries' : 'sources'}: ${showList(allowed)}`,
    fix: 'Use an image or source from an allowed registry, or add the registry to spec.enforced.allowedRegistries of the policy. If the policy has spec.enforced.allowedSources, sources are compared with that list instead.',
  },
  'policy-source-unknown': {
    severity: 'warning',
    summary: 'An object uses a source that is not part of the build, so its host cannot be checked against the policy.',
    message: ({ kind, name, subject }: OfSubject & { kind: string; name: string }) =>
      `${kind} ${quote(name)} of ${subject} is not part of this build, so its host is not checked against the policy`,
    hint: ({ allowed }: { allowed: readonly string[] }) =>
      `set "url" instead of the name, or make sure the one in the cluster uses an allowed host: ${showList(allowed)}`,
    fix: 'Add the source object to the build so that its URL is checked; in an application package, set "url" instead of the name. Otherwise check the source in the cluster yourself.',
  },
  'policy-security': {
    summary: 'A setting gives a pod or an object access beyond itself, and the policy does not allow it.',
    message: ({ what, subject, must }: OfSubject & { what: string; must?: string | undefined }) =>
      `${what} of ${subject} ${must === undefined ? 'is not allowed' : `must ${must} by policy`}`,
    hint: ({
      rule,
      of,
      isWritten,
      must,
      value,
    }: OfRule & { isWritten: boolean; must?: string | undefined; value?: string }) => {
      const change = must === undefined ? 'remove it' : 'set it';
      if (of === 'application') return `${change}, or change ${nameRule(rule, of)}`;
      if (value !== undefined) return `${change}, or add ${value} to ${nameRule(rule, of)}`;
      return isWritten
        ? `${change}, or set ${nameRule(rule, of)} to true`
        : sentence`${change}, or set spec.${rule}: true in a policy that you pass with ${setting('policy', 'FILE')}`;
    },
    fix: sentence`Remove or change the setting. To allow it, change the rule in the hint under spec.security of the policy that ${setting('policy')} names.`,
  },
  'policy-security-unsaid': {
    severity: 'warning',
    summary:
      'There is no policy, and a pod is privileged, shares a namespace, a port or a path of its node, is unconfined or adds capabilities.',
    message: ({ what, subject }: OfSubject & { what: string }) =>
      `${what} of ${subject} gives access to the node, and no policy allows or denies it`,
    hint: ({ rule, capability }: { rule: string; capability?: string }) =>
      capability === undefined
        ? sentence`${pass('policy', 'FILE')} with a policy that sets spec.${rule}`
        : sentence`${pass('policy', 'FILE')} with a policy that has ${capability} in spec.${rule}`,
    fix: sentence`Remove the setting, or write a Policy that allows or denies it under spec.security and pass it with ${setting('policy', 'FILE')}.`,
  },
  'policy-capability': {
    summary: 'A container adds a Linux capability that the policy does not allow.',
    message: ({ capability, subject }: OfSubject & { capability: string }) =>
      `capability ${quote(capability)} of ${subject} is not allowed`,
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
        ? `use only allowed capabilities: ${showList(allowed)}`
        : sentence`remove it, or add ${capability} to spec.security.allowedCapabilities of a policy that you pass with ${setting('policy', 'FILE')}`,
    fix: 'Remove the capability from securityContext.capabilities.add, or add it to spec.security.allowedCapabilities of the policy. Without such a list, the capabilities of the baseline Pod Security Standard are allowed.',
  },
  'policy-component': {
    summary: 'An application has a component of a type that the policy does not allow.',
    message: ({ type, rule }: OfType) =>
      `component type ${quote(type)} is ${rule === 'forbidden' ? 'forbidden' : 'not allowed'} by the policy`,
    hint: ({ allowed }: OfType) =>
      allowed === undefined ? undefined : `use one of the allowed types: ${showList(allowed)}`,
    fix: 'Use another component type in app.yaml, or change spec.components of the policy.',
  },
  'policy-trait': {
    summary: 'An application has a trait that the policy does not allow, or lacks one that it requires.',
    message: ({ type, application, rule }: OfType) =>
      ({
        allowed: `trait ${quote(type)} is not allowed by the policy`,
        forbidden: `trait ${quote(type)} is forbidden by the policy`,
        required: `the policy requires trait ${quote(type)}, but no component of application ${quote(application)} has it`,
      })[rule],
    hint: ({ allowed }: OfType) =>
      allowed === undefined ? undefined : `use one of the allowed traits: ${showList(allowed)}`,
    fix: 'Remove or add the trait in app.yaml, or change spec.capabilities of the policy.',
  },
  'policy-trait-object': {
    summary: 'An object grants permissions, although the policy does not allow the trait that grants permissions.',
    message: ({ subject, trait, rule }: OfSubject & { trait: string; rule: string }) =>
      `${subject} has the same effect as trait ${quote(trait)}, which the policy ${rule === 'forbidden' ? 'forbids' : 'does not allow'}`,
    hint: ({ trait }: { trait: string }) => `remove the object, or allow trait ${quote(trait)} in "capabilities"`,
    fix: 'Remove the RBAC object. To allow such objects, add the trait to spec.capabilities.allowed of the policy, or remove it from spec.capabilities.forbidden.',
  },
  'policy-object': {
    summary: 'The policy does not allow the kind, API group, namespace or scope of an object.',
    message: ({ subject, what, reason }: OfSubject & { what: string; reason?: string }) =>
      reason === undefined ? `the policy does not allow ${what}: ${subject}` : `${subject} ${reason}`,
    hint: ({ rule, of, allowed, hint }: OfRule & { allowed: readonly string[] | undefined; hint?: Message }) =>
      hint ??
      (allowed === undefined
        ? `remove the object, or change ${nameRule(rule, of)}`
        : `use one of ${nameRule(rule, of)}: ${showList(allowed)}`),
    fix: 'Remove the object or move it to an allowed namespace, or change the rule in the hint under spec.objects of the policy.',
  },
  'policy-encrypted': {
    summary: 'A field that could run something or give access is encrypted with SOPS, so the policy cannot check it.',
    message: ({ field, subject }: { readonly field: string; readonly subject: string }) =>
      `${quote(field)} of ${subject} is encrypted, so the policy cannot check it`,
    hint: () => 'encrypt only the data of Secrets and ConfigMaps, with encrypted_regex in .sops.yaml',
    fix: "Encrypt only the data of Secrets and ConfigMaps: `sops encrypt --encrypted-regex '^(data|stringData)$'`. A policy fails closed: what it cannot read could be what it forbids.",
  },
  'policy-unidentified': {
    summary: 'A policy is in force, and an object cannot be identified well enough to check it.',
    message: ({ subject, reason }: OfSubject & { reason: string }) =>
      `${subject} cannot be checked against the policy: ${reason}`,
    hint: () => 'correct or remove it: with a policy, objects that cannot be checked are errors',
    fix: 'Give the object a valid apiVersion and kind, and split lists into separate objects. A policy rejects every object that it cannot check.',
  },
  'policy-not-checked': {
    severity: 'warning',
    summary: 'A policy is in force, and a field that could run something cannot be checked against it.',
    message: ({ field, subject, reason }: OfSubject & { field: string; reason: string }) =>
      `${quote(field)} of ${subject} is not checked against the policy: ${reason}`,
    hint: () => 'review it yourself, or use a form that can be checked',
    fix: sentence`Review the field yourself and accept the warning, or replace it: render charts with kurel, write embedded objects as separate manifests, and pass the schema of the kind with ${setting('crds')}.`,
  },
  'policy-cannot-allow': {
    severity: 'warning',
    summary:
      'A policy of an application allows something that the platform policy does not allow, so it has no effect.',
    message: ({ rule, policy }: { rule: string; policy: string }) =>
      `${quote(rule)} of policy ${quote(policy)} has no effect: the platform policy does not allow it`,
    hint: () =>
      sentence`remove it, or allow it in the policy that ${setting('policy')} names: application policies can only tighten`,
    fix: sentence`Remove the rule from the policy of the application, or allow it in the platform policy that ${setting('policy')} names. Application policies can only add restrictions.`,
  },
  'policy-default-outranked': {
    severity: 'warning',
    summary: 'A policy of an application sets a default that the platform policy also sets, so it has no effect.',
    message: ({ rule, policy, outranking }: { rule: string; policy: string; outranking: string }) =>
      `${quote(rule)} of policy ${quote(policy)} has no effect: the platform policy sets ${outranking}`,
    hint: () => 'remove it, or set the value on the component, which overrides both',
    fix: 'Remove the default from the policy of the application. To override the platform default, set the value on the component.',
  },
}));

function nameRule(rule: string, of: OfRule['of']): string {
  return of === 'platform' ? `spec.${rule} of the policy` : `${quote(rule)} of the application's own policy`;
}

const shownEntries = 20;

/** The entries for a hint; a policy may list thousands. */
function showList(list: readonly string[]): string {
  return list.length === 0 ? 'none' : listFirst(list, shownEntries);
}
