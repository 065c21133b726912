import { describe, expect, it } from 'vitest';
import { FetchError } from '../model/index.ts';
import type { FetchRequest } from '../model/index.ts';
import { openRepository, readNextLink } from './repository.ts';
import { digestOf } from './fetch-access.ts';
import { refusalOf } from '../../test/refusal-of.ts';

const bytes = new TextEncoder().encode('a blob');
const digest = digestOf(bytes);
const other = digestOf(new Uint8Array());
const root = 'https://registry.example/v2/team/app/';

interface Reply {
  readonly status?: number;
  readonly link?: string;
  readonly body?: string;
}

/** A registry that answers by the place in the repository. */
function open(answer: (place: string) => Reply | undefined) {
  const asked: string[] = [];
  const fetch = async ({ url }: FetchRequest) => {
    const place = url.startsWith(root) ? url.slice(root.length) : url;
    asked.push(place);
    const { status = 200, link, body = '' } = answer(place) ?? { status: 404 };
    if (status > 299) throw new FetchError('status', `cannot fetch "${url}": ${status}`, { url, status });
    return { url, bytes: new TextEncoder().encode(body), headers: link === undefined ? {} : { link } };
  };
  const access = { fetcher: { fetch }, allowHost: () => true };
  return { asked, repository: openRepository({ host: 'registry.example', path: 'team/app' }, access) };
}

const next = (place: string): string => `<${place}>; rel="next"`;
const tags = (...list: readonly unknown[]): string => JSON.stringify({ name: 'team/app', tags: list });

describe('listTags', () => {
  it('follows the pages', async () => {
    const pages: Readonly<Record<string, Reply>> = {
      'tags/list?n=1000': { body: tags('1.0', '1.1'), link: next('/v2/team/app/tags/list?last=1.1&n=2') },
      'tags/list?last=1.1&n=2': { body: tags('2.0'), link: next(`${root}tags/list?last=2.0`) },
      'tags/list?last=2.0': { body: '{"name":"team/app","tags":null}' },
    };
    const { asked, repository } = open((place) => pages[place]);
    expect(await repository.listTags()).toEqual(['1.0', '1.1', '2.0']);
    expect(asked).toEqual(Object.keys(pages));
  });

  it('leaves out what cannot be a tag', async () => {
    const { repository } = open(() => ({
      body: tags('1.0', 5, null, '', 'a b', '../x', '-1', '\u001B[2J', 'x'.repeat(129)),
    }));
    expect(await repository.listTags()).toEqual(['1.0']);
  });

  const endless = (place: string): Reply => ({
    body: tags('1.0'),
    link: next(`tags/list?n=${place.length}${place.at(-1)}`),
  });
  const fat = tags(...Array.from({ length: 60_000 }, (_, index) => `v${index}`));
  it.each<[string, (place: string) => Reply, string]>([
    [
      'a page that refers to itself',
      () => ({ body: tags('1'), link: next('tags/list?n=1000') }),
      'its list of tags refers to the same page again',
    ],
    ['pages that refer to each other', endless, 'its list of tags refers to the same page again'],
    [
      'pages without end',
      (place) => ({ body: tags('1.0'), link: next(`tags/list?last=${'x'.repeat(place.length)}`) }),
      'its list of tags is too long',
    ],
    [
      'too many tags',
      (place) => ({ body: fat, link: next(`tags/list?last=x${place.length}`) }),
      'its list of tags is too long',
    ],
    [
      'a page on another host',
      () => ({ body: tags(), link: next('https://other.example/tags') }),
      'its list of tags continues on another host',
    ],
    [
      'a page over http',
      () => ({ body: tags(), link: next(root.replace('https', 'http')) }),
      'its list of tags continues on another host',
    ],
    [
      'a web page',
      () => ({ body: '<html>' }),
      'its list of tags cannot be read: expected a value, got "<" at line 1, column 1',
    ],
    ['a list', () => ({ body: '[]' }), 'its answer is not a list of tags'],
    ['a list of something else', () => ({ body: '{"tags": "1.0"}' }), 'its answer is not a list of tags'],
    [
      'a truncated list',
      () => ({ body: tags('1.0').slice(0, -2) }),
      'its list of tags cannot be read: expected "," or "]", but the text ends at line 1, column 33',
    ],
    [
      'two lists',
      () => ({ body: '{"tags": ["1.0"], "Tags": ["2.0"]}' }),
      'its list of tags cannot be read: the key "Tags" must be spelled "tags" at line 1, column 19',
    ],
  ])('refuses %s', async (_, answer, reason) => {
    const { asked, repository } = open(answer);
    const error = await refusalOf(repository.listTags());
    expect(error.message).toBe(`cannot use "oci://registry.example/team/app": ${reason}`);
    expect(asked.length).toBeLessThanOrEqual(100);
  });
});

describe('listReferrers', () => {
  const descriptor = { mediaType: 'application/vnd.oci.image.manifest.v1+json', digest, size: 6 };
  const index = (...manifests: readonly unknown[]): string => JSON.stringify({ schemaVersion: 2, manifests });

  it('follows the pages', async () => {
    const { repository } = open((place) =>
      place === `referrers/${other}`
        ? { body: index(descriptor), link: next(`referrers/${other}?next`) }
        : { body: index({ ...descriptor, artifactType: 'a/b', annotations: { a: 'b', c: 5 } }) },
    );
    expect(await repository.listReferrers(other)).toEqual([
      { ...descriptor, annotations: {} },
      { ...descriptor, artifactType: 'a/b', annotations: { a: 'b' } },
    ]);
  });

  it('uses the tag if the registry does not list them', async () => {
    const tag = `manifests/${other.replace(':', '-')}`;
    const { asked, repository } = open((place) => (place === tag ? { body: index(descriptor) } : undefined));
    expect(await repository.listReferrers(other)).toEqual([{ ...descriptor, annotations: {} }]);
    expect(asked).toEqual([`referrers/${other}`, tag]);
    expect(await open(() => undefined).repository.listReferrers(other)).toEqual([]);
  });

  it.each([
    ['a web page', '<html>'],
    ['no list', '{"schemaVersion": 2}'],
    ['no digest', index({ ...descriptor, digest: 'x' })],
    ['a negative size', index({ ...descriptor, size: -1 })],
    ['a size that is none', index({ ...descriptor, size: 1.5 })],
    ['a huge size', index({ ...descriptor, size: 1e300 })],
  ])('refuses %s', async (_, body) => {
    expect((await refusalOf(open(() => ({ body })).repository.listReferrers(other))).failure).toBe('content');
  });
});

describe('fetchBlob', () => {
  it('refuses content of another size than its manifest says', async () => {
    const { repository } = open(() => ({ body: 'a blob' }));
    expect(await repository.fetchBlob({ digest, size: 6 }, 100)).toEqual(bytes);
    const error = await refusalOf(repository.fetchBlob({ digest, size: 5 }, 100));
    expect(error.failure).toBe('size');
    expect(error.message).toBe(
      'cannot use "oci://registry.example/team/app": the content has 6 bytes, but its manifest says 5',
    );
  });
});

describe('readNextLink', () => {
  it.each([
    ['</a?b=c>; rel="next"', '/a?b=c'],
    ['<a>;rel=next', 'a'],
    ['<a>; rel="prev", <b>; REL="Next"', 'b'],
    ['', undefined],
    ['<a>', undefined],
    ['a; rel="next"', undefined],
    ['<>; rel="next"', undefined],
  ])('%s', (header, expected) => expect(readNextLink(header)).toBe(expected));
});
