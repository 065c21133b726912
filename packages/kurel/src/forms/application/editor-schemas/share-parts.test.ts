import { describe, expect, it } from 'vitest';
import { shareParts } from './share-parts.ts';

describe('shared parts', () => {
  it('have one definition each', () => {
    const part = { type: 'string', description: 'x'.repeat(200) };
    const schema = {
      properties: { a: { items: part, type: 'array' }, b: { ...part }, 'c/d': { items: { ...part }, type: 'array' } },
    };
    const shared = shareParts(schema);
    // The list is met twice as well, and is long enough to be worth a name of its own.
    expect(shared).toEqual({
      properties: {
        a: { $ref: '#/definitions/a' },
        b: { $ref: '#/definitions/a-2' },
        'c/d': { $ref: '#/definitions/a' },
      },
      definitions: { a: { items: { $ref: '#/definitions/a-2' }, type: 'array' }, 'a-2': part },
    });
  });

  it('leave alone what is short, and what is only data', () => {
    const text = 'x'.repeat(200);
    const schema = { properties: { a: { type: 'string' }, b: { type: 'string' } }, default: [{ text }, { text }] };
    expect(shareParts(schema)).toEqual(schema);
  });

  it('do not take the name of a definition that is there', () => {
    const part = { description: 'x'.repeat(200) };
    const schema = { properties: { a: part, b: { ...part } }, definitions: { a: { type: 'string' } } };
    expect(shareParts(schema)).toEqual({
      properties: { a: { $ref: '#/definitions/a-2' }, b: { $ref: '#/definitions/a-2' } },
      definitions: { a: { type: 'string' }, 'a-2': part },
    });
  });
});
