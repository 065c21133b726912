import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../test/any-character.ts';
import { sha256 } from '../../../engine/index.ts';
import type { Diagnostic } from '../../../model/index.ts';
import type { TakenSource } from './source-request.ts';
import { planVendor, readLock } from './lock.ts';
import type { Lock } from './lock.ts';

const url = 'https://example.com/releases/download/v1/Bundle.yaml';

function take(text: string, fields: Partial<TakenSource> = {}): TakenSource {
  const bytes = new TextEncoder().encode(text);
  return { kind: 'url', url, bytes, sha256: sha256(bytes), from: undefined, ...fields };
}

function lockOf(text: string): Lock {
  const found: Diagnostic[] = [];
  const lock = readLock({ path: 'kurel.lock', text }, (diagnostic) => found.push(diagnostic));
  expect(found).toEqual([]);
  return lock!;
}

const chart = { kind: 'chart', url: 'https://charts.example.com', chart: 'redis', version: '^20.1' } as const;

describe('a vendored file', () => {
  it('has a readable name derived from its source', () => {
    const sources = [
      take('a'),
      take('b', { url: 'https://example.com/install?version=1#x' }),
      take('c', { url: 'https://example.com/' }),
      take('d', chart),
      take('e', { kind: 'chart', url: 'oci://registry.example.com/charts/valkey', version: '1.2.3' }),
      take('f', { url: `https://example.com/${'long-'.repeat(100)}` }),
      take('g', { url: 'https://example.com/ÄÖÜ/%2e%2e%2f..\\..' }),
    ];
    expect(planVendor(sources, { lock: undefined }).files.map(({ path }) => path)).toMatchInlineSnapshot(`
      [
        "vendor/bundle-433260b27d95.yaml",
        "vendor/install-6edb768653c2.yaml",
        "vendor/example-com-9eff5d4a5716.yaml",
        "vendor/redis-20-1-d1630d2d548d.tgz",
        "vendor/valkey-1-2-3-3f3701c93d24.tgz",
        "vendor/long-long-long-long-long-long-long-long-145485533f75.yaml",
        "vendor/2e-2e-2f-f75ab6792516.yaml",
      ]
    `);
  });

  it('never has a name outside its directory, whatever the names of the sources', () => {
    const word = fc.option(fc.string({ unit: anyCharacter, maxLength: 80 }), { nil: undefined });
    const name = fc.record({ url: fc.string({ unit: anyCharacter }), chart: word, version: word });
    fc.assert(
      fc.property(name, fc.constantFrom('url', 'chart'), (source, kind) => {
        const { files, lockText } = planVendor([take('x', { ...source, kind })], { lock: undefined });
        expect(files[0]!.path).toMatch(/^vendor\/[a-z0-9][a-z0-9-]{0,60}\.(?:yaml|tgz)$/);
        if (source.url.trim() !== '') expect(lockOf(lockText!).entries).toHaveLength(1);
      }),
    );
  });

  it('exists once per source, however often it is used', () => {
    const { files, lockText } = planVendor([take('a', chart), take('a', chart), take('b')], { lock: undefined });
    expect(files.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual(['a', 'b']);
    expect(lockOf(lockText!).entries).toHaveLength(2);
  });

  it('has a different name for a similar source', () => {
    const sources = [take('a', { url: 'https://a.example/x.yaml' }), take('a', { url: 'https://b.example/x.yaml' })];
    const { files } = planVendor(sources, { lock: undefined });
    expect(new Set(files.map(({ path }) => path)).size).toBe(2);
  });
});

describe('a lock', () => {
  it('records where bytes came from, without signed parameters', () => {
    const from = 'https://cdn.example.com/bundle.yaml?signature=secret&expires=1#x';
    const { lockText } = planVendor([take('a', { from })], { lock: undefined });
    expect(lockText).toMatchInlineSnapshot(`
      "# Written by kurel vendor: what the package takes from elsewhere, and which bytes.
      apiVersion: launcher.gokure.dev/v1alpha1
      kind: Lock
      spec:
        sources:
        - url: https://example.com/releases/download/v1/Bundle.yaml
          from: https://cdn.example.com/bundle.yaml
          sha256: ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb
          file: vendor/bundle-433260b27d95.yaml
      "
    `);
  });

  it('does not record the origin if it is the URL itself', () => {
    expect(planVendor([take('a', { from: url })], { lock: undefined }).lockText).not.toContain('from:');
  });

  it('does not depend on the order of the sources', () => {
    const [one, two] = [take('a'), take('b', chart)];
    const texts = [
      [one, two],
      [two, one],
    ].map((taken) => planVendor(taken, { lock: undefined }).lockText);
    expect(texts[0]).toBe(texts[1]);
  });

  it('does not change if the content is the same, even from another mirror', () => {
    const first = planVendor([take('a', { from: 'https://one.example/x' }), take('b', chart)], { lock: undefined });
    const again = planVendor([take('b', chart), take('a', { from: 'https://two.example/x' })], {
      lock: lockOf(first.lockText!),
    });
    expect(again.lockText).toBe(first.lockText);
    expect(again.leftOver).toEqual([]);
  });

  it('records new bytes and where they came from', () => {
    const first = planVendor([take('a', { from: 'https://one.example/x' })], { lock: undefined });
    const lock = lockOf(first.lockText!);
    const again = planVendor([take('other', { from: 'https://two.example/x' })], { lock });
    expect(lockOf(again.lockText!).entries).toEqual([
      { ...lock.entries[0], sha256: sha256('other'), from: 'https://two.example/x' },
    ]);
    expect(again.files[0]!.path).toBe(first.files[0]!.path);
  });

  it('is removed together with its files if there are no sources', () => {
    const first = planVendor([take('a'), take('b', chart)], { lock: undefined });
    const { lockText, files, leftOver } = planVendor([], { lock: lockOf(first.lockText!) });
    expect({ lockText, files }).toEqual({ lockText: undefined, files: [] });
    expect(leftOver.map(({ path }) => path).toSorted()).toEqual(first.files.map(({ path }) => path).toSorted());
  });

  it('keeps unused entries on request', () => {
    const first = planVendor([take('a'), take('b', chart)], { lock: undefined });
    const kept = planVendor([take('a')], { lock: lockOf(first.lockText!), keep: true });
    expect(kept.lockText).toBe(first.lockText);
    expect(kept.leftOver).toEqual([]);
  });

  it('cannot cause the removal of other files', () => {
    const files = ['app.yaml', 'vendor/notes.yaml', 'vendor/a/b-0123456789ab.yaml', 'vendor/a-0123456789ab.txt'];
    const entries = files.map((file, index) => `  - {url: "x:${index}", sha256: "${'0'.repeat(64)}", file: ${file}}`);
    const head = 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Lock\nspec:\n  sources:\n';
    expect(planVendor([], { lock: lockOf(`${head}${entries.join('\n')}\n`) }).leftOver).toEqual([]);
  });
});
