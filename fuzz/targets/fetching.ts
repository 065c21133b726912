import { isDeepStrictEqual } from 'node:util';
import { FetchError } from '../../packages/kurel/src/model/index.ts';
import { readNextLink } from '../../packages/kurel/src/registry/repository.ts';
import { readRange } from '../../packages/kurel/src/registry/upload-blob.ts';
import { offersBasic, readBearerChallenge } from '../../packages/kurel/src/registry/registry-token.ts';
import { parseOciReference } from '../../packages/kurel/src/registry/oci-reference.ts';
import { readTar } from '../../packages/kurel/src/archive/read-tar.ts';
import { TarError } from '../../packages/kurel/src/archive/check-entry-name.ts';
import { compareVersions, isInRange, parseRange, parseVersion } from '../../packages/kurel/src/registry/version.ts';
import { paxRecord, writeTar } from '../../packages/kurel/test/write-tar.ts';
import { attempt, check, type Target } from '../target.ts';

const isFetchError = (error: unknown): boolean => error instanceof FetchError;
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

export const ociReference: Target = {
  name: 'oci-reference',
  promise: 'a reference or a header of a registry is accepted or refused, and a reference reads back the same',
  seeds: () => [
    'oci://a.example/b/c:1.0',
    `oci://a.example:5000/b@${digest}`,
    `oci://[::1]:80/b-c__d.e:v_1@${digest}`,
    'Bearer realm="https://a.example/token",service="a",scope="repository:b:pull"',
    'Basic realm=x, Bearer realm="a\\"b"',
    '</v2/b/tags/list?last=1.0&n=10>; rel="next"',
    '<a>; rel="prev", <https://a.example/v2/b/tags/list>; rel=next',
    'bytes=0-1023',
    '0-0',
  ],
  tokens: [
    'oci://',
    'a.example',
    ':',
    '/',
    '@',
    digest,
    'sha256:',
    'latest',
    '..',
    '-',
    '_',
    '__',
    '.',
    'user:pass@',
    ':65536',
    '[::1]',
    '%2f',
    '?',
    '#',
    'A',
    'Bearer ',
    'realm=',
    '"',
    '\\',
    ',',
    'scope="a"',
    '<',
    '>',
    '; ',
    'rel="next"',
    'bytes=',
    '0-',
    '9999999999999999',
  ],
  short: 15_000,
  run(text) {
    readBearerChallenge(text);
    offersBasic(text);
    const link = readNextLink(text);
    check(link === undefined || text.includes(`<${link}>`), 'a link is part of its header');
    const received = readRange(text);
    check(received === undefined || Number.isSafeInteger(received), 'a range is a number of bytes');
    const reference = attempt(() => parseOciReference(text), isFetchError);
    if (reference === undefined) return;
    const { host, path, tag, digest: pinned } = reference;
    const written = `oci://${host}/${path}${tag === undefined ? '' : `:${tag}`}${pinned === undefined ? '' : `@${pinned}`}`;
    check(isDeepStrictEqual(parseOciReference(written), reference), 'a reference written again reads the same');
    const address = `https://${host}/v2/${path}/manifests/${tag ?? pinned!}`;
    // The host looks like an IPv4 address and is not one; fetching it reports that.
    if (!URL.canParse(address)) return;
    const url = new URL(address);
    check(url.username === '' && url.password === '', 'a reference has no user');
    check(decodeURIComponent(url.pathname).startsWith(`/v2/${path}/manifests/`), 'a reference leads to its own path');
  },
};

const versions = ['0.0.0', '0.0.1', '0.1.0', '1.0.0-rc.1', '1.0.0', '1.2.3', '1.2.4-0', '2.0.0', '10.20.30'].map(
  (text) => parseVersion(text)!,
);

