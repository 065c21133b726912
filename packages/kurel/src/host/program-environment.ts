import { mkdirSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Environment, searchPath } from './find-program.ts';

// What a Windows program needs to start at all.
const systemNames = ['SystemRoot', 'SYSTEMROOT', 'windir', 'ComSpec', 'PATHEXT'];

const networkNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];
const certificateNames = ['SSL_CERT_FILE', 'SSL_CERT_DIR'];

// A port that nothing listens on: with it a request that should not exist fails at once instead of leaving the machine.
const nowhere = 'http://127.0.0.1:9';

/**
 * A small environment in which the output depends on the input alone: no plugins, repositories, clusters or settings of
 * the user, and a home directory of its own below `directory`. Without `network` there are no proxies and no PATH (so
 * that kustomize finds no git), and HTTP leads nowhere.
 */
export function programEnvironment(
  environment: Environment,
  options: { readonly directory: string; readonly network: boolean },
): Record<string, string> {
  const home = join(options.directory, 'home');
  const temporary = join(options.directory, 'tmp');
  for (const directory of [home, temporary]) mkdirSync(directory, { mode: 0o700 });
  return {
    ...pick(environment, systemNames),
    ...(options.network
      ? { ...pick(environment, [...networkNames, ...certificateNames]), PATH: absolutePath(environment) }
      : { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, NO_PROXY: '' }),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_DATA_HOME: join(home, 'data'),
    HELM_CONFIG_HOME: join(home, 'helm', 'config'),
    HELM_CACHE_HOME: join(home, 'helm', 'cache'),
    HELM_DATA_HOME: join(home, 'helm', 'data'),
    HELM_PLUGINS: join(home, 'helm', 'plugins'),
    KUSTOMIZE_PLUGIN_HOME: join(home, 'kustomize', 'plugins'),
    KUBECONFIG: join(home, 'no-kubeconfig'),
  };
}

function absolutePath(environment: Environment): string {
  return searchPath(environment)
    .split(delimiter)
    .filter((directory) => isAbsolute(directory))
    .join(delimiter);
}

function pick(environment: Environment, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = environment[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
