import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../src/host/index.ts';
import {
  createDocumentSchema,
  createSchemaStore,
  createValuesSchema,
  documentNames,
  readDeclarations,
} from '../src/index.ts';
import type { DocumentName } from '../src/index.ts';
import { isJsonArray, isJsonObject } from '../src/model/index.ts';
import type { Diagnostic, Json, JsonObject, Path } from '../src/model/index.ts';
import type { Field } from '../src/documents/field.ts';
import { readField } from '../src/documents/read-field.ts';
import { createFieldSchema } from '../src/forms/application/editor-schemas/field-schema.ts';
import { checkSchema } from '../src/forms/patch-package/schema/check-schema.ts';
import { isAccepted } from '../src/forms/patch-package/schema/validate-values.ts';
import { readYaml } from '../src/yaml/index.ts';
import { applicationCases, applicationSource } from './application-case.ts';
import { listCases, openCase } from './golden-case.ts';
import type { GoldenCase } from './golden-case.ts';

const store = createSchemaStore({ files: bundledSchemas(), descriptions: true });
const schemas = new Map<DocumentName, JsonObject>(
  documentNames.map((name) => [name, createDocumentSchema(name, { store })]),
);

describe('the schema of a field', () => {
  const making = { store };

  it('takes what readField takes, and nothing else', () => {
    fc.assert(
      fc.property(fieldAndValue(), ([field, value]) => {
        const schema = createFieldSchema(field, { ...making, isAuthored: false });
        expect(isAccepted(value, schema)).toBe(reads(field, value));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes a reference wherever there may be a value', () => {
    fc.assert(
      fc.property(fieldAndValue(), fc.nat(), ([field, value], choice) => {
        fc.pre(reads(field, value));
        const schema = createFieldSchema(field, { ...making, isAuthored: true });
        expect(isAccepted(value, schema), 'a value').toBe(true);
        const places = placesIn(value);
        const place = places[choice % places.length]!;
        expect(isAccepted(replaceAt(value, place, '${x}'), schema), `a reference at ${place.join('.')}`).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('demands nothing of what somebody else may give, but of lists', () => {
    const field: Field = {
      type: 'object',
      properties: {
        to: { type: 'object', required: true, properties: { name: { type: 'string', required: true } } },
        all: { type: 'array', items: { type: 'object', properties: { name: { type: 'string', required: true } } } },
      },
    };
    const schema = createFieldSchema(field, { ...making, isAuthored: false, isPartial: true });
    const accepted = [{}, { to: {} }, { all: [{ name: 'x' }] }].map((value) => isAccepted(value, schema));
    expect(accepted).toEqual([true, true, true]);
    const refused = [{ to: { nam: 'x' } }, { all: [{}] }].map((value) => isAccepted(value, schema));
    expect(refused).toEqual([false, false]);
  });

  it('has the relations of fields, unless a reference or the platform decides', () => {
    const any: Field = { type: 'any' };
    const field: Field = {
      type: 'object',
      properties: { file: any, url: any, pin: any, list: any },
      relations: [
        { anyOf: ['file', 'url'] },
        { exclusive: ['file', 'url'] },
        { fields: ['pin'], require: 'url' },
        { exclusive: ['file', 'list'], ignoresEmpty: true },
      ],
    };
    const values: readonly Json[] = [
      { file: 1 },
      { file: 1, url: null },
      { file: 1, url: false },
      { url: 1, pin: 1 },
      { url: 1, list: [1] },
      { file: 1, list: [] },
      {},
      { file: null },
      { file: 1, url: 1 },
      { file: 1, pin: 1 },
      { file: 1, list: [1] },
    ];
    const strict = createFieldSchema(field, { ...making, isAuthored: false });
    expect(values.map((value) => isAccepted(value, strict))).toEqual(values.map((value) => reads(field, value)));
    const withReferences = createFieldSchema(field, { ...making, isAuthored: true });
    expect(isAccepted({ file: '${x}', url: 1, pin: 1 }, withReferences)).toBe(true);
    const partial = createFieldSchema(field, { ...making, isAuthored: false, isPartial: true });
    expect([{}, { pin: 1 }, { file: 1, url: 1 }].map((value) => isAccepted(value, partial))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('leaves what is reserved to the platform', () => {
    const field: Field = { type: 'object', properties: { mode: { type: 'string', reserved: true, required: true } } };
    const authored = createFieldSchema(field, { ...making, isAuthored: true });
    const ofPlatform = createFieldSchema(field, { ...making, isAuthored: false });
    expect([{}, { mode: 'x' }].map((value) => isAccepted(value, authored))).toEqual([true, false]);
    expect([{}, { mode: 'x' }].map((value) => isAccepted(value, ofPlatform))).toEqual([false, true]);
  });
});

describe('the schema of a document', () => {
  it.each(documentNames)('%s is a schema, and every reference in it leads somewhere', (name) => {
    const schema = schemas.get(name)!;
    const found: Diagnostic[] = [];
    checkSchema(schema, { file: 'x', document: 0, report: (diagnostic) => void found.push(diagnostic) });
    // What editors know beyond the standard.
    const known = /"(?:patternErrorMessage|errorMessage|enumDescriptions)"/;
    expect(found.map(({ message }) => message).filter((message) => !known.test(message))).toEqual([]);
    const definitions = schema['definitions'] ?? {};
    const lost = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)].filter(
      ([, target]) => !Object.hasOwn(definitions as JsonObject, target!),
    );
    expect(lost).toEqual([]);
  });

  it('says once what a container is', () => {
    const text = JSON.stringify(schemas.get('app'));
    expect(text.match(/"restartPolicyRules":\{/g)).toHaveLength(1);
    expect(text.match(/"defaultMode":\{"/g)?.length).toBeLessThan(10);
    expect(text.length).toBeLessThan(600_000);
  });

  const built = applicationCases.filter(({ isBuilt }) => isBuilt);
  const documents: readonly (readonly [string, DocumentName])[] = [
    ['app.yaml', 'app'],
    ['cluster.yaml', 'profile'],
    ['policy.yaml', 'policy'],
    ['kurel.yaml', 'package'],
  ];

  it.each(documents)('%s: takes all that build', (file, name) => {
    const own = built.filter(({ files }) => files.has(file));
    const refused = own.filter(({ files }) => !isAccepted(readData(files, file), schemas.get(name)!));
    expect(own.length).toBeGreaterThan(0);
    expect(refused.map((one) => one.name)).toEqual([]);
  });

  const single: Readonly<Record<string, DocumentName>> = {
    application: 'app',
    profile: 'profile',
    policy: 'policy',
    package: 'package',
    definition: 'capability',
  };
  const cases = join(applicationSource, '../../documents/cases');
  const all = listCases(cases);
  const unequal = [
    // What properties there are is left to the handlers by these readers.
    'application-good',
    'application-smallest',
    'profile-good',
    'profile-capability-trait-unknown',
    'policy-trait-unknown',
    // About more than one place at a time.
    'policy-capabilities-contradict',
    'policy-contradictions',
  ];

  it.each(Object.entries(single))('%s: agrees with the reader of the document', (prefix, name) => {
    const own = all.filter((path) => path.startsWith(`${prefix}-`) && !unequal.includes(path));
    const verdicts = own.map((path) => ({
      path,
      reads: !openCase(join(cases, path)).read('expected.txt').startsWith('error'),
      fits: isAccepted(readData(openCase(join(cases, path)), 'document.yaml'), schemas.get(name)!),
    }));
    expect(verdicts.length).toBeGreaterThan(3);
    expect(verdicts.filter(({ reads, fits }) => reads !== fits)).toEqual([]);
  });
});

describe('the schema of declarations', () => {
  it.each<Json>([
    { name: 'a', type: 'string', pattern: '^a' },
    { name: 'a', type: 'integer', minimum: 1, maximum: 9_223_372_036_854_775_807n, enum: [1, 2] },
    { name: 'a', type: 'object', required: ['b'], properties: { b: { type: 'array', items: {} } } },
    { name: 'a', type: 'boolean', required: true, default: null },
    null,
    'a',
    {},
    { name: 'a' },
    { name: '1st', type: 'string' },
    { name: 'a', type: 'text' },
    { name: 'a', type: null },
    { name: 'a', type: 'string', requird: true },
    { name: 'a', type: 'string', required: 'true' },
    { name: 'a', type: 'string', required: ['b'] },
    { name: 'a', type: 'object', required: [5] },
    { name: 'a', type: 'string', enum: [] },
    { name: 'a', type: 'string', enum: null },
    { name: 'a', type: 'string', minimum: 1 },
    { name: 'a', type: 'integer', minimum: '1' },
    { name: 'a', type: 'array', items: 'string' },
    { name: 'a', type: 'array', items: null },
    { name: 'a', type: 'array', items: { type: 'string', default: 1 } },
    { name: 'a', type: 'object', properties: { b: null } },
    { name: 'a', type: 'object', properties: { b: { type: 'object', required: true } } },
    { name: 'a', type: 'object', properties: { b: { type: 'object', properties: { c: { pattern: 1 } } } } },
    { name: 'a', type: 'object', properties: { b: { type: 'integer', pattern: 'a' } } },
  ])('agrees with the reader about %o', (declaration) => {
    const metadata = { name: 'web' };
    const spec = { parameters: [declaration] };
    const data = { apiVersion: 'launcher.gokure.dev/v1alpha1', kind: 'Package', metadata, spec };
    let isFine = true;
    readDeclarations(spec.parameters, {
      source: { path: 'kurel.yaml', text: '' },
      location: { file: 'kurel.yaml', document: 0, path: ['spec', 'parameters'] },
      report: () => void (isFine = false),
    });
    expect(isAccepted(data, schemas.get('package')!)).toBe(isFine);
  });
});

describe('the schema of values', () => {
  const text = `
- { name: image, type: string, required: true, description: what runs, pattern: "^ghcr.io/" }
- { name: replicas, type: integer, default: 1, minimum: 0, maximum: 10 }
- { name: ratio, type: number, maximum: 1 }
- { name: tier, type: string, enum: [gold, silver], default: gold, required: true }
- { name: secret, type: string, default: "\${name}-tls" }
- { name: env, type: array, items: { type: object, properties: { name: { type: string } }, required: [name] } }
- { name: debug, type: boolean }
- { name: admin, type: object, properties: { user: { type: string } }, required: [user] }
`;
  const found: Diagnostic[] = [];
  const schema = createValuesSchema(
    readDeclarations(readYaml({ path: 'list.yaml', text }, { words: 'core' }).documents[0]!.data!, {
      source: { path: 'list.yaml', text },
      location: { file: 'list.yaml', document: 0, path: [] },
      report: (diagnostic) => void found.push(diagnostic),
    }),
  );

  it('says what is declared', () => {
    expect(found).toEqual([]);
    expect(schema).toEqual({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        image: { type: 'string', description: 'what runs', pattern: '^ghcr.io/' },
        replicas: { type: 'integer', minimum: 0, maximum: 10, default: 1 },
        ratio: { type: 'number', maximum: 1 },
        tier: { type: 'string', enum: ['gold', 'silver'], default: 'gold' },
        // It would not be filled in where it is given.
        secret: { type: 'string', description: 'Defaults to ${name}-tls' },
        env: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
        debug: { type: 'boolean' },
        admin: { type: 'object', properties: { user: { type: 'string' } }, required: ['user'] },
      },
      required: ['image'],
      additionalProperties: false,
    });
  });
});

function reads(field: Field, value: Json): boolean {
  let isFine = true;
  readField(field, value, {
    locate: (path) => ({ file: 'x.yaml', path }),
    report: () => void (isFine = false),
  });
  return isFine;
}

function fieldAndValue(): fc.Arbitrary<readonly [Field, Json]> {
  return fields().chain((field) => valueFor(field).map((value) => [field, value] as const));
}

function fields(): fc.Arbitrary<Field> {
  const flags = { required: fc.boolean(), nullable: fc.boolean() };
  const { field } = fc.letrec<{ field: Field }>((tie) => ({
    field: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.record({
        type: fc.constantFrom('string', 'boolean', 'number', 'quantity', 'scalar'),
        ...flags,
      }) as fc.Arbitrary<Field>,
      fc.record({ type: fc.constant('string'), format: fc.constantFrom('dns-label', 'filled'), ...flags }),
      fc.record({ type: fc.constant('string'), enum: fc.constant(['a', 'b']), ...flags }),
      fc.record({
        type: fc.constant('integer'),
        minimum: fc.integer({ min: -3, max: 2 }),
        maximum: fc.constant(5),
        ...flags,
      }),
      fc.constant({ type: 'any' as const }),
      fc.record({ type: fc.constant('array'), items: tie('field'), minItems: fc.nat({ max: 2 }), ...flags }),
      fc.record({ type: fc.constant('object'), open: tie('field'), keys: fc.constant('dns-label'), ...flags }),
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('field'), { noNullPrototype: true }),
        ...flags,
      }),
    ),
  }));
  return field;
}

/** Mostly what the field takes, and now and then something else. */
function valueFor(field: Field): fc.Arbitrary<Json> {
  return fc.oneof(
    { weight: 12, arbitrary: fittingValue(field) },
    { weight: 1, arbitrary: fc.constantFrom<Json>(null, 'a', 'A b', '', 3, -1, 2.5, true, [], {}, [null], { a: 'a' }) },
  );
}

function fittingValue(field: Field): fc.Arbitrary<Json> {
  switch (field.type) {
    case 'integer':
      return fc.integer({ min: field.minimum!, max: field.maximum! });
    case 'number':
      return fc.constantFrom<Json>(0, 1.5, -2);
    case 'quantity':
      return fc.constantFrom<Json>('1Gi', 2, 0.5);
    case 'scalar':
      return fc.constantFrom<Json>('x', 1, true);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valueFor(field.items!), { minLength: field.minItems!, maxLength: 3 });
    case 'object':
      return field.open === undefined
        ? fc.record(
            Object.fromEntries(Object.entries(field.properties!).map(([key, inner]) => [key, valueFor(inner)])),
            {
              requiredKeys: Object.keys(field.properties!).filter((key) => field.properties![key]!.required === true),
              noNullPrototype: true,
            },
          )
        : fc.dictionary(fc.constantFrom('a', 'b-1', 'C'), valueFor(field.open), { noNullPrototype: true, maxKeys: 2 });
    default:
      return fc.constantFrom<Json>('a', 'b');
  }
}

function placesIn(value: Json, path: Path = []): readonly Path[] {
  const inner = isJsonArray(value) ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([step, one]) => placesIn(one, [...path, step]))];
}

function replaceAt(value: Json, [step, ...rest]: Path, by: Json): Json {
  if (step === undefined) return by;
  if (isJsonArray(value)) return value.map((item, index) => (index === step ? replaceAt(item, rest, by) : item));
  const mapping = value as JsonObject;
  return { ...mapping, [step]: replaceAt(mapping[step]!, rest, by) };
}

function readData(files: GoldenCase, path: string): Json {
  return readYaml({ path, text: files.read(path) }, { words: 'core' }).documents[0]?.data ?? null;
}
