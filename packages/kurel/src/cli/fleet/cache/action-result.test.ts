import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeActionResult, encodeActionResult } from './action-result.ts';

const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
const bytes = fc.uint8Array({ maxLength: 300 });

describe('an ActionResult', () => {
  it('reads what it wrote', () => {
    const size = fc.nat(2 ** 31 - 1);
    const files = fc.array(fc.record({ path: fc.string({ unit: 'grapheme' }), hash, size }));
    fc.assert(
      fc.property(fc.record({ files, stdout: bytes, stderr: bytes }), (result) => {
        const read = decodeActionResult(encodeActionResult(result))!;
        expect({ ...read, stdout: [...read.stdout], stderr: [...read.stderr] }).toEqual({
          ...result,
          stdout: [...result.stdout],
          stderr: [...result.stderr],
        });
      }),
    );
  });

  it('is written as the protocol says', () => {
    const result = {
      files: [{ path: 'a', hash: '0'.repeat(64), size: 300 }],
      stdout: Buffer.from('x'),
      stderr: Buffer.from('y'),
    };
    // output_files = 2 { path = 1, digest = 2 { hash = 1, size_bytes = 2 } }, stdout_raw = 5, stderr_raw = 7
    const digest = `0a40${'30'.repeat(64)}10ac02`;
    expect(Buffer.from(encodeActionResult(result)).toString('hex')).toBe(`124a0a01611245${digest}2a01783a0179`);
  });

  it('skips fields that a server adds', () => {
    const added = Buffer.concat([
      encodeActionResult({ files: [], stdout: Buffer.from('x'), stderr: new Uint8Array() }),
    ]);
    // exit_code = 4, execution_metadata = 9, a fixed64 and a fixed32
    const more = Buffer.from('20014a020a005901020304050607086501020304', 'hex');
    const read = decodeActionResult(Buffer.concat([added, more]));
    expect(Buffer.from(read!.stdout).toString()).toBe('x');
  });

  it('survives any bytes', () => {
    fc.assert(
      fc.property(bytes, (some) => {
        decodeActionResult(some);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['12', '1205', 'ffffffffffffffffffff01', '2affffffff0f', '0b', '12020a05', '120512030a0161'])(
    'refuses %s',
    (text) => {
      expect(decodeActionResult(Buffer.from(text, 'hex'))).toBeUndefined();
    },
  );
});
