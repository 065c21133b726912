import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzip } from './read-archive.ts';
import { TarError } from './check-entry-name.ts';

async function refusalOf(result: Promise<unknown>): Promise<TarError> {
  const error: unknown = await result.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TarError);
  return error as TarError;
}

describe('gunzip', () => {
  it('decompresses up to the limit', async () => {
    expect(await gunzip(gzipSync('hello'), 5)).toEqual(new TextEncoder().encode('hello'));
    expect(await refusalOf(gunzip(gzipSync('hello!'), 5))).toMatchObject({ fault: 'size' });
  });

  it('stops a bomb', async () => {
    const bomb = gzipSync(new Uint8Array(2 ** 26), { level: 9 });
    expect(bomb.length).toBeLessThan(100_000);
    expect((await refusalOf(gunzip(bomb, 2 ** 20))).message).toBe('it has more than 1 MiB of content');
  });

  it.each([
    ['nothing', new Uint8Array(), 'it is not a gzip file'],
    ['plain text', new TextEncoder().encode('hello'), 'it is not a gzip file'],
    ['half', gzipSync('hello').subarray(0, 15), 'its gzip data is damaged or cut short'],
    [
      'a wrong checksum',
      gzipSync('hello').map((byte, index) => (index < 18 ? byte : 255 - byte)),
      'its gzip data is damaged or cut short',
    ],
  ])('refuses %s', async (_, bytes, message) => {
    expect(await refusalOf(gunzip(bytes, 100))).toMatchObject({ fault: 'encoding', message });
  });
});
