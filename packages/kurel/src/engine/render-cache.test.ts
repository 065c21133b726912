import { describe, expect, it } from 'vitest';
import type { Json } from '../model/index.ts';
import { createRenderCache } from './render-cache.ts';
import type { CacheOptions, RenderCache, RenderedSource } from './render-cache.ts';
import { configMap } from '../../test/test-objects.ts';
import { canonicalJson } from '../model/index.ts';

const neverAborted = new AbortController().signal;

function rendered(name: string): RenderedSource {
  return { objects: [structuredClone(configMap(name))], origins: [{ renderer: 'r', source: name }], diagnostics: [] };
}

/** A cache with a clock in the hands of the test, and a list of what was produced. */
function testCache(options: Partial<CacheOptions> = {}) {
  const clock = { now: 0 };
  const produced: Json[] = [];
  const cache = createRenderCache({ now: () => clock.now, ...options });
  const get = async (identity: Json): Promise<RenderedSource> =>
    await cache.resolve({
      identity,
      signal: neverAborted,
      produce: () => (produced.push(identity), rendered(canonicalJson(identity))),
    });
  return { cache, clock, produced, get };
}

describe('entries', () => {
  it('are produced once', async () => {
    const { get, produced } = testCache();
    await get('a');
    expect(await get('a')).toEqual(rendered('"a"'));
    await get('b');
    expect(produced).toEqual(['a', 'b']);
  });

  it('are found whatever the order of keys, and tell big integers apart', async () => {
    const { get, produced } = testCache();
    for (const identity of [{ x: 1, y: 2 }, { y: 2, x: 1 }, 9007199254740993n, 9007199254740992n, '9007199254740993'])
      await get(identity);
    expect(produced).toEqual([{ x: 1, y: 2 }, 9007199254740993n, 9007199254740992n, '9007199254740993']);
  });

  it('are kept when they are empty', async () => {
    const { cache } = testCache();
    let count = 0;
    const produce = () => (count++, { objects: [], origins: [], diagnostics: [] });
    await cache.resolve({ identity: 'a', signal: neverAborted, produce });
    await cache.resolve({ identity: 'a', signal: neverAborted, produce });
    expect(count).toBe(1);
  });

  it('expire', async () => {
    const { get, clock, produced } = testCache({ ttlMs: 100 });
    await get('a');
    clock.now = 99;
    await get('a');
    clock.now = 100;
    await get('a');
    expect(produced).toEqual(['a', 'a']);
  });

  it.each([undefined, 0, -1, Number.NaN])('live five minutes when the time is %s', async (ttlMs) => {
    const { get, clock, produced } = testCache(ttlMs === undefined ? {} : { ttlMs });
    await get('a');
    clock.now = 299_999;
    await get('a');
    clock.now = 300_000;
    await get('a');
    expect(produced).toEqual(['a', 'a']);
  });

  it('make place for new ones, the one used longest ago first', async () => {
    const { get, produced } = testCache({ maxEntries: 2 });
    for (const identity of ['a', 'b', 'a', 'c', 'a', 'b']) await get(identity);
    expect(produced).toEqual(['a', 'b', 'c', 'b']);
  });

  it('that are expired make place first', async () => {
    const { get, clock, produced } = testCache({ maxEntries: 2, ttlMs: 100 });
    for (const [now, identity] of [
      [0, 'a'],
      [50, 'b'],
      [90, 'a'],
      [110, 'c'],
      [110, 'b'],
    ] as const) {
      clock.now = now;
      await get(identity);
    }
    expect(produced).toEqual(['a', 'b', 'c']);
  });

  it('have the key that the caller wants', async () => {
    const { get, produced } = testCache({ key: (identity) => canonicalJson(identity).slice(0, 2) });
    for (const identity of ['a1', 'a2', 'b']) await get(identity);
    expect(produced).toEqual(['a1', 'b']);
  });

  it('are copies, in and out', async () => {
    const { cache, get } = testCache();
    const original = rendered('"a"');
    const rename = ({ objects }: RenderedSource): void => {
      (objects[0] as { kind: string }).kind = 'Changed';
    };
    await cache.resolve({ identity: 'a', signal: neverAborted, produce: () => original });
    rename(original);
    rename(await get('a'));
    expect(await get('a')).toEqual(rendered('"a"'));
  });

  it('are not made of failures', async () => {
    const { cache, get, produced } = testCache();
    const fail = (): never => {
      throw new Error('boom');
    };
    expect(() => cache.resolve({ identity: 'a', signal: neverAborted, produce: fail })).toThrow('boom');
    await expect(cache.resolve({ identity: 'a', signal: neverAborted, produce: async () => fail() })).rejects.toThrow(
      'boom',
    );
    await get('a');
    expect(produced).toEqual(['a']);
  });

  it('come at once when nothing has to be waited for', () => {
    const { cache } = testCache();
    for (let turn = 0; turn < 2; turn++) {
      expect(cache.resolve({ identity: 'a', signal: neverAborted, produce: () => rendered('"a"') })).toEqual(
        rendered('"a"'),
      );
    }
  });
});

