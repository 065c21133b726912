import { describe, expect, it } from 'vitest';
import { FetchError, type FetchRequest } from '../../../model/index.ts';
import { locateChart } from './source-network.ts';

type ChartName = Parameters<typeof locateChart>[0];

const digest = 'ab'.repeat(32);
const index = `
apiVersion: v1
entries:
  web:
  - {name: web, version: 2.0.0-rc.1, urls: [web-2.0.0-rc.1.tgz]}
  - {name: web, version: 1.2.0, urls: [charts/web-1.2.0.tgz], digest: ${digest}}
  - {name: web, version: 1.10.0, urls: ["https://files.example.com/web-1.10.0.tgz?x=y", other.tgz], digest: "sha256:${digest.toUpperCase()}"}
  - {name: web, version: 1.10.0+later, urls: [later.tgz]}
  - {name: web, version: not a version, urls: [broken.tgz]}
  - {name: web, version: 99}
  - null
  - {name: web, version: v0.9, urls: [/root/web-0.9.tgz]}
  only-pre:
  - {version: 1.0.0-beta, urls: [a.tgz]}
  no-urls:
  - {version: 1.0.0}
  - {version: 2.0.0, urls: []}
  - {version: 3.0.0, urls: ["ftp://example.com/a.tgz"]}
  - {version: 4.0.0, urls: ["file:///etc/passwd"]}
  registry:
  - {version: 1.0.0, urls: ["oci://example.com/charts/registry:1.0.0"]}
  plain:
  - {version: 1.0.0, urls: ["http://files.example.com/plain.tgz"]}
  - {version: 2.0.0, urls: ["http://files.example.com/plain.tgz"], digest: ${digest}}
  weak:
  - {version: 1.0.0, urls: [weak.tgz], digest: "md5:123"}
  nothing: []
  wrong: hello
`;

async function locate(name: Partial<ChartName>, text: string | Uint8Array = index) {
  const asked: FetchRequest[] = [];
  const fetcher = {
    fetch: (request: FetchRequest) => {
      asked.push(request);
      const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
      return Promise.resolve({ url: request.url, bytes, headers: {} });
    },
  };
  const chart = { url: 'https://example.com/repo', chart: 'web', ...name };
  return { located: await locateChart(chart, { fetcher, allowHost: () => true }), asked };
}

async function refusalOf(result: Promise<unknown>): Promise<FetchError> {
  const error: unknown = await result.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FetchError);
  return error as FetchError;
}

