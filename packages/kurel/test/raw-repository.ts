import { createHash } from 'node:crypto';

export interface RawManifest {
  readonly mediaType: string;
  readonly layers: readonly RawLayer[];
}

interface RawLayer {
  readonly digest: string;
  readonly size: number;
}

/** A repository of a registry on this machine for somebody who may write anything: nothing of kurel checks it. */
export interface RawRepository {
  readonly getManifest: (reference: string) => Promise<RawManifest>;
  /** Gives the digest. */
  readonly putManifest: (reference: string, manifest: RawManifest) => Promise<string>;
  readonly getBlob: (digest: string) => Promise<Buffer>;
  readonly putBlob: (bytes: Uint8Array) => Promise<RawLayer>;
}

const type = 'application/vnd.oci.image.manifest.v1+json';

export function openRawRepository(host: string, path: string): RawRepository {
  const base = `http://${host}/v2/${path}`;

  async function ask(url: string | URL, options: RequestInit = {}): Promise<Response> {
    const response = await fetch(url, options);
    if (!response.ok) throw new Error(`${options.method ?? 'GET'} ${url.toString()}: ${await response.text()}`);
    return response;
  }

  return {
    getManifest: async (reference) => {
      const response = await ask(`${base}/manifests/${reference}`, { headers: { accept: type } });
      return (await response.json()) as RawManifest;
    },
    putManifest: async (reference, manifest) => {
      const body = JSON.stringify(manifest);
      await ask(`${base}/manifests/${reference}`, { method: 'PUT', headers: { 'content-type': type }, body });
      return digestOf(body);
    },
    getBlob: async (digest) => Buffer.from(await (await ask(`${base}/blobs/${digest}`)).arrayBuffer()),
    putBlob: async (bytes) => {
      const digest = digestOf(bytes);
      const { headers } = await ask(`${base}/blobs/uploads/`, { method: 'POST' });
      const place = new URL(headers.get('location')!, base);
      place.searchParams.set('digest', digest);
      const body = bytes as Uint8Array<ArrayBuffer>;
      await ask(place, { method: 'PUT', headers: { 'content-type': 'application/octet-stream' }, body });
      return { digest, size: bytes.length };
    },
  };
}

function digestOf(bytes: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
