import { defineProblems, nearest, pass, passIn, quote, sentence, setting, suggestName } from '../diagnostics/index.ts';
import type { Message } from '../model/index.ts';

/** Where a document of each kind belongs. */
export const documentPlaces: ReadonlyMap<string, Message> = new Map<string, Message>([
  ['ClusterProfile', sentence`${passIn('a profile', 'profile')}`],
  ['Policy', sentence`${passIn('a policy', 'policy')}`],
  [
    'CapabilityDefinition',
    sentence`${passIn('a definition', 'definitions')}, or put it in definitions/ of the package`,
  ],
  ['Package', 'name the file kurel.yaml: it declares the parameters of a package'],
  ['Acceptances', 'name the file kurel.accept.yaml and put it in the directory you build'],
  ['Fleet', 'name the file kurel.fleet.yaml and run kurel fleet list'],
  ['Application', 'name the file app.yaml and build its directory'],
  ['KurelBuild', 'name it in generators of a kustomization, which runs kurel krm'],
  ['KurelValidate', 'name it in transformers of a kustomization, which runs kurel krm'],
]);

/** The kind that a word resembles: a typo, or a missing or additional part. */
export function meantKind(word: string, kinds: readonly string[]): string | undefined {
  return nearest(word, kinds) ?? kinds.find((kind) => word !== '' && (kind.endsWith(word) || word.endsWith(kind)));
}

