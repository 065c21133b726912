import { largestContent, readArchive, TarError } from '../archive/index.ts';
import type { ArchiveFile } from '../archive/index.ts';
import { quote } from '../diagnostics/index.ts';
import { sha256 } from '../engine/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonFields } from '../model/index.ts';
import {
  openRepository,
  parseDocument,
  parseOciReference,
  readAnnotations,
  readDescriptor,
  refuseContent,
  unlessMissing,
} from '../registry/index.ts';
import type { Descriptor, FetchAccess, Manifest, OciReference } from '../registry/index.ts';
import { contentType, documentTypes, isLeftOut, packageType, schemaType, titleKey } from './create-artifact.ts';
import type { PackageConfig, PackageFile, PublishedForm } from './create-artifact.ts';

const largestDocument = 16 * 1_048_576;

/** A package in a registry, of which only the manifest and the config have been fetched. */
export interface PublishedPackage {
  readonly reference: OciReference;
  /** `sha256:…` of the manifest, also if the reference has only a tag. */
  readonly digest: string;
  /** The reference with the digest and without a tag: `oci://host/path@sha256:…`. */
  readonly pinned: string;
  readonly manifest: Manifest;
  readonly layers: PackageLayers;
  readonly config: PackageConfig;
  readonly fetchContent: () => Promise<readonly ArchiveFile[]>;
  /** One of `layers`. */
  readonly fetchLayer: (layer: Descriptor) => Promise<Uint8Array>;
}

export interface FetchPackageOptions {
  /** The forms of packages. */
  readonly forms: readonly PublishedForm[];
  /** Called with the manifest before anything that it names is fetched; throws to refuse it. */
  readonly verify?: ((manifest: Manifest, reference: OciReference) => Promise<void>) | undefined;
}

/** Fetches what a reference with a tag or digest names. Throws a `FetchError` for everything that is not a package. */
export async function fetchPackage(
  url: string,
  access: FetchAccess,
  { forms, verify }: FetchPackageOptions,
): Promise<PublishedPackage> {
  const reference = parseOciReference(url);
  const repository = openRepository(reference, access);
  const { tag, digest } = reference;
  const manifest = await unlessMissing(repository.fetchManifest(digest ?? tag!));
  if (manifest === undefined) {
    const reason = `the registry has no such ${digest === undefined ? 'tag' : 'digest'}`;
    throw refuseContent(url, reason, { failure: 'missing' });
  }
  await verify?.(manifest, reference);
  const layers = readPackageManifest(manifest, { url, forms });
  const fetchLayer = (layer: Descriptor): Promise<Uint8Array> => repository.fetchBlob(layer, largestDocument);
  const config = readPackageConfig(await fetchLayer(layers.config), layers, { url, forms });
  return {
    reference,
    digest: manifest.digest,
    pinned: `oci://${reference.host}/${reference.path}@${manifest.digest}`,
    manifest,
    layers,
    config,
    async fetchContent() {
      const archive = await repository.fetchBlob(layers.content, largestContent);
      return await readPackageContent(archive, config, url);
    },
    fetchLayer,
  };
}

