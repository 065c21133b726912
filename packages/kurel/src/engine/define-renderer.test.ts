import { describe, expect, it } from 'vitest';
import type { Diagnostic, Values } from '../model/index.ts';
import { contentHash } from './sha256.ts';
import { defineRenderer } from './define-renderer.ts';
import type { RendererDefinition, RendererOptions, SourceOptions } from './define-renderer.ts';
import { Engine } from './engine.ts';
import { SourceError } from './errors.ts';
import { filters } from './filters/index.ts';
import { createOriginTable } from './render-context.ts';
import type { RenderOptions } from './engine-options.ts';
import { configMap, frozen } from '../../test/test-objects.ts';
import { transformers } from './transformers/index.ts';

interface Words extends SourceOptions<Words> {
  readonly words: string;
}

/** One ConfigMap per word, made anew on each call. */
function wordRenderer(sources: Words | readonly Words[], more: Partial<RendererDefinition<Words>> = {}) {
  return defineRenderer<Words>({
    name: 'words',
    sources,
    *validate({ words }) {
      if (words.trim() === '') yield { field: 'words', message: 'must not be blank' };
      if (words.length > 20) yield { field: 'words', message: 'must not be longer than 20 characters' };
    },
    describe: ({ words }) => words,
    render: ({ words }) => words.split(' ').map((word) => structuredClone(configMap(word))),
    ...more,
  });
}

async function renderNames(sources: Words | readonly Words[], options: RendererOptions = {}): Promise<string[]> {
  const objects = await new Engine({ renderers: [wordRenderer(sources, { options })] }).render();
  return objects.map((object) => (object['metadata'] as { name: string }).name);
}

describe('sources', () => {
  it.each([
    ['one', { words: 'a b' }, ['a', 'b']],
    ['several, in order', [{ words: 'c' }, { words: 'a b' }], ['c', 'a', 'b']],
    ['none', [], []],
  ])('%s', async (_title, sources, names) => {
    expect(await renderNames(sources)).toEqual(names);
  });

  it('are selected on every render', async () => {
    let turn = 0;
    const sources: Words[] = [
      { words: 'a', select: () => turn++ % 2 === 1 },
      { words: 'b', select: async ({ words }) => words === 'b' },
      { words: 'c', select: () => false },
    ];
    const engine = new Engine({ renderers: [wordRenderer(sources)] });
    const counts = [await engine.render(), await engine.render(), await engine.render()].map(
      (objects) => objects.length,
    );
    expect(counts).toEqual([1, 2, 1]);
  });

  it('are not dropped by a select that forgot to answer', async () => {
    const forgetful: Words = { words: 'a', select: (() => undefined) as unknown as () => boolean };
    await expect(renderNames(forgetful)).rejects.toThrow('source 0 (a): select must return a boolean');
  });

  it('are checked at construction, all of them', () => {
    const make = () => wordRenderer([{ words: 'fine' }, { words: ' '.repeat(21) }, { words: '' }]);
    expect(make).toThrow(SourceError);
    expect(make).toThrow(
      expect.objectContaining({
        message: [
          'source 1: words must not be blank',
          'source 1: words must not be longer than 20 characters',
          'source 2: words must not be blank',
        ].join('\n'),
        code: 'invalid-source',
        index: 1,
        field: 'words',
      }),
    );
  });

  it.each([[null], [undefined], ['path']])('must be objects: %j', (source) => {
    const make = () => wordRenderer([{ words: 'fine' }, source as never]);
    expect(make).toThrow(
      expect.objectContaining({ message: 'source 1 must be an object', code: 'invalid-source', index: 1 }),
    );
  });

  it('have post-renderers that see only their objects, before the filters of the renderer', async () => {
    const seen: string[] = [];
    const names = await renderNames(
      [
        {
          words: 'a b',
          postRenderers: [(objects) => [...objects].reverse(), (objects) => (seen.push(`${objects.length}`), objects)],
        },
        { words: 'c' },
      ],
      {
        filters: [filters.not(filters.name.exact('a'))],
        postRenderers: [(objects) => (seen.push(`${objects.length}`), [...objects].reverse())],
      },
    );
    expect(names).toEqual(['c', 'b']);
    expect(seen).toEqual(['2', '2']);
  });

  it('are named by the failures of their post-renderers', async () => {
    const failing: Words = {
      words: 'bad',
      postRenderers: [
        () => {
          throw new Error('boom');
        },
      ],
    };
    await expect(renderNames([{ words: 'fine' }, failing])).rejects.toThrow(
      'rendering failed: error processing renderer words: source 1 (bad): post-renderer error (stage: source): boom',
    );
  });
});

