import { describe, expect, it } from 'vitest';
import type { Filter, KubeObject, Renderer, Transformer, Values } from '../model/index.ts';
import { Engine } from './engine.ts';
import {
  withFilter,
  withOrigins,
  withParallel,
  withPostRenderer,
  withRenderer,
  withRenderFilter,
  withRenderPostRenderer,
  withRenderTransformer,
  withReport,
  withTransformer,
  withValues,
} from './engine-options.ts';
import { EngineError, InvalidRendererError } from './errors.ts';
import { filters } from './filters/index.ts';
import { defineRenderer } from './define-renderer.ts';
import { createOriginTable } from './render-context.ts';
import { applyPipeline, postRenderers } from './apply-pipeline.ts';
import { configMap, frozen, staticRenderer } from '../../test/test-objects.ts';
import { transformers } from './transformers/index.ts';

function namesOf(objects: readonly KubeObject[]): unknown[] {
  return objects.map((object) => (object['metadata'] as { name?: unknown }).name);
}

/** Adds a word to the annotation `trail`, so that the order of stages can be read off the result. */
function trail(word: string): Transformer {
  return transformers.jq(`.metadata.annotations.trail += "${word} "`);
}

const abc = staticRenderer(
  'abc',
  ['a', 'b', 'c'].map((name) => configMap(name)),
);

