import { reportRegistry } from '../../artifact/index.ts';
import { readArchive, TarError } from '../../archive/index.ts';
import type { ArchiveFile } from '../../archive/index.ts';
import { isJsonArray } from '../../model/index.ts';
import { readDescriptor, refuseContent } from '../../registry/index.ts';
import type { OpenedArtifact } from './open-artifact.ts';

const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip';
const largestLayer = 100 * 1_048_576;

/** The files of an artifact with the output of a build, as kurel push --rendered writes it. */
export async function readRendered({
  repository,
  manifest,
  reference,
}: Pick<OpenedArtifact, 'repository' | 'manifest' | 'reference'>): Promise<readonly ArchiveFile[]> {
  return await reportRegistry(async () => {
    const { layers } = manifest.data;
    const [layer, ...others] = isJsonArray(layers) ? layers.map((one) => readDescriptor(one, reference)) : [];
    if (layer?.mediaType !== layerType || others.length > 0) {
      throw refuseContent(reference, 'it is not the output of a build, which has one layer with an archive');
    }
    try {
      return await readArchive(await repository.fetchBlob(layer, largestLayer));
    } catch (error) {
      if (error instanceof TarError) throw refuseContent(reference, error.message);
      throw error;
    }
  });
}
