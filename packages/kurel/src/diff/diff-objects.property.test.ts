import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { bundledSchemas } from '../host/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject } from '../model/index.ts';
import { createSchemaStore } from '../schema/index.ts';
import { diffObjects } from './diff-objects.ts';
import type { FieldChange, ItemStep, ObjectsDifference } from './difference.ts';
import { hideSecrets } from './hide-secrets.ts';

const shipped = createSchemaStore({ files: bundledSchemas() });
const store = (): typeof shipped => shipped;

const word = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'name', 'a.b', '');
const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 'a', 'b', 'a\nb', '1', 1, 1n, 2, 2.5, 12345678901234567890n),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.array(fc.tuple(word, tie('tree')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** Lists with keys in the schema, sometimes with items that violate them. */
const container = fc
  .record({
    name: fc.constantFrom('web', 'log', 'db', 'x'),
    image: scalar,
    ports: fc.array(portItem()),
    env: fc.array(envItem()),
  })
  .map((item): Json => item);

function portItem(): fc.Arbitrary<Json> {
  const numbers = fc.constantFrom<Json>(80, 80n, 443, '80');
  return fc.record({ containerPort: numbers, protocol: fc.constantFrom('TCP', 'UDP') }, { requiredKeys: [] });
}

function envItem(): fc.Arbitrary<Json> {
  return fc.oneof(fc.record({ name: fc.constantFrom('A', 'B', 'C'), value: scalar }), scalar);
}

const object = fc
  .record({
    apiVersion: fc.constantFrom('apps/v1', 'apps/v1beta1', 'v1', 'example.com/v1', 'a/b/c'),
    kind: fc.constantFrom('Deployment', 'Secret', 'Widget'),
    metadata: fc.record(
      {
        name: fc.constantFrom('a', 'b', ''),
        namespace: fc.constantFrom('x', 'y'),
        generateName: fc.constantFrom('g-', 'h-'),
      },
      { requiredKeys: [] },
    ),
    data: tree,
    spec: fc.record({
      template: fc.record({ spec: fc.record({ containers: fc.array(container), args: tree }) }),
      rules: tree,
    }),
  })
  .map((data) => data as unknown as KubeObject);
const objects = fc.array(object, { maxLength: 6 });

describe('diffObjects', () => {
  it('finds no difference between equal values, regardless of key order', () => {
    fc.assert(
      fc.property(objects, (a) => {
        expect(diffObjects(a, a.map(turnKeys) as KubeObject[], { store })).toEqual({ objects: [], same: a.length });
      }),
    );
  });

  it('contains every change that turns one value into the other', () => {
    fc.assert(
      fc.property(objects, objects, fc.boolean(), (a, b, isKnown) => {
        const made = applyDifference(a, diffObjects(a, b, isKnown ? { store } : {}));
        expect(made.map(print).toSorted()).toEqual(b.map(print).toSorted());
      }),
      { numRuns: 500 },
    );
  });

  it('turns lists with keys into each other', () => {
    const env = fc.uniqueArray(fc.record({ name: fc.constantFrom('A', 'B', 'C', 'D'), value: scalar }), {
      selector: ({ name }) => name,
    });
    const named = fc.record({ name: fc.constantFrom('web', 'log', 'db', 'x'), image: scalar, env });
    const deployment = fc.uniqueArray(named, { selector: ({ name }) => name }).map((containers): KubeObject => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: { template: { spec: { containers } } },
    }));
    fc.assert(
      fc.property(deployment, deployment, (a, b) => {
        const difference = diffObjects([a], [b], { store });
        expect(applyDifference([a], difference).map(print)).toEqual([b].map(print));
        const back = diffObjects([b], [a], { store });
        expect(countOf(difference)['moved']).toBe(countOf(back)['moved']);
      }),
      { numRuns: 300 },
    );
  });

  it('turns edited lists into each other', () => {
    const list = fc.array(fc.oneof(scalar, fc.record({ name: word, value: scalar })), { maxLength: 12 });
    const edits = fc.array(fc.tuple(fc.nat(12), fc.nat(2), fc.array(scalar, { maxLength: 2 })), { maxLength: 3 });
    fc.assert(
      fc.property(list, edits, (before, steps) => {
        const after = [...before] as Json[];
        for (const [at, count, items] of steps) after.splice(at, count, ...items);
        const [a, b] = [before, after].map((spec): KubeObject => ({ apiVersion: 'v1', kind: 'Widget', spec }));
        expect(applyDifference([a!], diffObjects([a!], [b!])).map(print)).toEqual([b!].map(print));
      }),
    );
  });

  it('has the same number of changes in both directions', () => {
    fc.assert(
      fc.property(objects, objects, (a, b) => {
        const [there, back] = [diffObjects(a, b, { store }), diffObjects(b, a, { store })];
        const { add, remove, ...rest } = countOf(there);
        expect(countOf(back)).toEqual({ ...rest, add: remove, remove: add });
      }),
    );
  });

  it('does not reveal the values of a Secret', () => {
    const values = fc.dictionary(word, fc.stringMatching(/^s3cret[a-z0-9]{6}$/), { maxKeys: 3 });
    const filled = fc.oneof(
      values,
      fc.dictionary(word, fc.oneof(values, fc.array(values)), { maxKeys: 2 }),
      fc.array(values),
      fc.stringMatching(/^s3cret[a-z0-9]{6}$/),
      fc.constant(null),
    );
    const metadata = fc.record(
      {
        annotations: fc.oneof(
          values.map((parsed) => ({ 'kubectl.kubernetes.io/last-applied-configuration': parsed['a'] ?? parsed })),
          fc.constant({}),
        ),
      },
      { requiredKeys: [] },
    );
    const secret = fc
      .record({ metadata, data: filled, stringData: filled }, { requiredKeys: [] })
      .map((fields) => Object.assign({ apiVersion: 'v1', kind: 'Secret' }, fields) as KubeObject);
    fc.assert(
      fc.property(fc.option(secret), fc.option(secret), (a, b) => {
        const [before, after] = [a, b].map((one) => (one === null ? [] : [one]));
        const hidden = hideSecrets(diffObjects(before!, after!, { store }));
        expect(JSON.stringify(hidden)).not.toContain('s3cret');
      }),
      { numRuns: 500 },
    );
  });
});

