import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBudget } from '../budget/index.ts';
import { createOriginTable } from '../engine/index.ts';
import { bundledSchemas } from '../host/disk-file-system.ts';
import { isBuiltInGroup } from '../kube/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject, Path } from '../model/index.ts';
import { beginProvenance, createPlaceFinding } from '../provenance/index.ts';
import { createSchemaStore } from '../schema/index.ts';
import type { KindSchema, SchemaNode } from '../schema/index.ts';
import { createCelRules } from './cel/create-cel-rules.ts';
import { severityOfServer } from './kinds/lenient-fields.ts';
import { checkFields } from './validate-objects.ts';
import { createObjectFindings } from './findings.ts';
import { validateObjects } from './index.ts';

const store = createSchemaStore({ files: bundledSchemas() });
const rules = createCelRules();
const builtIn = store.kinds().filter(({ group }) => isBuiltInGroup(group));

/** Random numbers from a seed, so that a failing case can be repeated. */
type Dice = (sides: number) => number;

function createDice(seed: number): Dice {
  let state = seed | 1;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * sides);
  };
}

interface Holder {
  readonly path: Path;
  readonly node: SchemaNode;
}

interface Generating {
  readonly dice: Dice;
  /** Objects that accept no unknown fields. */
  readonly holders: Holder[];
  count: number;
}

const deepest = 8;
const samples: Readonly<Record<string, string>> = { 'date-time': '2024-02-29T12:00:00Z', byte: 'YWJj', duration: '1h' };

function generate(node: SchemaNode, path: Path, run: Generating): Json {
  const { dice } = run;
  run.count += 1;
  const word = `v${run.count}`;
  if (node.enum !== undefined) return node.enum[dice(node.enum.length)]!;
  switch (node.type) {
    case 'object':
      return generateMapping(node, path, run);
    case 'list': {
      // Items of sets and maps must be unique, which enum values may not be.
      const most = node.listType === 'set' || node.listType === 'map' ? 2 : 3;
      const length = path.length > deepest ? 0 : dice(most);
      return Array.from({ length }, (_, index) => generate(node.items!, [...path, index], run));
    }
    case 'string':
      return node.format === undefined ? word : (samples[node.format] ?? word);
    case 'integer':
      return run.count;
    case 'int-or-string':
      return dice(2) === 0 ? run.count : word;
    case 'quantity':
      return ['1', '500m', '1Gi', '1.5', '2e3', 7, 0.5][dice(7)]!;
    case 'number':
      return dice(2) === 0 ? 1 : 1.5;
    case 'boolean':
      return dice(2) === 0;
    default:
      return word;
  }
}

function generateMapping(node: SchemaNode, path: Path, run: Generating): Json {
  const { dice } = run;
  if (node.propertyNames.length > 0 && node.open !== true && node.values === undefined)
    run.holders.push({ path, node });
  const names = node.propertyNames.filter((name) => {
    if (node.required?.includes(name) === true) return true;
    return path.length <= deepest && dice(path.length < 3 ? 2 : 4) === 0;
  });
  const entries = names.map((name) => [name, generate(node.property(name)!, [...path, name], run)] as const);
  if (node.values !== undefined && dice(2) === 0) entries.push(['key', generate(node.values, [...path, 'key'], run)]);
  return Object.fromEntries(entries);
}

interface Generated {
  readonly kind: KindSchema;
  readonly object: KubeObject;
  readonly holders: readonly Holder[];
  readonly dice: Dice;
}

