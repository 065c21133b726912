import { describe, expect, it } from 'vitest';
import type { KubeObject, Renderer } from '../model/index.ts';
import { applyFilters, applyPipeline, applyTransformers } from './apply-pipeline.ts';
import { defineRenderer } from './define-renderer.ts';
import type { SourceOptions } from './define-renderer.ts';
import { Engine } from './engine.ts';
import type { EngineError } from './errors.ts';
import { FilterError, PostRendererError, RendererError, SourceError, TransformerError } from './errors.ts';
import { filters } from './filters/index.ts';
import { JqError } from './jq-program.ts';
import { fresh, pure } from './steps.ts';
import { configMap, staticRenderer } from '../../test/test-objects.ts';
import { transformers } from './transformers/index.ts';

interface PathSource extends SourceOptions<PathSource> {
  readonly path: string;
}

const boom = new Error('boom');
const object = configMap('web', { namespace: 'prod' });

function fail(): never {
  throw boom;
}

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

async function failLater(): Promise<never> {
  await Promise.resolve();
  throw boom;
}

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => expect.unreachable('must fail'),
    (error: unknown) => error,
  );
}

describe.each([
  ['at once', fail],
  ['later', failLater],
])('failures %s', (_title, failing) => {
  it('of a filter', async () => {
    const error = await errorOf(applyFilters([object], [filters.name.exact('web'), failing]));
    expect(error).toBeInstanceOf(FilterError);
    expect(error).toMatchObject({
      message: 'filter error for v1:ConfigMap web (namespace: prod): boom',
      code: 'filter-failed',
      name: 'FilterError',
      cause: boom,
    });
    expect((error as FilterError).object).toBe(object);
  });

  it('of a transformer, with the object as it entered the chain', async () => {
    const error = await errorOf(
      applyTransformers([object], [transformers.name.setPrefix('x-'), (item) => item, failing]),
    );
    expect(error).toBeInstanceOf(TransformerError);
    expect(error).toMatchObject({
      message: 'transformer error for v1:ConfigMap web (namespace: prod): boom',
      cause: boom,
    });
    expect((error as TransformerError).object).toBe(object);
  });

  it('of a post-renderer', async () => {
    const error = await errorOf(applyPipeline([object], { postRenderers: [failing] }));
    expect(error).toBeInstanceOf(PostRendererError);
    expect(error).toMatchObject({ message: 'post-renderer error (stage: engine): boom', stage: 'engine', cause: boom });
  });

  it('of a renderer', async () => {
    const error = await errorOf(new Engine({ renderers: [{ name: 'bad', process: failing }] }).render());
    expect(error).toBeInstanceOf(RendererError);
    expect(error).toMatchObject({
      message: 'rendering failed: error processing renderer bad: boom',
      renderer: 'bad',
      cause: boom,
    });
  });

  it('of a filter inside a renderer keep their type in the chain of causes', async () => {
    const renderer = defineRenderer({
      name: 'inner',
      sources: {},
      describe: () => 'x',
      render: () => [configMap('a')],
      options: { filters: [failing] },
    });
    const error = (await errorOf(new Engine({ renderers: [renderer] }).render())) as RendererError;
    expect(error).toBeInstanceOf(RendererError);
    expect(error.cause).toBeInstanceOf(FilterError);
    expect((error.cause as FilterError).cause).toBe(boom);
  });

  it('of a source name the source', async () => {
    const renderer = defineRenderer<PathSource>({
      name: 'inner',
      sources: [{ path: 'good' }, { path: 'bad' }],
      describe: ({ path }) => path,
      render: ({ path }) => (path === 'bad' ? failing() : []),
    });
    const error = (await errorOf(new Engine({ renderers: [renderer] }).render())) as RendererError;
    expect(error.message).toBe('rendering failed: error processing renderer inner: source 1 (bad): boom');
    expect(error.cause).toBeInstanceOf(SourceError);
    expect(error.cause).toMatchObject({ index: 1, code: 'source-failed', cause: boom });
  });
});

