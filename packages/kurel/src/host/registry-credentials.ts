import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type DiagnosticError, quote } from '../diagnostics/index.ts';
import { FileAccessError, isJsonObject, ProgramError, readJson } from '../model/index.ts';
import type { Json, JsonFields, JsonObject } from '../model/index.ts';
import { isDockerHub } from '../registry/index.ts';
import type { Credentials } from '../registry/index.ts';
import { diskFileSystem } from './disk-file-system.ts';
import { findProgram } from './find-program.ts';
import type { Environment } from './find-program.ts';
import { runProcess } from './run-process.ts';
import { hostProblems } from './problems.ts';
import { createUndoLog, makeDirectory, reportFailure } from './replace-files.ts';
import { replaceFile } from './write-output-file.ts';
import { getOrAdd } from '../budget/index.ts';

/**
 * Credentials for registries, by host, as `docker login` keeps them: in docker's file, or with a credential helper that the file names. Each
 * host is looked up once, and nothing is read before that.
 */
export function registryCredentials(
  options: RegistryConfigOptions,
): (host: string) => Promise<Credentials | undefined> {
  let config: Promise<DockerConfig | undefined> | undefined;
  const byHost = new Map<string, Promise<Credentials | undefined>>();
  async function find(host: string): Promise<Credentials | undefined> {
    const file = await (config ??= readDockerConfig(options));
    if (file === undefined) return undefined;
    const entry = findEntry(file, 'auths', host);
    const helper = findHelper(file, host);
    // With a helper, the file usually has an empty entry, whose key is the one that the helper knows.
    const stored = helper && (await getCredentials(helper, { key: entry?.key ?? configKeyOf(host), options }));
    return stored ?? (entry && readEntry(entry.value, { path: file.path, key: entry.key }));
  }
  return (host) => getOrAdd(byHost, host, () => find(host));
}

/** The helper of this host, or of all hosts. */
function findHelper(config: DockerConfig, host: string): CredentialHelper | undefined {
  const own = findEntry(config, 'credHelpers', host);
  const name = own?.value ?? config.data['credsStore'] ?? '';
  const shown = own === undefined ? '"credsStore"' : `"credHelpers" for ${quote(own.key)}`;
  if (typeof name !== 'string') throw refuseConfig(config.path, `${shown} must be a string`);
  if (name === '') return undefined;
  // The name becomes part of the name of a program.
  if (!/^\w[\w.-]{0,99}$/.test(name)) {
    throw refuseConfig(config.path, `${shown} is ${quote(name)}, which is not a valid name of a credential helper`);
  }
  return { name, config: config.path };
}

function readEntry(value: Json, { path, key }: { readonly path: string; readonly key: string }) {
  if (!isJsonObject(value)) throw refuseConfig(path, `"auths" for ${quote(key)} must be an object`);
  const { identitytoken: identityToken, auth, username, password } = value;
  if (isText(identityToken)) return { identityToken };
  if (isText(auth)) {
    const [, user, secret] = /^([^:]+):(.*)$/s.exec(decode(auth) ?? '') ?? [];
    if (user !== undefined) return { username: user, password: secret! };
    throw refuseConfig(path, `"auth" for ${quote(key)} must be USER:PASSWORD in base64`);
  }
  return isText(username) && isText(password) ? { username, password } : undefined;
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function decode(auth: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(auth)) return undefined;
  // Old releases of docker filled the end with zeros.
  return Buffer.from(auth, 'base64').toString('utf8').replace(/\0+$/, '');
}

/** Where credentials were stored. */
export type CredentialPlace = { readonly helper: string } | { readonly file: string };

/** Stores credentials where docker would. */
export async function storeLogin(
  host: string,
  credentials: { readonly username: string; readonly password: string },
  options: RegistryConfigOptions,
): Promise<CredentialPlace | undefined> {
  const config = await readDockerConfig({ ...options, mayCreate: true });
  if (config === undefined) return undefined;
  const helper = findHelper(config, host);
  if (helper !== undefined) {
    const key = configKeyOf(host);
    const stdin = JSON.stringify({ ServerURL: key, Username: credentials.username, Secret: credentials.password });
    await runHelper(helper, 'store', { key, stdin, options });
    // As docker does: without an entry, `docker logout` would not find the host. It also removes an old password from the file.
    writeEntry(config, { host, value: {} }, options);
    return { helper: helper.name };
  }
  const auth = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  writeEntry(config, { host, value: { auth } }, options);
  return { file: config.path };
}

