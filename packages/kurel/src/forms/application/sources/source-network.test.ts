import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { networkFetcher } from '../../../host/index.ts';
import { type Answers, type LoopbackServer, startServer } from '../../../../test/loopback-server.ts';
import { describeWithProgram } from '../../../../test/render-case.ts';
import { paxRecord, type TarPart, writeTar } from '../../../../test/write-tar.ts';
import { checkChartArchive, fetchChart } from './source-network.ts';
import type { SourceName } from './source-request.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';

const fetcher = networkFetcher({ allowPrivate: true });
const chart: readonly TarPart[] = [
  { name: 'web/Chart.yaml', content: 'apiVersion: v2\nname: web\nversion: 1.0.0\n' },
  { name: 'web/templates/a.yaml', content: 'kind: A\n' },
];
const archive = new Uint8Array(gzipSync(writeTar(chart)));

const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function serve(answers: Answers): Promise<LoopbackServer> {
  const server = await startServer(answers);
  servers.push(server);
  return server;
}

function digest(content: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

function send(body: string | Uint8Array): NonNullable<Answers[string]> {
  return (_, response) => response.end(body);
}

function repository(bytes: Uint8Array, listed: string = digest(archive)): Answers {
  return {
    '/charts/index.yaml': send(`entries: {web: [{version: 1.0.0, urls: [web.tgz], digest: "${listed}"}]}`),
    '/charts/web.tgz': send(bytes),
  };
}

function registry(bytes: Uint8Array): Answers {
  const layer = {
    mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
    digest: digest(bytes),
    size: bytes.length,
  };
  return {
    '/v2/charts/web/manifests/1.0.0_a': send(JSON.stringify({ schemaVersion: 2, layers: [layer] })),
    [`/v2/charts/web/blobs/${digest(bytes)}`]: send(bytes),
  };
}

function get(source: SourceName) {
  return fetchChart(source, { fetcher, allowHost: () => true, plainHttp: true });
}

describe('fetchChart', () => {
  it('fetches a chart from a repository', async () => {
    const server = await serve(repository(archive));
    expect(await get({ url: `${server.url}/charts`, chart: 'web', version: '^1' })).toEqual({
      bytes: archive,
      url: `${server.url}/charts/web.tgz`,
    });
  });

  it('fetches a chart from a registry', async () => {
    const server = await serve(registry(archive));
    expect(await get({ url: `oci://${server.host}/charts/web`, version: '1.0.0+a' })).toEqual({
      bytes: archive,
      url: `oci://${server.host}/charts/web:1.0.0_a`,
    });
  });

  it.each([
    ['the same', archive, undefined],
    ['another', new Uint8Array(gzipSync(writeTar(chart), { level: 1 })).fill(9, 9, 10), 'digest'],
  ])('fetches a chart that a repository stores in a registry, which has %s', async (_, kept, failure) => {
    const store = await serve(registry(kept));
    const server = await serve({
      '/index.yaml': send(
        `entries: {web: [{version: 1.0.0, urls: ["oci://${store.host}/charts/web:1.0.0_a"], digest: "${digest(archive)}"}]}`,
      ),
    });
    const result = get({ url: server.url, chart: 'web' });
    if (failure === undefined) expect((await result).bytes).toEqual(archive);
    else expect(await refusalOf(result)).toMatchObject({ failure });
  });

  it.each([
    'http://169.254.169.254/web.tgz',
    'oci://169.254.169.254/web:1.0.0',
    'http://[::ffff:a9fe:a9fe]/web.tgz',
    'http://localhost/web.tgz',
    'http://10.0.0.1/web.tgz',
    'oci://localhost/web:1.0.0',
  ])('does not request %s because an index names it', async (url) => {
    const server = await serve({
      '/index.yaml': send(`entries: {web: [{version: 1.0.0, urls: ["${url}"], digest: "${digest(archive)}"}]}`),
    });
    const error = await refusalOf(get({ url: server.url, chart: 'web' }));
    expect(error.failure).toBe('address-refused');
  });

  it('requests a private host that an index names and the policy lists', async () => {
    const store = await serve({ '/web.tgz': send(archive) });
    const listed = `localhost:${new URL(store.url).port}`;
    const server = await serve({
      '/index.yaml': send(
        `entries: {web: [{version: 1.0.0, urls: ["http://${listed}/web.tgz"], digest: "${digest(archive)}"}]}`,
      ),
    });
    const access = { fetcher, allowHost: () => true, isListedHost: (host: string) => host === listed };
    expect((await fetchChart({ url: server.url, chart: 'web' }, access)).bytes).toEqual(archive);
  });

  it.each<[string, Answers, string]>([
    ['other bytes than the index says', repository(new Uint8Array([...archive, 0])), 'digest'],
    ['no gzip', repository(new TextEncoder().encode('x'), digest('x')), 'encoding'],
    [
      'no archive',
      { ...repository(archive), '/charts/web.tgz': (_, response) => response.writeHead(404).end() },
      'status',
    ],
  ])('refuses %s', async (_, answers, failure) => {
    const server = await serve(answers);
    const error = await refusalOf(get({ url: `${server.url}/charts`, chart: 'web' }));
    expect(error).toMatchObject({ failure, url: `${server.url}/charts/web.tgz` });
  });

  it.each<[SourceName, string, string]>([
    [{ url: 'https://example.com' }, 'missing', 'the name of the chart is missing'],
    [
      { url: 'oci://example.com/a', chart: 'web', version: '1' },
      'missing',
      'it is a chart and does not contain a chart "web"',
    ],
    [{ url: 'oci://example.com/a' }, 'url', 'a tag or digest is missing'],
  ])('refuses %o', async (source, failure, reason) => {
    const error = await refusalOf(get(source));
    expect(error.failure).toBe(failure);
    expect(error.message).toBe(`cannot use "${source.url}": ${reason}`);
  });
});

describe('checkChartArchive', () => {
  const url = 'https://example.com/web.tgz';

  it.each<[string, readonly TarPart[], string]>([
    ['nothing', [], 'it is not a chart: it has no files'],
    ['directories alone', [{ name: 'web/', type: '5' }], 'it is not a chart: it has no files'],
    ['no Chart.yaml', chart.slice(1), 'it is not a chart: it has no "web/Chart.yaml"'],
    ['a Chart.yaml too deep', [{ name: 'a/web/Chart.yaml' }], 'it is not a chart: it has no "a/Chart.yaml"'],
    ['no folder', [{ name: 'Chart.yaml' }], 'it is not a chart: "Chart.yaml" is not in a folder'],
    ['something beside the folder', [...chart, { name: 'x' }], 'it is not a chart: "x" is not in a folder'],
    ['two folders', [...chart, { name: 'b/Chart.yaml' }], 'it is not a chart: it has more than one folder'],
    ['a way out', [...chart, { name: 'web/../../x' }], 'the entry "web/../../x" points outside the archive with ".."'],
    [
      'a hidden way out',
      [...chart, { name: 'x', type: 'x', content: paxRecord('path', '/etc/x') }, { name: 'web/b' }],
      'the entry "/etc/x" has an absolute name',
    ],
    [
      'a link',
      [...chart, { name: 'web/b', type: '2' }],
      'the entry "web/b" is a symbolic link; only files and directories are allowed',
    ],
    ['a link', [...chart, { name: 'web/b', type: '2' }], 'the entry "web/b" is a symbolic link'],
  ])('refuses %s', async (_, parts, reason) => {
    const error = await refusalOf(checkChartArchive(gzipSync(writeTar(parts)), { url }));
    expect(error).toMatchObject({ failure: 'content', url });
    expect(error.message.startsWith(`cannot use "${url}": `)).toBe(true);
    expect(error.message).toContain(reason);
  });

  it('refuses a bomb', async () => {
    const bomb = gzipSync(writeTar([...chart, { name: 'web/zeros', content: new Uint8Array(2 ** 22) }]));
    expect(await refusalOf(checkChartArchive(bomb, { url, maxBytes: 2 ** 20 }))).toMatchObject({
      failure: 'size',
      url,
    });
  });
});

describeWithProgram('helm', 'an archive that Helm made', (helm) => {
  it('is taken, with all its files', async () => {
    const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
    try {
      execFileSync(helm, ['create', 'web'], { cwd: place, stdio: 'ignore' });
      execFileSync(helm, ['package', 'web'], { cwd: place, stdio: 'ignore' });
      const bytes = readFileSync(join(place, 'web-0.1.0.tgz'));
      const entries = await checkChartArchive(bytes, { url: 'web-0.1.0.tgz' });
      const manifest = entries.find(({ name }) => name === 'web/Chart.yaml');
      expect(new TextDecoder().decode(manifest?.bytes)).toContain('version: 0.1.0');
      expect(entries.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['web/values.yaml', 'web/templates/NOTES.txt']),
      );
    } finally {
      rmSync(place, { recursive: true });
    }
  });
});
