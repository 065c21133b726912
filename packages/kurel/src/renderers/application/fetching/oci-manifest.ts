import { quote } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import { readDigest } from './digest.ts';
import { refuseContent } from './refuse-content.ts';

export const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const chartType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

export interface OciLayer {
  readonly mediaType: string;
  /** `sha256:…`. */
  readonly digest: string;
  readonly size: number;
}

/** The layer that holds the content: that of a chart where there is one, else the first. */
export function readContentLayer(bytes: Uint8Array, url: string): OciLayer {
  const manifest = parse(bytes);
  if (!isJsonObject(manifest) || manifest['schemaVersion'] !== 2) throw refuseContent(url, 'it is no OCI manifest');
  const { mediaType = manifestType, layers } = manifest;
  if (mediaType !== manifestType) {
    const type = typeof mediaType === 'string' ? quote(mediaType) : 'something else';
    throw refuseContent(url, `it is of the type ${type}, not one OCI image manifest`);
  }
  const found = isJsonArray(layers) ? layers.filter(isJsonObject) : [];
  const layer = found.find((one) => one['mediaType'] === chartType) ?? found[0];
  if (layer === undefined) throw refuseContent(url, 'it has no layer');
  const { mediaType: type, digest, size } = layer;
  const known = typeof digest === 'string' && digest.startsWith('sha256:') ? readDigest(digest) : undefined;
  if (known === undefined || typeof type !== 'string' || typeof size !== 'number') {
    throw refuseContent(url, 'its layer has no type, no size or no SHA-256 digest');
  }
  return { mediaType: type, digest: known, size };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
