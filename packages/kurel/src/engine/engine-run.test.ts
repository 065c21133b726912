import { describe, expect, it } from 'vitest';

import { configMap, staticRenderer } from '../../test/test-objects.ts';
import { nameOf, createRename } from '../kube/index.ts';
import type { KubeObject, PreparedTransformer, Rendered, Renderer } from '../model/index.ts';
import { applyPipeline } from './apply-pipeline.ts';
import { Engine } from './engine.ts';
import { filters } from './filters/index.ts';
import { defineRenderer } from './define-renderer.ts';
import { transformers } from './transformers/index.ts';
import { spell, spellPlainly } from '../diagnostics/index.ts';

const pod: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'web', envFrom: [{ configMapRef: { name: 'a' } }] }] },
};

function withSuffix(suffix: string): PreparedTransformer {
  return {
    words: `suffix ${suffix}`,
    prepare: (objects) => createRename(objects, (object) => `${nameOf(object)}${suffix}`),
  };
}

describe('a run of an engine', () => {
  it('carries the answers of renderers, and reads nothing but their objects', async () => {
    const answer = { objects: [configMap('a')], facts: { name: 'shop' } };
    const renderer: Renderer<typeof answer> = { name: 'facts', process: () => answer };
    const { objects, dropped, answers } = await new Engine({ renderers: [renderer] }).run();
    expect(objects).toEqual(answer.objects);
    expect(dropped).toEqual([]);
    expect(answers).toEqual([answer]);
    expect(answers[0]).toBe(answer);
  });

  it('says which objects the filters dropped', async () => {
    const engine = new Engine({
      renderers: [staticRenderer('two', [configMap('a'), pod])],
      filters: [filters.kind('Pod')],
    });
    const { objects, dropped } = await engine.run();
    expect([objects, dropped].map((list) => list.map(nameOf))).toEqual([['web'], ['a']]);
  });

  it('prepares transformers with the objects before the filters, one after another', async () => {
    const { objects, dropped } = await new Engine({
      renderers: [staticRenderer('two', [configMap('a'), pod])],
      filters: [filters.kind('Pod')],
      transformers: [withSuffix('-x'), withSuffix('-y')],
    }).run();
    expect(dropped.map(nameOf)).toEqual(['a-x-y']);
    expect(objects).toHaveProperty('0.spec.containers.0.envFrom.0.configMapRef.name', 'a-x-y');
  });

  it('reports the changes of named transformers, and only of those', async () => {
    const seen: string[] = [];
    const label = {
      words: '--label a=b',
      sets: ['metadata', 'labels', 'a'],
      transform: transformers.labels.set({ a: 'b' }),
    };
    const prefix = transformers.name.setPrefix('p-');
    await applyPipeline(
      [configMap('a')],
      { transformers: [prefix, label, withSuffix('-x')] },
      {
        onChange: ({ words, sets, before, after }) =>
          seen.push(`${spell(words, spellPlainly)} ${sets?.join('.') ?? ''} ${nameOf(before)} → ${nameOf(after)}`),
      },
    );
    expect(seen).toEqual(['--label a=b metadata.labels.a p-a → p-a', 'suffix -x  p-a → p-a-x']);
  });

  it('gives post-renderers the dropped objects, which they may replace', async () => {
    const { objects, dropped } = await new Engine({
      renderers: [staticRenderer('two', [configMap('a'), pod])],
      filters: [filters.kind('Pod')],
      postRenderers: [
        (kept, context) => ({ objects: kept, dropped: context.dropped.map(() => configMap('b')) }),
        (kept, context) => [...kept, ...context.dropped],
      ],
    }).run();
    expect(objects.map(nameOf)).toEqual(['web', 'b']);
    expect(dropped.map(nameOf)).toEqual(['b']);
  });

  it.each([[{}], [{ objects: [] }], [{ objects: [{}], dropped: [] }], [null], ['a']])(
    'refuses %j as the answer of a post-renderer',
    async (answer) => {
      const engine = new Engine({ renderers: [], postRenderers: [() => answer as never] });
      await expect(engine.run()).rejects.toThrow('must return a list of objects with apiVersion and kind');
    },
  );

  it.each([[{ words: 'x' }], [{ transform: () => pod }], [7]])('refuses %j as a transformer', (transformer) => {
    expect(() => new Engine({ transformers: [transformer as never] })).toThrow('transformers[0] must be a function');
  });
});

describe('checks of final objects', () => {
  const check: Rendered['check'] = (objects, { report }) => {
    for (const object of objects) {
      if (nameOf(object) === 'evil') throw new Error('evil is forbidden');
      report({ code: 'test', severity: 'note', message: nameOf(object) });
    }
  };
  const checked = defineRenderer({
    name: 'checked',
    sources: [{}, {}],
    describe: () => 'source',
    render: () => ({ objects: [configMap('a')], check }),
  });

  it('run once for each source after everything else', async () => {
    const messages: string[] = [];
    const rename = transformers.name.setPrefix('x-');
    const engine = new Engine({ renderers: [checked], transformers: [rename] });
    await engine.render({ report: ({ message }) => messages.push(message) });
    expect(messages).toEqual(['x-a', 'x-a', 'x-a', 'x-a']);
  });

  it('reject the render, but not a run, which leaves them to its caller', async () => {
    const engine = new Engine({ renderers: [checked], postRenderers: [() => [configMap('evil')]] });
    await expect(engine.render()).rejects.toThrow('evil is forbidden');
    const { answers } = await engine.run();
    expect(answers[0]).toHaveProperty('check');
  });
});
