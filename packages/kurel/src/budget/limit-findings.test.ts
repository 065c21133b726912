import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../model/index.ts';
import { limitFindings, listFindings } from './limit-findings.ts';

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