function countOf({ objects: found, same }: ObjectsDifference): Record<string, number> {
  const counts: Record<string, number> = { add: 0, remove: 0, change: 0, same };
  for (const difference of found) {
    counts[difference.operation]! += 1;
    if (difference.operation !== 'change') continue;
    counts['changed'] =
      (counts['changed'] ?? 0) + difference.changes.filter(({ operation }) => operation === 'change').length;
    counts['moved'] =
      (counts['moved'] ?? 0) + difference.changes.filter(({ operation }) => operation === 'move').length;
  }
  return counts;
}

function turnKeys(value: Json): Json {
  if (isJsonArray(value)) return value.map(turnKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turnKeys(inner)]),
  );
}

function print(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(print).join()}]`;
  if (!isJsonObject(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  return `{${Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${print(value[key]!)}`)
    .join()}}`;
}

function applyDifference(before: readonly KubeObject[], difference: ObjectsDifference): readonly Json[] {
  const left: Json[] = [...before];
  for (const one of difference.objects) {
    if (one.operation === 'add') left.push(one.after);
    else if (one.operation === 'remove') left.splice(left.indexOf(one.before), 1);
    else left[left.indexOf(one.before)] = applyChanges(one.before, one.changes, 0)!;
  }
  return left;
}

/** Uses only the changes, not the new value. */
function applyChanges(value: Json | undefined, changes: readonly FieldChange[], depth: number): Json | undefined {
  const whole = changes.find(({ path, operation }) => path.length === depth && operation !== 'move');
  if (whole !== undefined) return whole.after;
  const deeper = changes.filter(({ path }) => path.length > depth);
  if (deeper.length === 0) return value;
  if (isJsonArray(value)) return applyToList(value, deeper, depth);
  const mapping = new Map(Object.entries(isJsonObject(value) ? value : {}));
  for (const [key, group] of groupBy(deeper, ({ path }) => path[depth] as string)) {
    const inner = applyChanges(mapping.get(key), group, depth + 1);
    if (inner === undefined) mapping.delete(key);
    else mapping.set(key, inner);
  }
  return Object.fromEntries(mapping);
}

function applyToList(list: readonly Json[], changes: readonly FieldChange[], depth: number): Json {
  const items = new Map<number, Json>(list.entries());
  const placed = new Map<number, Json>();
  const inner = groupBy(changes, ({ path }) =>
    JSON.stringify(path[depth]!, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)),
  );
  for (const group of inner.values()) {
    const { before, after } = group[0]!.path[depth] as ItemStep;
    const value = applyChanges(before === undefined ? undefined : list[before], group, depth + 1);
    if (before === undefined) placed.set(after!, value!);
    else if (after === undefined) items.delete(before);
    else if (group.some(({ path, operation }) => path.length === depth + 1 && operation === 'move')) {
      items.delete(before);
      placed.set(after, value!);
    } else items.set(before, value!);
  }
  const staying = [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item);
  const length = staying.length + placed.size;
  return Array.from({ length }, (_, index) => (placed.has(index) ? placed.get(index)! : staying.shift()!));
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