/** Removes credentials from the file and from the helper. Returns whether there were any. */
export async function removeLogin(host: string, options: RegistryConfigOptions): Promise<boolean> {
  const config = await readDockerConfig({ ...options, mayCreate: true });
  if (config === undefined) return false;
  const entry = findEntry(config, 'auths', host);
  const helper = findHelper(config, host);
  const key = entry?.key ?? configKeyOf(host);
  const wasKept = helper !== undefined && (await runHelper(helper, 'erase', { key, options })) !== undefined;
  if (entry !== undefined) writeEntry(config, { host, value: undefined }, options);
  return wasKept || entry !== undefined;
}

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
interface DockerConfig {
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
async function readDockerConfig(
  options: RegistryConfigOptions & { readonly mayCreate?: boolean },
): Promise<DockerConfig | undefined> {
  const { mayCreate = options.file === undefined } = options;
  const path = findDockerConfig(options);
  if (path === undefined) return undefined;
  const { workingDirectory = '.' } = options;
  const disk = diskFileSystem({ workingDirectory, maxFileBytes: largestConfig, pipes: true });
  try {
    return { path, data: parseConfig(await disk.readText(path), path) };
  } catch (error) {
    if (!(error instanceof FileAccessError)) throw error;
    if (error.reason === 'not-found' && mayCreate) return { path, data: {} };
    const place = { location: { file: path }, cause: error };
    throw hostProblems.error('file-unreadable', { reason: error.message, near: undefined }, place);
  }
}

const configFields: JsonFields = {
  names: ['auths', 'credHelpers', 'credsStore', 'HttpHeaders', 'aliases', 'plugins', 'proxies'],
  maps: ['auths', 'credHelpers', 'HttpHeaders', 'aliases', 'plugins', 'proxies'],
};

function parseConfig(text: string, path: string): JsonObject {
  const reading = readJson(text, { fields: configFields });
  if ('reason' in reading) throw refuseConfig(path, reading.reason);
  if (!isJsonObject(reading.data)) throw refuseConfig(path, 'it is not an object');
  return reading.data;
}

function refuseConfig(path: string, reason: string): DiagnosticError {
  return hostProblems.error('registry-config-invalid', { path, reason }, { location: { file: path } });
}

// Docker keeps the credentials for Docker Hub under a URL of an API that no longer exists.
const hubKey = 'https://index.docker.io/v1/';

/** The name under which docker keeps the credentials for a host. */
function configKeyOf(host: string): string {
  return isDockerHub(host) ? hubKey : host;
}

/** The entry for a host in `auths` or `credHelpers`. Old keys are URLs, of which only the host counts. */
function findEntry({ path, data }: DockerConfig, table: 'auths' | 'credHelpers', host: string) {
  const entries = data[table];
  if (entries === undefined || entries === null) return undefined;
  if (!isJsonObject(entries)) throw refuseConfig(path, `${quote(table)} must be an object`);
  const wanted = configKeyOf(host);
  const key = Object.hasOwn(entries, wanted) ? wanted : Object.keys(entries).find((name) => isFor(name, host));
  return key === undefined ? undefined : { key, value: entries[key]! };
}

function isFor(key: string, host: string): boolean {
  const named = key.replace(/^https?:\/\//i, '').replace(/\/.*$/s, '');
  return configKeyOf(named).toLowerCase() === configKeyOf(host).toLowerCase();
}

/** Replaces the entry of a host in `auths`, or removes it. Everything else in the file stays. */
function writeEntry(
  config: DockerConfig,
  { host, value }: { readonly host: string; readonly value: JsonObject | undefined },
  { workingDirectory = '.' }: RegistryConfigOptions,
): void {
  const { path, data } = config;
  const before = isJsonObject(data['auths']) ? data['auths'] : {};
  const others = Object.entries(before).filter(([key]) => !isFor(key, host));
  const auths = Object.fromEntries(value === undefined ? others : [...others, [configKeyOf(host), value]]);
  const full = resolve(workingDirectory, path);
  const write = (): void => {
    makeDirectory(dirname(full), createUndoLog(), 0o700);
    const isThere = statSync(full, { throwIfNoEntry: false }) !== undefined;
    // Writes the target of a link, so that the link remains.
    const target = isThere ? realpathSync.native(full) : full;
    replaceFile(target, `${JSON.stringify({ ...data, auths }, undefined, '\t')}\n`, privateMode);
  };
  reportFailure(path, write, 'always');
}

const privateMode = 0o600;

/** A program that keeps credentials, such as `docker-credential-osxkeychain`. */
interface CredentialHelper {
  /** The part of its name after `docker-credential-`. */
  readonly name: string;
  /** The file that names it. */
  readonly config: string;
}

interface HelperCall {
  /** Of a registry in docker's file. */
  readonly key: string;
  readonly options: RegistryConfigOptions;
  /** Defaults to the key. */
  readonly stdin?: string;
}

type HelperAction = 'get' | 'store' | 'erase';

// It may wait for the user to unlock a key ring, or for a cloud to issue a token.
const longestCall = 60_000;
const mostOutput = 65_536;
const absent = /credentials not found|no credentials/i;
/** Docker's user name for an identity token. */
const tokenUser = '<token>';

const answerFields: JsonFields = { names: ['ServerURL', 'Username', 'Secret'] };

/** `undefined` if the helper has none. */
async function getCredentials(helper: CredentialHelper, call: HelperCall): Promise<Credentials | undefined> {
  const stdout = await runHelper(helper, 'get', call);
  if (stdout === undefined) return undefined;
  const reading = readJson(stdout, { fields: answerFields });
  if ('reason' in reading) {
    throw refuseHelper(helper, 'get', { key: call.key, reason: `its output cannot be read: ${reading.reason}` });
  }
  const answer = reading.data;
  const { Username: username, Secret: secret } = isJsonObject(answer) ? answer : {};
  if (typeof username !== 'string' || typeof secret !== 'string') {
    throw refuseHelper(helper, 'get', { key: call.key, reason: 'its output has no Username and Secret' });
  }
  if (secret === '') return undefined;
  return username === tokenUser ? { identityToken: secret } : { username, password: secret };
}

/** What a helper prints; `undefined` if it has no credentials for the key. */
async function runHelper(
  helper: CredentialHelper,
  action: HelperAction,
  { key, options, stdin = key }: HelperCall,
): Promise<string | undefined> {
  const { environment, signal, workingDirectory } = options;
  const program = programOf(helper);
  const { found: file } = findProgram(program, { environment });
  if (file === undefined) {
    const reason = 'it is not installed or not on PATH';
    throw refuseHelper(helper, action, { key, reason, isInstalled: false });
  }
  try {
    const { exitCode, stdout } = await runProcess({
      program,
      file,
      args: [action],
      environment,
      stdin,
      timeoutMs: longestCall,
      maxOutputBytes: mostOutput,
      directory: workingDirectory,
      signal,
    });
    if (exitCode === 0) return stdout;
    if (action !== 'store' && absent.test(stdout)) return undefined;
    throw refuseHelper(helper, action, { key, reason: `exit code ${exitCode}` });
  } catch (cause) {
    if (!(cause instanceof ProgramError)) throw cause;
    throw refuseHelper(helper, action, { key, reason: cause.message, cause });
  }
}

function programOf({ name }: CredentialHelper): string {
  return `docker-credential-${name}`;
}

interface HelperFailure {
  readonly key: string;
  readonly reason: string;
  readonly isInstalled?: boolean;
  readonly cause?: unknown;
}

/** Never quotes the output of the helper, which may contain the secret. */
function refuseHelper(helper: CredentialHelper, action: HelperAction, failure: HelperFailure): DiagnosticError {
  const { key, reason, isInstalled = true, cause } = failure;
  const args = { program: programOf(helper), key, action, reason, config: helper.config, isInstalled };
  return hostProblems.error('credential-helper-failed', args, { cause });
}
