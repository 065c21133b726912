import { describe, expect, it } from 'vitest';
import { FetchError } from '../model/index.ts';
import type { Fetcher, FetchRequest } from '../model/index.ts';
import { fetchOnce } from './fetch-once.ts';

/** Every URL redirects to cdn.example.net, and `gone` does not exist. */
function fakeFetcher(): Fetcher & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async fetch({ url, allowHost, isNamedHost }) {
      asked.push(url);
      for (const host of [new URL(url).host, 'cdn.example.net']) {
        if (!allowHost(host)) throw new FetchError('host', `${host} is not allowed`, { url });
        isNamedHost?.(host);
        await Promise.resolve();
      }
      if (url.endsWith('/gone')) throw new FetchError('status', 'gone', { url });
      return { url, bytes: Uint8Array.of(asked.length), headers: {} };
    },
  };
}

const url = 'https://example.com/a.yaml';
const asked = (more: Partial<FetchRequest> = {}): FetchRequest => ({
  url,
  maxBytes: 10,
  allowHost: () => true,
  ...more,
});

describe('fetchOnce', () => {
  it('shares an answer, also one that is on its way', async () => {
    const fetcher = fakeFetcher();
    const { fetch } = fetchOnce(fetcher);
    const answers = await Promise.all([fetch(asked()), fetch(asked())]);
    answers.push(await fetch(asked()));
    expect(answers.map(({ bytes }) => bytes[0])).toEqual([1, 1, 1]);
    expect(fetcher.asked).toEqual([url]);
  });

  it('shares a failure', async () => {
    const fetcher = fakeFetcher();
    const { fetch } = fetchOnce(fetcher);
    const gone = asked({ url: 'https://example.com/gone' });
    for (const _ of [1, 2]) await expect(fetch(gone)).rejects.toThrow('gone');
    expect(fetcher.asked).toHaveLength(1);
  });

  it.each<[string, Partial<FetchRequest>]>([
    ['another URL', { url: `${url}?b` }],
    ['another limit', { maxBytes: 11 }],
    ['other headers', { headers: { authorization: 'Bearer x' } }],
    ['a rule for private addresses', { isNamedHost: () => false }],
  ])('does not share an answer with a request that has %s', async (_, more) => {
    const fetcher = fakeFetcher();
    const { fetch } = fetchOnce(fetcher);
    await fetch(asked());
    await fetch(asked(more));
    expect(fetcher.asked).toHaveLength(2);
  });

  it('applies the rules of each request to every host of the answer', async () => {
    const fetcher = fakeFetcher();
    const { fetch } = fetchOnce(fetcher);
    const strict = asked({ allowHost: (host) => host === 'example.com' });
    const [open, refused] = await Promise.allSettled([fetch(asked()), fetch(strict)]);
    expect([open.status, refused.status]).toEqual(['fulfilled', 'rejected']);
    await expect(fetch(strict)).rejects.toThrow('cdn.example.net is not allowed');
    await expect(fetch(asked())).resolves.toMatchObject({ url });
  });

  it('sends fresh requests and requests to write again', async () => {
    const fetcher = fakeFetcher();
    const { fetch } = fetchOnce(fetcher);
    for (const more of [
      {},
      {},
      { isFresh: true },
      { isFresh: true },
      { method: 'POST' },
      { method: 'POST' },
    ] as const) {
      await fetch(asked(more));
    }
    expect(fetcher.asked).toHaveLength(5);
  });

  it('does not share the end of another build', async () => {
    const fetcher = fakeFetcher();
    const ended: Fetcher = {
      fetch: (request) => (request.signal === undefined ? fetcher.fetch(request) : Promise.reject(new Error('ended'))),
    };
    const { fetch } = fetchOnce(ended);
    await expect(fetch(asked({ signal: AbortSignal.abort() }))).rejects.toThrow('ended');
    await expect(fetch(asked())).resolves.toMatchObject({ url });
  });
});
