import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeTar } from '../../../../test/write-tar.ts';
import { build, memoryFileSystem, planVendor } from '../../../index.ts';
import type { BuildRequest, BuildStage, TakenSource } from '../../../index.ts';
import { FetchError } from '../../../model/index.ts';
import type { Fetched, Fetcher, FetchRequest } from '../../../model/index.ts';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';

interface Waiting {
  readonly request: FetchRequest;
  readonly answer: () => void;
}

/** Keeps requests until they are answered. */
function gatedFetcher(contents: Readonly<Record<string, string | Uint8Array>>) {
  const waiting: Waiting[] = [];
  const asked: string[] = [];
  const fetcher: Fetcher = {
    fetch: (request) =>
      new Promise<Fetched>((resolve, reject) => {
        const { url, signal } = request;
        asked.push(url);
        const onAbort = (): void => reject(signal?.reason as Error);
        signal?.addEventListener('abort', onAbort);
        const content = contents[url];
        const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
        waiting.push({
          request,
          answer() {
            signal?.removeEventListener('abort', onAbort);
            if (bytes !== undefined) resolve({ url, bytes, headers: {} });
            else reject(new FetchError('status', `cannot fetch ${url}: 404`, { url }));
          },
        });
      }),
  };
  return { fetcher, waiting, asked };
}

/** Answers one request after the other, in the order that `choose` gives. */
async function answerAll<Result>(
  result: Promise<Result>,
  waiting: Waiting[],
  choose: (count: number) => number,
): Promise<Result> {
  const state = { isOver: false };
  const end = (): void => void (state.isOver = true);
  void result.then(end, end);
  while (!state.isOver) {
    await new Promise(setImmediate);
    if (waiting.length > 0) waiting.splice(choose(waiting.length), 1)[0]!.answer();
  }
  return await result;
}

const settings = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: b}\n`;
const urlOf = (index: number): string => `https://example.com/${index}.yaml`;

function manifests(count: number): string {
  const list = Array.from(
    { length: count },
    (_, index) => `{name: c${index}, type: manifests, properties: {url: "${urlOf(index)}"}}`,
  );
  return application(list);
}

function application(components: readonly string[]): string {
  const list = components.map((component) => `  - ${component}\n`);
  return `${head}kind: Application\nmetadata: {name: shop}\nspec:\n  components:\n${list.join('')}`;
}

function requestOf(text: string, more: Partial<BuildRequest>): BuildRequest {
  const fileSystem = memoryFileSystem({ 'shop/app.yaml': text });
  return { path: 'shop', fileSystem, application: { profile: false }, ...more };
}

