import { describe, expect, it } from 'vitest';
import type { Filter, KubeObject, RenderContext, Transformer } from '../../model/index.ts';
import { filters } from '../filters/index.ts';
import { isPure } from '../steps.ts';
import { createRenderContext } from '../render-context.ts';
import { anyContext, configMap } from '../../../test/test-objects.ts';
import { transformers } from './index.ts';

const { chain, when, switch: switchCases } = transformers;
const object = configMap('web', { namespace: 'prod' });
const isProd = filters.namespace.is('prod');
const isDev = filters.namespace.is('dev');
const suffix = transformers.name.setSuffix;

function later(transformer: Transformer): Transformer {
  return async (item, context) => await transformer(item, context);
}

function laterFilter(filter: Filter): Filter {
  return async (item, context) => await filter(item, context);
}

function refuse(): never {
  throw new Error('must not be reached');
}

const cases: readonly (readonly [title: string, transformer: Transformer, name: string])[] = [
  ['chain of nothing', chain(), 'web'],
  ['chain in order', chain(suffix('-a'), suffix('-b')), 'web-a-b'],
  ['chain of chains', chain(chain(suffix('-a')), chain(suffix('-b'), suffix('-c'))), 'web-a-b-c'],
  ['when the condition holds', when(isProd, suffix('-a')), 'web-a'],
  ['when the condition does not hold', when(isDev, refuse), 'web'],
  [
    'first case',
    switchCases(
      [
        { when: isProd, then: suffix('-a') },
        { when: refuse, then: refuse },
      ],
      refuse,
    ),
    'web-a',
  ],
  [
    'second case',
    switchCases(
      [
        { when: isDev, then: refuse },
        { when: isProd, then: suffix('-b') },
      ],
      refuse,
    ),
    'web-b',
  ],
  ['fallback', switchCases([{ when: isDev, then: refuse }], suffix('-c')), 'web-c'],
  ['no case and no fallback', switchCases([{ when: isDev, then: refuse }]), 'web'],
  ['no cases', switchCases([]), 'web'],
];

const laterCases: readonly (readonly [title: string, transformer: Transformer, name: string])[] = [
  ['chain', chain(suffix('-a'), later(suffix('-b')), suffix('-c')), 'web-a-b-c'],
  ['when', when(laterFilter(isProd), later(suffix('-a'))), 'web-a'],
  ['switch', switchCases([{ when: laterFilter(isDev), then: refuse }], later(suffix('-c'))), 'web-c'],
];

describe('combinators of transformers', () => {
  it.each(cases)('%s', (_title, transformer, name) => {
    expect(transformer(object, anyContext)).toEqual(configMap(name, { namespace: 'prod' }));
  });

  it.each(laterCases)('waits: %s', async (_title, transformer, name) => {
    expect(await transformer(object, anyContext)).toEqual(configMap(name, { namespace: 'prod' }));
  });

  it('does not change a single object when no part applies', () => {
    expect(
      [chain(), when(isDev, refuse), switchCases([])].map((transformer) => transformer(object, anyContext)),
    ).toEqual([object, object, object]);
  });

  it('is pure when all transformers are; conditions cannot do harm', () => {
    const userFilter: Filter = () => true;
    const userTransformer: Transformer = (item) => item;
    expect(
      [
        chain(),
        chain(suffix('x')),
        when(userFilter, suffix('x')),
        switchCases([{ when: userFilter, then: suffix('x') }]),
      ].every(isPure),
    ).toBe(true);
    expect(
      [chain(suffix('x'), userTransformer), when(isProd, userTransformer), switchCases([], userTransformer)].some(
        isPure,
      ),
    ).toBe(false);
  });

  it('shows a frozen copy to conditions that promised nothing', () => {
    const hostile: Filter = (item) => {
      (item as { kind: string }).kind = 'Changed';
      return true;
    };
    expect(() => when(hostile, suffix('x'))(object, anyContext)).toThrow(TypeError);
    let seen: KubeObject | undefined;
    void when((item) => (seen = item) === item, suffix('x'))(object, anyContext);
    expect(seen).toEqual(object);
    expect(seen).not.toBe(object);
  });

  it('carries the origin from part to part', () => {
    const context = createRenderContext();
    const origin = { renderer: 'r', source: 's' };
    context.origins.set(object, origin);
    const seen: unknown[] = [];
    const look: Transformer = (item, { origins }) => {
      seen.push(origins.get(item));
      return item;
    };
    void chain(suffix('-a'), look, suffix('-b'), look)(object, context);
    expect(seen).toEqual([origin, origin]);
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a list', []],
  ])('refuses a part that returns %s', (found, answer) => {
    const forgetful = (() => answer) as unknown as Transformer;
    for (const transformer of [chain(forgetful), when(isProd, forgetful)]) {
      expect(() => transformer(object, anyContext)).toThrow(`must return an object, not ${found}`);
    }
  });

  describe('abort', () => {
    function abortingContext(): { readonly context: RenderContext; readonly abort: () => void } {
      const controller = new AbortController();
      return {
        context: createRenderContext({ signal: controller.signal }),
        abort: () => controller.abort(new Error('enough')),
      };
    }

    it('in a part of a chain: the next is not reached', () => {
      const { context, abort } = abortingContext();
      expect(() => chain((item) => (abort(), item), refuse)(object, context)).toThrow(new Error('enough'));
    });

    it.each([true, false])('in a condition that answers %s: nothing else is reached', (answer) => {
      const { context, abort } = abortingContext();
      const transformer = switchCases([
        { when: () => (abort(), answer), then: refuse },
        { when: refuse, then: refuse },
      ]);
      expect(() => transformer(object, context)).toThrow(new Error('enough'));
    });
  });
});
