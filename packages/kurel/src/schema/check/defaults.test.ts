import { describe, expect, it } from 'vitest';
import { createBudget } from '../../budget/index.ts';
import type { Json } from '../../model/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import { createDefaultFiller } from './defaults.ts';

const leaf: SchemaNode = {
  type: 'any',
  property: () => undefined,
  propertyNames: [],
  values: undefined,
  items: undefined,
};

function objectOf(fields: Readonly<Record<string, SchemaNode>>): SchemaNode {
  const propertyNames = Object.keys(fields);
  return { ...leaf, type: 'object', propertyNames, property: (name) => fields[name] };
}

const port = objectOf({ number: leaf, protocol: { ...leaf, default: 'TCP' } });
const schema = objectOf({ name: leaf, ports: { ...leaf, type: 'list', items: port } });

describe('filling in defaults', () => {
  // Each field and item costs 4 steps, each default that is missing another 32.
  it.each<[string, Json, Json, number]>([
    ['nothing', {}, {}, 0],
    ['a scalar', 'a', 'a', 0],
    ['fields', { name: 'a', other: 'b' }, { name: 'a', other: 'b' }, 8],
    ['a present value', { ports: [{ protocol: 'UDP' }] }, { ports: [{ protocol: 'UDP' }] }, 4 + 4 + 4],
    ['a missing value', { ports: [{ number: 1 }] }, { ports: [{ number: 1, protocol: 'TCP' }] }, 4 + 4 + (4 + 32)],
    ['two missing values', { ports: [{}, {}] }, { ports: [{ protocol: 'TCP' }, { protocol: 'TCP' }] }, 4 + 8 + 2 * 32],
  ])('costs steps: %s', (_, value, filled, steps) => {
    const budget = createBudget();
    expect(createDefaultFiller(budget)(value, schema)).toEqual(filled);
    expect(budget.patternSteps.limit - budget.patternSteps.left).toBe(steps);
  });

  it('copies nothing that stays the same, and costs nothing again', () => {
    const budget = createBudget();
    const filler = createDefaultFiller(budget);
    const fill = (value: Json): Json => filler(value, schema);
    const same = { name: 'a', ports: [{ number: 1, protocol: 'TCP' }] };
    expect(fill(same)).toBe(same);
    const { left } = budget.patternSteps;
    expect(fill(same)).toBe(same);
    expect(budget.patternSteps.left).toBe(left);
  });
});
