import { quote } from '../diagnostics/index.ts';
import { FetchError, isJsonArray, isJsonObject } from '../model/index.ts';
import type { Fetched, Json, JsonFields, JsonObject } from '../model/index.ts';
import { accessFrom, digestOf, encodeJson, parseDocument, readDigest, refuseContent } from './fetch-access.ts';
import type { FetchAccess } from './fetch-access.ts';
import { describeContent, isTag, parseOciReference, readDescriptor, readDescriptors } from './oci-reference.ts';
import type { Descriptor, OciReference } from './oci-reference.ts';
import { largestAnswer, openRegistry } from './registry-session.ts';
import type { RegistryAction, RegistrySession, SessionRequest } from './registry-session.ts';
import { uploadBlob } from './upload-blob.ts';

export interface Manifest {
  readonly bytes: Uint8Array;
  readonly digest: string;
  /** As the registry says; the manifest may say it, too. */
  readonly mediaType: string;
  readonly data: JsonObject;
}

/** A repository of a registry. Everything that it returns has the digest that was asked for. Throws a `FetchError`. */
export interface Repository {
  /** By tag or digest. */
  readonly fetchManifest: (reference: string) => Promise<Manifest>;
  readonly fetchBlob: (blob: Pick<Descriptor, 'digest' | 'size'>, maxBytes: number) => Promise<Uint8Array>;
  readonly listTags: () => Promise<readonly string[]>;
  /** Manifests that refer to this one as their subject, such as signatures. */
  readonly listReferrers: (digest: string) => Promise<readonly Descriptor[]>;
  /** Does nothing if the registry has it. */
  readonly pushBlob: (bytes: Uint8Array) => Promise<void>;
  /**
   * By its digest and then by the tags: a push that fails leaves no tag. All blobs that it names have to be pushed before.
   */
  readonly pushManifest: (
    bytes: Uint8Array,
    options: { readonly mediaType: string; readonly tags?: readonly string[] },
  ) => Promise<{
    /** Whether the registry lists the manifest among the referrers of its subject. */
    readonly isReferrer: boolean;
  }>;
}

export const manifestType = 'application/vnd.oci.image.manifest.v1+json';
export const indexType = 'application/vnd.oci.image.index.v1+json';
const largestManifest = 4 * 1_048_576;

/** Of manifests, indexes and lists of tags. */
const manifestFields: JsonFields = {
  names: `
    schemaVersion mediaType artifactType config layers manifests subject annotations tags digest size urls data
    platform name`
    .trim()
    .split(/\s+/),
  maps: ['annotations'],
};

