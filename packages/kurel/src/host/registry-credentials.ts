import { quote } from '../diagnostics/index.ts';
import { isJsonObject } from '../model/index.ts';
import type { Json } from '../model/index.ts';
import type { Credentials } from '../registry/index.ts';
import { eraseCredentials, getCredentials, storeCredentials } from './credential-helper.ts';
import type { CredentialHelper } from './credential-helper.ts';
import { configKeyOf, findEntry, readDockerConfig, refuseConfig, writeEntry } from './docker-config.ts';
import type { DockerConfig, RegistryConfigOptions } from './docker-config.ts';

/**
 * Credentials for registries, by host, as `docker login` keeps them: in docker's file, or with a credential helper that the file names. Each
 * host is looked up once, and nothing is read before that.
 */
export function registryCredentials(
  options: RegistryConfigOptions,
): (host: string) => Promise<Credentials | undefined> {
  let config: Promise<DockerConfig | undefined> | undefined;
  const known = new Map<string, Promise<Credentials | undefined>>();
  async function find(host: string): Promise<Credentials | undefined> {
    const found = await (config ??= readDockerConfig(options));
    return found === undefined ? undefined : await findCredentials(found, host, options);
  }
  return (host) => {
    const credentials = known.get(host) ?? find(host);
    known.set(host, credentials);
    return credentials;
  };
}

async function findCredentials(
  config: DockerConfig,
  host: string,
  options: RegistryConfigOptions,
): Promise<Credentials | undefined> {
  const entry = findEntry(config, 'auths', host);
  const helper = findHelper(config, host);
  // With a helper, the file usually has an empty entry, whose key is the one that the helper knows.
  const stored = helper && (await getCredentials(helper, { key: entry?.key ?? configKeyOf(host), options }));
  return stored ?? (entry && readEntry(entry.value, { path: config.path, key: entry.key }));
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
    await storeCredentials(helper, { key: configKeyOf(host), credentials, options });
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
  const wasKept =
    helper !== undefined && (await eraseCredentials(helper, { key: entry?.key ?? configKeyOf(host), options }));
  if (entry !== undefined) writeEntry(config, { host, value: undefined }, options);
  return wasKept || entry !== undefined;
}