describe('wrapping', () => {
  const circular = new Error('round');
  circular.cause = circular;

  it.each([new FilterError(object, boom), new Error('context', { cause: new FilterError(object, boom) })])(
    'does not wrap the failure of a filter a second time: %s',
    async (error) => {
      expect(await errorOf(applyFilters([configMap('other')], [throwing(error)]))).toBe(error);
    },
  );

  it.each([new TransformerError(object, boom), new Error('context', { cause: new TransformerError(object, boom) })])(
    'does not wrap the failure of a transformer a second time: %s',
    async (error) => {
      expect(await errorOf(applyTransformers([configMap('other')], [throwing(error)]))).toBe(error);
    },
  );

  it('does not wrap the failure of a post-renderer a second time', async () => {
    const error = new PostRendererError('source', boom);
    expect(await errorOf(applyPipeline([object], { postRenderers: [throwing(error)] }))).toBe(error);
  });

  it('does not wrap the error of a renderer in its own name a second time', async () => {
    const own = new RendererError('r', boom);
    const foreign = new RendererError('other', boom);
    const engineOf = (error: Error): Engine => new Engine({ renderers: [{ name: 'r', process: throwing(error) }] });
    expect(await errorOf(engineOf(own).render())).toBe(own);
    expect(await errorOf(engineOf(foreign).render())).toMatchObject({ renderer: 'r', cause: foreign });
  });

  it('survives a chain of causes that bites its tail', async () => {
    expect(await errorOf(applyFilters([object], [throwing(circular)]))).toMatchObject({ cause: circular });
  });

  it('takes whatever is thrown', async () => {
    expect(await errorOf(applyFilters([object], [throwing('just text')]))).toMatchObject({
      cause: 'just text',
      message: expect.stringMatching(/: just text$/),
    });
  });

  it('jq failures carry the object', async () => {
    const error = await errorOf(applyFilters([object], [filters.jq('error("no")')]));
    expect(error).toBeInstanceOf(FilterError);
    expect((error as FilterError).cause).toBeInstanceOf(JqError);
  });
});

describe('answers of the wrong type', () => {
  const rows: readonly (readonly [
    title: string,
    run: () => Promise<unknown>,
    type: new (...args: never[]) => EngineError,
    message: string,
  ])[] = [
    [
      'filter',
      () => applyFilters([object], [(() => 'yes') as never]),
      FilterError,
      'a filter must return a boolean, not string',
    ],
    [
      'transformer',
      () => applyTransformers([object], [(() => {}) as never]),
      TransformerError,
      'a transformer must return an object, not undefined',
    ],
    [
      'transformer that takes the kind away',
      () => applyTransformers([object], [transformers.jq('del(.kind)')]),
      TransformerError,
      'a transformer must return an object with apiVersion and kind',
    ],
    [
      'transformer that empties the apiVersion, inside a chain',
      () => applyTransformers([object], [transformers.chain(transformers.jq('.apiVersion = ""'), (item) => item)]),
      TransformerError,
      'a transformer must return an object with apiVersion and kind',
    ],
    [
      'post-renderer',
      () => applyPipeline([object], { postRenderers: [(() => [null]) as never] }),
      PostRendererError,
      'a post-renderer must return a list of objects',
    ],
    [
      'post-renderer that promised to be pure',
      () => applyPipeline([object], { postRenderers: [pure((() => undefined) as never)] }),
      PostRendererError,
      'a post-renderer must return a list of objects',
    ],
    [
      'renderer',
      () => new Engine({ renderers: [{ name: 'r', process: () => ({}) as never }] }).render(),
      RendererError,
      'a renderer must return a list of objects',
    ],
    [
      'item of a renderer',
      () => new Engine({ renderers: [staticRenderer('r', [object, 'x' as never])] }).render(),
      RendererError,
      "item 1 of the renderer's list is not an object",
    ],
    [
      'item without a kind of a renderer that promised to be fresh',
      () => new Engine({ renderers: [fresh(staticRenderer('r', [{ apiVersion: 'v1' } as never]))] }).render(),
      RendererError,
      "item 0 of the renderer's list is not an object with apiVersion and kind",
    ],
    [
      'date in an object',
      () =>
        new Engine({
          renderers: [staticRenderer('r', [{ ...object, at: new Date(0) } as unknown as KubeObject])],
        }).render(),
      RendererError,
      'a Date is not plain data',
    ],
  ];

  it.each(rows)('%s', async (_title, run, type, message) => {
    const error = await errorOf(run());
    expect(error).toBeInstanceOf(type);
    expect((error as Error).message).toContain(message);
  });
});

describe('text', () => {
  it('is one line as a string', () => {
    const error = new RendererError('helm', new Error('first\n  second\r\nthird'));
    expect(String(error)).toBe('RendererError: rendering failed: error processing renderer helm: first second third');
  });

  it('has empty places for what an object does not have', () => {
    const bare = { apiVersion: 'v1', kind: 'Namespace' };
    expect(new FilterError(bare, boom).message).toBe('filter error for v1:Namespace  (namespace: ): boom');
  });
});

describe('no partial result', () => {
  it('the first failure ends the render; later renderers are not asked', async () => {
    const asked: string[] = [];
    const note = (name: string, fails: boolean): Renderer => ({
      name,
      process: () => {
        asked.push(name);
        return fails ? fail() : [configMap(name)];
      },
    });
    await expect(
      new Engine({ renderers: [note('a', false), note('b', true), note('c', false)] }).render(),
    ).rejects.toThrow('renderer b: boom');
    expect(asked).toEqual(['a', 'b']);
  });
});