describe('concurrent misses', () => {
  /** Starts a production that the test ends. */
  function startProduction(cache: RenderCache, signal: AbortSignal) {
    let succeed = (_error?: Error): void => {};
    let fail = (_error: Error): void => {};
    const production = new Promise<RenderedSource>((resolve, reject) => {
      succeed = () => resolve(rendered('"a"'));
      fail = reject;
    });
    const result = Promise.resolve(cache.resolve({ identity: 'a', signal, produce: () => production }));
    return { result, succeed, fail };
  }

  it('share one production, but not its objects', async () => {
    const { cache, get, produced } = testCache();
    const first = startProduction(cache, neverAborted);
    const others = [get('a'), get('a')];
    first.succeed();
    const results = await Promise.all([first.result, ...others]);
    expect(results).toEqual([rendered('"a"'), rendered('"a"'), rendered('"a"')]);
    expect(new Set(results.map(({ objects }) => objects[0])).size).toBe(3);
    expect(produced).toEqual([]);
  });

  it('share its failure', async () => {
    const { cache, get, produced } = testCache();
    const first = startProduction(cache, neverAborted);
    const other = get('a');
    first.fail(new Error('boom'));
    await expect(first.result).rejects.toThrow('boom');
    await expect(other).rejects.toThrow('boom');
    expect(produced).toEqual([]);
  });

  it('do not suffer from the end of a render that is not theirs', async () => {
    const { cache, get, produced } = testCache();
    const controller = new AbortController();
    const first = startProduction(cache, controller.signal);
    const others = [get('a'), get('a')];
    controller.abort(new Error('given up'));
    first.fail(controller.signal.reason as Error);
    await expect(first.result).rejects.toThrow('given up');
    expect(await Promise.all(others)).toEqual([rendered('"a"'), rendered('"a"')]);
    expect(produced).toEqual(['a']);
  });

  it('do not wait for the other render once their own is given up', async () => {
    const { cache } = testCache();
    const controller = new AbortController();
    startProduction(cache, neverAborted);
    const produce = (): never => expect.unreachable('produced');
    const other = Promise.resolve(cache.resolve({ identity: 'a', signal: controller.signal, produce }));
    controller.abort('enough');
    await expect(other).rejects.toBe('enough');
  });

  it.each(['succeed', 'fail'] as const)(
    'end with the reason of their own signal, even when the other render is to %s',
    async (end) => {
      const { cache } = testCache();
      const controller = new AbortController();
      const first = startProduction(cache, neverAborted);
      const produce = (): never => expect.unreachable('produced');
      const other = Promise.resolve(cache.resolve({ identity: 'a', signal: controller.signal, produce }));
      controller.abort('enough');
      first[end](new Error('boom'));
      await first.result.catch(() => undefined);
      await expect(other).rejects.toBe('enough');
    },
  );
});
