import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../model/index.ts';
import { BudgetExhausted, createBudget, limitFindings, listFindings, locateExhaustion, spend } from './index.ts';

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
    ['values', '--max-values'],
    ['patternSteps', '--max-pattern-steps'],
    ['ruleSteps', '--max-rule-steps'],
    ['changes', '--max-changes'],
  ] as const)('names the flag that raises %s', (resource, flag) => {
    const limits = { maxValues: 7, maxPatternSteps: 7, maxRuleSteps: 7, maxChanges: 7 };
    const location = { file: 'a.yaml', range: { start: 1, end: 2 } };
    const found = exhaust(() => spend(createBudget(limits), resource, 8, () => location));
    expect(found).toMatchObject({ code: 'budget-exhausted', severity: 'error', location });
    expect(found.message).toContain('exceeds its limit of 7 ');
    expect(found.hint).toContain(`${flag} N`);
  });

  it('keeps the first place', () => {
    const work = (file?: string) => () =>
      spend(createBudget({ maxValues: 0 }), 'values', 1, () => (file === undefined ? undefined : { file }));
    const outside = () => ({ file: 'outside.yaml' });
    expect(exhaust(() => locateExhaustion(work(), outside)).location).toEqual({ file: 'outside.yaml' });
    expect(exhaust(() => locateExhaustion(work('inside.yaml'), outside)).location).toEqual({ file: 'inside.yaml' });
  });
});

describe('a limit of findings', () => {
  const finding = (code: string, severity: Diagnostic['severity'] = 'warning'): Diagnostic => ({
    code,
    severity,
    message: code,
  });

  it('keeps the first of each code and severity, and counts the others', () => {
    const list = listFindings({ findings: 2 });
    for (let count = 0; count < 5; count += 1) list.report(finding('a-b'));
    for (let count = 0; count < 3; count += 1) list.report(finding('a-b', 'error'));
    list.report(finding('c-d'));
    expect(list.all().map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'warning a-b',
      'warning a-b',
      'error a-b',
      'error a-b',
      'warning c-d',
      'warning … and 3 more of a-b',
      'error … and 1 more of a-b',
    ]);
  });

  it('adds up the counts of several lists', () => {
    const outer = listFindings({ findings: 3 });
    for (let part = 0; part < 3; part += 1) {
      const inner = listFindings({ findings: 2 });
      for (let count = 0; count < 10; count += 1) inner.report(finding('a-b'));
      inner.all().forEach(outer.report);
    }
    expect(outer.all()).toHaveLength(4);
    expect(outer.all().at(-1)!.omitted).toEqual({ code: 'a-b', count: 27 });
  });

  it('reports once that a budget ran out', () => {
    const list = listFindings({ findings: 100 });
    for (let count = 0; count < 5; count += 1) list.report(finding('budget-exhausted', 'error'));
    expect(list.all()).toHaveLength(1);
  });

  it('knows before a finding is created whether it is kept', () => {
    const limit = limitFindings({ findings: 1 });
    expect(limit.isFull('a-b', 'note')).toBe(false);
    expect([limit.takesNext('a-b', 'note'), limit.isFull('a-b', 'note'), limit.takesNext('a-b', 'note')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(limit.omitted()).toMatchObject([{ omitted: { code: 'a-b', count: 1 } }]);
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
