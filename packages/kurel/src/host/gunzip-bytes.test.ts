import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FetchError } from '../model/index.ts';
import { gunzipBytes } from './gunzip-bytes.ts';

async function refusalOf(result: Promise<unknown>): Promise<FetchError> {
  const error: unknown = await result.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FetchError);
  return error as FetchError;
}

describe('gunzipBytes', () => {
  const url = 'https://example.com/a.tgz';

  it('gives what the bytes hold, up to the limit', async () => {
    expect(await gunzipBytes(gzipSync('hello'), { maxBytes: 5 })).toEqual(new TextEncoder().encode('hello'));
    expect(await refusalOf(gunzipBytes(gzipSync('hello!'), { maxBytes: 5, url }))).toMatchObject({
      failure: 'size',
      url,
    });
  });

  it('stops a bomb', async () => {
    const bomb = gzipSync(new Uint8Array(2 ** 26), { level: 9 });
    expect(bomb.length).toBeLessThan(100_000);
    expect((await refusalOf(gunzipBytes(bomb, { maxBytes: 2 ** 20, url }))).message).toBe(
      'cannot unpack "https://example.com/a.tgz": it holds more than the 1 MiB that are taken',
    );
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['a text', new TextEncoder().encode('hello')],
    ['half', gzipSync('hello').subarray(0, 15)],
    ['a wrong checksum', gzipSync('hello').map((byte, index) => (index < 18 ? byte : 255 - byte))],
  ])('refuses %s', async (_, bytes) => {
    const error = await refusalOf(gunzipBytes(bytes, { maxBytes: 100, url }));
    expect(error).toMatchObject({ failure: 'encoding', url });
    expect(error.message).toMatch(/^cannot unpack "https:\/\/example.com\/a.tgz": it is no gzip \(/);
  });
});
