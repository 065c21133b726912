import { DiagnosticError } from '../../diagnostics/index.ts';
import { isValid, signingProblems } from '../../signing/index.ts';
import type { CheckedArtifact } from '../../signing/index.ts';

/** Throws unless a signature counts. Signatures of others do not matter then: anybody may add some. */
export function refuseUnsigned({ signatures }: CheckedArtifact, reference: string): void {
  if (signatures.some(isValid)) return;
  if (signatures.length === 0) throw new DiagnosticError([signingProblems.create('signature-missing', { reference })]);
  throw new DiagnosticError(
    signatures.flatMap(({ place, verdict }) =>
      'reason' in verdict
        ? [signingProblems.create('signature-refused', { reference, place, reason: verdict.reason })]
        : [],
    ),
  );
}
