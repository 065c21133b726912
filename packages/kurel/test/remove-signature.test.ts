import { describe, expect, it } from 'vitest';

import { removeSignature } from '../../../scripts/release/remove-signature.mjs';

/** A Mach-O file: header, a segment of 72 bytes from 120 to 150, the command of the signature, content, and the signature at 140. */
function createFile(type = 0x1d): Buffer {
  const file = Buffer.alloc(150, 0xaa);
  file.fill(0, 0, 120);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(2, 16);
  file.writeUInt32LE(88, 20);
  file.writeUInt32LE(0x19, 32);
  file.writeUInt32LE(72, 36);
  file.write('__LINKEDIT', 40);
  file.writeBigUInt64LE(120n, 72);
  file.writeBigUInt64LE(30n, 80);
  file.writeUInt32LE(type, 104);
  file.writeUInt32LE(16, 108);
  file.writeUInt32LE(140, 112);
  file.writeUInt32LE(10, 116);
  return file;
}

describe('the executable for macOS on x64', () => {
  it('loses its signature, and what refers to it', () => {
    const file = createFile();
    const unsigned = removeSignature(file);
    expect(unsigned).toHaveLength(140);
    expect([16, 20, 104, 108, 112, 116].map((at) => unsigned.readUInt32LE(at))).toEqual([1, 72, 0, 0, 0, 0]);
    expect(unsigned.readBigUInt64LE(80)).toBe(20n);
    expect(file).toEqual(createFile());
  });

  it.each([
    ['without a signature', createFile(0x2)],
    ['in another format', Buffer.from('\x7fELF'.padEnd(64, '\0'))],
  ])('is refused %s', (_title, file) => {
    expect(() => removeSignature(file)).toThrow(/signature is not the last part|not a Mach-O/);
  });
});