describe('order of the pipeline', () => {
  it('runs render-time filters before the transformers of the engine', async () => {
    const engine = new Engine(withRenderer(abc), withTransformer(transformers.labels.set({ x: '1' })));
    expect(await engine.render(withRenderFilter(filters.labels.has('x')))).toEqual([]);
    expect(await engine.render()).toHaveLength(3);
  });

  it('runs renderer, engine and render level in this order, filters first', async () => {
    const seen: string[] = [];
    const look =
      (stage: string): Filter =>
      (object) => {
        const { annotations } = object['metadata'] as { annotations?: { trail?: string } };
        seen.push(`${stage}: ${annotations?.trail ?? ''}`.trimEnd());
        return true;
      };
    const renderer = defineRenderer({
      name: 'one',
      sources: {},
      describe: () => 'one',
      render: () => [configMap('a')],
      options: { filters: [look('renderer filter')], transformers: [trail('renderer')] },
    });
    const engine = new Engine({
      renderers: [renderer],
      filters: [look('engine filter')],
      transformers: [trail('engine')],
    });
    const [object] = await engine.render({ filters: [look('render filter')], transformers: [trail('render')] });
    expect(seen).toEqual(['renderer filter:', 'engine filter: renderer', 'render filter: renderer']);
    expect(object).toHaveProperty('metadata.annotations.trail', 'renderer engine render ');
  });

  it('runs the post-renderers of the engine, then those of the call, over everything', async () => {
    const engine = new Engine(
      withRenderer(abc),
      withPostRenderer((objects) => [...objects].reverse()),
    );
    expect(namesOf(await engine.render(withRenderPostRenderer((objects) => objects.slice(0, 2))))).toEqual(['c', 'b']);
  });

  it('concatenates in the order of registration and keeps the order of what survives', async () => {
    const engine = new Engine(
      withRenderer(abc),
      withRenderer(staticRenderer('two', [configMap('d'), configMap('b')])),
      withFilter(filters.not(filters.name.exact('b'))),
    );
    expect(namesOf(await engine.render())).toEqual(['a', 'c', 'd']);
  });

  it('asks filters object by object and stops at the first that drops', async () => {
    const asked: string[] = [];
    const ask =
      (title: string, keeps: string): Filter =>
      (object) => {
        const name = (object['metadata'] as { name: string }).name;
        asked.push(title + name);
        return keeps.includes(name);
      };
    const engine = new Engine({ renderers: [abc], filters: [ask('1', 'ac'), ask('2', 'bc')] });
    expect(namesOf(await engine.render())).toEqual(['c']);
    expect(asked).toEqual(['1a', '2a', '1b', '1c', '2c']);
  });

  it('sorts by apply order', async () => {
    const namespace = frozen({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
    const engine = new Engine(
      withRenderer(staticRenderer('r', [configMap('a'), namespace])),
      withPostRenderer(postRenderers.applyOrder()),
    );
    expect(namesOf(await engine.render())).toEqual(['n', 'a']);
  });
});

describe('empty results', () => {
  const nothing = staticRenderer('nothing', undefined as unknown as []);
  it.each([
    ['no renderers', new Engine()],
    ['a renderer without objects', new Engine(withRenderer(staticRenderer('none', [])))],
    ['a renderer that returns nothing', new Engine(withRenderer(nothing))],
    [
      'everything dropped',
      new Engine(
        withRenderer(abc),
        withFilter(() => false),
      ),
    ],
  ])('%s', async (_title, engine) => {
    expect(await engine.render()).toEqual([]);
  });
});

describe('options', () => {
  it('mixes objects and functions, and appends', async () => {
    const engine = new Engine(
      { renderers: [abc], transformers: [trail('1')] },
      withTransformer(trail('2')),
      { transformers: [trail('3')] },
      withFilter(filters.name.exact('a', 'b')),
      { filters: [filters.name.exact('b', 'c')] },
    );
    const objects = await engine.render(withRenderTransformer(trail('4')), { transformers: [trail('5')] });
    expect(namesOf(objects)).toEqual(['b']);
    expect(objects[0]).toHaveProperty('metadata.annotations.trail', '1 2 3 4 5 ');
  });

  it('keeps parallel unless an option says otherwise', async () => {
    const running: string[] = [];
    const slow = (name: string): Renderer => ({
      name,
      process: async () => {
        running.push(`+${name}`);
        await Promise.resolve();
        running.push(`-${name}`);
        return [];
      },
    });
    const renderers = [slow('a'), slow('b')];
    await new Engine(withParallel(), { renderers }).render();
    expect(running.splice(0)).toEqual(['+a', '+b', '-a', '-b']);
    await new Engine(withParallel(), { renderers, parallel: false }).render();
    expect(running).toEqual(['+a', '-a', '+b', '-b']);
  });

  it.each([
    [{ renderer: [abc] }, 'unknown option "renderer"; did you mean "renderers"?'],
    [{ values: {} }, 'unknown option "values"; use one of renderers, filters, transformers, postRenderers, parallel'],
    [{ filters: ['x'] }, 'filters[0] must be a function'],
    [filters.kind('X'), 'options must be an object, such as the result of withFilter(…), got a function'],
    [null, 'options must be an object, such as the result of withFilter(…), got null'],
  ])('refuses the engine option %j', (option, message) => {
    expect(() => new Engine(option as object)).toThrow(new EngineError(message, { code: 'invalid-option' }));
  });

  it.each([
    [{ filter: [] }, 'unknown option "filter"; did you mean "filters"?'],
    [{ transformers: [undefined] }, 'transformers[0] must be a function'],
    [filters.kind('X'), 'options must be an object, such as the result of withFilter(…), got a function'],
  ])('refuses the render option %j', async (option, message) => {
    await expect(new Engine({ renderers: [abc] }).render(option as object)).rejects.toThrow(message);
  });

  it('refuses an unknown key of a pipeline', async () => {
    await expect(applyPipeline([], { filter: [] } as object)).rejects.toThrow('did you mean "filters"?');
  });

  it('does not carry options of one render to the next, nor later changes of a list', async () => {
    const list: Filter[] = [];
    const engine = new Engine({ renderers: [abc], filters: list });
    list.push(() => false);
    expect(await engine.render(withRenderFilter(filters.name.exact('a')))).toHaveLength(1);
    expect(await engine.render()).toHaveLength(3);
  });

  it('takes the last values whole, and gives each renderer a copy of its own', async () => {
    const seen: Values[] = [];
    const greedy = (name: string): Renderer => ({
      name,
      process: (values) => {
        seen.push(JSON.parse(JSON.stringify(values)) as Values);
        (values as { nested: { a: number } }).nested.a = 99;
        return [];
      },
    });
    const given = frozen({ nested: { a: 1 } });
    await new Engine({ renderers: [greedy('one'), greedy('two')] }).render(
      withValues({ other: true }),
      withValues(given),
      {},
    );
    expect(seen).toEqual([{ nested: { a: 1 } }, { nested: { a: 1 } }]);
  });

  it('gives renderers empty values when there are none', async () => {
    let seen: Values | undefined;
    await new Engine(withRenderer({ name: 'r', process: (values) => ((seen = values), []) })).render();
    expect(seen).toEqual({});
  });

  it('hands origins and findings to the caller', async () => {
    const origins = createOriginTable();
    const found: string[] = [];
    const origin = { renderer: 'r', source: 'there' };
    const renderer: Renderer = {
      name: 'r',
      process: (_values, context) => {
        const object = configMap('a');
        context.origins.set(object, origin);
        context.report({ code: 'test', severity: 'note', message: `told by ${context.renderer}` });
        return [object];
      },
    };
    const [object] = await new Engine(
      withRenderer(renderer),
      withTransformer(transformers.labels.set({ a: '1' })),
      withTransformer((item) => ({ ...item, extra: true })),
      withPostRenderer((objects) => [...objects]),
    ).render(
      withOrigins(origins),
      withReport(({ message }) => void found.push(message)),
    );
    expect(object).toHaveProperty('extra', true);
    expect(origins.get(object!)).toBe(origin);
    expect(found).toEqual(['told by r']);
  });
});

describe('construction', () => {
  const rows: readonly (readonly [title: string, renderer: unknown, reason: string])[] = [
    ['null', null, 'renderer cannot be nil'],
    ['undefined', undefined, 'renderer cannot be nil'],
    ['an empty name', { name: '', process: () => [] }, 'renderer must return a non-empty name'],
    ['a blank name', { name: ' \t', process: () => [] }, 'renderer must return a non-empty name'],
    ['no name', { process: () => [] }, 'renderer must return a non-empty name'],
    ['no process', { name: 'r' }, 'renderer r must have a process function'],
  ];

  it.each(rows)('refuses a renderer that is or has %s', (_title, renderer, reason) => {
    for (const make of [
      () => new Engine(withRenderer(renderer as Renderer)),
      () => new Engine({ renderers: [abc, renderer as Renderer] }),
    ]) {
      expect(make).toThrow(InvalidRendererError);
      expect(make).toThrow(
        expect.objectContaining({ message: `invalid renderer: ${reason}`, cause: new Error(reason) }),
      );
    }
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a concurrency of %s', (concurrency) => {
    expect(() => new Engine(withParallel({ concurrency }))).toThrow(EngineError);
  });
});

describe('concurrent renders', () => {
  it('do not disturb each other', async () => {
    const engine = new Engine(
      withRenderer({ name: 'r', process: async (values) => [configMap(values['name'] as string)] }),
      withTransformer(async (object) => object),
    );
    const names = ['a', 'b', 'c', 'd'];
    const results = await Promise.all(names.map((name) => engine.render(withValues({ name }))));
    expect(results.flatMap(namesOf)).toEqual(names);
  });
});
