import { resolve } from 'node:path';

import { quote } from '../../../diagnostics/index.ts';
import { forActions, switchFlag, textFlag } from '../../command.ts';
import type { FlagDefinitions, FlagValues } from '../../command.ts';
import type { Environment } from '../../environment.ts';
import { UsageError } from '../../usage-error.ts';

export const cacheFlags = {
  ...forActions(['build', 'validate', 'job'], {
    cache: textFlag(
      'DIR|URL',
      "share finished targets with other machines, in a directory or a server for Bazel's HTTP cache.",
      { completes: 'path' },
    ),
    'cache-secrets': switchFlag('also store targets in --cache that have Secrets with data.'),
    'cache-trust': switchFlag('use the server of --cache without KUREL_CACHE_KEY: trust what it sends.'),
  }),
  ...forActions(['build', 'validate'], {
    'cache-read-only': switchFlag('take targets from --cache, but store none; for pull requests.'),
  }),
} as const satisfies FlagDefinitions;

/** Plain data, so that it can be sent to another process; keys and credentials stay in the environment. */
export interface CacheSettings {
  /** A URL without a slash at the end, or an absolute path. */
  readonly place: string;
  readonly isReadOnly: boolean;
  readonly storesSecrets: boolean;
}

const shortestKey = 16;

export function readCacheFlags(
  flags: FlagValues<typeof cacheFlags>,
  { variables, workingDirectory }: Environment,
): CacheSettings | undefined {
  const { cache: place } = flags;
  if (place === undefined) {
    const useless = (['cache-read-only', 'cache-secrets', 'cache-trust'] as const).find((name) => flags[name]);
    if (useless === undefined) return undefined;
    throw new UsageError(`--${useless} has no effect without --cache`, 'pass --cache DIR or --cache URL, or remove it');
  }
  const settings = { isReadOnly: flags['cache-read-only'], storesSecrets: flags['cache-secrets'] };
  checkVariables(variables);
  const key = keyOf(variables);
  if (key !== '' && key.length < shortestKey) {
    throw new UsageError(
      `KUREL_CACHE_KEY must have at least ${shortestKey} characters`,
      'create one with, for example, openssl rand -hex 32',
    );
  }
  const url = parseCacheUrl(place);
  if (url === undefined) return { ...settings, place: resolve(workingDirectory, place) };
  if (key === '' && !flags['cache-trust']) {
    throw new UsageError(
      'a cache on a server requires KUREL_CACHE_KEY in the environment',
      'set the same secret key on all machines; with --cache-trust, kurel believes everything that the server sends',
    );
  }
  return { ...settings, place: url.href.replace(/\/+$/, '') };
}

/** The URL in `--cache`; `undefined` if it is a directory. A URL may contain a password, so no message quotes it. */
export function parseCacheUrl(text: string): URL | undefined {
  if (text === '') throw new UsageError('--cache must not be empty', 'pass a directory or a URL');
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  if (!/^https?$/i.test(scheme)) {
    throw new UsageError(
      `--cache must be a directory or a URL that begins with https:// or http://, got ${quote(`${scheme}://…`)}`,
      "use the address for Bazel's HTTP cache; most servers have one next to that for gRPC",
    );
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    throw new UsageError('--cache is not a valid URL', 'for example https://cache.example.com/kurel');
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('--cache must not contain a user or password', credentialsHint);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError('--cache must be a URL without a query or fragment', credentialsHint);
  }
  return url;
}

const credentialsHint = 'set KUREL_CACHE_USER and KUREL_CACHE_PASSWORD, or KUREL_CACHE_TOKEN, in the environment';

/** A line break from a file or a Secret would make another key of it, or a header that cannot be sent. */
function checkVariables(variables: Environment['variables']): void {
  for (const name of ['KUREL_CACHE_KEY', 'KUREL_CACHE_TOKEN', 'KUREL_CACHE_USER', 'KUREL_CACHE_PASSWORD']) {
    const value = variables[name] ?? '';
    const isSent = name === 'KUREL_CACHE_TOKEN';
    if (value === value.trim() && !/\p{Cc}/u.test(value) && !(isSent && /[^\u0021-\u007E]/.test(value))) continue;
    throw new UsageError(
      isSent
        ? `${name} must consist of visible ASCII characters`
        : `${name} must not begin or end with white space, or contain control characters`,
      'remove the line break that a file or a Secret may end with',
    );
  }
}

/** Signs entries; empty if there is none. */
export function keyOf(variables: Environment['variables']): string {
  return variables['KUREL_CACHE_KEY'] ?? '';
}
