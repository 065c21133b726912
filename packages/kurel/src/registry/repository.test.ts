import { describe, expect, it } from 'vitest';
import { FetchError } from '../model/index.ts';
import type { FetchRequest } from '../model/index.ts';
import { fetchOciArtifact, openRepository, readNextLink } from './repository.ts';
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
  readonly type?: string;
}

/** A registry that answers by the place in the repository. */
function open(answer: (place: string) => Reply | undefined) {
  const asked: string[] = [];
  const fetch = async ({ url }: FetchRequest) => {
    const place = url.startsWith(root) ? url.slice(root.length) : url;
    asked.push(place);
    const { status = 200, link, body = '', type } = answer(place) ?? { status: 404 };
    if (status > 299) throw new FetchError('status', `cannot fetch "${url}": ${status}`, { url, status });
    return {
      url,
      bytes: new TextEncoder().encode(body),
      headers: { ...(link && { link }), ...(type && { 'content-type': type }) },
    };
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

describe('fetchManifest', () => {
  const image = 'application/vnd.oci.image.manifest.v1+json';
  const index = 'application/vnd.oci.image.index.v1+json';
  const docker = 'application/vnd.docker.distribution.manifest.v2+json';
  const layers = [{ mediaType: 'a/b', digest, size: 6 }];
  const fetchAs = (type: string, data: object | string) => {
    const body = typeof data === 'string' ? data : JSON.stringify({ schemaVersion: 2, ...data });
    return open(() => ({ body, type })).repository.fetchManifest('1.0');
  };

  // The type is not part of what a digest or a signature covers.
  it.each<[string, string, object | string, string]>([
    ['a manifest and an index', image, { layers, manifests: layers }, 'it is a manifest and an index at once'],
    ['an index with a config', index, { config: {}, manifests: [] }, 'it is a manifest and an index at once'],
    ['empty lists of both', '', { layers: [], manifests: [] }, 'it is a manifest and an index at once'],
    ['a manifest sent as an index', index, { layers }, `it is a manifest, but its type is "${index}"`],
    ['an index sent as a manifest', image, { manifests: [] }, `it is an index, but its type is "${image}"`],
    ['a manifest sent as a list', `${index}; charset=x`, { layers }, `it is a manifest, but its type is "${index}"`],
    ['a manifest that says index', '', { mediaType: index, layers }, `it is a manifest, but its type is "${index}"`],
    [
      'an index that says manifest',
      '',
      { mediaType: image, manifests: [] },
      `it is an index, but its type is "${image}"`,
    ],
    ['an index for docker', docker, { manifests: [] }, `it is an index, but its type is "${docker}"`],
    [
      'two types',
      docker,
      { mediaType: image, layers },
      `its mediaType is "${image}", but the registry sends it as "${docker}"`,
    ],
    [
      'two types',
      image,
      { mediaType: 'a/b', layers },
      `its mediaType is "a/b", but the registry sends it as "${image}"`,
    ],
    ['a list of types', image, { mediaType: [image], layers }, 'its mediaType is not a string'],
    ['no type', image, { mediaType: null, layers }, 'its mediaType is not a string'],
    [
      'Layers',
      image,
      '{"schemaVersion": 2, "Layers": []}',
      'its manifest cannot be read: the key "Layers" must be spelled "layers" at line 1, column 22',
    ],
    [
      'a second spelling by an escape',
      image,
      '{"schemaVersion": 2, "layers": [], "\\u017fubject": {}}',
      'its manifest cannot be read: the key "\u017fubject" must be spelled "subject" at line 1, column 36',
    ],
    [
      'two keys in a descriptor',
      image,
      '{"schemaVersion": 2, "layers": [{"digest": "a", "d\\u0069gest": "b"}]}',
      'its manifest cannot be read: duplicate key "digest" at line 1, column 49',
    ],
    [
      'two annotations',
      image,
      '{"schemaVersion": 2, "layers": [], "annotations": {"a": "1", "a": "2"}}',
      'its manifest cannot be read: duplicate key "a" at line 1, column 62',
    ],
    [
      'a mark',
      image,
      '\ufeff{"schemaVersion": 2, "layers": []}',
      'its manifest cannot be read: unexpected byte order mark at line 1, column 1',
    ],
    [
      'more after it',
      image,
      '{"schemaVersion": 2, "layers": []}{}',
      'its manifest cannot be read: expected the end of the document, got "{" at line 1, column 35',
    ],
    ['a list', image, '[{"schemaVersion": 2, "layers": []}]', 'it is not an OCI manifest'],
    ['a version in words', image, '{"schemaVersion": "2", "layers": []}', 'it is not an OCI manifest'],
  ])('refuses %s', async (_, type, data, reason) => {
    const error = await refusalOf(fetchAs(type, data));
    expect(error.message).toBe(`cannot use "oci://registry.example/team/app:1.0": ${reason}`);
  });

  it.each<[string, object]>([
    [image, { mediaType: image, layers }],
    [image, { layers, annotations: { a: '1', A: '2' } }],
    ['application/json', { mediaType: image, layers }],
    ['', { mediaType: index, manifests: [] }],
    [docker, { mediaType: docker, layers }],
    ['text/plain', { layers }],
  ])('reads what is sent as %j', async (type, data) => {
    expect((await fetchAs(type, data)).data).toEqual({ schemaVersion: 2, ...data });
  });

  it('does not choose between two charts', async () => {
    const mediaType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
    const body = JSON.stringify({ schemaVersion: 2, layers: [1, 2].map(() => ({ mediaType, digest, size: 6 })) });
    const fetch = async ({ url }: FetchRequest) => ({ url, bytes: new TextEncoder().encode(body), headers: {} });
    const request = { reference: 'oci://registry.example/team/app:1.0', maxBytes: 100 };
    const error = await refusalOf(fetchOciArtifact(request, { fetcher: { fetch }, allowHost: () => true }));
    expect(error.message).toBe(`cannot use "${request.reference}": the manifest has more than one chart`);
  });
});
