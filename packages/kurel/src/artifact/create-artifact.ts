import { digestOf, manifestType } from '../registry/index.ts';

/** Content for a registry, made without one. */
export interface Artifact {
  readonly manifest: Uint8Array;
  /** `sha256:…` of the manifest, which names the artifact. */
  readonly digest: string;
  /** The config and the layers. */
  readonly blobs: readonly Uint8Array[];
  readonly annotations: Readonly<Record<string, string>>;
}

export interface ArtifactPart {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Name of the file, for other tools. */
  readonly title?: string | undefined;
}

export interface ArtifactParts {
  readonly artifactType?: string | undefined;
  readonly config: ArtifactPart;
  readonly layers: readonly ArtifactPart[];
  readonly annotations: Readonly<Record<string, string>>;
}

export const titleKey = 'org.opencontainers.image.title';
export const versionKey = 'org.opencontainers.image.version';
export const descriptionKey = 'org.opencontainers.image.description';

/** The same parts give the same digest: nothing in a manifest depends on the time or the machine. */
export function createArtifact({ artifactType, config, layers, annotations }: ArtifactParts): Artifact {
  const sorted = Object.entries(annotations).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const data = {
    schemaVersion: 2,
    mediaType: manifestType,
    ...(artifactType === undefined ? {} : { artifactType }),
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
  return { mediaType, digest: digestOf(bytes), size: bytes.length, ...annotations };
}

export function encodeJson(data: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(data));
}
