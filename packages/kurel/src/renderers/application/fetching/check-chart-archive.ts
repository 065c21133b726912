import { quote } from '../../../diagnostics/index.ts';
import type { Fetcher } from '../../../model/index.ts';
import { readTar, type TarEntry, type TarLimits } from './read-tar.ts';
import { refuseContent } from './refuse-content.ts';
import { TarError } from './tar-error.ts';

export interface ArchiveCheck extends TarLimits {
  /** Where the archive came from, for messages. */
  readonly url: string;
  readonly fetcher: Pick<Fetcher, 'gunzip'>;
  /** Of what the archive holds. */
  readonly maxBytes?: number;
}

/** Gives what the `.tgz` of a chart holds: one folder with a `Chart.yaml`, and nothing that could be meant for another place. */
export async function checkChartArchive(
  archive: Uint8Array,
  { url, fetcher, maxBytes = 100 * 1_048_576, ...limits }: ArchiveCheck,
): Promise<readonly TarEntry[]> {
  const entries = readEntries(await fetcher.gunzip(archive, { maxBytes, url }), { url, limits });
  const files = entries.filter(({ type }) => type === 'file');
  const [folder, ...others] = new Set(files.map(({ name }) => name.slice(0, name.indexOf('/') + 1)));
  if (folder === undefined) throw refuseContent(url, 'it is no chart: it has no files');
  const stray = files.find(({ name }) => !name.includes('/'));
  if (stray !== undefined) throw refuseContent(url, `it is no chart: ${quote(stray.name)} in it is in no folder`);
  if (others.length > 0) throw refuseContent(url, 'it is no chart: it has more than one folder');
  if (!files.some(({ name }) => name === `${folder}Chart.yaml`)) {
    throw refuseContent(url, `it is no chart: it has no ${quote(`${folder}Chart.yaml`)}`);
  }
  return entries;
}

function readEntries(
  tar: Uint8Array,
  { url, limits }: { readonly url: string; readonly limits: TarLimits },
): readonly TarEntry[] {
  try {
    return readTar(tar, limits);
  } catch (cause) {
    if (!(cause instanceof TarError)) throw cause;
    throw refuseContent(url, cause.message, { cause });
  }
}
