import { createHook } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../model/index.ts';
import { defineRenderer } from './define-renderer.ts';
import { Engine } from './engine.ts';
import { filters } from './filters/index.ts';
import { postRenderers } from './apply-pipeline.ts';
import { runSteps, waitFor } from './steps.ts';
import type { Steps } from './steps.ts';
import { configMap } from '../../test/test-objects.ts';
import { transformers } from './transformers/index.ts';

describe('steps', () => {
  function* sum(values: readonly (number | Promise<number>)[]): Steps<number> {
    let total = 0;
    for (const value of values) total += yield* waitFor(value);
    return total;
  }

  it('gives the value itself when there is nothing to wait for', () => {
    expect(runSteps(sum([1, 2, 3]))).toBe(6);
  });

  it.each([[[Promise.resolve(1), 2, 3]], [[1, Promise.resolve(2), 3]], [[1, 2, Promise.resolve(3)]]])(
    'waits',
    async (values) => {
      const result = runSteps(sum(values));
      expect(result).toBeInstanceOf(Promise);
      expect(await result).toBe(6);
    },
  );

  it('lets the work catch what it waited for, and go on', async () => {
    function* careful(): Steps<string> {
      let caught = '';
      for (const name of ['a', 'b']) {
        try {
          yield* waitFor(Promise.reject(new Error(name)));
        } catch (error) {
          caught += (error as Error).message;
        }
      }
      return caught + (yield* waitFor(Promise.resolve('c')));
    }
    expect(await runSteps(careful())).toBe('abc');
  });

  it('passes on what the work throws, at once and later', async () => {
    function* failing(value: number | Promise<number>): Steps<never> {
      yield* waitFor(value);
      throw new Error('boom');
    }
    expect(() => runSteps(failing(1))).toThrow('boom');
    await expect(runSteps(failing(Promise.resolve(1)))).rejects.toThrow('boom');
  });
});

describe('promises', () => {
  const { name, labels, namespace, annotations, and, or, not, when } = filters;

  async function countPromises(objects: readonly KubeObject[]): Promise<number> {
    const engine = new Engine({
      renderers: [
        defineRenderer({
          name: 'framed',
          sources: {},
          describe: () => 'all',
          render: () => objects,
          options: {
            filters: [name.prefix('web')],
            transformers: [transformers.labels.set({ a: '1' })],
            sourceAnnotations: true,
          },
        }),
      ],
      filters: [
        filters.jq('.kind == "ConfigMap"'),
        and(or(namespace.is('prod'), not(labels.has('zone'))), when(annotations.has('x'), name.regex('.'))),
        (object) => object.kind !== 'Secret',
      ],
      transformers: [
        transformers.chain(transformers.name.setSuffix('-x'), transformers.jq('.data.a = 1')),
        transformers.switch(
          [{ when: namespace.is('dev'), then: transformers.namespace.set('prod') }],
          transformers.namespace.ensureDefault('x'),
        ),
        (object) => ({ ...object, extra: true }),
      ],
      postRenderers: [postRenderers.applyOrder()],
    });
    let count = 0;
    const hook = createHook({ init: (_id, type) => void (type === 'PROMISE' && count++) });
    hook.enable();
    const result = await engine.render({ values: { a: 1 } });
    hook.disable();
    expect(result).toHaveLength(objects.length);
    return count;
  }

  it('are not made for each object when everything is synchronous', { tags: 'slow' }, async () => {
    const objects = Array.from({ length: 10_000 }, (_, index) => configMap(`web-${index}`));
    expect(await countPromises(objects)).toBeLessThan(20);
  });

  it('are made only from the first function that needs them', async () => {
    const objects = Array.from({ length: 100 }, (_, index) => configMap(`web-${index}`));
    const renderer = { name: 'r', process: () => objects };
    let pending = 0;
    const engine = new Engine({
      renderers: [renderer],
      filters: [
        (object) =>
          (object['metadata'] as { name: string }).name === 'web-50'
            ? Promise.resolve(true).then((keep) => (pending++, keep))
            : true,
      ],
    });
    expect(await engine.render()).toHaveLength(100);
    expect(pending).toBe(1);
  });
});