describe('locateChart', () => {
  const newest = { url: 'https://files.example.com/web-1.10.0.tgz?x=y', digest: `sha256:${digest}` };

  it.each<[Partial<ChartName>, { url: string; digest?: string }]>([
    [{}, newest],
    [{ version: '*' }, newest],
    [{ version: '^1.2' }, newest],
    [{ version: '1.10.0' }, newest],
    [{ version: '~1.2' }, { url: 'https://example.com/repo/charts/web-1.2.0.tgz', digest: `sha256:${digest}` }],
    [{ version: '1.10.0+later' }, { url: 'https://example.com/repo/later.tgz' }],
    [{ version: '>=2.0.0-0' }, { url: 'https://example.com/repo/web-2.0.0-rc.1.tgz' }],
    [{ version: '<1' }, { url: 'https://example.com/root/web-0.9.tgz' }],
    [{ version: '0.9.0' }, { url: 'https://example.com/root/web-0.9.tgz' }],
    [{ chart: 'registry' }, { url: 'oci://example.com/charts/registry:1.0.0' }],
    [{ chart: 'plain' }, { url: 'http://files.example.com/plain.tgz', digest: `sha256:${digest}` }],
    [{ url: 'http://example.com', chart: 'plain', version: '1.0.0' }, { url: 'http://files.example.com/plain.tgz' }],
  ])('finds %o', async (name, expected) => {
    expect((await locate(name)).located).toEqual(expected);
  });

  it.each([
    ['https://example.com', 'https://example.com/index.yaml', 'https://example.com/charts/web-1.2.0.tgz'],
    ['https://example.com/a/b', 'https://example.com/a/b/index.yaml', 'https://example.com/a/b/charts/web-1.2.0.tgz'],
    ['https://example.com/a/', 'https://example.com/a/index.yaml', 'https://example.com/a/charts/web-1.2.0.tgz'],
    [
      'https://example.com/a?b=c',
      'https://example.com/a/index.yaml?b=c',
      'https://example.com/a/charts/web-1.2.0.tgz?b=c',
    ],
  ])('asks %s for its index', async (url, indexUrl, archive) => {
    const { located, asked } = await locate({ url, version: '1.2.0' });
    expect(asked).toMatchObject([{ url: indexUrl, maxBytes: 50 * 2 ** 20 }]);
    expect(located.url).toBe(archive);
  });

  it.each<[Partial<ChartName>, string, string]>([
    [{ chart: 'wbe' }, 'missing', 'chart "wbe" does not exist; did you mean "web"?'],
    [{ chart: 'toString' }, 'missing', 'chart "toString" does not exist'],
    [{ chart: '__proto__' }, 'missing', 'chart "__proto__" does not exist'],
    [{ version: '^3' }, 'missing', 'chart "web" has no version that matches "^3"'],
    [{ version: '1.10.1' }, 'missing', 'chart "web" has no version that matches "1.10.1"'],
    [{ version: 'latest' }, 'missing', '"latest" is neither a version of chart "web" nor a valid range'],
    [{ version: '' }, 'missing', '"" is neither a version of chart "web" nor a valid range'],
    [{ version: 'not a version' }, 'missing', '"not a version" is neither a version of chart "web" nor a valid range'],
    [{ chart: 'only-pre' }, 'missing', 'chart "only-pre" has no version other than pre-releases'],
    [{ chart: 'nothing' }, 'missing', 'chart "nothing" has no version other than pre-releases'],
    [{ chart: 'wrong' }, 'missing', 'chart "wrong" has no version other than pre-releases'],
    [{ chart: 'no-urls', version: '1' }, 'content', 'chart "no-urls" "1.0.0" has no URL'],
    [{ chart: 'no-urls', version: '2' }, 'content', 'chart "no-urls" "2.0.0" has no URL'],
    [{ chart: 'no-urls', version: '3' }, 'content', 'chart "no-urls" "3.0.0" has no URL'],
    [{ chart: 'no-urls', version: '4' }, 'content', 'chart "no-urls" "4.0.0" has no URL'],
    [{ chart: 'weak' }, 'content', 'chart "weak" "1.0.0" has the digest "md5:123", which is not a SHA-256 digest'],
    [{ chart: 'plain', version: '1.0.0' }, 'content', 'chart "plain" "1.0.0" has an http:// URL and no digest'],
  ])('refuses %o', async (name, failure, reason) => {
    const error = await refusalOf(locate(name));
    expect(error.failure).toBe(failure);
    expect(error.message).toBe(`cannot use "https://example.com/repo/index.yaml": ${reason}`);
  });

  it.each(['', 'example.com', 'oci://example.com/a', 'ftp://example.com', 'https:///x'])(
    'knows no repository %j',
    async (url) => {
      expect(await refusalOf(locate({ url }))).toMatchObject({ failure: 'url', url });
    },
  );

  it.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['a page', '<html><body>\n<p>: hello</p>'],
    ['a list', '- a'],
    ['no entries', 'apiVersion: v1'],
    ['entries that are none', 'entries: []'],
    ['broken YAML', 'entries: {'],
    ['a prototype', 'entries: {__proto__: []}'],
    ['a key twice', 'entries: {}\nentries: {}'],
    ['no UTF-8', Uint8Array.of(0xff, 0xfe)],
    ['deep nesting', `entries: ${'['.repeat(10_000)}`],
  ])('refuses %s for an index', async (_, text) => {
    const error = await refusalOf(locate({}, text));
    expect(error.failure).toBe('content');
    expect(error.message).toMatch(
      /^cannot use "https:\/\/example.com\/repo\/index.yaml": it is not the index of a chart repository: /,
    );
  });
});
