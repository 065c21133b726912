import { listImages } from '../../index.ts';
import type { JsonObject } from '../../model/index.ts';
import { pushReferrer } from '../../registry/index.ts';
import {
  attachStatement,
  createProvenance,
  createStatement,
  imagesClaim,
  provenanceClaim,
} from '../../signing/index.ts';
import type { SigningKey, StoredArtifact } from '../../signing/index.ts';
import { kurelVersion } from '../kurel-version.ts';
import { imagesToCycloneDx } from '../report/images-to-cyclonedx.ts';
import type { AttestedBuild } from './attested-build.ts';

const billType = 'application/vnd.cyclonedx+json';

/**
 * Attaches to an artifact, signed with a key, how it was built and which images it names. The list of images is also attached as it is,
 * for tools that do not know attestations.
 */
export async function attachAttestations(
  artifact: StoredArtifact,
  { result, provenance }: AttestedBuild,
  key: SigningKey,
): Promise<'written' | 'present'> {
  const { digest } = artifact.manifest;
  const name = result.rendering.facts.name ?? provenance.path;
  const bill = imagesToCycloneDx(listImages(result.rendering), { name, toolVersion: kurelVersion });
  const statements = [
    { predicateType: provenanceClaim, predicate: createProvenance(provenance) },
    { predicateType: imagesClaim, predicate: JSON.parse(bill) as JsonObject },
  ];
  const states = [];
  for (const one of statements) states.push(await attachStatement(artifact, createStatement({ digest, ...one }), key));
  await attachBill(artifact, bill);
  return states.every((state) => state === 'present') ? 'present' : 'written';
}

async function attachBill({ repository, manifest }: StoredArtifact, bill: string): Promise<void> {
  const content = new TextEncoder().encode(bill);
  const subject = { mediaType: manifest.mediaType, digest: manifest.digest, size: manifest.bytes.length };
  // The same content has the same digest, so nothing is attached twice.
  await pushReferrer(repository, { subject, artifactType: billType, content });
}
