import type { ArchiveFile } from '../../archive/index.ts';
import { reportRegistry, unpackLayer } from '../../artifact/index.ts';
import { decodeObjects, diffObjects, hideSecrets, readYaml } from '../../index.ts';
import type { SchemaStore } from '../../index.ts';
import { compareText, isJsonArray } from '../../model/index.ts';
import type { KubeObject, OutputFile } from '../../model/index.ts';
import { readDescriptor, refuseContent } from '../../registry/index.ts';
import type { FileState } from '../../signing/index.ts';
import { linesOfDifference, nameDifference } from '../diff/change-lines.ts';
import { createEffort } from '../unified-diff.ts';
import type { OpenedArtifact } from './open-artifact.ts';

interface FileDifference {
  readonly path: string;
  readonly state: FileState;
}

/** How the files of an artifact differ from those of a build, byte for byte. */
export function compareFiles(
  stored: readonly ArchiveFile[],
  built: readonly OutputFile[],
  store: () => SchemaStore,
): readonly FileDifference[] {
  const texts = new Map(built.map(({ path, text }) => [path, text]));
  const storedPaths = new Map(stored.map(({ path, bytes }) => [path, bytes]));
  const differences = stored.flatMap(({ path, bytes }): readonly FileDifference[] => {
    const text = texts.get(path);
    if (text === undefined) return [{ path, state: 'added' }];
    if (Buffer.from(text).equals(bytes)) return [];
    return [{ path, state: { differs: describe(text, bytes, store) } }];
  });
  const missing = built
    .filter(({ path }) => !storedPaths.has(path))
    .map(({ path }) => ({ path, state: 'missing' as const }));
  return [...differences, ...missing].toSorted((a, b) => compareText(a.path, b.path));
}

const mostNamed = 3;
const longestLine = 200;

/** The fields that differ, from what the build gives to what the artifact has; or the first line. */
function describe(text: string, bytes: Uint8Array, store: () => SchemaStore): string {
  const stored = decode(bytes);
  if (stored === undefined) return 'it is not a text in UTF-8';
  const [before, after] = [readObjects(text), readObjects(stored)];
  if (after === undefined) return 'it is not valid YAML';
  const { objects } = hideSecrets(diffObjects(before ?? [], after, { store }));
  const effort = createEffort();
  const lines = objects.flatMap((object) => {
    const name = nameDifference(object);
    if (object.operation === 'add') return [`${name} is added`];
    if (object.operation === 'remove') return [`${name} is removed`];
    const changes = linesOfDifference(object, { inline: true, effort }).filter(({ mark }) => '+-~'.includes(mark));
    return changes.map((line) => `${name} ${line.text.trim()}`.slice(0, longestLine));
  });
  if (lines.length === 0) return `only the text, in line ${firstDifference(text, stored)}`;
  const rest = lines.length - mostNamed;
  return lines.slice(0, mostNamed).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readObjects(text: string): readonly KubeObject[] | undefined {
  const file = 'artifact';
  const { documents, diagnostics } = readYaml({ path: file, text });
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const ignore = (): void => undefined;
  return decodeObjects(documents, { file, report: ignore, onSkip: ignore }).map(({ object }) => object);
}

function firstDifference(a: string, b: string): number {
  const [left, right] = [a.split('\n'), b.split('\n')];
  const index = left.findIndex((line, at) => line !== right[at]);
  return (index === -1 ? left.length : index) + 1;
}

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
    const [layer, ...others] = isJsonArray(layers)
      ? layers.map((descriptor) => readDescriptor(descriptor, reference))
      : [];
    if (layer?.mediaType !== layerType || others.length > 0) {
      throw refuseContent(reference, 'it is not the output of a build, which has one layer with an archive');
    }
    return await unpackLayer(await repository.fetchBlob(layer, largestLayer), reference);
  });
}