export function openRepository(
  reference: Pick<OciReference, 'host' | 'path'>,
  access: FetchAccess,
  action: RegistryAction = 'pull',
): Repository {
  const url = `oci://${reference.host}/${reference.path}`;
  const session = openRegistry(reference, accessFrom(url, access), action);

  async function fetchManifest(name: string): Promise<Manifest> {
    const digest = name.startsWith('sha256:') ? name : undefined;
    const headers = { accept: `${manifestType}, ${indexType}` };
    const answer = await session.send(`manifests/${name}`, { digest, maxBytes: largestManifest, headers });
    const actual = digestOf(answer.bytes);
    const promised = readDigest(answer.headers['docker-content-digest'] ?? '');
    const shown = digest === undefined ? `${url}:${name}` : `${url}@${name}`;
    if (promised !== undefined && promised !== actual) {
      const reason = `the digest of the manifest is ${actual}, but the registry reports ${promised}`;
      throw refuseContent(shown, reason, { failure: 'digest' });
    }
    const data = parseDocument(answer.bytes, { url: shown, name: 'manifest', fields: manifestFields });
    if (!isJsonObject(data) || data['schemaVersion'] !== 2) throw refuseContent(shown, 'it is not an OCI manifest');
    const [header = ''] = (answer.headers['content-type'] ?? '').split(';');
    const mediaType = header.trim().toLowerCase();
    const reason = explainUnclear(data, mediaType);
    if (reason !== undefined) throw refuseContent(shown, reason);
    return { bytes: answer.bytes, digest: actual, mediaType, data };
  }

  async function putManifest(bytes: Uint8Array, mediaType: string, name: string): Promise<Fetched> {
    const headers = { 'content-type': mediaType };
    const request = { method: 'PUT', body: bytes, headers, maxBytes: largestAnswer } as const;
    const answer = await session.send(`manifests/${name}`, request);
    const reported = readDigest(answer.headers['docker-content-digest'] ?? '');
    const stored = reported ?? (await fetchManifest(name)).digest;
    if (stored === digestOf(bytes)) return answer;
    const reason = `it was sent the manifest ${digestOf(bytes)}, but reports ${stored}`;
    throw refuseContent(url, reason, { failure: 'digest', intent: 'push' });
  }

  return {
    fetchManifest,
    async fetchBlob({ digest, size }, maxBytes) {
      if (size > maxBytes) {
        const reason = `the content has ${size} bytes, more than the limit of ${maxBytes}`;
        throw refuseContent(url, reason, { failure: 'size' });
      }
      const { bytes } = await session.send(`blobs/${digest}`, { digest, maxBytes });
      if (bytes.length === size) return bytes;
      const reason = `the content has ${bytes.length} bytes, but its manifest says ${size}`;
      throw refuseContent(url, reason, { failure: 'size' });
    },
    listTags: async () =>
      await fetchPages(session, { url, what: 'tags', place: 'tags/list?n=1000', read: (data) => readTags(data, url) }),
    async listReferrers(digest) {
      const read = (data: Json | undefined): readonly Descriptor[] => readDescriptors(data, url);
      const headers = { accept: indexType };
      const request = { url, what: 'referrers', place: `referrers/${digest}`, headers, read };
      const listed = await unlessMissing(fetchPages(session, request));
      if (listed !== undefined) return listed;
      // Registries without that endpoint have an index with a tag that is made from the digest.
      const index = await unlessMissing(fetchManifest(digest.replace(':', '-')));
      return index === undefined ? [] : read(index.data);
    },
    async pushBlob(bytes) {
      const digest = digestOf(bytes);
      const isStored = async (): Promise<boolean> =>
        (await unlessMissing(session.send(`blobs/${digest}`, { method: 'HEAD', maxBytes: 0 }))) !== undefined;
      if (!(await isStored())) await uploadBlob(session, { bytes, digest, url, isStored, wait: access.wait });
    },
    async pushManifest(bytes, { mediaType, tags = [] }) {
      const { headers } = await putManifest(bytes, mediaType, digestOf(bytes));
      for (const tag of tags) await putManifest(bytes, mediaType, tag);
      return { isReferrer: headers['oci-subject'] !== undefined };
    },
  };
}

const indexTypes: ReadonlySet<string> = new Set([
  indexType,
  'application/vnd.docker.distribution.manifest.list.v2+json',
]);
const imageTypes: ReadonlySet<string> = new Set([manifestType, 'application/vnd.docker.distribution.manifest.v2+json']);

/** One digest must not mean a manifest to one program and an index to another, which the type outside of the signed bytes decides. */
function explainUnclear({ mediaType: own, manifests, layers, config }: JsonObject, sent: string): string | undefined {
  if (manifests !== undefined && (layers !== undefined || config !== undefined))
    return 'it is a manifest and an index at once';
  const kinds = manifests === undefined ? imageTypes : indexTypes;
  const others = manifests === undefined ? indexTypes : imageTypes;
  const what = manifests === undefined ? 'a manifest' : 'an index';
  if (own !== undefined && typeof own !== 'string') return 'its mediaType is not a string';
  for (const type of [own ?? '', sent]) if (others.has(type)) return `it is ${what}, but its type is ${quote(type)}`;
  // A registry may send a type that says nothing, such as application/json.
  const isOther = own !== undefined && kinds.has(sent) && own !== sent;
  return isOther ? `its mediaType is ${quote(own)}, but the registry sends it as ${quote(sent)}` : undefined;
}

export function isMissing(error: unknown): boolean {
  return error instanceof FetchError && error.status === 404;
}

/** `undefined` for a manifest or blob that does not exist. */
export async function unlessMissing<Result>(answer: Promise<Result>): Promise<Result | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function readTags(data: Json | undefined, url: string): readonly string[] {
  const tags = isJsonObject(data) ? (data['tags'] ?? []) : undefined;
  if (!isJsonArray(tags)) throw refuseContent(url, 'its answer is not a list of tags');
  return tags.filter((tag): tag is string => typeof tag === 'string' && isTag(tag));
}

const largestPage = 4 * 1_048_576;
const mostPages = 100;
const mostEntries = 100_000;

interface PageRequest<Entry> extends Pick<SessionRequest, 'headers'> {
  readonly url: string;
  /** What is listed, for messages: `tags`. */
  readonly what: string;
  readonly place: string;
  readonly read: (data: Json | undefined) => readonly Entry[];
}

