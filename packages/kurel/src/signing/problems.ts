import { defineProblems, quote, sentence, setting } from '../diagnostics/index.ts';
import type { Message } from '../model/index.ts';

interface OfArtifact {
  /** `oci://host/path@sha256:…` */
  readonly reference: string;
}

interface Refusal extends OfArtifact {
  readonly place: string;
  readonly reason: string;
}

/** Findings about signatures and attestations. */
export const signingProblems = defineProblems(() => ({
  'key-unusable': {
    summary: 'A file with a key or a trusted root cannot be used.',
    message: ({ path, reason }: { path: string; reason: string }) => `cannot use ${quote(path)}: ${reason}`,
    hint: ({ hint }: { hint: Message | undefined }) => hint,
    fix: 'Sign with the private key, such as cosign.key, and verify with the public key, such as cosign.pub. Set COSIGN_PASSWORD to the password of the key.',
  },
  'signature-missing': {
    summary: 'An artifact in a registry has no signature.',
    message: ({ reference }: OfArtifact) => `${reference} is not signed`,
    hint: ({ reference }: OfArtifact) => `check the digest, or sign it: kurel sign ${reference} --key FILE`,
    fix: 'Find out whether this is the artifact that was published: a tag may have been moved to other content. If it is, sign it with kurel sign.',
  },
  'signature-refused': {
    summary: 'A signature of an artifact is not valid, or not of somebody who is trusted.',
    message: ({ reference, place, reason }: Refusal) =>
      `the signature ${quote(place)} of ${reference} does not count: ${reason}`,
    fix: 'Pass the public key or the identity of the signer. If that is the right one, do not use the artifact: it or its signature was changed.',
  },
  'signature-required': {
    summary: 'A profile or fleet file requires a signature that a package does not have.',
    message: ({ reference, match, reason }: OfArtifact & { match: string; reason: string }) =>
      `${reference} must be signed, as ${quote(match)} requires: ${reason}`,
    hint: () => 'use a version that is signed, or let a trusted key or identity sign this one',
    fix: 'Use a version of the package that is signed as spec.signatures requires. Nothing of the package was read.',
  },
  'attestation-missing': {
    summary: 'An artifact has no attestation that says how it was built.',
    message: ({ reference }: OfArtifact) => `${reference} has no provenance of kurel`,
    hint: () => 'attach it with kurel attest when the artifact is published',
    fix: 'Attach the provenance with kurel attest, with the path and flags of the build.',
  },
  'attestation-refused': {
    summary: 'An attestation of an artifact is not valid, or not of somebody who is trusted.',
    message: ({ reference, place, reason }: Refusal) =>
      `the attestation ${quote(place)} of ${reference} does not count: ${reason}`,
    fix: 'Pass the public key or the identity of the signer. If that is the right one, the attestation was changed: attach a new one with kurel attest.',
  },
  'attestation-impossible': {
    summary: 'A build cannot be attested, because others could not repeat it or would see a secret.',
    message: ({ reason }: { reason: string }) => `the build cannot be attested: ${reason}`,
    hint: ({ hint }: { hint: Message | undefined }) => hint,
    fix: 'Build from files in one directory or repository. Put values that are secret into a values file, of which only the digest is attested.',
  },
  'attestation-different': {
    summary: 'The artifact in the registry is not the output of the build that is to be attested.',
    message: ({ path, state }: { path: string; state: FileState }) => `${quote(path)} ${describeState(state)}`,
    hint: () => 'attest with the same files, flags and version of kurel as the artifact was pushed with',
    fix: 'Run kurel attest with the path and flags of the build that was pushed, or push it again.',
  },
  'rebuild-version': {
    summary: 'An artifact was built with another version of kurel.',
    message: ({ attested, own }: { attested: string; own: string }) =>
      `the artifact was built with kurel ${attested}, and this is kurel ${own}`,
    hint: ({ attested }: { attested: string }) => `use kurel ${attested}`,
    fix: 'Verify with the version of kurel that built the artifact. If only this is reported as a warning, the output is the same.',
  },
  'rebuild-input': {
    summary: 'An input of the build differs from the one that is attested.',
    message: ({ input, state }: { input: string; state: InputState }) => `${quote(input)} ${inputStates[state]}`,
    hint: ({ state }: { state: InputState }) =>
      state === 'version'
        ? 'install the version that is attested'
        : 'check out the revision that the artifact was built from',
    fix: sentence`Check out the revision that the artifact was built from, and pass its directory with ${setting('source')}. If it is the right one, the artifact was not built from it.`,
  },
  'rebuild-failed': {
    summary: 'The build that an attestation describes cannot be repeated.',
    message: ({ reason }: { reason: string }) => `the attested build fails: ${reason}`,
    fix: 'See the other findings. An attestation that kurel did not write may have options that do not exist.',
  },
  'rebuild-file': {
    summary: 'A file of an artifact differs from what the attested build gives.',
    message: ({ path, state }: { path: string; state: FileState }) => `${quote(path)} ${describeState(state)}`,
    hint: () => 'do not use the artifact: it is not the output of the attested build',
    fix: 'Do not use the artifact. Its content, or the options in its attestation, were changed after the build.',
  },
}));

/** How an input differs from the attested one. */
type InputState = 'changed' | 'missing' | 'added' | 'version';

const inputStates: Readonly<Record<InputState, string>> = {
  changed: 'differs from the attested input',
  missing: 'is attested as an input, but does not exist',
  added: 'is read by the build, but is not attested as an input',
  version: 'has another version than the attested one',
};

/** How a file of an artifact differs from the build. */
export type FileState =
  | 'missing'
  | 'added'
  /** The fields that differ, or where the text does. */
  | { readonly differs: string };

function describeState(state: FileState): string {
  if (state === 'missing') return 'is not in the artifact, but the build gives it';
  if (state === 'added') return 'is in the artifact, but the build does not give it';
  return `differs from the build: ${state.differs}`;
}
