import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../../host/index.ts';
import { parseGroupVersionKind } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, isSameJson } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { createSchemaStore } from '../../schema/index.ts';
import { mergeStrategic } from './merge-strategic.ts';

interface Triple {
  readonly kind: string;
  readonly object: JsonObject;
  readonly patch: JsonObject;
  readonly result?: JsonObject;
  /** Why Kubernetes rejects it, in a word. */
  readonly refused?: string;
}

interface Answer {
  readonly triple: Triple;
  readonly result: JsonObject;
  /** Codes of the errors. */
  readonly errors: readonly string[];
}

interface Difference {
  readonly why: string;
  readonly count: number;
  readonly fits: (answer: Answer, theirs: JsonObject) => boolean;
}

const cases = new URL('../../../../../test/oracles/strategic-merge/cases/triples.jsonl', import.meta.url);
const store = createSchemaStore({ files: bundledSchemas() });
const lines = readFileSync(cases, 'utf8').trimEnd().split('\n');
const answers = lines.map((line) => answer(JSON.parse(line) as Triple));
const agreed = answers.filter(({ triple, result, errors }) =>
  triple.result === undefined ? errors.length > 0 : errors.length === 0 && isSameJson(result, triple.result),
);

/** Both merge, with different results. */
const otherResults: readonly Difference[] = [
  {
    why: 'Kubernetes keeps nulls in new items and in what is replaced; a manifest has none',
    count: 45,
    fits: ({ result }, theirs) => isSameJson(result, withoutNulls(theirs)),
  },
  {
    why: 'Kubernetes leaves directives inside new content in the object',
    count: 16,
    fits: ({ result }, theirs) => isSameJson(result, withoutDirectives(withoutNulls(theirs))),
  },
  {
    why: 'Kubernetes drops an object with "$patch: replace" if it has nothing to replace',
    count: 1,
    fits: ({ triple, result }) => {
      const plain = withoutKeys(triple.patch, (key, value) => key === '$patch' && value === 'replace');
      return !isSameJson(triple.patch, plain) && isSameJson(result, merge({ ...triple, patch: plain as JsonObject }));
    },
  },
  {
    why: 'Kubernetes overwrites the order that it still compares with, when a patch with an order deletes and adds',
    count: 4,
    fits: ({ triple, result }, theirs) =>
      /"\$setElementOrder/.test(JSON.stringify(triple.patch)) &&
      /"\$patch":"delete"/.test(JSON.stringify(triple.patch)) &&
      isSameJson(sortLists(result), sortLists(withoutDirectives(withoutNulls(theirs)))),
  },
  {
    why: 'an empty list changes nothing; Kubernetes takes duplicates out of the list that is there',
    count: 6,
    fits: ({ triple, result }, theirs) =>
      /"finalizers":\[\]/.test(JSON.stringify(triple.patch)) && isSameJson(uniteLists(result), uniteLists(theirs)),
  },
];

/** Kubernetes rejects, kurel merges. */
const refusedByThem: readonly Difference[] = [
  {
    why: 'an order for a list that is empty, and stays so, does no harm',
    count: 15,
    fits: ({ triple }) => triple.refused === 'empty',
  },
  {
    why: 'an empty list changes nothing, whatever is in the list that is there',
    count: 7,
    fits: ({ triple }) => triple.refused === 'merge-key' && /:\[\]/.test(JSON.stringify(triple.patch)),
  },
  {
    why: 'an item {$patch: replace} may be the last of an ordered list',
    count: 4,
    fits: ({ triple }) => triple.refused === 'order' && /\{"\$patch":"replace"\}\]/.test(JSON.stringify(triple.patch)),
  },
  {
    why: 'fields unknown to the schema merge like objects',
    count: 28,
    fits: ({ triple }) => triple.refused === 'unknown-field' && Object.hasOwn(triple.patch, 'unknown'),
  },
];

/** kurel rejects, Kubernetes merges. */
const refusedByUs: readonly Difference[] = [
  {
    why: 'an order has to name the items of the patch, also when it is empty',
    count: 7,
    fits: ({ triple, errors }) =>
      errors.every((code) => code === 'smp-element-order') &&
      /"\$setElementOrder[^"]*":\[\]/.test(JSON.stringify(triple.patch)),
  },
  {
    why: 'Kubernetes loses the other fields of an item with "$patch: replace"',
    count: 21,
    fits: ({ triple, errors }) =>
      errors.every((code) => code === 'smp-directive-invalid') &&
      /\{"\$patch":"replace",/.test(JSON.stringify(triple.patch)),
  },
  {
    why: 'an order is for lists that merge',
    count: 1,
    fits: ({ triple }) => /"\$setElementOrder\/(?:args|hostnames)"/.test(JSON.stringify(triple.patch)),
  },
  {
    why: 'directives in something new are checked; Kubernetes writes them into the object',
    count: 1,
    fits: (_, theirs) => !isSameJson(theirs, withoutDirectives(theirs)),
  },
];

