import { describe, expect, it } from 'vitest';
import { createBudget } from '../../budget/index.ts';
import type { Json, JsonArray, JsonObject } from '../../model/index.ts';
import { nodeFromJsonSchema } from '../json-schema-node.ts';
import { fits } from './check.ts';

function isFitting(value: Json, schema: JsonObject): boolean {
  return fits(value, nodeFromJsonSchema(schema), {
    source: { noun: 'field', whole: 'the value' },
    budget: createBudget(),
  });
}

describe('lists and objects among many', () => {
  // So many that they are looked up by their text.
  const others: JsonArray = Array.from({ length: 20 }, (_, index) => ({ other: index }));

  it.each<[string, Json, Json]>([
    ['an object and the list of its entries', { a: 1 }, [['a', 1]]],
    ['an integer of any size and its name', { a: 2n ** 64n }, { a: `${2n ** 64n}n` }],
  ])('%s are different choices', (_, choice, value) => {
    const schema = { enum: [...others, choice] };
    expect(isFitting(choice, schema)).toBe(true);
    expect(isFitting(value, schema)).toBe(false);
  });

  it('are the same choice with keys in another order', () => {
    expect(isFitting({ b: 2, a: 1 }, { enum: [...others, { a: 1, b: 2 }] })).toBe(true);
  });
});
