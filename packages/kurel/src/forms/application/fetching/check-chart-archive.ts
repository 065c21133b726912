import { type ArchiveLimits, readChartArchive, TarError, type TarEntry } from '../../../archive/index.ts';
import { refuseContent } from './refuse-content.ts';

export interface ArchiveCheck extends ArchiveLimits {
  /** Where the archive came from, for messages. */
  readonly url: string;
}

/** What the archive of a chart holds; throws a `FetchError` for one that helm must not see. */
export async function checkChartArchive(
  archive: Uint8Array,
  { url, ...limits }: ArchiveCheck,
): Promise<readonly TarEntry[]> {
  try {
    return await readChartArchive(archive, limits);
  } catch (cause) {
    if (!(cause instanceof TarError)) throw cause;
    throw refuseContent(url, cause.message, { failure: cause.fault, cause });
  }
}
