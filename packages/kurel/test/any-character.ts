import * as fc from 'fast-check';

/** Any code point except surrogates, as a unit of `fc.string`. The `binary` of fast-check takes a second to prepare. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));
