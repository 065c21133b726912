import { compress, writeTar } from '../archive/index.ts';
import type { ArchiveFile } from '../archive/index.ts';
import { digestOf } from '../registry/index.ts';
import { createArtifact, encodeJson } from './create-artifact.ts';
import type { Artifact } from './create-artifact.ts';

/** Flux takes artifacts with this type of config, whatever is in it. */
const configType = 'application/vnd.cncf.flux.config.v1+json';
/** Argo CD takes only layers of images and charts. */
const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip';

/** The output files of a build as an artifact for Flux and Argo CD. Throws a `TarError` for files that cannot be in an archive. */
export async function createRenderedArtifact(
  files: readonly ArchiveFile[],
  annotations: Readonly<Record<string, string>>,
): Promise<Artifact> {
  const tar = writeTar(files);
  // Tools for images expect the digests of the uncompressed layers.
  const config = { architecture: '', os: '', config: {}, rootfs: { type: 'layers', diff_ids: [digestOf(tar)] } };
  return createArtifact({
    config: { mediaType: configType, bytes: encodeJson(config) },
    layers: [{ mediaType: layerType, bytes: await compress(tar) }],
    annotations,
  });
}
