import { reportRegistry } from '../../artifact/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { listImages } from '../../index.ts';
import type { JsonObject } from '../../model/index.ts';
import { pushReferrer } from '../../registry/index.ts';
import {
  attachStatement,
  createProvenance,
  createStatement,
  imagesClaim,
  provenanceClaim,
  signingProblems,
} from '../../signing/index.ts';
import type { SigningKey, StoredArtifact } from '../../signing/index.ts';
import type { CommandCall, CommandResult } from '../command.ts';
import type { AttestFlags } from '../commands/attest.ts';
import { createStore } from '../open-schemas.ts';
import { repositoryOf } from '../open-repository.ts';
import { imagesToCycloneDx } from '../report/images-to-cyclonedx.ts';
import { settingsOf } from '../setting-flags.ts';
import { buildAttested, networkSettings, wordsOfBuild } from './attested-build.ts';
import type { AttestedBuild } from './attested-build.ts';
import { compareFiles, readRendered } from './compare-files.ts';
import { openArtifact } from './open-artifact.ts';
import { readKeyFile } from './read-trust.ts';

/** Builds, compares with the artifact, and attaches the attestations. Nothing is attested that was not built here. */
export async function runAttest({ positionals, flags, environment }: CommandCall<AttestFlags>): Promise<CommandResult> {
  const [text, path] = positionals;
  const root = repositoryOf(environment.workingDirectory);
  const words = wordsOfBuild(path!, settingsOf(flags), { environment, root });
  const key = await readKeyFile(flags, environment);
  const artifact = await openArtifact(text!, { flags, environment }, 'pull,push');
  const stored = await readRendered(artifact);
  const built = await buildAttested(words, { environment, root, own: networkSettings(flags, environment) });
  const differences = compareFiles(stored, built.result.files, () => createStore(undefined));
  if (differences.length > 0) {
    throw new DiagnosticError(
      differences.map((difference) => signingProblems.create('attestation-different', difference)),
    );
  }
  const state = await reportRegistry(async () => await attachAttestations(artifact, built, key));
  const { reference } = artifact;
  return {
    stdout: state === 'present' ? `${reference} is already attested with this key\n` : `attested ${reference}\n`,
  };
}

const billType = 'application/vnd.cyclonedx+json';

/**
 * Attaches to an artifact, signed with a key, how it was built and which images it names. The list of images is also attached as it is,
 * for tools that do not know attestations.
 */
async function attachAttestations(
  artifact: StoredArtifact,
  { result, provenance }: AttestedBuild,
  key: SigningKey,
): Promise<'written' | 'present'> {
  const { digest } = artifact.manifest;
  const name = result.rendering.facts.name ?? provenance.path;
  const bill = imagesToCycloneDx(listImages(result.rendering), name);
  const statements = [
    { predicateType: provenanceClaim, predicate: createProvenance(provenance) },
    { predicateType: imagesClaim, predicate: JSON.parse(bill) as JsonObject },
  ];
  const states = [];
  for (const statement of statements)
    states.push(await attachStatement(artifact, createStatement({ digest, ...statement }), key));
  await attachBill(artifact, bill);
  return states.every((state) => state === 'present') ? 'present' : 'written';
}

async function attachBill({ repository, manifest }: StoredArtifact, bill: string): Promise<void> {
  const content = new TextEncoder().encode(bill);
  const subject = { mediaType: manifest.mediaType, digest: manifest.digest, size: manifest.bytes.length };
  // The same content has the same digest, so nothing is attached twice.
  await pushReferrer(repository, { subject, artifactType: billType, content });
}
