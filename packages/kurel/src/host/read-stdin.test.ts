import { createReadStream, openSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { FileAccessError } from '../model/index.ts';
import { readStdin } from './read-stdin.ts';

describe('readStdin', () => {
  it('joins characters that are split between chunks', async () => {
    const bytes = Buffer.from('aé');
    expect(await readStdin(Readable.from([bytes.subarray(0, 2), bytes.subarray(2)]))).toBe('aé');
  });

  const large = Buffer.alloc(64 * 1024 * 1024);
  it.each<[string, AsyncIterable<Uint8Array>, string, string]>([
    ['UTF-16', Readable.from([Buffer.from([0xff, 0xfe, 0x61])]), 'not-utf-8', 'is UTF-16 text; save it as UTF-8'],
    ['other bytes', Readable.from([Buffer.from([0x61, 0xff])]), 'not-utf-8', 'is not UTF-8 text'],
    [
      'too much',
      Readable.from(Array.from({ length: 5 }, () => large)),
      'too-large',
      'has more than the limit of 268435456 bytes',
    ],
    ['a directory', createReadStream('', { fd: openSync('.', 'r') }), 'not-a-file', 'is a directory'],
  ])('rejects %s', async (_, input, reason, detail) => {
    const error: unknown = await readStdin(input).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(FileAccessError);
    expect(error).toMatchObject({ path: 'stdin', reason, detail });
  });
});
