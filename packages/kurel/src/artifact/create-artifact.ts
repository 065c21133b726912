import { compress, sortFiles, writeArchive, writeTar } from '../archive/index.ts';
import type { ArchiveFile } from '../archive/index.ts';
import { sha256 } from '../engine/index.ts';
import { compareText } from '../model/index.ts';
import { describeContent, digestOf, encodeJson, manifestType } from '../registry/index.ts';

/** Content for a registry, made without one. */
export interface Artifact {
  readonly manifest: Uint8Array;
  /** `sha256:…` of the manifest, which names the artifact. */
  readonly digest: string;
  readonly blobs: readonly Uint8Array[];
  readonly annotations: Readonly<Record<string, string>>;
}

interface ArtifactPart {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Name of the file, for other tools. */
  readonly title?: string | undefined;
}

interface ArtifactParts {
  readonly artifactType?: string | undefined;
  readonly config: ArtifactPart;
  readonly layers: readonly ArtifactPart[];
  readonly annotations: Readonly<Record<string, string>>;
}

export const titleKey = 'org.opencontainers.image.title';
const versionKey = 'org.opencontainers.image.version';
const descriptionKey = 'org.opencontainers.image.description';

/** The same parts give the same digest: nothing in a manifest depends on the time or the machine. */
function createArtifact({ artifactType, config, layers, annotations }: ArtifactParts): Artifact {
  const sorted = Object.entries(annotations).toSorted(([a], [b]) => compareText(a, b));
  const data = {
    schemaVersion: 2,
    mediaType: manifestType,
    artifactType,
    config: describePart(config),
    layers: layers.map(describePart),
    ...(sorted.length === 0 ? {} : { annotations: Object.fromEntries(sorted) }),
  };
  const manifest = encodeJson(data);
  return {
    manifest,
    digest: digestOf(manifest),
    blobs: [config, ...layers].map(({ bytes }) => bytes),
    annotations: Object.fromEntries(sorted),
  };
}

function describePart({ mediaType, bytes, title }: ArtifactPart): object {
  const annotations = title === undefined ? {} : { annotations: { [titleKey]: title } };
  return { ...describeContent(mediaType, bytes), ...annotations };
}

/** How the packages of a form are published. */
export interface PublishedForm {
  /** In the config of the artifact. */
  readonly name: string;
  /** For messages: `an application package`. */
  readonly noun: string;
  /** YAML files that have a layer of their own, so that they can be read without the content; a package may lack others than `requires`. */
  readonly documents: readonly string[];
  /** The file without which a directory is not such a package. */
  readonly requires: string;
}

/** What can be known about a package without its content. */
export interface PackageConfig {
  readonly formatVersion: 1;
  readonly form: string;
  readonly name: string;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  /** All files, sorted by the bytes of their paths. */
  readonly files: readonly PackageFile[];
}

export interface PackageFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

export interface PackageParts extends Pick<PackageConfig, 'name' | 'version' | 'description'> {
  readonly form: PublishedForm;
  readonly files: readonly ArchiveFile[];
  readonly schema: string;
  /** In addition to those that follow from the package, which they override. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Of the artifact and of its config. */
export const packageType = 'application/vnd.gokure.kurel.package.v1+json';
export const contentType = 'application/vnd.gokure.kurel.package.content.v1.tar+gzip';
export const schemaType = 'application/schema+json';

const readme = 'README.md';

/** The media types of the files that have a layer of their own, by name. */
export function documentTypes({ documents }: Pick<PublishedForm, 'documents'>): ReadonlyMap<string, string> {
  return new Map([...documents.map((file): [string, string] => [file, 'application/yaml']), [readme, 'text/markdown']]);
}

/** Whether a file or directory with this name is not part of a package: a hidden one, or a local extension. */
export function isLeftOut(name: string): boolean {
  return name.startsWith('.') || name.endsWith('.local.kurel');
}

/** Throws a `TarError` for files that cannot be in an archive. */
export async function createPackageArtifact(parts: PackageParts): Promise<Artifact> {
  const { form, name, version, description, files, schema, annotations } = parts;
  const content = await writeArchive(files);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const documents = [...documentTypes(form)].flatMap(([title, mediaType]): readonly ArtifactPart[] => {
    const file = byPath.get(title);
    return file === undefined ? [] : [{ mediaType, bytes: file.bytes, title }];
  });
  const isReadme = ({ title }: ArtifactPart): boolean => title === readme;
  const config: PackageConfig = {
    formatVersion: 1,
    form: form.name,
    name,
    version,
    description,
    files: sortFiles(files).map(({ path, bytes }) => ({ path, size: bytes.length, sha256: sha256(bytes) })),
  };
  return createArtifact({
    artifactType: packageType,
    config: { mediaType: packageType, bytes: encodeJson(config) },
    layers: [
      { mediaType: contentType, bytes: content },
      ...documents.filter((document) => !isReadme(document)),
      { mediaType: schemaType, bytes: new TextEncoder().encode(schema), title: 'values.schema.json' },
      ...documents.filter(isReadme),
    ],
    annotations: {
      [titleKey]: name,
      ...(version === undefined ? {} : { [versionKey]: version }),
      ...(description === undefined ? {} : { [descriptionKey]: description }),
      ...annotations,
    },
  });
}

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
