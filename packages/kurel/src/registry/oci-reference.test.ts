import { describe, expect, it } from 'vitest';
import { FetchError } from '../model/index.ts';
import { parseOciReference, readOciReference, withVersion } from './oci-reference.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('parseOciReference', () => {
  it.each([
    ['oci://example.com/charts/web:1.0', { host: 'example.com', path: 'charts/web', tag: '1.0' }],
    ['oci://registry/web:1.0', { host: 'registry', path: 'web', tag: '1.0' }],
    ['oci://localhost:5000/a/b_c/d--e:v1', { host: 'localhost:5000', path: 'a/b_c/d--e', tag: 'v1' }],
    ['oci://[::1]:5000/a:1', { host: '[::1]:5000', path: 'a', tag: '1' }],
    [`oci://example.com/a@${digest}`, { host: 'example.com', path: 'a', digest }],
    [
      `oci://example.com/a:1@${digest.toUpperCase().replace('SHA', 'sha')}`,
      { host: 'example.com', path: 'a', tag: '1', digest },
    ],
  ])('%s', (text, expected) => {
    expect(parseOciReference(text)).toEqual(expected);
  });

  it.each([
    ['https://example.com/a:1', 'the URL must have the form oci://host/path:tag'],
    ['oci://example.com', 'the URL must have the form oci://host/path:tag'],
    ['oci:///a:1', 'the URL must have the form oci://host/path:tag'],
    ['oci://example.com/a', 'a tag or digest is missing'],
    ['oci://example.com/', '"" is not a valid registry path, which must be in lower case'],
    ['oci://example.com/A:1', '"A" is not a valid registry path, which must be in lower case'],
    ['oci://example.com/a/../b:1', '"a/../b" is not a valid registry path, which must be in lower case'],
    ['oci://example.com/a//b:1', '"a//b" is not a valid registry path, which must be in lower case'],
    ['oci://example.com/a?b:1', '"a?b" is not a valid registry path, which must be in lower case'],
    ['oci://example.com/a/:1', '"a/" is not a valid registry path, which must be in lower case'],
    ['oci://example.com/a:', '"" is not a valid tag'],
    ['oci://example.com/a:^1.2', '"^1.2" is not a valid tag'],
    ['oci://example.com/a:1/../2', '"1/../2" is not a valid tag'],
    ['oci://example.com/a:1:2', '"1:2" is not a valid tag'],
    ['oci://example.com/a:1\n', '"1\\n" is not a valid tag'],
    ['oci://exa mple.com/a:1', '"exa mple.com" is not a valid host'],
    ['oci://example.com#x/a:1', '"example.com#x" is not a valid host'],
    ['oci://example.com:x/a:1', '"example.com:x" is not a valid host'],
    ['oci://example.com/a@sha256:12', '"sha256:12" is not a valid digest, which is sha256: followed by 64 digits'],
    [
      `oci://example.com/a@${'0'.repeat(64)}`,
      `"${'0'.repeat(64)}" is not a valid digest, which is sha256: followed by 64 digits`,
    ],
    [
      `oci://example.com/a@sha512:${'0'.repeat(64)}`,
      `"sha512:${'0'.repeat(64)}" is not a valid digest, which is sha256: followed by 64 digits`,
    ],
  ])('refuses %j', (text, reason) => {
    try {
      parseOciReference(text);
      expect.fail('taken');
    } catch (error) {
      expect(error).toBeInstanceOf(FetchError);
      expect(error).toMatchObject({ failure: 'url', url: text });
      expect((error as FetchError).message).toMatch(/^cannot use ".*": /);
      expect((error as FetchError).message.endsWith(`: ${reason}`)).toBe(true);
    }
  });

  it('does not repeat a password', () => {
    expect(() => parseOciReference('oci://me:secret@example.com/a:1')).toThrow(
      'cannot use "oci://***@example.com/a:1": the URL must not contain a user or password',
    );
  });
});

describe('withVersion', () => {
  it.each([
    ['1.2.3', 'oci://example.com/a:1.2.3'],
    ['1.2.3+build.1', 'oci://example.com/a:1.2.3_build.1'],
    [digest, `oci://example.com/a@${digest}`],
  ])('%s', (version, expected) => {
    expect(withVersion('oci://example.com/a', version)).toBe(expected);
  });
});

describe('readOciReference', () => {
  it.each([
    ['oci://example.com/a', { host: 'example.com', path: 'a' }],
    ['oci://example.com/a:1', { host: 'example.com', path: 'a', tag: '1' }],
    ['oci://example.com/A', { reason: '"A" is not a valid registry path, which must be in lower case' }],
  ])('%s', (text, expected) => {
    expect(readOciReference(text)).toEqual(expected);
  });
});
