import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTimeLimits } from './network-fetcher.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts downloads with a limit of 30 s, and notes when they are stopped. */
function open() {
  const startedAt = performance.now();
  const start = createTimeLimits(30_000);
  const stopped: [name: string, seconds: number][] = [];
  return {
    stopped,
    start: (name: string) =>
      start(() => void stopped.push([name, Math.round((performance.now() - startedAt) / 100) / 10])),
  };
}

describe('the time of a download', () => {
  it('is limited', () => {
    const { start, stopped } = open();
    start('a').receive();
    vi.advanceTimersByTime(60_000);
    expect(stopped).toEqual([['a', 30]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not limited after its end', () => {
    const { start, stopped } = open();
    start('a').end();
    const late = start('b');
    vi.advanceTimersByTime(29_000);
    late.end();
    vi.advanceTimersByTime(60_000);
    expect(stopped).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is shared by responses that arrive at the same time', () => {
    const { start, stopped } = open();
    const downloads = ['a', 'b', 'c'].map(start);
    downloads.forEach(({ receive }) => receive());
    vi.advanceTimersByTime(60_000);
    expect(stopped).toEqual([]);
    downloads[0]!.end();
    // Twenty seconds were used, and the other ten pass half as fast.
    vi.advanceTimersByTime(60_000);
    expect(stopped).toEqual([
      ['b', 80],
      ['c', 80],
    ]);
  });

  it('is not shared by those that wait for a response', () => {
    const { start, stopped } = open();
    start('silent');
    start('a').receive();
    start('b').receive();
    vi.advanceTimersByTime(100_000);
    expect(stopped).toEqual([
      ['silent', 30],
      ['a', 60],
      ['b', 60],
    ]);
  });
});
