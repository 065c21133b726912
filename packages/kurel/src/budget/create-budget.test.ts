import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../model/index.ts';
import { BudgetExhausted, createBudget, createMemory, locateExhaustion, spend } from './create-budget.ts';

describe('a budget', () => {
  it('is shared by everything that draws on it', () => {
    const budget = createBudget({ maxChanges: 10 });
    spend(budget, 'changes', 6);
    spend(budget, 'changes', 4);
    expect(budget.changes.left).toBe(0);
    expect(() => spend(budget, 'changes', 1)).toThrow(BudgetExhausted);
    expect(() => spend(budget, 'values', 1000)).not.toThrow();
  });

  it.each([
    ['values', 'maxValues'],
    ['patternSteps', 'maxPatternSteps'],
    ['ruleSteps', 'maxRuleSteps'],
    ['changes', 'maxChanges'],
    ['fleetSteps', 'maxFleetSteps'],
  ] as const)('names the setting that raises %s', (resource, name) => {
    const limits = { maxValues: 7, maxPatternSteps: 7, maxRuleSteps: 7, maxChanges: 7, maxFleetSteps: 7 };
    const location = { file: 'a.yaml', range: { start: 1, end: 2 } };
    const found = exhaust(() => spend(createBudget(limits), resource, 8, () => location));
    expect(found).toMatchObject({ code: 'budget-exhausted', severity: 'error', location });
    expect(found.message).toContain('exceeds its limit of 7 ');
    expect(found.hint).toContain(`"${name}"`);
  });

  it('keeps the first place', () => {
    const work = (file?: string) => () =>
      spend(createBudget({ maxValues: 0 }), 'values', 1, () => (file === undefined ? undefined : { file }));
    const outside = () => ({ file: 'outside.yaml' });
    expect(exhaust(() => locateExhaustion(work(), outside)).location).toEqual({ file: 'outside.yaml' });
    expect(exhaust(() => locateExhaustion(work('inside.yaml'), outside)).location).toEqual({ file: 'inside.yaml' });
  });
});

function exhaust(work: () => void): Diagnostic {
  try {
    work();
  } catch (error) {
    if (error instanceof BudgetExhausted) return error.diagnostics[0]!;
  }
  throw new Error('the budget was enough');
}

function keepIn(memory: ReturnType<typeof createMemory>, content: string, weight = 0): 'created' | 'kept' {
  let result: 'created' | 'kept' = 'kept';
  memory.keep({ kind: 'k', content, create: () => void (result = 'created'), weigh: () => weight });
  return result;
}

describe('a memory', () => {
  it('creates a value once for each kind and content', () => {
    const memory = createMemory();
    const first = memory.keep({ kind: 'list', content: 'a', create: () => ['a'] });
    expect(memory.keep({ kind: 'list', content: 'a', create: () => ['other'] })).toBe(first);
    expect(memory.keep({ kind: 'list', content: 'b', create: () => ['b'] })).toEqual(['b']);
    expect(memory.keep({ kind: 'set', content: 'a', create: () => ['set'] })).toEqual(['set']);
  });

  it('drops what was used least recently', () => {
    const memory = createMemory(12);
    expect(['aaa', 'bbb', 'aaa', 'ccc'].map((content) => keepIn(memory, content))).toEqual([
      'created',
      'created',
      'kept',
      'created',
    ]);
    expect(keepIn(memory, 'aaa')).toBe('kept');
    expect(keepIn(memory, 'bbb')).toBe('created');
  });

  it('never exceeds its limit', () => {
    const memory = createMemory(1000);
    for (let count = 0; count < 500; count += 1) {
      keepIn(memory, `content ${count}`, count);
      expect(memory.characters()).toBeLessThanOrEqual(1000);
    }
    expect(memory.characters()).toBeGreaterThan(500);
  });

  it('does not keep a value larger than its limit, and drops nothing for it', () => {
    const memory = createMemory(20);
    keepIn(memory, 'small');
    expect([keepIn(memory, 'large', 20), keepIn(memory, 'large', 20)]).toEqual(['created', 'created']);
    expect(keepIn(memory, 'endless', Infinity)).toBe('created');
    expect(keepIn(memory, 'small')).toBe('kept');
  });

  it('does not keep failures', () => {
    const memory = createMemory();
    const fail = (): never => {
      throw new Error('no');
    };
    expect(() => memory.keep({ kind: 'k', content: 'a', create: fail })).toThrow('no');
    expect(keepIn(memory, 'a')).toBe('created');
  });
});
