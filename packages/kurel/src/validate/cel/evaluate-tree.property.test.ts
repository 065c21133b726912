import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createBudget } from '../../budget/index.ts';
import { bundledSchemas } from '../../host/disk-file-system.ts';
import type { Json } from '../../model/index.ts';
import { createSchemaStore } from '../../schema/index.ts';
import type { GoPattern, SchemaNode, SchemaRule } from '../../schema/index.ts';
import { createCelRules } from './create-cel-rules.ts';
import { surelyHolds } from './evaluate-tree.ts';
import { createCelConverter } from './to-cel-value.ts';

const store = createSchemaStore({ files: bundledSchemas() });
const nothing = (): void => undefined;
const convert = createCelConverter({ spend: nothing, createDuration: () => Symbol('duration') });

interface RuleSite {
  readonly rule: SchemaRule;
  readonly node: SchemaNode;
}

/** Each rule of the shipped schemas once, with the first node that has it. */
const sites: ReadonlyMap<string, RuleSite> = findRules();

function findRules(): ReadonlyMap<string, RuleSite> {
  const found = new Map<string, RuleSite>();
  const seen = new Set<SchemaNode>();
  const waiting = store.kinds().map((gvk) => store.find(gvk)!.schema);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    for (const rule of node.rules ?? []) if (!found.has(rule.rule)) found.set(rule.rule, { rule, node });
    for (const child of [...node.propertyNames.map((name) => node.property(name)), node.items, node.values]) {
      if (child !== undefined) waiting.push(child);
    }
  }
  return found;
}

/** Values of the schema, and some that are not: missing fields, other types, words of the rule. */
function valuesOf(node: SchemaNode | undefined, words: readonly string[], depth = 4): fc.Arbitrary<Json> {
  const word = fc.constantFrom(...words, '', 'a', 'Exact', '/', '/a');
  const odd = fc.constantFrom<Json>(null, 1.5, 0, true, 'x', [], {}, '\u{1f600}');
  if (node === undefined || depth === 0) return fc.oneof(word, odd);
  const usual = ((): fc.Arbitrary<Json> => {
    if (node.enum !== undefined) return fc.constantFrom(...node.enum);
    if (node.items !== undefined) return fc.array(valuesOf(node.items, words, depth - 1), { maxLength: 3 });
    if (node.propertyNames.length > 0) {
      const entries = node.propertyNames.map(
        (name) => [name, valuesOf(node.property(name), words, depth - 1)] as const,
      );
      return fc.record(Object.fromEntries(entries), { requiredKeys: [] }) as fc.Arbitrary<Json>;
    }
    if (node.values !== undefined) return fc.dictionary(word, valuesOf(node.values, words, depth - 1), { maxKeys: 2 });
    if (node.type === 'integer' || node.type === 'number') return fc.integer({ min: -2, max: 70_000 });
    return node.type === 'boolean' ? fc.boolean() : word;
  })();
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

describe('the trees of the shipped rules', () => {
  it('exist for all of them', () => {
    expect(sites.size).toBeGreaterThan(150);
    expect([...sites.values()].filter(({ rule }) => rule.tree === undefined)).toEqual([]);
  });

  it('say that a rule holds only if it holds', { tags: 'slow' }, () => {
    const reference = createCelRules(createBudget({ maxRuleSteps: Infinity }));
    const patterns = new Map<string, GoPattern | undefined>();
    let decided = 0;
    for (const { rule, node } of sites.values()) {
      const words = Array.from(rule.rule.matchAll(/'([^']*)'/g), ([, word]) => word!);
      const { tree: _, ...bare } = rule;
      fc.assert(
        fc.property(valuesOf(node, words), (value) => {
          if (!surelyHolds(rule.tree!, convert(value, node), { spend: nothing, patterns })) return;
          decided += 1;
          expect(reference.evaluate(bare, value, node)).toEqual({ verdict: 'holds' });
        }),
        { numRuns: 100 },
      );
    }
    expect(decided).toBeGreaterThan(sites.size * 20);
  });
});
