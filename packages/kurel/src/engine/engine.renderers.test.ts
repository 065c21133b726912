import { describe, expect, it } from 'vitest';
import type { KubeObject, Renderer } from '../model/index.ts';
import { Engine } from './engine.ts';
import { MemoryMetrics } from './memory-metrics.ts';
import { withMetrics } from './engine-options.ts';
import { configMap } from '../../test/test-objects.ts';

/** A renderer that the test ends. */
interface ControlledRenderer extends Renderer {
  readonly succeed: () => void;
  readonly fail: (error: unknown) => void;
}

function controlledRenderer(name: string): ControlledRenderer {
  const end = { succeed: () => {}, fail: (_error: unknown) => {} };
  const result = new Promise<readonly KubeObject[]>((resolve, reject) => {
    end.succeed = () => resolve([configMap(name)]);
    end.fail = reject;
  });
  return { name, process: () => result, ...end };
}

/** A renderer that ends only when it is aborted, like a running program. */
function endlessRenderer(name: string): Renderer {
  return {
    name,
    process: async (_values, context) => {
      await new Promise((_resolve, reject) =>
        context.signal.addEventListener('abort', () => reject(new Error('killed', { cause: context.signal.reason }))),
      );
      return [];
    },
  };
}

describe('parallel renderers', () => {
  it('return their objects in registration order, regardless of which finishes first', async () => {
    const [a, b, c] = [controlledRenderer('a'), controlledRenderer('b'), controlledRenderer('c')];
    const render = new Engine({ renderers: [a, b, c], parallel: true }).render();
    c.succeed();
    await Promise.resolve();
    b.succeed();
    a.succeed();
    expect(await render).toEqual([configMap('a'), configMap('b'), configMap('c')]);
  });

  it.each([1, 2, 3, 10])('run no more than %i at a time', async (concurrency) => {
    let running = 0;
    let most = 0;
    const renderers = Array.from({ length: 6 }, (_, index): Renderer => ({
      name: `r${index}`,
      process: async () => {
        most = Math.max(most, ++running);
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
        running -= 1;
        return [configMap(`r${index}`)];
      },
    }));
    const objects = await new Engine({ renderers, parallel: { concurrency } }).render();
    expect(objects).toEqual(renderers.map(({ name }) => configMap(name)));
    expect(most).toBe(Math.min(concurrency, 6));
  });

  it('a failure aborts the others, and they are waited for', async () => {
    const bad = controlledRenderer('bad');
    const render = new Engine({
      renderers: [endlessRenderer('first'), bad, endlessRenderer('last')],
      parallel: true,
    }).render();
    bad.fail(new Error('boom'));
    await expect(render).rejects.toThrow('error processing renderer bad: boom');
  });

  it('a failure keeps waiting renderers from starting', async () => {
    const started: string[] = [];
    const bad: Renderer = { name: 'bad', process: () => Promise.reject(new Error('boom')) };
    const next: Renderer = { name: 'next', process: () => (started.push('next'), []) };
    await expect(new Engine({ renderers: [bad, next], parallel: { concurrency: 1 } }).render()).rejects.toThrow('boom');
    expect(started).toEqual([]);
  });

  it('report the first of several failures in registration order', async () => {
    const [first, second] = [controlledRenderer('first'), controlledRenderer('second')];
    const render = new Engine({ renderers: [first, second], parallel: true }).render();
    second.fail(new Error('early'));
    await Promise.resolve();
    first.fail(new Error('late, of its own'));
    await expect(render).rejects.toThrow('error processing renderer first: late, of its own');
  });

  it('the abort reason of the caller is not wrapped', async () => {
    const controller = new AbortController();
    const render = new Engine({ renderers: [endlessRenderer('a'), endlessRenderer('b')], parallel: true }).render({
      signal: controller.signal,
    });
    controller.abort('enough');
    await expect(render).rejects.toBe('enough');
  });

  it('return nothing without renderers', async () => {
    expect(await new Engine({ parallel: true }).render()).toEqual([]);
  });
});

describe('metrics', () => {
  /** Each look at the clock takes one millisecond. */
  function tickingMetrics(): MemoryMetrics {
    let time = 0;
    return new MemoryMetrics({ now: () => time++ });
  }

  const good: Renderer = { name: 'good', process: () => [configMap('a'), configMap('b')] };
  const bad: Renderer = { name: 'bad', process: () => Promise.reject(new Error('boom')) };

  it('adds up successful renders and each run of a renderer', async () => {
    const metrics = tickingMetrics();
    const engine = new Engine({ renderers: [good] });
    await engine.render(withMetrics(metrics));
    await engine.render({ metrics, filters: [() => false] });
    await expect(new Engine({ renderers: [good, bad] }).render({ metrics })).rejects.toThrow('boom');
    expect(metrics.summary()).toEqual({ renders: 2, objects: 2, totalMs: 6, averageMs: 3, averageObjects: 1 });
    expect(metrics.renderers()).toEqual({
      good: { runs: 3, failures: 0, objects: 6, totalMs: 3, averageMs: 1, averageObjects: 2 },
      bad: { runs: 1, failures: 1, objects: 0, totalMs: 1, averageMs: 1, averageObjects: 0 },
    });
  });

  it('counts failures', async () => {
    const errors: unknown[] = [];
    const metrics = { now: () => 0, onRenderer: (event: { error?: unknown }) => void errors.push(event.error) };
    await expect(new Engine({ renderers: [good, bad] }).render({ metrics })).rejects.toThrow();
    expect(errors).toEqual([undefined, expect.objectContaining({ renderer: 'bad', cause: new Error('boom') })]);
  });

  it('is all zero before the first render, and takes any name', async () => {
    const metrics = tickingMetrics();
    expect(metrics.summary()).toEqual({ renders: 0, objects: 0, totalMs: 0, averageMs: 0, averageObjects: 0 });
    await new Engine({ renderers: [{ name: '__proto__', process: () => [] }] }).render({ metrics });
    expect(Object.keys(metrics.renderers())).toEqual(['__proto__']);
  });

  it('needs no more than a clock', async () => {
    expect(await new Engine({ renderers: [good] }).render({ metrics: { now: () => 0 } })).toHaveLength(2);
  });
});