describe('remote sources', () => {
  it('are fetched at the same time, up to six', async () => {
    const total = 12;
    const { fetcher, waiting, asked } = gatedFetcher(
      Object.fromEntries(Array.from({ length: total }, (_, index) => [urlOf(index), settings(`s${index}`)])),
    );
    const batches: number[] = [];
    // Nothing is answered before six requests wait, so that fetching one after the other would never end.
    const gate: Fetcher = {
      fetch(request) {
        const answer = fetcher.fetch(request);
        if (waiting.length === 6) {
          batches.push(waiting.length);
          for (const one of waiting.splice(0)) one.answer();
        }
        return answer;
      },
    };
    const result = await build(requestOf(manifests(total), { fetcher: gate }));
    expect(result.ok).toBe(true);
    expect(batches).toEqual([6, 6]);
    expect(asked).toEqual(Array.from({ length: total }, (_, index) => urlOf(index)));
  });

  it('wait for one of six', async () => {
    const { fetcher, waiting, asked } = gatedFetcher({});
    const counts: number[] = [];
    const result = build(requestOf(manifests(8), { fetcher }));
    await answerAll(result, waiting, (count) => (counts.push(count), 0));
    expect(asked).toHaveLength(8);
    expect(Math.max(...counts)).toBe(6);
  });

  const archive = gzipSync(
    writeTar([
      { name: 'web/Chart.yaml', content: 'apiVersion: v2\nname: web\nversion: 1.2.3\n' },
      { name: 'web/templates/a.yaml', content: '' },
    ]),
  );
  const chart = (name: string, chartName: string, more = ''): string =>
    `{name: ${name}, type: helmchart, properties: {delivery: template, chart: ${chartName}, version: 1.2.3, source: {url: "https://charts.example.com"}${more}}}`;
  const mixed = application([
    `{name: a, type: manifests, properties: {url: "${urlOf(1)}"}}`,
    chart('b', 'web'),
    '{name: c, type: manifests, properties: {url: "https://example.com/gone"}}',
    `{name: d, type: manifests, properties: {url: "${urlOf(2)}", sha256: "${'0'.repeat(64)}"}}`,
    chart('e', 'web', ', values: {size: 2}'),
    chart('f', 'other'),
    '{name: g, type: manifests, properties: {url: "https://example.com/gone"}}',
    '{name: h, type: manifests, properties: {url: "https://example.com/binary"}}',
    '{name: i, type: manifests, properties: {file: missing.yaml}}',
    `{name: j, type: manifests, properties: {url: "${urlOf(3)}"}}`,
    chart('k', 'third'),
  ]);
  const contents = {
    [urlOf(1)]: settings('one'),
    [urlOf(2)]: settings('two'),
    [urlOf(3)]: settings('three'),
    'https://example.com/binary': Uint8Array.of(0xff, 0xfe),
    'https://charts.example.com/index.yaml':
      'apiVersion: v1\nentries: {web: [{version: 1.2.3, urls: [web.tgz]}], third: [{version: 1.2.3, urls: [third.tgz]}]}\n',
    'https://charts.example.com/web.tgz': archive,
    'https://charts.example.com/third.tgz': new TextEncoder().encode('no archive'),
  };

  async function observe(text: string, choose: (count: number) => number) {
    const { fetcher, waiting, asked } = gatedFetcher(contents);
    const taken: TakenSource[] = [];
    const calls: (readonly string[])[] = [];
    const stages: BuildStage[] = [];
    const request = requestOf(text, {
      fetcher,
      application: { profile: false, isLocking: true, onTaken: (one) => void taken.push(one) },
      progress: (stage) => void (stage.doing === 'fetching' && stages.push(stage)),
      programs: {
        run({ args }) {
          if (args[0] === 'template') calls.push(args);
          return { exitCode: 0, stdout: settings(args.at(-2)!), stderr: '' };
        },
      },
    });
    const { files, diagnostics, reads } = await answerAll(build(request), waiting, choose);
    const { lockText } = planVendor(taken, { lock: undefined });
    return { files, diagnostics, taken, lockText, calls, stages, reads: await reads(), asked: asked.toSorted() };
  }

  const fine = application([
    `{name: a, type: manifests, properties: {url: "${urlOf(1)}"}}`,
    chart('b', 'web'),
    chart('c', 'web', ', values: {size: 2}'),
    `{name: d, type: manifests, properties: {url: "${urlOf(3)}"}}`,
  ]);

  it.each([
    ['sound', fine],
    ['broken', mixed],
  ])('that are %s give the same result if the last arrives first', async (_, text) => {
    const expected = await observe(text, () => 0);
    expect(await observe(text, (count) => count - 1)).toEqual(expected);
  });

  it('give the same result in whatever order they arrive', { tags: 'slow' }, async () => {
    const expected = await observe(mixed, () => 0);
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
        const choose = (count: number): number => (numbers.next().value as number) % count;
        expect(await observe(mixed, choose)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('are reported together, in the order of the document', async () => {
    const { diagnostics, calls } = await observe(mixed, (count) => count - 1);
    expect(diagnostics.map(({ code, location }) => `${String(location?.path?.[2])} ${code}`)).toMatchInlineSnapshot(`
      [
        "2 source-unreachable",
        "3 source-changed",
        "5 source-unreachable",
        "6 source-unreachable",
        "7 source-not-text",
        "8 source-file-missing",
        "10 source-unreachable",
      ]
    `);
    expect(calls.map((args) => args.at(-2))).toEqual(['b', 'e']);
  });

  it('are fetched once, and so is the index of a repository', async () => {
    const { asked, stages } = await observe(mixed, () => 0);
    expect(asked).toEqual(Object.keys(contents).concat('https://example.com/gone').toSorted());
    expect(stages.at(0)).toEqual({ doing: 'fetching', sources: 8, done: 0 });
    expect(stages.at(-1)).toEqual({ doing: 'fetching', sources: 8, done: 8 });
  });

  it('are all given up when the build is stopped', async () => {
    const { fetcher, waiting, asked } = gatedFetcher({});
    const controller = new AbortController();
    const result = build(requestOf(manifests(8), { fetcher, signal: controller.signal }));
    while (waiting.length < 6) await new Promise(setImmediate);
    controller.abort(new Error('stopped'));
    await expect(result).rejects.toThrow('stopped');
    expect(waiting.every(({ request }) => request.signal?.aborted)).toBe(true);
    expect(asked).toHaveLength(6);
  });

  it('that fail unexpectedly end the build with the first defect', async () => {
    const { fetcher, waiting } = gatedFetcher({});
    const defective: Fetcher = {
      fetch: async (request) => {
        await fetcher.fetch(request).catch(() => undefined);
        throw new TypeError(`defect at ${request.url}`);
      },
    };
    const result = build(requestOf(manifests(8), { fetcher: defective }));
    await expect(answerAll(result, waiting, (count) => count - 1)).rejects.toThrow(`defect at ${urlOf(0)}`);
  });
});
