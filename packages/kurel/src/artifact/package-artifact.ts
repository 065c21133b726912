import { sortFiles, writeArchive } from '../archive/index.ts';
import type { ArchiveFile } from '../archive/index.ts';
import { sha256 } from '../engine/index.ts';
import { createArtifact, descriptionKey, encodeJson, titleKey, versionKey } from './create-artifact.ts';
import type { Artifact, ArtifactPart } from './create-artifact.ts';

export type PackageForm = 'application' | 'patch-package';

/** What can be known about a package without its content. */
export interface PackageConfig {
  readonly formatVersion: 1;
  readonly form: PackageForm;
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

export interface PackageParts extends Pick<PackageConfig, 'form' | 'name' | 'version' | 'description'> {
  readonly files: readonly ArchiveFile[];
  /** JSON Schema of the values. */
  readonly schema: string;
  /** In addition to those that follow from the package, which they override. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Of the artifact and of its config. */
export const packageType = 'application/vnd.gokure.kurel.package.v1+json';
export const contentType = 'application/vnd.gokure.kurel.package.content.v1.tar+gzip';
export const schemaType = 'application/schema+json';

/** Files that have a layer of their own, by name, so that they can be read without the content; a package may lack some of them. */
export const documentTypes: Readonly<Record<PackageForm, ReadonlyMap<string, string>>> = {
  application: new Map([
    ['kurel.yaml', 'application/yaml'],
    ['app.yaml', 'application/yaml'],
    ['README.md', 'text/markdown'],
  ]),
  'patch-package': new Map([
    ['parameters.yaml', 'application/yaml'],
    ['README.md', 'text/markdown'],
  ]),
};

/** Whether a file or directory with this name is not part of a package: a hidden one, or a local extension. */
export function isLeftOut(name: string): boolean {
  return name.startsWith('.') || name.endsWith('.local.kurel');
}

/** Throws a `TarError` for files that cannot be in an archive. */
export async function createPackageArtifact(parts: PackageParts): Promise<Artifact> {
  const { form, name, version, description, files, schema, annotations } = parts;
  const content = await writeArchive(files);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const documents = [...documentTypes[form]].flatMap(([title, mediaType]): readonly ArtifactPart[] => {
    const file = byPath.get(title);
    return file === undefined ? [] : [{ mediaType, bytes: file.bytes, title }];
  });
  const isReadme = ({ title }: ArtifactPart): boolean => title === 'README.md';
  const config: PackageConfig = {
    formatVersion: 1,
    form,
    name,
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    files: listFiles(files),
  };
  return createArtifact({
    artifactType: packageType,
    config: { mediaType: packageType, bytes: encodeJson(config) },
    layers: [
      { mediaType: contentType, bytes: content },
      ...documents.filter((one) => !isReadme(one)),
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

function listFiles(files: readonly ArchiveFile[]): readonly PackageFile[] {
  return sortFiles(files).map(({ path, bytes }) => ({ path, size: bytes.length, sha256: sha256(bytes) }));
}
