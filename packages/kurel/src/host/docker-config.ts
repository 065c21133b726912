import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

import { DiagnosticError, quote } from '../diagnostics/index.ts';
import { FileAccessError, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import { diskFileSystem } from './disk-file-system.ts';
import { isSystemError, toFileAccessError } from './file-errors.ts';
import type { Environment } from './find-program.ts';
import { hostProblems } from './problems.ts';
import { replaceFile } from './write-output-file.ts';

export interface RegistryConfigOptions {
  /** Variables that say where docker's file is and where programs are. Credential helpers receive all of them. */
  readonly environment: Environment;
  /** Defaults to the file of docker, which does not have to exist. */
  readonly file?: string | undefined;
  /** Where relative paths start. Defaults to the current directory. */
  readonly workingDirectory?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The file in which docker keeps credentials of registries, or the names of the programs that keep them. */
export interface DockerConfig {
  readonly path: string;
  readonly data: JsonObject;
}

const largestConfig = 1_048_576;

/** Where the file is or would be; `undefined` without a home directory. */
function findDockerConfig({ environment, file, workingDirectory = '.' }: RegistryConfigOptions) {
  const { DOCKER_CONFIG: directory = '', HOME: home = environment['USERPROFILE'] ?? '' } = environment;
  if (file !== undefined) return file;
  if (directory !== '') return join(resolve(workingDirectory, directory), 'config.json');
  return isAbsolute(home) ? join(home, '.docker', 'config.json') : undefined;
}

/** Its content. A file that the user names must exist, unless it is about to be written. */
export async function readDockerConfig(
  options: RegistryConfigOptions & { readonly mayCreate?: boolean },
): Promise<DockerConfig | undefined> {
  const { mayCreate = options.file === undefined } = options;
  const path = findDockerConfig(options);
  if (path === undefined) return undefined;
  const { workingDirectory } = options;
  const place = workingDirectory === undefined ? {} : { workingDirectory };
  const disk = diskFileSystem({ ...place, maxFileBytes: largestConfig, pipes: true });
  try {
    return { path, data: parseConfig(await disk.readText(path), path) };
  } catch (error) {
    if (!(error instanceof FileAccessError)) throw error;
    if (error.reason === 'not-found' && mayCreate) return { path, data: {} };
    const problem = hostProblems.create(
      'file-unreadable',
      { reason: error.message, near: undefined },
      { location: { file: path } },
    );
    throw new DiagnosticError([problem], { cause: error });
  }
}

function parseConfig(text: string, path: string): JsonObject {
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The error of the parser quotes the file, and so perhaps a password.
    throw refuseConfig(path, 'it is not valid JSON');
  }
  if (!isJsonObject(data)) throw refuseConfig(path, 'it is not an object');
  return data;
}

export function refuseConfig(path: string, reason: string): DiagnosticError {
  return new DiagnosticError([
    hostProblems.create('registry-config-invalid', { path, reason }, { location: { file: path } }),
  ]);
}

// Docker Hub has several host names. Docker keeps its credentials under a URL of an API that no longer exists.
const hubKey = 'https://index.docker.io/v1/';
const hubHosts: ReadonlySet<string> = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);

/** The name under which docker keeps the credentials for a host. */
export function configKeyOf(host: string): string {
  return hubHosts.has(host.toLowerCase()) ? hubKey : host;
}

/** The entry for a host in `auths` or `credHelpers`. Old keys are URLs, of which only the host counts. */
export function findEntry({ path, data }: DockerConfig, table: string, host: string): ConfigEntry | undefined {
  const entries = data[table];
  if (entries === undefined || entries === null) return undefined;
  if (!isJsonObject(entries)) throw refuseConfig(path, `${quote(table)} must be an object`);
  const wanted = configKeyOf(host);
  const key = Object.hasOwn(entries, wanted) ? wanted : Object.keys(entries).find((one) => isFor(one, host));
  return key === undefined ? undefined : { key, value: entries[key]! };
}

interface ConfigEntry {
  readonly key: string;
  readonly value: Json;
}

function isFor(key: string, host: string): boolean {
  const named = key.replace(/^https?:\/\//i, '').replace(/\/.*$/s, '');
  return configKeyOf(named).toLowerCase() === configKeyOf(host).toLowerCase();
}

/** Replaces the entry of a host in `auths`, or removes it. Everything else in the file stays. */
export function writeEntry(
  config: DockerConfig,
  { host, value }: { readonly host: string; readonly value: JsonObject | undefined },
  { workingDirectory = '.' }: Pick<RegistryConfigOptions, 'workingDirectory'> = {},
): void {
  const { path, data } = config;
  const before = isJsonObject(data['auths']) ? data['auths'] : {};
  const others = Object.entries(before).filter(([key]) => !isFor(key, host));
  const auths = Object.fromEntries(value === undefined ? others : [...others, [configKeyOf(host), value]]);
  const full = resolve(workingDirectory, path);
  try {
    mkdirSync(dirname(full), { recursive: true, mode: 0o700 });
    const isThere = statSync(full, { throwIfNoEntry: false }) !== undefined;
    // Writes the target of a link, so that the link remains.
    const target = isThere ? realpathSync.native(full) : full;
    replaceFile(target, `${JSON.stringify({ ...data, auths }, undefined, '\t')}\n`, privateMode);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const problem = hostProblems.create('output-failed', { path, reason: toFileAccessError(path, error).detail });
    throw new DiagnosticError([problem], { cause: error });
  }
}

const privateMode = 0o600;