export const versionRange: Target = {
  name: 'version-range',
  promise:
    'versions and ranges are accepted or refused, versions have a total order, and a range includes or excludes its bounds as written',
  seeds: () => [
    '^1.2',
    '~1.2.3',
    '1.x',
    '>=1 <2',
    '1.2 - 1.4',
    '^1 || ^3',
    '*',
    '!=1.2.3',
    'v1.2.3-rc.1+b',
    '=>1, =<2',
  ],
  tokens: [
    '1',
    '0',
    '.',
    'x',
    '*',
    'v',
    '-',
    ' - ',
    '+',
    '^',
    '~',
    '~>',
    '>=',
    '=>',
    '<=',
    '=<',
    '<',
    '>',
    '=',
    '!=',
    '||',
    ' || ',
    ',',
    ' ',
    '-rc.1',
    '+b',
    '01',
    '99999999999999999999',
  ],
  maxLength: 400,
  short: 15_000,
  run(text) {
    const version = parseVersion(text);
    if (version !== undefined) {
      check(compareVersions(version, version) === 0, 'a version equals itself');
      for (const [index, other] of versions.entries()) {
        check(
          compareVersions(version, other) === -compareVersions(other, version) + 0,
          'an order is the same both ways',
        );
        const next = versions[index + 1];
        if (next !== undefined && compareVersions(version, other) <= 0)
          check(compareVersions(version, next) < 0, 'the order goes on');
      }
    }
    const range = parseRange(text);
    if (range === undefined) return;
    for (const known of versions) isInRange(known, range);
    if (version !== undefined && /^\d+\.\d+\.\d+$/.test(text))
      check(isInRange(version, range), 'a version is in the range of itself');
  },
};

const isTarError = (error: unknown): boolean => error instanceof TarError;

function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** Every block that looks like a header gets its checksum, or next to nothing would get past it. */
function repair(archive: Uint8Array): Uint8Array {
  for (let start = 0; start + 512 <= archive.length; start += 512) {
    const block = archive.subarray(start, start + 512);
    if (block[257] !== 0x75) continue;
    block.fill(0x20, 148, 156);
    const sum = block.reduce((total, byte) => total + byte, 0);
    block.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  }
  return archive;
}

export const tar: Target = {
  name: 'tar',
  promise: 'an archive is accepted or refused, and its names are unique and stay inside it',
  seeds: () =>
    [
      writeTar([{ name: 'a', content: 'hello' }]),
      writeTar([
        { name: 'd/', type: '5' },
        { name: 'd/e', content: 'x' },
      ]),
      writeTar([
        { name: 'x', type: 'x', content: paxRecord('path', 'b/c') + paxRecord('size', '5') },
        { name: 'a', content: 'hello' },
      ]),
      writeTar([{ name: 'L', type: 'L', content: 'long/name' }, { name: 'a' }]),
      writeTar([{ name: 'g', type: 'g', content: paxRecord('comment', 'x') }, { name: 'a' }]),
      writeTar([{ name: 'a', type: '2' }]),
    ].map(latin),
  tokens: [
    '../',
    '/',
    '\0',
    '..',
    'x',
    'g',
    'L',
    'K',
    '5',
    '0',
    'ustar\x0000',
    'ustar  \0',
    '00000000005\0',
    '77777777777\0',
    '\x80\0\0\0\0\0\0\0\0\0\0\x05',
    '\xff',
    '12 path=b/c\n',
    '9 path=b\n',
    '12 path=../\n',
    '10 size=5\n',
    'GNU.sparse.name=',
    '\0'.repeat(512),
    'c:',
    '\\',
    './',
  ],
  maxLength: 6144,
  short: 6000,
  run(text) {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
    for (const archive of [bytes, repair(Uint8Array.from(bytes))]) {
      const entries = attempt(() => readTar(archive, 20), isTarError);
      if (entries === undefined) continue;
      const names = new Set(entries.map(({ name }) => name));
      check(names.size === entries.length, 'no name stands twice');
      for (const { name, bytes: content } of entries) {
        check(name !== '' && !/^\/|\\|\0|^[A-Za-z]:/.test(name), 'a name is relative');
        check(
          name.split('/').every((step) => step !== '' && step !== '.' && step !== '..'),
          'a name leads nowhere else',
        );
        check(content.buffer === archive.buffer && content.byteLength <= archive.length, 'content is of the archive');
      }
    }
  },
};
