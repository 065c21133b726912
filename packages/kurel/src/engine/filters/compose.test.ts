import { describe, expect, it } from 'vitest';
import type { Filter } from '../../model/index.ts';
import { isPure, pure } from '../steps.ts';
import { createRenderContext } from '../render-context.ts';
import { anyContext, configMap } from '../../../test/test-objects.ts';
import { filters } from './index.ts';

const { and, or, not, when } = filters;
const object = configMap('web');

/** Filters that note that they were asked: `T`/`F` answer at once, `t`/`f` later, `!` fails, `?` must not be reached. */
function probes(): { readonly asked: string[]; readonly make: (letter: string) => Filter } {
  const asked: string[] = [];
  const make = (letter: string): Filter =>
    pure((): boolean | Promise<boolean> => {
      asked.push(letter);
      if (letter === '!') throw new Error('boom');
      const answer = letter.toUpperCase() === 'T';
      return letter === letter.toLowerCase() ? Promise.resolve(answer) : answer;
    });
  return { asked, make };
}

type Combine = (...filters: Filter[]) => Filter;

const cases: readonly (readonly [title: string, combine: Combine, letters: string, asked: string, result: boolean])[] =
  [
    ['and of nothing', and, '', '', true],
    ['or of nothing', or, '', '', true],
    ['and: all', and, 'TTT', 'TTT', true],
    ['and: stops at the first false', and, 'TF?', 'TF', false],
    ['and: stops before a failure', and, 'F!', 'F', false],
    ['or: none', or, 'FF', 'FF', false],
    ['or: stops at the first true', or, 'FT?', 'FT', true],
    ['or: stops before a failure', or, 'T!', 'T', true],
    ['not true', not, 'T', 'T', false],
    ['not false', not, 'F', 'F', true],
    ['when: condition false keeps', when, 'F?', 'F', true],
    ['when: condition true asks', when, 'TF', 'TF', false],
    ['when: both true', when, 'TT', 'TT', true],
  ];

describe('combinators of filters', () => {
  it.each(cases)('%s', async (_title, combine, letters, asked, result) => {
    for (const spelling of [letters, letters.toLowerCase()]) {
      const probe = probes();
      const filter = combine(...Array.from(spelling, probe.make));
      expect(await filter(object, anyContext)).toBe(result);
      expect(probe.asked.join('').toUpperCase()).toBe(asked);
    }
  });

  it.each(cases)('%s: answers at once when its parts do', (_title, combine, letters, _asked, result) => {
    expect(combine(...Array.from(letters, probes().make))(object, anyContext)).toBe(result);
  });

  it.each([and, or, not, when])('a failure passes unwrapped', (combine) => {
    const { make } = probes();
    expect(() => combine(make('!'), make('T'))(object, anyContext)).toThrow(new Error('boom'));
  });

  it('nests', () => {
    const { namespace, name } = filters;
    const filter = or(and(namespace.is('prod'), name.prefix('w')), and(namespace.is(''), not(name.exact('db'))));
    const answers = [configMap('web'), configMap('db'), configMap('web', { namespace: 'prod' })].map((item) =>
      filter(item, anyContext),
    );
    expect(answers).toEqual([true, false, true]);
  });

  it('is pure exactly when all parts are', () => {
    const pureFilter = filters.name.exact('a');
    const userFilter: Filter = () => true;
    expect([and(), and(pureFilter), or(pureFilter), not(pureFilter), when(pureFilter, pureFilter)].every(isPure)).toBe(
      true,
    );
    expect(
      [and(pureFilter, userFilter), or(userFilter), not(userFilter), when(userFilter, pureFilter)].some(isPure),
    ).toBe(false);
  });

  it('rejects an answer that is not a boolean', async () => {
    const forgetful = (() => undefined) as unknown as Filter;
    const later = (() => Promise.resolve('yes')) as unknown as Filter;
    expect(() => not(forgetful)(object, anyContext)).toThrow('must return a boolean, not undefined');
    await expect(not(later)(object, anyContext)).rejects.toThrow('must return a boolean, not string');
  });

  it.each([and, or])('checks the signal before each part', (combine) => {
    const controller = new AbortController();
    const aborting: Filter = () => {
      controller.abort('enough');
      return combine === and;
    };
    const context = createRenderContext({ signal: controller.signal });
    let reason: unknown;
    try {
      void combine(aborting, probes().make('!'))(object, context);
    } catch (error) {
      reason = error;
    }
    expect(reason).toBe('enough');
  });
});
