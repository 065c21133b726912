import type { Stats } from 'node:fs';

import { generateParameterSchema, readYaml, schemaCacheKey } from '../index.ts';
import type { SchemaRequest } from '../index.ts';
import { canonicalJson, isJsonArray, isJsonObject } from '../model/index.ts';
import type { Diagnostic, JsonObject, Report } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { kurelVersion } from './kurel-version.ts';
import { openOwnCache } from './own-cache.ts';

interface GeneratedSchema {
  readonly schema: JsonObject;
  /** Findings of its generation, which may be cached as well. */
  readonly diagnostics: readonly Diagnostic[];
}

interface CachedGenerateOptions {
  /** Characters of a package from which its schema is kept. */
  readonly least?: number | undefined;
}

/** Generates parameter schemas, and keeps them in the cache. */
export function createCachedGenerate(
  { variables }: Environment,
  { least = 0 }: CachedGenerateOptions = {},
): typeof generateParameterSchema {
  return (request, report) => {
    const isKept = least === 0 || sizeOf(request.package) >= least;
    const cache = isKept ? openSchemaCache({ environment: variables }) : undefined;
    if (cache === undefined) return generateParameterSchema(request, report);
    const key = keyOf(request);
    const { schema, diagnostics } = readSchema(cache.read(key)) ?? generateAndKeep(request, { cache, key });
    diagnostics.forEach(report);
    return schema;
  };
}

function sizeOf({ layers, resources, patches, definitions, schemaOverrides }: SchemaRequest['package']): number {
  const sources = [
    ...layers.map(({ source }) => source),
    ...resources,
    ...patches.flatMap(({ file, sidecar }) => [file.source, sidecar?.source]),
    ...definitions,
    schemaOverrides,
  ];
  return sources.reduce((sum, source) => sum + (source?.text.length ?? 0), 0);
}

interface Keeping {
  readonly cache: NonNullable<ReturnType<typeof openSchemaCache>>;
  readonly key: string;
}

function generateAndKeep(request: SchemaRequest, { cache, key }: Keeping): GeneratedSchema {
  const diagnostics: Diagnostic[] = [];
  const keep: Report = (diagnostic) => void diagnostics.push(diagnostic);
  const generated = { schema: generateParameterSchema(request, keep), diagnostics };
  try {
    cache.write(key, JSON.stringify(generated));
  } catch {
    // A schema with integers that JSON cannot represent is not cached.
  }
  return generated;
}

/** Locations of findings contain paths as the user wrote them, and findings depend on all values. */
function keyOf({ package: pkg, parameters, plan, store }: SchemaRequest): string {
  const kubernetesVersion = store?.kubernetesVersion ?? '';
  const content = canonicalJson({
    own: schemaCacheKey(pkg, { toolVersion: kurelVersion, kubernetesVersion, plan, digest }),
    path: pkg.path,
    given: (parameters ?? pkg).layers.map(({ source }) => [source.path, source.text]),
    isBuilt: parameters !== undefined,
  });
  return digest(content);
}

function digest(text: string): string {
  return loadCrypto().createHash('sha256').update(text).digest('hex');
}

/** Loaded on demand, because small packages need none of it. */
function loadCrypto() {
  return process.getBuiltinModule('node:crypto');
}

/** With our own reader, because JSON.parse of some Node versions (24.21) mixes up keys with escapes. */
function readSchema(text: string | undefined): GeneratedSchema | undefined {
  const { documents, diagnostics } = readYaml({ path: 'cache', text: text ?? '' });
  const data = diagnostics.length === 0 ? documents[0]?.data : undefined;
  if (!isJsonObject(data) || !isJsonObject(data['schema']) || !isJsonArray(data['diagnostics'])) return undefined;
  return data as unknown as GeneratedSchema;
}

interface SchemaCacheOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userId?: number | undefined;
  /** In milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

const hour = 60 * 60 * 1000;
const fileName = /^schema-[0-9a-f]{64}\.sealed(?:\.\d+)?$/;
/** Earlier versions wrote them as they are, with the defaults of parameters. */
const openFileName = /^schema-[0-9a-f]{16,128}\.json(?:\.\d+)?$/;

/** Schemas that runs of the last hour generated; undefined if there is no cache directory. If anything fails, a schema is generated again. */
export function openSchemaCache(options: SchemaCacheOptions) {
  const { environment, userId = process.getuid?.(), now = Date.now } = options;
  const cache = openOwnCache({ variables: environment, userId });
  if (cache === undefined) return undefined;
  const isFresh = ({ mtimeMs }: Stats): boolean => Math.abs(now() - mtimeMs) < hour;
  return {
    read(key: string): string | undefined {
      const bytes = cache.read(fileOf(key), isFresh);
      return bytes && unseal(bytes, key);
    },
    write(key: string, text: string): void {
      // Old schemas, and temporary files of killed runs. Other files are not part of this cache.
      cache.clear((file, stats) => openFileName.test(file) || (fileName.test(file) && !isFresh(stats)));
      cache.write(fileOf(key), seal(text, key));
    },
  };
}

/** Keys are hashes. The name does not reveal the key, which opens the file. */
function fileOf(key: string): string {
  return `schema-${derive('name', key).toString('hex')}.sealed`;
}

function derive(purpose: 'name' | 'content', key: string): Buffer {
  return loadCrypto().createHash('sha256').update(`${purpose} ${key}`).digest();
}

const cipher = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/**
 * A schema repeats values of the package: defaults, constants, comments. They may be passwords, so nobody can read the file without the
 * package itself, from which the key is made.
 */
function seal(text: string, key: string): Buffer {
  const { createCipheriv, randomBytes } = loadCrypto();
  const nonce = randomBytes(nonceLength);
  const sealing = createCipheriv(cipher, derive('content', key), nonce);
  const content = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), content]);
}

/** `undefined` if the file is damaged. */
function unseal(bytes: Buffer, key: string): string | undefined {
  const start = nonceLength + tagLength;
  if (bytes.length < start) return undefined;
  try {
    const opening = loadCrypto().createDecipheriv(cipher, derive('content', key), bytes.subarray(0, nonceLength));
    opening.setAuthTag(bytes.subarray(nonceLength, start));
    return Buffer.concat([opening.update(bytes.subarray(start)), opening.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