interface PackageLayers {
  readonly config: Descriptor;
  readonly content: Descriptor;
  readonly schema: Descriptor;
  /** By file name. */
  readonly documents: ReadonlyMap<string, Descriptor>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Other artifacts that people may pass, by the type of their config. */
const otherTypes: ReadonlyMap<string, string> = new Map([
  ['application/vnd.cncf.helm.config.v1+json', 'a Helm chart'],
  ['application/vnd.cncf.flux.config.v1+json', 'a set of rendered manifests'],
  ['application/vnd.oci.image.config.v1+json', 'a container image'],
  ['application/vnd.docker.container.image.v1+json', 'a container image'],
]);

interface Expected extends Pick<FetchPackageOptions, 'forms'> {
  /** For messages. */
  readonly url: string;
}

/** Throws a `FetchError` if the manifest is not that of a package. */
export function readPackageManifest({ data }: Pick<Manifest, 'data'>, { url, forms }: Expected): PackageLayers {
  const { config, layers, manifests, artifactType } = data;
  if (manifests !== undefined) throw refuseContent(url, 'it is an index of several artifacts, not a package');
  const described = readDescriptor(config, url);
  if (described.mediaType !== packageType || (artifactType !== undefined && artifactType !== packageType)) {
    const other = otherTypes.get(described.mediaType) ?? `of the type ${quote(described.mediaType.slice(0, 100))}`;
    throw refuseContent(url, `it is ${other}, not a package of kurel`);
  }
  const descriptors = isJsonArray(layers) ? layers.map((layer) => readDescriptor(layer, url)) : [];
  const documents = new Map<string, Descriptor>();
  const ofType = (type: string): readonly Descriptor[] => descriptors.filter(({ mediaType }) => mediaType === type);
  for (const layer of descriptors) {
    if (layer.mediaType !== contentType && layer.mediaType !== schemaType)
      addDocument(documents, layer, { url, forms });
  }
  return {
    config: described,
    content: takeOnly(ofType(contentType), 'content', url),
    schema: takeOnly(ofType(schemaType), 'schema', url),
    documents,
    annotations: readAnnotations(data['annotations']),
  };
}

function addDocument(documents: Map<string, Descriptor>, layer: Descriptor, { url, forms }: Expected): void {
  const title = layer.annotations?.[titleKey] ?? '';
  const types = forms.map((form) => documentTypes(form).get(title));
  if (!types.includes(layer.mediaType)) {
    const shown = title === '' ? '' : ` ${quote(title.slice(0, 100))}`;
    throw refuseContent(url, `it has a layer${shown} of the unknown type ${quote(layer.mediaType.slice(0, 100))}`);
  }
  if (documents.has(title)) throw refuseContent(url, `it has two layers ${quote(title)}`);
  documents.set(title, layer);
}

function takeOnly(layers: readonly Descriptor[], name: string, url: string): Descriptor {
  const [layer, ...more] = layers;
  if (layer === undefined) throw refuseContent(url, `it has no layer with its ${name}`);
  if (more.length > 0) throw refuseContent(url, `it has more than one layer with its ${name}`);
  return layer;
}

const configFields: JsonFields = {
  names: ['formatVersion', 'form', 'name', 'version', 'description', 'files', 'path', 'size', 'sha256'],
};

/** Reads the config, and verifies that the documents beside the content are those of its list of files. */
function readPackageConfig(bytes: Uint8Array, { documents }: PackageLayers, { url, forms }: Expected): PackageConfig {
  const data = parseDocument(bytes, { url, name: 'config', fields: configFields });
  const { formatVersion, form: formName, name, version, description, files } = isJsonObject(data) ? data : {};
  if (typeof formatVersion === 'number' && formatVersion > 1) {
    throw refuseContent(url, `its format version is ${formatVersion}, and this version of kurel reads only 1`);
  }
  const form = forms.find((candidate) => candidate.name === formName);
  const isText = (value: Json | undefined): value is string | undefined =>
    value === undefined || typeof value === 'string';
  const listed = readFiles(files);
  if (
    formatVersion !== 1 ||
    form === undefined ||
    typeof name !== 'string' ||
    !isText(version) ||
    !isText(description) ||
    listed === undefined
  ) {
    throw refuseContent(url, 'its config is not valid');
  }
  // Hidden files such as .git/config make other programs run something, and nobody sees them.
  const foreign = listed.find(({ path }) => path.split('/').some(isLeftOut));
  if (foreign !== undefined) {
    const kind = /(?:^|\/)\./.test(foreign.path) ? 'hidden files' : 'local extensions';
    throw refuseContent(url, `it has ${quote(foreign.path)}, and ${kind} cannot be part of a package`);
  }
  const byPath = new Map(listed.map((file) => [file.path, file]));
  if (!byPath.has(form.requires)) throw refuseContent(url, `it is ${form.noun} without ${quote(form.requires)}`);
  for (const title of new Set([...documentTypes(form).keys(), ...documents.keys()])) {
    const [file, layer] = [byPath.get(title), documents.get(title)];
    if (file === undefined ? layer !== undefined : layer?.digest !== `sha256:${file.sha256}`) {
      throw refuseContent(url, `its layer ${quote(title)} is not the file of that name in its content`);
    }
  }
  return { formatVersion, form: form.name, name, version, description, files: listed };
}

function readFiles(list: Json | undefined): readonly PackageFile[] | undefined {
  if (!isJsonArray(list)) return undefined;
  const files: PackageFile[] = [];
  for (const entry of list) {
    const { path, size, sha256: digest } = isJsonObject(entry) ? entry : {};
    const isFile =
      typeof path === 'string' &&
      typeof size === 'number' &&
      typeof digest === 'string' &&
      /^[0-9a-f]{64}$/.test(digest);
    if (!isFile) return undefined;
    files.push({ path, size, sha256: digest });
  }
  return new Set(files.map(({ path }) => path)).size === files.length ? files : undefined;
}

/** Unpacks the content, and verifies that it has exactly the files that the config lists. */
async function readPackageContent(
  archive: Uint8Array,
  { files: listed }: PackageConfig,
  url: string,
): Promise<readonly ArchiveFile[]> {
  const files = await unpackLayer(archive, url);
  const expected = new Map(listed.map((file) => [file.path, file]));
  for (const { path, bytes } of files) {
    const file = expected.get(path);
    if (file === undefined)
      throw refuseContent(url, `its content has ${quote(path)}, which is not in its list of files`);
    if (file.size !== bytes.length || file.sha256 !== sha256(bytes)) {
      throw refuseContent(url, `${quote(path)} in its content is not the one in its list of files`);
    }
    expected.delete(path);
  }
  const [missing] = expected.keys();
  if (missing !== undefined)
    throw refuseContent(url, `its content has no ${quote(missing)}, which is in its list of files`);
  return files;
}

/** The files of an archive in a registry. Throws a `FetchError`; the URL is for messages. */
export async function unpackLayer(archive: Uint8Array, url: string): Promise<readonly ArchiveFile[]> {
  try {
    return await readArchive(archive);
  } catch (cause) {
    if (!(cause instanceof TarError)) throw cause;
    throw refuseContent(url, cause.message, { failure: cause.fault, cause });
  }
}