describe('values', () => {
  async function valuesOf(
    source: Omit<Words, 'words'>,
    options: RenderOptions,
    ignoresValues = false,
  ): Promise<Values | undefined> {
    let seen: Values | undefined;
    const renderer = wordRenderer(
      { words: 'a', ...source },
      { render: (_source, values) => ((seen = values), []), ignoresValues },
    );
    await new Engine({ renderers: [renderer] }).render(options);
    return seen;
  }

  const own = frozen({ image: { name: 'web', tag: '1' }, list: [1, 2] });
  const atRender = frozen({ image: { tag: '2' }, list: [3] });
  const merged = { image: { name: 'web', tag: '2' }, list: [3] };

  it.each([
    ['a tree', own],
    ['a function', () => own],
    ['a function that takes its time', async () => own],
  ])('as %s, under those of the render', async (_title, values) => {
    expect(await valuesOf({ values }, { values: atRender })).toEqual(merged);
  });

  it.each([undefined, null])('a function that gives %s gives none', async (nothing) => {
    expect(await valuesOf({ values: () => nothing }, { values: atRender })).toEqual(atRender);
  });

  it('are empty when nobody gives any', async () => {
    expect(await valuesOf({}, {})).toEqual({});
  });

  it('are a copy for each source, and of what the source holds', async () => {
    const seen: unknown[] = [];
    const sources: Words[] = [
      { words: 'a', values: own },
      { words: 'b', values: own },
    ];
    const renderer = wordRenderer(sources, {
      render: (_source, values) => {
        const { image, list } = values as unknown as { image: { tag: string }; list: number[] };
        seen.push([image.tag, [...list]]);
        image.tag = 'changed';
        list.push(99);
        return [];
      },
    });
    await new Engine({ renderers: [renderer] }).render({ values: atRender });
    expect(seen).toEqual([
      ['2', [3]],
      ['2', [3]],
    ]);
  });

  it('are not asked for where they are ignored', async () => {
    const values = () => expect.unreachable('asked');
    expect(await valuesOf({ values }, { values: atRender }, true)).toEqual({});
  });

  it('that cannot be had name the source', async () => {
    const values = () => {
      throw new Error('no values');
    };
    await expect(valuesOf({ values }, {})).rejects.toThrow('source 0 (a): no values');
  });
});

describe('annotations', () => {
  async function annotationsOf(
    options: RendererOptions,
    more: Partial<RendererDefinition<Words>> = {},
  ): Promise<unknown> {
    const renderer = wordRenderer({ words: 'a' }, { options, ...more });
    const [object] = await new Engine({ renderers: [renderer] }).render();
    return (object!['metadata'] as Values)['annotations'];
  }

  const located: Partial<RendererDefinition<Words>> = {
    type: 'word',
    pathOf: ({ words }) => `path/${words}`,
    render: (_source, _values, { origins }) => {
      const object = configMap('a');
      origins.set(object, { renderer: 'words', source: 'a', file: 'file.yaml' });
      return [object];
    },
  };

  it('are off', async () => {
    expect(await annotationsOf({})).toBeUndefined();
    expect(await annotationsOf({ sourceAnnotations: false, contentHash: false })).toBeUndefined();
  });

  it('say what is known', async () => {
    expect(await annotationsOf({ sourceAnnotations: true })).toEqual({ 'kurel.dev/source.type': 'words' });
    expect(await annotationsOf({ sourceAnnotations: { prefix: 'example.com' } }, located)).toEqual({
      'example.com/source.type': 'word',
      'example.com/source.path': 'path/a',
      'example.com/source.file': 'file.yaml',
    });
  });

  it.each(['', 'Example', 'example.com/', 'a b'])('refuse the prefix %j at construction', (prefix) => {
    for (const options of [{ sourceAnnotations: { prefix } }, { contentHash: { prefix } }]) {
      expect(() => wordRenderer({ words: 'a' }, { options })).toThrow(
        `annotation prefix ${JSON.stringify(prefix)} must`,
      );
    }
  });

  it('hash the object as rendered, source annotations included, before filters and transformers', async () => {
    const rendered = configMap('a', { annotations: { 'kurel.dev/source.type': 'words' } });
    expect(
      await annotationsOf({
        sourceAnnotations: true,
        contentHash: true,
        transformers: [transformers.name.setSuffix('x')],
      }),
    ).toEqual({
      'kurel.dev/source.type': 'words',
      'kurel.dev/content.hash': contentHash(rendered),
    });
    expect(await annotationsOf({ contentHash: { prefix: 'example.com' } })).toEqual({
      'example.com/content.hash': contentHash(configMap('a')),
    });
  });
});

