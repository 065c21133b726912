import { describe, expect, it } from 'vitest';
import type { Renderer } from '../model/index.ts';
import { defineRenderer } from './define-renderer.ts';
import type { SourceOptions } from './define-renderer.ts';
import { applyFilters, applyTransformers } from './apply-pipeline.ts';
import { Engine } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';
import { withSignal } from './engine-options.ts';
import { pure } from './steps.ts';
import { createRenderContext } from './render-context.ts';
import { configMap, staticRenderer } from '../../test/test-objects.ts';

interface Note extends SourceOptions<Note> {
  readonly step: string;
}

/** An engine whose every step says its name first. */
function noisyEngine(say: (step: string) => void): Engine {
  const noisy = (name: string): Renderer => ({
    name,
    process: () => {
      say(name);
      return [configMap(`${name}-a`), configMap(`${name}-b`)];
    },
  });
  const sources: Note[] = [
    { step: 'source 1', select: () => (say('select 1'), true), values: () => (say('values 1'), {}) },
    { step: 'source 2', select: () => (say('select 2'), true), postRenderers: [(objects) => (say('post 2'), objects)] },
  ];
  const framed = defineRenderer<Note>({
    name: 'framed',
    sources,
    describe: ({ step }) => step,
    render: ({ step }) => (say(step), [configMap(step)]),
    options: { filters: [pure(() => (say('renderer filter'), true))] },
  });
  const options: EngineOptions = {
    renderers: [noisy('renderer 1'), framed],
    filters: [() => (say('filter 1'), true), pure(() => (say('filter 2'), true))],
    transformers: [(object) => (say('transformer 1'), object), pure((object) => (say('transformer 2'), object))],
    postRenderers: [(objects) => (say('post-renderer 1'), objects), (objects) => (say('post-renderer 2'), objects)],
  };
  return new Engine(options);
}

const steps: string[] = [];
await noisyEngine((step) => steps.push(step)).render();

describe('abort', () => {
  it('has all kinds of steps to look at', () => {
    expect(new Set(steps)).toEqual(
      new Set([
        'renderer 1',
        'select 1',
        'values 1',
        'source 1',
        'select 2',
        'source 2',
        'post 2',
        'renderer filter',
        'filter 1',
        'filter 2',
        'transformer 1',
        'transformer 2',
        'post-renderer 1',
        'post-renderer 2',
      ]),
    );
  });

  it.each([...steps.entries()])(
    'in step %i (%s): nothing follows, and the reason comes back as it is',
    async (index) => {
      const controller = new AbortController();
      const reason = { just: 'an object' };
      const seen: string[] = [];
      const engine = noisyEngine((step) => {
        seen.push(step);
        if (seen.length === index + 1) controller.abort(reason);
      });
      await expect(engine.render(withSignal(controller.signal))).rejects.toBe(reason);
      expect(seen).toEqual(steps.slice(0, index + 1));
    },
  );

  it('before the render: nothing runs', async () => {
    const seen: string[] = [];
    await expect(noisyEngine((step) => seen.push(step)).render({ signal: AbortSignal.abort('early') })).rejects.toBe(
      'early',
    );
    expect(seen).toEqual([]);
  });

  it('hides what a step throws because of it', async () => {
    const controller = new AbortController();
    const engine = new Engine({
      renderers: [staticRenderer('r', [configMap('a')])],
      filters: [
        async (_object, { signal }) => {
          controller.abort('stop');
          signal.throwIfAborted();
          return true;
        },
      ],
    });
    await expect(engine.render({ signal: controller.signal })).rejects.toBe('stop');
  });

  it('of a renderer without an engine: the reason comes back as it is', async () => {
    const controller = new AbortController();
    const renderer = defineRenderer<Note>({
      name: 'framed',
      sources: { step: 'x' },
      describe: ({ step }) => step,
      render: async (_source, _values, { signal }) => {
        controller.abort('stop');
        signal.throwIfAborted();
        return [];
      },
    });
    await expect(renderer.process({}, createRenderContext({ signal: controller.signal }))).rejects.toBe('stop');
  });

  it.each([applyFilters, applyTransformers])('is seen by stages that have nothing to do', async (apply) => {
    await expect(apply([configMap('a')], [], { signal: AbortSignal.abort('early') })).rejects.toBe('early');
  });

  it('reaches renderers through the context', async () => {
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const renderer: Renderer = { name: 'r', process: (_values, { signal }) => ((seen = signal), []) };
    await new Engine({ renderers: [renderer] }).render({ signal: controller.signal });
    expect(seen).toBe(controller.signal);
  });
});

describe('a renderer that does not look at the signal', () => {
  it('does not hold up a render that is cancelled', async () => {
    const controller = new AbortController();
    let finish = (): void => undefined;
    const deaf: Renderer = {
      name: 'deaf',
      process: () => new Promise((resolve) => (finish = () => resolve([configMap('late')]))),
    };
    for (const parallel of [false, true]) {
      const rendering = new Engine({ renderers: [deaf], parallel }).render(withSignal(controller.signal));
      const reason = new Error('enough');
      if (!controller.signal.aborted) controller.abort(reason);
      await expect(rendering).rejects.toThrow('enough');
      finish();
    }
  });

  it('is heard when nobody cancels', async () => {
    const slow: Renderer = { name: 'slow', process: async () => [configMap('a')] };
    const objects = await new Engine({ renderers: [slow] }).render(withSignal(new AbortController().signal));
    expect(objects).toEqual([configMap('a')]);
  });
});
