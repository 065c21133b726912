import { reportRegistry } from '../../artifact/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { signingProblems } from '../../signing/index.ts';
import type { CommandCall, ExitCode } from '../command.ts';
import type { AttestFlags } from '../commands/attest.ts';
import { createStore } from '../open-schemas.ts';
import { attachAttestations } from './attach-attestations.ts';
import { buildAttested, findRoot, networkWords, wordsOfBuild } from './attested-build.ts';
import { compareFiles } from './compare-files.ts';
import { openArtifact } from './open-artifact.ts';
import { readRendered } from './read-rendered.ts';
import { readKeyFile } from './read-trust.ts';
import { requireKeyFlag } from './signing-flags.ts';

/** Builds, compares with the artifact, and attaches the attestations. Nothing is attested that was not built here. */
export async function runAttest({ positionals, flags, environment }: CommandCall<AttestFlags>): Promise<ExitCode> {
  const [text, path] = positionals;
  const root = findRoot(environment.workingDirectory);
  const words = wordsOfBuild(path!, flags, { environment, root });
  const key = await readKeyFile({ ...flags, key: requireKeyFlag(flags) }, environment);
  const artifact = await openArtifact(text!, { flags, environment }, 'pull,push');
  const stored = await readRendered(artifact);
  const built = await buildAttested(words, { environment, root, own: networkWords(flags, environment) });
  const differences = compareFiles(stored, built.result.files, () => createStore(undefined));
  if (differences.length > 0) {
    throw new DiagnosticError(differences.map((one) => signingProblems.create('attestation-different', one)));
  }
  const state = await reportRegistry(async () => await attachAttestations(artifact, built, key));
  const { reference } = artifact;
  environment.writeStdout(
    state === 'present' ? `${reference} is already attested with this key\n` : `attested ${reference}\n`,
  );
  return 0;
}