function generateObject(seed: number, kinds = builtIn): Generated {
  const dice = createDice(seed);
  const gvk = kinds[dice(kinds.length)]!;
  const kind = store.find(gvk)!;
  const run = { dice, holders: [], count: 0 };
  const made = generate(kind.schema, [], run);
  const apiVersion = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`;
  return { kind, object: { ...(made as JsonObject), apiVersion, kind: gvk.kind }, holders: run.holders, dice };
}

/** Findings of the schema check, without notes about deprecated fields. */
function check(object: KubeObject, kind: KindSchema): readonly Diagnostic[] {
  const findings = createObjectFindings();
  checkFields({ object, schema: kind.schema, isBuiltIn: true, findings, budget: createBudget() });
  const found: Diagnostic[] = [];
  findings.flush([object], (diagnostic) => void found.push(diagnostic));
  return found.filter(({ severity }) => severity !== 'note');
}

/** Replaces the value at a path; `undefined` removes it. */
function replaceAt(value: Json, path: Path, by: (value: Json) => Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return by(value) ?? null;
  if (isJsonArray(value)) return value.map((item, index) => (index === step ? replaceAt(item, rest, by) : item));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, field]): readonly (readonly [string, Json])[] => {
    if (name !== step) return [[name, field]];
    if (rest.length > 0) return [[name, replaceAt(field, rest, by)]];
    const replaced = by(field);
    return replaced === undefined ? [] : [[name, replaced]];
  });
  return Object.fromEntries(entries);
}

const seeds = fc.integer({ min: 1, max: 0x7fff_fffe });

describe('validation of generated objects', () => {
  it('accepts objects that match their schema', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { object, kind } = generateObject(seed);
        expect(check(object, kind)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('reports a missing required field', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { object, kind, holders, dice } = generateObject(seed);
        const places = holders.flatMap(({ path, node }) =>
          (node.required ?? [])
            .filter((name) => node.property(name)?.default === undefined)
            .map((name): Path => path.concat(name))
            // The API server does not require all of them.
            .filter((place) => severityOfServer(object, 'field-required', place) === undefined),
        );
        fc.pre(places.length > 0);
        const path = places[dice(places.length)]!;
        const broken = replaceAt(object, path, () => undefined) as KubeObject;
        expect(check(broken, kind).map(({ code, message }) => [code, message.includes(`"${path.at(-1)}"`)])).toEqual([
          ['field-required', true],
        ]);
      }),
      { numRuns: 200 },
    );
  });

  it('reports an unknown field', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { object, kind, holders, dice } = generateObject(seed);
        const { path } = holders[dice(holders.length)]!;
        const broken = replaceAt(object, path, (value) => ({ ...(value as JsonObject), madeUpField: 1 })) as KubeObject;
        expect(check(broken, kind).map(({ code, message }) => [code, message.includes('"madeUpField"')])).toEqual([
          ['field-unknown', true],
        ]);
      }),
      { numRuns: 200 },
    );
  });

  it('reports each problem of an object once', () => {
    // Few different values, so that lists have duplicates and references are broken.
    const words = fc.constantFrom<Json>(null, 'a', 'A_b', '', 80, -1, true, {}, [], ['a', 'a'], [null, null], {
      a: '1',
    });
    const pods = builtIn.filter(({ kind }) =>
      ['Deployment', 'Pod', 'StatefulSet', 'Service', 'Ingress'].includes(kind),
    );
    fc.assert(
      fc.property(seeds, fc.array(fc.tuple(words, fc.nat()), { minLength: 1, maxLength: 6 }), (seed, changes) => {
        const { object, holders } = generateObject(seed, pods);
        const broken = changes.reduce<Json>((value, [by, place]) => {
          const { path } = holders[place % holders.length]!;
          return replaceAt(value, path, (fields) => {
            const keys = isJsonObject(fields) ? Object.keys(fields) : [];
            const key = keys[place % keys.length];
            if (key === undefined || path.length === 0) return fields;
            const list = (fields as JsonObject)[key]!;
            return { ...(fields as JsonObject), [key]: isJsonArray(list) ? [...list, ...list, by] : by };
          });
        }, object);
        const found: Diagnostic[] = [];
        const objects = [broken as KubeObject];
        const place = createPlaceFinding(beginProvenance({ origins: createOriginTable(), objects }));
        const report = (one: Diagnostic): void => void found.push(place(one)!);
        validateObjects(objects, { store, report, rules });
        // Without a source text, messages name the field.
        const parsed = found.map(({ code, message }) => `${code}: ${message}`);
        expect(parsed.filter((one, index) => parsed.indexOf(one) !== index)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('never throws', () => {
    const values = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(fc.array(fc.tuple(seeds, values, fc.nat()), { minLength: 1, maxLength: 4 }), (parts) => {
        const objects = parts.map(([seed, value, place]) => {
          const { object, holders } = generateObject(seed);
          const { path } = holders[place % holders.length]!;
          const broken =
            path.length === 0 ? { ...object, spec: value, metadata: value } : replaceAt(object, path, () => value);
          return broken as KubeObject;
        });
        const found: Diagnostic[] = [];
        validateObjects(objects, { store, report: (one) => void found.push(one), rules });
        expect(found.filter(({ message }) => /undefined|\[object|NaN/.test(message))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
