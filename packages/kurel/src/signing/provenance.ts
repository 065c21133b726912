import { isJsonArray, isJsonObject, valueAt } from '../model/index.ts';
import type { Json, JsonObject, Path } from '../model/index.ts';
import type { Statement } from './sigstore-bundle.ts';
import { provenanceClaim } from './sigstore-bundle.ts';

/** How an artifact was built: everything that is needed to build it again. */
export interface BuildProvenance {
  readonly version: string;
  /** Where the build ran, relative to the root of the repository; `.` for the root itself. */
  readonly directory: string;
  /** The input, as the user named it. */
  readonly path: string;
  /** The flags, as words of a command line: `--values=production.yaml`. */
  readonly flags: readonly string[];
  /** Everything that the build read, in a fixed order. */
  readonly inputs: readonly BuildInput[];
}

export interface BuildInput {
  readonly type: 'file' | 'url' | 'package' | 'program';
  /** A path relative to the root of the repository, a URL, a reference with its digest, or the name of a program. */
  readonly name: string;
  /** The SHA-256 digest of a file or URL, the version of a program. */
  readonly stamp?: string | undefined;
}

const buildType = 'https://kurel.dev/build/v1';
const builder = 'https://kurel.dev/kurel';
const mostInputs = 100_000;

/** A predicate of SLSA provenance 1. It has no time: the same build has the same provenance. */
export function createProvenance({ version, directory, path, flags, inputs }: BuildProvenance): JsonObject {
  return {
    buildDefinition: {
      buildType,
      externalParameters: { directory, path, flags },
      internalParameters: {},
      resolvedDependencies: inputs.map(describeInput),
    },
    runDetails: { builder: { id: builder, version: { kurel: version } }, metadata: {} },
  };
}

function describeInput({ type, name, stamp = '' }: BuildInput): JsonObject {
  if (type === 'program') return { name, uri: `pkg:generic/${name}`, annotations: { version: stamp } };
  const digest = { sha256: type === 'package' ? name.slice(name.lastIndexOf(':') + 1) : stamp };
  return type === 'file' ? { name, digest } : { uri: name, digest };
}

/** `undefined` if the statement is not provenance of kurel. */
export function readProvenance({ predicateType, predicate }: Statement): BuildProvenance | undefined {
  if (predicateType !== provenanceClaim) return undefined;
  const at = (...path: Path): Json | undefined => valueAt(predicate, path);
  const version = at('runDetails', 'builder', 'version', 'kurel');
  const [directory, path, flags] = (['directory', 'path', 'flags'] as const).map((name) =>
    at('buildDefinition', 'externalParameters', name),
  );
  const dependencies = at('buildDefinition', 'resolvedDependencies');
  if (at('buildDefinition', 'buildType') !== buildType || typeof version !== 'string') return undefined;
  if (typeof directory !== 'string' || typeof path !== 'string') return undefined;
  if (!isJsonArray(flags) || !isJsonArray(dependencies) || dependencies.length > mostInputs) return undefined;
  const words = flags.filter((flag) => typeof flag === 'string');
  const inputs = dependencies.flatMap(readInput);
  if (words.length < flags.length || inputs.length < dependencies.length) return undefined;
  return { version, directory, path, flags: words, inputs };
}

function readInput(data: Json): readonly BuildInput[] {
  const { name, uri } = isJsonObject(data) ? data : {};
  const [sha256, version] = [valueAt(data, ['digest', 'sha256']), valueAt(data, ['annotations', 'version'])];
  if (typeof name === 'string' && typeof version === 'string') return [{ type: 'program', name, stamp: version }];
  if (typeof sha256 !== 'string') return [];
  if (typeof uri === 'string' && uri.startsWith('oci://')) return [{ type: 'package', name: uri }];
  if (typeof uri === 'string') return [{ type: 'url', name: uri, stamp: sha256 }];
  return typeof name === 'string' ? [{ type: 'file', name, stamp: sha256 }] : [];
}

/** Inputs that differ between two builds are found by these keys. */
export function keyOfInput({ type, name }: BuildInput): string {
  return `${type} ${name}`;
}
