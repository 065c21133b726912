import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readStdin } from './read-stdin.ts';

describe('readStdin', () => {
  it('joins characters that were torn apart', async () => {
    const bytes = Buffer.from('aé');
    expect(await readStdin(Readable.from([bytes.subarray(0, 2), bytes.subarray(2)]))).toBe('aé');
  });

  it('refuses what is not UTF-8', async () => {
    await expect(readStdin(Readable.from([Buffer.from([0xff, 0xfe, 0x61])]))).rejects.toThrow('stdin: is UTF-16 text');
  });
});
