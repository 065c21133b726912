import { describe, expect, it } from 'vitest';
import { createBudget, createMemory } from '../budget/index.ts';
import { readYaml } from './index.ts';

const aliases = 'a: &a [1, 2, 3]\nb: *a\nc: *a\n';

describe('a reading that is kept', () => {
  it('is the same value for the same text, path and words', () => {
    const memory = createMemory();
    const budget = createBudget({}, memory);
    const source = { path: 'a.yaml', text: 'a: yes\n' };
    const first = readYaml(source, { budget });
    expect(readYaml({ ...source }, { budget: createBudget({}, memory) })).toBe(first);
    expect(readYaml(source, { budget, words: 'core' })).not.toBe(first);
    expect(readYaml({ ...source, path: 'b.yaml' }, { budget })).not.toBe(first);
    expect(readYaml({ ...source, text: 'a: no\n' }, { budget }).documents[0]!.data).toEqual({ a: false });
    expect(readYaml({ path: 'a.y', text: 'amla: yes\n' }, { budget }).documents[0]!.data).toEqual({ amla: true });
    expect(readYaml(source)).not.toBe(first);
  });

  it('reports the same again', () => {
    const memory = createMemory();
    const source = { path: 'a.yaml', text: 'a: 1\na: 2\n' };
    const [first, second] = [1, 2].map(() => readYaml(source, { memory }));
    expect(first!.diagnostics).toHaveLength(1);
    expect(second).toEqual(readYaml(source));
  });

  it('draws on the budget of each run', () => {
    const memory = createMemory();
    const source = { path: 'a.yaml', text: aliases };
    const left = [1, 2, 3].map(() => {
      const budget = createBudget({}, memory);
      readYaml(source, { budget });
      return budget.values.left;
    });
    expect(left[0]).toBeLessThan(createBudget().values.left);
    expect(new Set(left).size).toBe(1);
  });

  it.each([
    ['kept before', [1_000_000, 3]],
    ['not kept when it runs out', [3, 1_000_000]],
  ])('runs out of values as it would without a memory: %s', (_, limits) => {
    const memory = createMemory();
    const source = { path: 'a.yaml', text: aliases };
    for (const maxValues of limits) {
      const kept = readYaml(source, { budget: createBudget({ maxValues }, memory) });
      expect(kept).toEqual(readYaml(source, { budget: createBudget({ maxValues }) }));
    }
  });

  it('counts the values that aliases copied', () => {
    const memory = createMemory();
    const list = Array.from({ length: 1000 }, () => '0').join(',');
    readYaml({ path: 'a.yaml', text: `a: &a [${list}]\nb: [*a, *a, *a]\n` }, { memory });
    expect(memory.characters()).toBeGreaterThan(3000 * 64);
  });
});
