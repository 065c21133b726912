import { describe, expect, it } from 'vitest';

import type { Environment } from '../../environment.ts';
import { readCacheFlags } from './open-cache.ts';

const key = 'a key that all machines share';

function read(cache: string, variables: Readonly<Record<string, string>>) {
  const flags = { cache, 'cache-read-only': false, 'cache-secrets': false, 'cache-trust': false };
  return readCacheFlags(flags, { variables, workingDirectory: '/project' } as unknown as Environment);
}

describe('--cache', () => {
  it.each([
    ['https://cache.example.com/', 'https://cache.example.com'],
    ['HTTP://Cache.example.com//kurel//', 'http://cache.example.com//kurel'],
    ['cache', '/project/cache'],
    ['https:', '/project/https:'],
    ['/var/cache/kurel', '/var/cache/kurel'],
  ])('%s is at %s', (given, place) => {
    expect(read(given, { KUREL_CACHE_KEY: key })?.place).toBe(place);
  });

  it('must not be empty: the working directory would be the cache', () => {
    expect(() => read('', {})).toThrow('--cache must not be empty');
  });

  it.each([
    ['KUREL_CACHE_KEY', `${key}\n`, 'KUREL_CACHE_KEY must not begin or end with white space'],
    ['KUREL_CACHE_TOKEN', 'secret\n', 'KUREL_CACHE_TOKEN must consist of visible ASCII characters'],
    ['KUREL_CACHE_TOKEN', 'sécret', 'KUREL_CACHE_TOKEN must consist of visible ASCII characters'],
    ['KUREL_CACHE_USER', ' me', 'KUREL_CACHE_USER must not begin or end with white space'],
    ['KUREL_CACHE_PASSWORD', 'a\u0000b', 'KUREL_CACHE_PASSWORD must not begin or end with white space'],
  ])('refuses %s with %j, which other machines would read differently', (name, value, message) => {
    const attempt = (): unknown => read('https://cache.example.com', { KUREL_CACHE_KEY: key, [name]: value });
    expect(attempt).toThrow(message);
    expect(attempt).not.toThrow(value.trim());
  });
});