/** All entries of a list that a registry returns in pages. */
async function fetchPages<Entry>(
  session: RegistrySession,
  { url, what, place, headers, read }: PageRequest<Entry>,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const seen = new Set<string>();
  let next: string | undefined = place;
  while (next !== undefined) {
    if (seen.has(next)) throw refuseContent(url, `its list of ${what} refers to the same page again`);
    if (!session.isOwn(next)) throw refuseContent(url, `its list of ${what} continues on another host`);
    if (seen.size === mostPages) throw tooLong(url, what);
    seen.add(next);
    const answer = await session.send(next, { headers, maxBytes: largestPage });
    for (const entry of read(parseDocument(answer.bytes, { url, name: `list of ${what}`, fields: manifestFields })))
      entries.push(entry);
    if (entries.length > mostEntries) throw tooLong(url, what);
    next = readNextLink(answer.headers['link'] ?? '');
  }
  return entries;
}

function tooLong(url: string, what: string): Error {
  return refuseContent(url, `its list of ${what} is too long`, { failure: 'size' });
}

/** The next page in a `link` header: `</v2/a/tags/list?last=1.0>; rel="next"`. */
export function readNextLink(header: string): string | undefined {
  return /<([^<>]+)>\s*;\s*rel="?next"?/i.exec(header)?.[1];
}

interface Referrer {
  readonly subject: Pick<Descriptor, 'mediaType' | 'digest' | 'size'>;
  readonly artifactType: string;
  readonly content: Uint8Array;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

const emptyConfig = new TextEncoder().encode('{}');
const emptyType = 'application/vnd.oci.empty.v1+json';

/** Attaches content to a manifest of the repository, and returns the digest of the manifest that was written for it. */
export async function pushReferrer(repository: Repository, referrer: Referrer): Promise<string> {
  const { subject, artifactType, content, annotations } = referrer;
  const bytes = encodeJson({
    schemaVersion: 2,
    mediaType: manifestType,
    artifactType,
    config: describeContent(emptyType, emptyConfig),
    layers: [describeContent(artifactType, content)],
    subject: { mediaType: subject.mediaType, digest: subject.digest, size: subject.size },
    annotations,
  });
  await repository.pushBlob(emptyConfig);
  await repository.pushBlob(content);
  const { isReferrer } = await repository.pushManifest(bytes, { mediaType: manifestType });
  const entry = { ...describeContent(manifestType, bytes), artifactType, ...(annotations && { annotations }) };
  if (!isReferrer) await addToIndex(repository, subject.digest, entry);
  return entry.digest;
}

/** For registries without a list of referrers: an index with a tag that is made from the digest of the subject. */
async function addToIndex(repository: Repository, subject: string, entry: JsonObject): Promise<void> {
  const tag = subject.replace(':', '-');
  const { manifests } = (await unlessMissing(repository.fetchManifest(tag)))?.data ?? {};
  const others = (isJsonArray(manifests) ? manifests : []).filter(
    (other) => !isJsonObject(other) || other['digest'] !== entry['digest'],
  );
  const index = { schemaVersion: 2, mediaType: indexType, manifests: [...others, entry] };
  await repository.pushManifest(encodeJson(index), { mediaType: indexType, tags: [tag] });
}

/**
 * Fetches the content of `oci://host/path:tag` or `oci://host/path@sha256:…`, compressed according to its media type, and verifies every
 * digest. The manifest is the one that the tag currently refers to.
 */
export async function fetchOciArtifact(
  { reference, maxBytes }: { readonly reference: string; readonly maxBytes: number },
  access: FetchAccess,
) {
  const named = parseOciReference(reference);
  const repository = openRepository(named, access);
  const manifest = await repository.fetchManifest(named.digest ?? named.tag!);
  const layer = findContentLayer(manifest.data, reference);
  const bytes = await repository.fetchBlob(layer, maxBytes);
  return { bytes, mediaType: layer.mediaType, digest: layer.digest, manifestDigest: manifest.digest };
}

const chartType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

/** The content layer: that of a chart if there is one, otherwise the first. */
function findContentLayer(manifest: JsonObject, url: string): Descriptor {
  const { mediaType = manifestType, layers } = manifest;
  if (mediaType !== manifestType) {
    const type = typeof mediaType === 'string' ? quote(mediaType) : 'something else';
    throw refuseContent(url, `it must be an OCI image manifest, got ${type}`);
  }
  const entries = isJsonArray(layers) ? layers.filter(isJsonObject) : [];
  const charts = entries.filter((entry) => entry['mediaType'] === chartType);
  // helm takes the last one.
  if (charts.length > 1) throw refuseContent(url, 'the manifest has more than one chart');
  const [layer] = charts.length === 0 ? entries : charts;
  if (layer === undefined) throw refuseContent(url, 'the manifest has no layer');
  return readDescriptor(layer, url);
}
