import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withAnnotations } from '../kube/index.ts';
import { contentHash, sha256 } from './sha256.ts';
import { configMap, frozen } from '../../test/test-objects.ts';

function reference(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

describe('sha256', () => {
  it.each([0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 1000])('of %i characters', (length) => {
    const text = 'x'.repeat(length);
    expect(sha256(text)).toBe(reference(text));
  });

  it.each(['x', 'é', '\u{1f600}', '\ud83d', 'a\ud83d', '\udc00\ud83d'])('of a long text of %j', (part) => {
    for (const lead of ['', 'a', 'ab']) {
      const text = lead + part.repeat(140_000 / part.length);
      expect(sha256(text)).toBe(reference(text));
    }
  });

  it('of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(sha256(text)).toBe(reference(text));
      }),
    );
  });

  it('of any bytes, also those in the middle of others', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 10 }), (bytes, start) => {
        const part = bytes.subarray(start);
        expect(sha256(part)).toBe(createHash('sha256').update(part).digest('hex'));
      }),
    );
  });
});

describe('contentHash', () => {
  const object = configMap('a');

  it('hashes the canonical JSON', () => {
    expect(contentHash(object)).toBe(
      `sha256:${reference('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}')}`,
    );
  });

  it('does not depend on the order of keys', () => {
    expect(contentHash(frozen({ metadata: { name: 'a' }, kind: 'ConfigMap', apiVersion: 'v1' }))).toBe(
      contentHash(object),
    );
  });

  it('does not count the annotation that holds it', () => {
    const hashed = withAnnotations(object, { 'kurel.dev/content.hash': contentHash(object) });
    expect(contentHash(hashed)).toBe(contentHash(object));
    expect(contentHash(hashed, 'example.com')).not.toBe(contentHash(object));
  });

  it('differs for different data', () => {
    const hashes = [
      object,
      configMap('b'),
      frozen({ ...object, data: { a: 1 } }),
      frozen({ ...object, data: { a: '1' } }),
    ].map((item) => contentHash(item));
    expect(new Set(hashes).size).toBe(4);
  });
});