describe('kurel and Kubernetes agree on strategic merge', () => {
  it('of all kinds that merge anything', () => {
    expect(new Set(answers.map(({ triple }) => triple.kind)).size).toBe(82);
    expect(answers.length).toBeGreaterThan(3000);
    expect(agreed.filter(({ triple }) => triple.result !== undefined).length).toBeGreaterThan(2800);
    expect(agreed.filter(({ triple }) => triple.refused !== undefined).length).toBeGreaterThan(150);
  });

  it.each([
    ['"$patch":"delete"', 200],
    ['"$patch":"replace"', 50],
    ['"$retainKeys"', 300],
    ['"$setElementOrder/', 300],
    ['"$deleteFromPrimitiveList/', 100],
    [':null', 500],
  ])('in patches with %s', (text, least) => {
    const found = agreed.filter(({ triple }) => JSON.stringify(triple.patch).includes(text));
    expect(found.length).toBeGreaterThan(least);
  });

  it.each([
    {
      what: 'results',
      listed: otherResults,
      belongs: ({ triple, errors }: Answer) => triple.refused === undefined && errors.length === 0,
    },
    {
      what: 'what Kubernetes refuses',
      listed: refusedByThem,
      belongs: ({ triple }: Answer) => triple.refused !== undefined,
    },
    {
      what: 'what kurel refuses',
      listed: refusedByUs,
      belongs: ({ triple, errors }: Answer) => triple.refused === undefined && errors.length > 0,
    },
  ])('on $what, except for listed cases', ({ listed, belongs }) => {
    const agreeing = new Set(agreed);
    const unexplained = new Set(answers.filter((one) => !agreeing.has(one) && belongs(one)));
    const found = listed.map(({ why, fits }) => {
      const fitting = [...unexplained].filter((one) => fits(one, one.triple.result ?? {}));
      for (const one of fitting) unexplained.delete(one);
      return { why, count: fitting.length };
    });
    expect([...unexplained].map(({ triple, ...ours }) => JSON.stringify({ ...triple, ours }))).toEqual([]);
    expect(found).toEqual(listed.map(({ why, count }) => ({ why, count })));
  });
});

function answer(triple: Triple): Answer {
  const errors: string[] = [];
  const result = merge(triple, (code) => errors.push(code));
  return { triple, result, errors };
}

function merge({ kind, object, patch }: Triple, onError?: (code: string) => void): JsonObject {
  const { schema } = store.find(parseGroupVersionKind(kind)!)!;
  return mergeStrategic(object, patch, {
    schema,
    builtIn: true,
    report: ({ code }) => onError?.(code),
    locate: () => undefined,
  });
}

function withoutKeys(value: Json, isOut: (key: string, value: Json) => boolean): Json {
  if (isJsonArray(value)) return value.map((item) => withoutKeys(item, isOut));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([key, inner]) => !isOut(key, inner));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutKeys(inner, isOut)]));
}

function withoutNulls(value: Json): Json {
  return withoutKeys(value, (_, inner) => inner === null);
}

/** New content after its directives are applied. */
function withoutDirectives(value: Json): Json {
  if (isJsonArray(value)) return value.filter((item) => !hasDirective(item)).map((item) => withoutDirectives(item));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => !key.startsWith('$'));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutDirectives(inner)]));
}

function hasDirective(item: Json): boolean {
  return isJsonObject(item) && Object.hasOwn(item, '$patch');
}

/** Sorts keys and items, so that only the content is compared. */
function sortLists(value: Json): Json {
  if (isJsonArray(value)) {
    const texts = new Map(value.map((item) => sortLists(item)).map((item) => [item, JSON.stringify(item)]));
    return [...texts.keys()].toSorted((a, b) => (texts.get(a)! < texts.get(b)! ? -1 : 1));
  }
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sortLists(value[key]!)]));
}

function uniteLists(value: Json): Json {
  if (isJsonArray(value)) return [...new Set(value.map((item) => uniteLists(item)))];
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, uniteLists(inner)]));
}
