// takes:   an artifact of a registry, keys and trusted identities, what a build read
// gives:   signatures and attestations in the formats of cosign, in-toto and SLSA; who signed an artifact, or why a signature does not count
// refuses: signatures of others, of other artifacts and repositories, changed content; it has no keys, clock or network of its own
export type { CheckedArtifact, CheckedSignature, Trust } from './verify-artifact.ts';
export { createRule, isRequired, isRuleMatch } from './signature-rule.ts';
export type { Identity, SignatureRule } from './signature-rule.ts';
export type { SigningKey, VerificationKey } from './sigstore-bundle.ts';
export { signingProblems } from './problems.ts';
export type { FileState } from './problems.ts';
export { createProvenance, keyOfInput, readProvenance } from './provenance.ts';
export type { BuildInput, BuildProvenance } from './provenance.ts';
export { attachStatement, signArtifact } from './sign-artifact.ts';
export type { StoredArtifact } from './sign-artifact.ts';
export { isValid, verifyArtifact } from './verify-artifact.ts';
export { createStatement, imagesClaim, provenanceClaim, signatureClaim } from './sigstore-bundle.ts';