/** Findings about kurel's own documents. */
export const documentProblems = defineProblems(() => ({
  'document-empty': {
    summary: 'A file that must contain a kurel document is empty or contains something else.',
    message: ({ kind, found: actual }: { kind: string; found: string | undefined }) =>
      actual === undefined
        ? `the document is empty; it must be of kind ${kind}`
        : `the document must be an object of kind ${kind}, got ${actual}`,
    hint: ({ kind, apiVersion }: { kind: string; apiVersion: string }) =>
      `start with apiVersion: ${apiVersion} and kind: ${kind}`,
    fix: 'Write a document with apiVersion, kind, metadata and spec. `kurel schema` prints the schema of each kind.',
  },
  'document-headless': {
    summary: 'A file that must contain a kurel document has neither apiVersion nor kind.',
    message: ({ kind }: { kind: string }) =>
      `required fields "apiVersion" and "kind" are missing: a ${kind} is expected`,
    hint: ({ kind, apiVersion }: { kind: string; apiVersion: string }) =>
      sentence`${passIn('values', 'values')}; a ${kind} starts with apiVersion: ${apiVersion} and kind: ${kind}`,
    fix: sentence`Pass values files with ${setting('values')}, not with ${setting('profile')}, ${setting('policy')} or ${setting('definitions')}. If the file is the right one, add apiVersion and kind.`,
  },
  'document-several': {
    summary: 'A file that must contain one document contains several.',
    message: ({ count }: { count: number }) => `the file must contain one document, got ${count}`,
    hint: () => 'remove everything after "---", or move it to another file',
    fix: 'Keep one document per file: app.yaml, kurel.yaml, a profile, a policy and a CapabilityDefinition are each a file with a single YAML document.',
  },
  'document-kind': {
    summary: 'A document has another kind than expected.',
    message: ({ kind, expected }: { kind: string; expected: string }) => `kind must be ${expected}, got ${quote(kind)}`,
    hint: ({ kind, expected, isForeign }: { kind: string; expected: string; isForeign: boolean }) => {
      if (meantKind(kind, [expected]) !== undefined) return `did you mean ${quote(expected)}?`;
      if (expected !== 'Application' || !isForeign) return documentPlaces.get(kind);
      return 'build manifests with kurel build FILE; in an application, use a component of type passthrough for one object, manifests for several';
    },
    fix: sentence`Correct the kind, or pass the file with the flag for its kind: ${setting('profile')} for a ClusterProfile, ${setting('policy')} for a Policy, ${setting('definitions')} for a CapabilityDefinition, ${setting('values')} for values.`,
  },
  'document-api-version': {
    summary: 'A kurel document has an unknown apiVersion.',
    message: ({ version, expected }: { version: string; expected: string }) =>
      `"apiVersion" must be ${expected}, got ${quote(version)}`,
    fix: 'Set apiVersion to launcher.gokure.dev/v1alpha1, the only version of kurel documents.',
  },
  'capability-trait-unknown': {
    severity: 'warning',
    summary: 'A profile has a capability for an unknown trait.',
    message: ({ type }: { type: string }) => `the capability has no effect: unknown trait ${quote(type)}`,
    hint: ({ type, known: names }: { type: string; known: readonly string[] }) => suggestName(type, names),
    fix: sentence`Correct the key in spec.capabilities, which is a trait or TRAIT.SCOPE. For a custom trait, pass its CapabilityDefinition with ${setting('definitions')}.`,
  },
  'profile-dns-unused': {
    severity: 'warning',
    summary: 'A profile sets allowDNS but does not deny outgoing traffic.',
    message: () => '"allowDNS" has no effect: outgoing traffic is not denied',
    hint: () => 'add "denyEgress: true", or remove "allowDNS"',
    fix: 'Set denyEgress to true in spec.networkPolicies of the profile, or remove allowDNS. Without denyEgress, pods can reach every port.',
  },
  'signature-match-invalid': {
    summary: 'A rule about signatures does not say which packages it is for.',
    message: ({ match }: { match: string }) => `${quote(match)} is not a valid match`,
    hint: () => 'use oci://HOST/PATH, oci://HOST/PATH/* or oci://*',
    fix: 'Name one repository, all repositories below a path with /*, or all of them with oci://*. A tag or digest is not part of it.',
  },
  'signature-signer-missing': {
    summary: 'A rule about signatures has neither keys nor identities.',
    message: () => 'the rule trusts nobody: it has neither keys nor identities',
    hint: () => 'add "keys" with files of public keys, or "identities" and "trustedRoot"',
    fix: 'Add keys with the public keys of the signers, or identities with their issuer and subject.',
  },
  'signature-root-missing': {
    summary: 'A rule about signatures has identities, but no trusted root to verify their certificates with.',
    message: () => 'identities cannot be verified without a trusted root',
    hint: () => 'add "trustedRoot", a file such as trusted_root.json',
    fix: 'Add trustedRoot with the file of the Sigstore instance that certifies the identities.',
  },
  'signature-root-unused': {
    severity: 'warning',
    summary: 'A rule about signatures has a trusted root, but no identities.',
    message: () => '"trustedRoot" has no effect: the rule has no identities',
    hint: () => 'add "identities", or remove "trustedRoot"',
    fix: 'Add identities, or remove trustedRoot: keys are verified without it.',
  },
  'policy-placement': {
    severity: 'warning',
    summary: 'A policy has placement rules, which kurel does not enforce.',
    message: () => '"placement" has no effect: kurel does not enforce where pods run',
    hint: () => 'use "affinity" and "tolerations" of the components',
    fix: 'Remove placement from the policy. Set affinity and tolerations in the components, or enforce placement with an admission policy in the cluster.',
  },
  'policy-trait-unknown': {
    summary: 'A policy has a rule about an unknown trait.',
    message: ({ type }: { type: string }) => `the rule has no effect: unknown trait ${quote(type)}`,
    hint: ({ type, known: names }: { type: string; known: readonly string[] }) => {
      const hint = suggestName(type, names);
      return nearest(type, names) === undefined
        ? sentence`${hint}, or ${pass('definitions', 'FILE')} for a custom trait`
        : hint;
    },
    fix: sentence`Correct the name of the trait in spec.capabilities of the policy. For a custom trait, pass its CapabilityDefinition with ${setting('definitions')}.`,
  },
  'policy-component-unknown': {
    summary: 'A policy has a rule about an unknown component type.',
    message: ({ type }: { type: string }) => `the rule has no effect: unknown component type ${quote(type)}`,
    hint: ({ type, known: names }: { type: string; known: readonly string[] }) => suggestName(type, names),
    fix: 'Correct the type in spec.components of the policy.',
  },
  'policy-volume-type-unknown': {
    summary: 'A policy allows an unknown type of volumes.',
    message: ({ type }: { type: string }) => `the rule has no effect: unknown volume type ${quote(type)}`,
    hint: ({ type, known: names }: { type: string; known: readonly string[] }) => suggestName(type, names),
    fix: 'Correct the type in spec.security.allowedVolumeTypes of the policy. The types are the fields of a volume in a pod, such as configMap.',
  },
  'policy-contradiction': {
    summary: 'Two rules of a policy contradict each other.',
    message: ({ reason }: { reason: string }) => reason,
    hint: () => 'change one of the two rules',
    fix: 'Change one of the two rules, which the finding locates. A default must not exceed its limit, and a trait, kind or group cannot be both allowed or required and forbidden.',
  },
}));
