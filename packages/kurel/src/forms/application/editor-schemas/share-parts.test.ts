import { describe, expect, it } from 'vitest';
import { shareParts } from './share-parts.ts';

describe('shared parts', () => {
  it('have one definition each', () => {
    const part = { type: 'string', description: 'x'.repeat(200) };
    const schema = {
      properties: { a: { items: part, type: 'array' }, b: { ...part }, 'c/d': { items: { ...part }, type: 'array' } },
    };
    const shared = shareParts(schema);
    // The list also occurs twice and is long enough for its own definition.
    expect(shared).toEqual({
      properties: {
        a: { $ref: '#/definitions/a' },
        b: { $ref: '#/definitions/a-2' },
        'c/d': { $ref: '#/definitions/a' },
      },
      definitions: { a: { items: { $ref: '#/definitions/a-2' }, type: 'array' }, 'a-2': part },
    });
  });

  it('do not include short parts and plain data', () => {
    const text = 'x'.repeat(200);
    const schema = { properties: { a: { type: 'string' }, b: { type: 'string' } }, default: [{ text }, { text }] };
    expect(shareParts(schema)).toEqual(schema);
  });

  it('do not reuse the name of an existing definition', () => {
    const part = { description: 'x'.repeat(200) };
    const schema = { properties: { a: part, b: { ...part } }, definitions: { a: { type: 'string' } } };
    expect(shareParts(schema)).toEqual({
      properties: { a: { $ref: '#/definitions/a-2' }, b: { $ref: '#/definitions/a-2' } },
      definitions: { a: { type: 'string' }, 'a-2': part },
    });
  });
});
