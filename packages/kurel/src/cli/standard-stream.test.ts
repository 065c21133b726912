import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anyCharacter } from '../../test/any-character.ts';
import { cutText } from './standard-stream.ts';

describe('a text in pieces', () => {
  it('is the text, and each piece has the bytes it has in the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.integer({ min: 2, max: 9 }), (text, most) => {
        const pieces = [...cutText(text, most)];
        expect(pieces.join('')).toBe(text);
        expect(pieces.every((piece) => piece.length <= most)).toBe(true);
        expect(Buffer.concat(pieces.map((piece) => Buffer.from(piece))).equals(Buffer.from(text))).toBe(true);
      }),
    );
  });

  it('is one piece when it is short, also when it is empty', () => {
    expect([...cutText('')]).toEqual(['']);
    expect([...cutText('abc', 3)]).toEqual(['abc']);
  });
});