describe('origins', () => {
  it('come from the source unless the renderer knows better, and pass through annotations and the cache', async () => {
    const options = {
      sourceAnnotations: true,
      cache: { now: () => 0 },
      transformers: [transformers.labels.set({ a: '1' })],
    };
    const engine = new Engine({ renderers: [wordRenderer({ words: 'a b' }, { options })] });
    for (const turn of ['live', 'cached']) {
      const origins = createOriginTable();
      const objects = await engine.render({ origins });
      expect(objects.map((object) => [turn, origins.get(object)])).toEqual([
        [turn, { renderer: 'words', source: 'a b' }],
        [turn, { renderer: 'words', source: 'a b' }],
      ]);
    }
  });
});

describe('cache', () => {
  it('keeps what the source gave, not what was made of it, for each set of values', async () => {
    let rendered = 0;
    let asked = 0;
    const renderer = wordRenderer(
      { words: 'a', values: () => (asked++, { own: true }) },
      {
        render: () => (rendered++, [structuredClone(configMap('a'))]),
        options: {
          cache: { now: () => 0 },
          transformers: [(object) => (((object as { kind: string }).kind += '!'), object)],
        },
      },
    );
    const engine = new Engine({ renderers: [renderer] });
    for (const values of [{ x: 1, y: 2 }, { y: 2, x: 1 }, { x: 2 }, { x: 1, y: 2 }]) {
      const [object] = await engine.render({ values });
      expect(object!.kind).toBe('ConfigMap!');
      (object as { kind: string }).kind = 'changed by the caller';
    }
    expect([rendered, asked]).toEqual([2, 4]);
  });

  it('keeps what the texts said from what the caller does to the objects', async () => {
    const object = structuredClone(configMap('a'));
    const text = { source: { path: 'a.yaml', text: '' }, document: 0, range: { start: 0, end: 0 }, parsed: object };
    const renderer = wordRenderer(
      { words: 'a' },
      {
        render: (_source, _values, { origins }) => {
          origins.set(object, { renderer: 'words', source: 'a', text });
          return [object];
        },
        options: { cache: { now: () => 0 } },
      },
    );
    const engine = new Engine({ renderers: [renderer] });
    for (let turn = 0; turn < 2; turn++) {
      const origins = createOriginTable();
      const [result] = await engine.render({ origins });
      expect(origins.get(result!)?.text?.parsed).toEqual(configMap('a'));
      (result as { kind: string }).kind = 'Changed';
    }
  });

  it('tells sources apart that look alike', async () => {
    const renderer = wordRenderer([{ words: 'a' }, { words: 'a' }], { options: { cache: { now: () => 0 } } });
    const objects = await new Engine({ renderers: [renderer] }).render();
    expect(objects).toHaveLength(2);
    expect(objects[0]).not.toBe(objects[1]);
  });

  it('uses the identity that the renderer gives', async () => {
    let rendered = 0;
    let identity = 1;
    const engine = new Engine({
      renderers: [
        wordRenderer(
          { words: 'a' },
          { identify: () => ({ identity }), render: () => (rendered++, []), options: { cache: { now: () => 0 } } },
        ),
      ],
    });
    await engine.render();
    await engine.render();
    identity = 2;
    await engine.render();
    expect(rendered).toBe(2);
  });

  it('reports findings again, once for each render', async () => {
    const finding: Diagnostic = { code: 'test', severity: 'warning', message: 'careful' };
    const options = { cache: { now: () => 0 } };
    const engine = new Engine({
      renderers: [
        wordRenderer({ words: 'a' }, { render: (_source, _values, { report }) => (report(finding), []), options }),
      ],
    });
    for (let turn = 0; turn < 3; turn++) {
      const found: Diagnostic[] = [];
      await engine.render({ report: (diagnostic) => void found.push(diagnostic) });
      expect(found).toEqual([finding]);
    }
  });

  it('reports findings of a source that then fails', async () => {
    const finding: Diagnostic = { code: 'test', severity: 'warning', message: 'careful' };
    const found: Diagnostic[] = [];
    const renderer = wordRenderer(
      { words: 'a' },
      {
        render: (_source, _values, { report }) => {
          report(finding);
          throw new Error('boom');
        },
        options: { cache: { now: () => 0 } },
      },
    );
    await expect(
      new Engine({ renderers: [renderer] }).render({ report: (diagnostic) => void found.push(diagnostic) }),
    ).rejects.toThrow('boom');
    expect(found).toEqual([finding]);
  });
});
