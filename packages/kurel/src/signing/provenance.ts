import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import type { Statement } from './statement.ts';
import { provenanceClaim } from './statement.ts';

/** How an artifact was built: everything that is needed to build it again. */
export interface BuildProvenance {
  /** Version of kurel. */
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

export type BuildInput =
  /** The path is relative to the root of the repository. */
  | { readonly type: 'file'; readonly path: string; readonly sha256: string }
  | { readonly type: 'url'; readonly url: string; readonly sha256: string }
  /** In a registry, by its digest: `oci://host/path@sha256:…`. */
  | { readonly type: 'package'; readonly reference: string }
  | { readonly type: 'program'; readonly program: string; readonly version: string };

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

function describeInput(input: BuildInput): JsonObject {
  if (input.type === 'file') return { name: input.path, digest: { sha256: input.sha256 } };
  if (input.type === 'url') return { uri: input.url, digest: { sha256: input.sha256 } };
  if (input.type === 'package') {
    const { reference } = input;
    return { uri: reference, digest: { sha256: reference.slice(reference.lastIndexOf(':') + 1) } };
  }
  const { program, version } = input;
  return { name: program, uri: `pkg:generic/${program}`, annotations: { version } };
}

/** `undefined` if the statement is not provenance of kurel. */
export function readProvenance({ predicateType, predicate }: Statement): BuildProvenance | undefined {
  if (predicateType !== provenanceClaim) return undefined;
  const definition = at(predicate, 'buildDefinition');
  const version = at(at(at(at(predicate, 'runDetails'), 'builder'), 'version'), 'kurel');
  const parameters = at(definition, 'externalParameters');
  const [directory, path, flags] = [at(parameters, 'directory'), at(parameters, 'path'), at(parameters, 'flags')];
  const dependencies = at(definition, 'resolvedDependencies');
  if (at(definition, 'buildType') !== buildType || typeof version !== 'string') return undefined;
  if (typeof directory !== 'string' || typeof path !== 'string') return undefined;
  if (!isJsonArray(flags) || !isJsonArray(dependencies) || dependencies.length > mostInputs) return undefined;
  const words = flags.filter((flag) => typeof flag === 'string');
  const inputs = dependencies.flatMap(readInput);
  if (words.length < flags.length || inputs.length < dependencies.length) return undefined;
  return { version, directory, path, flags: words, inputs };
}

function at(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function readInput(data: Json): readonly BuildInput[] {
  const [name, uri, sha256] = [at(data, 'name'), at(data, 'uri'), at(at(data, 'digest'), 'sha256')];
  const version = at(at(data, 'annotations'), 'version');
  if (typeof name === 'string' && typeof version === 'string') return [{ type: 'program', program: name, version }];
  if (typeof sha256 !== 'string') return [];
  if (typeof uri === 'string' && uri.startsWith('oci://')) return [{ type: 'package', reference: uri }];
  if (typeof uri === 'string') return [{ type: 'url', url: uri, sha256 }];
  return typeof name === 'string' ? [{ type: 'file', path: name, sha256 }] : [];
}

/** Inputs that differ between two builds are found by these keys. */
export function keyOfInput(input: BuildInput): string {
  if (input.type === 'file') return `file ${input.path}`;
  if (input.type === 'url') return `url ${input.url}`;
  if (input.type === 'program') return `program ${input.program}`;
  return `package ${input.reference}`;
}

/** The name of an input in messages. */
export function nameOfInput(input: BuildInput): string {
  if (input.type === 'file') return input.path;
  if (input.type === 'url') return input.url;
  return input.type === 'program' ? input.program : input.reference;
}
