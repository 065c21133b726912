import { describe, expect, it } from 'vitest';
import type { Filter, KubeObject, PostRenderer, Renderer, Transformer } from '../model/index.ts';
import { Engine } from './engine.ts';
import { withFilter, withPostRenderer, withRenderer, withTransformer } from './engine-options.ts';
import { FilterError } from './errors.ts';
import { filters } from './filters/index.ts';
import { fresh, pure } from './steps.ts';
import { configMap, frozen, staticRenderer } from '../../test/test-objects.ts';
import { transformers } from './transformers/index.ts';

interface Mutable {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
}

function mutable(object: KubeObject): Mutable {
  return object as unknown as Mutable;
}

function plainObject(name: string): KubeObject {
  return structuredClone(configMap(name));
}

/** A renderer that gives away what it keeps, as one that reads `said` of an origin does. */
function keepingRenderer(objects: readonly KubeObject[]): Renderer {
  return fresh(staticRenderer('keeping', objects));
}

const rename: Transformer = (object) => {
  mutable(object).metadata.name += '!';
  return object;
};

describe('what user code cannot change', () => {
  it('a filter gets a frozen copy: changing it fails the filter, not the object', async () => {
    const kept = [plainObject('a')];
    const hostile: Filter = (object) => {
      mutable(object).metadata.name = 'changed';
      return true;
    };
    const render = new Engine(withRenderer(keepingRenderer(kept)), withFilter(hostile)).render();
    await expect(render).rejects.toThrow(FilterError);
    expect(kept).toEqual([configMap('a')]);
  });

  it('all filters of an object share one copy', async () => {
    const seen = new Set<KubeObject>();
    const look: Filter = (object) => seen.add(object) !== undefined;
    await new Engine({
      renderers: [keepingRenderer([plainObject('a')])],
      filters: [look, filters.name.exact('a'), look],
    }).render({ filters: [look] });
    expect(seen.size).toBe(1);
  });

  it('a transformer changes a copy of its own', async () => {
    const kept = [plainObject('a')];
    const engine = new Engine(withRenderer(keepingRenderer(kept)), withTransformer(rename), withTransformer(rename));
    expect(await engine.render()).toEqual([configMap('a!!')]);
    expect(await engine.render()).toEqual([configMap('a!!')]);
    expect(kept).toEqual([configMap('a')]);
  });

  it('what a transformer returns is not shared, even when it returns one thing for all', async () => {
    const shared = plainObject('shared');
    const engine = new Engine(
      withRenderer(keepingRenderer([plainObject('a'), plainObject('b')])),
      withTransformer(() => shared),
    );
    const [first, second] = await engine.render();
    expect(first).toEqual(shared);
    mutable(first!).metadata.name = 'changed';
    expect([second, shared]).toEqual([configMap('shared'), configMap('shared')]);
  });

  it('a transformer inside a combinator changes a copy too', async () => {
    const kept = [plainObject('a')];
    const engine = new Engine(
      withRenderer(keepingRenderer(kept)),
      withTransformer(transformers.when(filters.name.exact('a'), rename)),
    );
    expect(await engine.render()).toEqual([configMap('a!')]);
    expect(kept).toEqual([configMap('a')]);
  });

  it('a post-renderer changes copies', async () => {
    const kept = [plainObject('a'), plainObject('b')];
    const hostile: PostRenderer = (objects) => {
      for (const object of objects) mutable(object).kind = 'Changed';
      (objects as KubeObject[]).reverse();
      return objects;
    };
    const objects = await new Engine(withRenderer(keepingRenderer(kept)), withPostRenderer(hostile)).render();
    expect(objects.map((object) => object.kind)).toEqual(['Changed', 'Changed']);
    expect(kept).toEqual([configMap('a'), configMap('b')]);
  });
});

describe('what built-ins leave alone', () => {
  const object = frozen({
    ...configMap('a', { namespace: 'n', labels: { x: '1' }, annotations: { y: '2' } }),
    data: { big: 12345678901234567890n, list: [1, 2.5, { deep: true }] },
  });

  it('frozen objects go through all of them', async () => {
    const engine = new Engine({
      renderers: [keepingRenderer([object])],
      filters: [
        filters.jq('.data.list[2].deep and (.data.big > 1)'),
        filters.labels.selector('x'),
        filters.not(filters.namespace.is('')),
      ],
      transformers: [
        transformers.namespace.set('m'),
        transformers.name.setPrefix('p-'),
        transformers.labels.set({ z: '3' }),
        transformers.labels.remove('x'),
        transformers.annotations.removeIf(() => true),
        transformers.jq('.data.list |= map(.) | .data.extra = $v', { variables: { v: { a: 1 } } }),
      ],
    });
    const [result] = await engine.render();
    expect(result).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'p-a', namespace: 'm', labels: { z: '3' } },
      data: { big: 12345678901234567890n, list: [1, 2.5, { deep: true }], extra: { a: 1 } },
    });
  });
});

describe('what belongs to the caller', () => {
  it('two renders share nothing, nor do they share with what the renderer keeps', async () => {
    const kept = [plainObject('a')];
    const engine = new Engine(withRenderer(staticRenderer('keeps', kept)));
    const [first] = await engine.render();
    mutable(first!).metadata.name = 'changed';
    expect([await engine.render(), kept]).toEqual([[configMap('a')], [configMap('a')]]);
  });

  it('values and literals of a jq program are not shared between objects', async () => {
    const value = { deep: { list: [1] } };
    const engine = new Engine(
      withRenderer(staticRenderer('r', [configMap('a'), configMap('b')])),
      withTransformer(transformers.jq('.data = $v | .literal = {x: [1]}', { variables: { v: value } })),
    );
    const [first, second] = (await engine.render()) as unknown as { data: typeof value; literal: { x: number[] } }[];
    first!.data.deep.list.push(2);
    first!.literal.x.push(2);
    expect([second!.data, second!.literal, value]).toEqual([
      { deep: { list: [1] } },
      { x: [1] },
      { deep: { list: [1] } },
    ]);
    expect((await engine.render())[0]).toHaveProperty('data', value);
  });

  it('objects of a frozen world come out unfrozen where user code made them', async () => {
    const engine = new Engine(
      withRenderer(staticRenderer('r', [configMap('a')])),
      withTransformer(() => configMap('b')),
    );
    expect(Object.isFrozen((await engine.render())[0])).toBe(false);
  });
});

describe('pure', () => {
  it('hands over the objects themselves', async () => {
    const kept = plainObject('a');
    const seen: KubeObject[] = [];
    const look = pure<Filter>((object) => seen.push(object) > 0);
    const same = pure<Transformer>((object) => (seen.push(object), object));
    const all = pure<PostRenderer>((objects) => (seen.push(...objects), objects));
    const [result] = await new Engine({
      renderers: [keepingRenderer([kept])],
      filters: [look],
      transformers: [same],
      postRenderers: [all],
    }).render();
    expect([...seen, result].every((object) => object === kept)).toBe(true);
  });
});
