import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainImageReference, formatImageReference, normalizeImageReference, parseImageReference } from './index.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('parseImageReference', () => {
  it.each([
    ['nginx', { path: 'nginx' }, 'docker.io/library/nginx'],
    ['nginx:1.25', { path: 'nginx', tag: '1.25' }, 'docker.io/library/nginx:1.25'],
    ['org/app', { path: 'org/app' }, 'docker.io/org/app'],
    ['localhost:5000/app:1', { registry: 'localhost:5000', path: 'app', tag: '1' }, 'localhost:5000/app:1'],
    ['localhost:5000', { path: 'localhost', tag: '5000' }, 'docker.io/library/localhost:5000'],
    ['index.docker.io/nginx', { registry: 'index.docker.io', path: 'nginx' }, 'docker.io/library/nginx'],
    ['[::1]:5000/a/b', { registry: '[::1]:5000', path: 'a/b' }, '[::1]:5000/a/b'],
    [`ghcr.io/a/b:v1@${digest}`, { registry: 'ghcr.io', path: 'a/b', tag: 'v1', digest }, `ghcr.io/a/b:v1@${digest}`],
    [`a@${digest}`, { path: 'a', digest }, `docker.io/library/a@${digest}`],
  ])('reads %s', (text, parts, normal) => {
    const reference = parseImageReference(text)!;
    expect(reference).toEqual(parts);
    expect(formatImageReference(reference)).toBe(text);
    expect(formatImageReference(normalizeImageReference(reference))).toBe(normal);
  });

  it.each([
    ['', 'must not be empty'],
    ['Nginx', 'lower-case'],
    ['org/App', 'lower-case'],
    ['a:', 'must have a tag'],
    ['a:-x', 'must have a tag'],
    [`a:${'t'.repeat(129)}`, 'must have a tag'],
    ['a@', 'must have a digest that starts'],
    ['a@md5:00', 'must have a digest that starts'],
    ['a@sha256:00', 'must have a digest of 64'],
    ['ghcr.io/', 'must name a repository'],
    ['-x.io/a', 'registry host'],
    ['a//b', 'must have a path'],
    ['a/___/b', 'must have a path'],
    ['https://ghcr.io/a', 'registry host'],
    ['a'.repeat(300), 'at most 255'],
    ['a'.repeat(100_000), 'at most 4096'],
    ['f'.repeat(64), 'image ID'],
    ['${image}', 'must have a path'],
  ])('refuses %j: %s', (text, reason) => {
    expect(parseImageReference(text)).toBeUndefined();
    expect(explainImageReference(text)).toContain(reason);
  });

  it('reads its own output', () => {
    const part = fc.constantFrom('a', 'b1', 'c-d', 'e__f', 'g.h');
    const reference = fc.record(
      {
        registry: fc.constantFrom('ghcr.io', 'localhost', 'Host', 'a.b:443', '[::1]', '10.0.0.1:5000'),
        path: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
        tag: fc.constantFrom('1', 'v1.2.3', 'A_b-c'),
        digest: fc.constant(digest),
      },
      { requiredKeys: ['registry', 'path'] },
    );
    fc.assert(
      fc.property(reference, (reference) => {
        expect(parseImageReference(formatImageReference(reference))).toEqual(reference);
      }),
    );
  });

  it('accepts any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'A', '/', ':', '@', '.', '-', '_', '[', ']', '1', 'é') }),
        (text) => {
          const reference = parseImageReference(text);
          expect(reference === undefined).toBe(explainImageReference(text) !== undefined);
          if (reference !== undefined) expect(formatImageReference(reference)).toBe(text);
        },
      ),
    );
  });
});
