import { describe, expect, it } from 'vitest';
import { createBudget } from '../budget/index.ts';
import type { BudgetLimits } from '../budget/index.ts';
import { createOriginTable } from '../engine/index.ts';
import { bundledSchemas } from '../host/disk-file-system.ts';
import type { Diagnostic, Json, JsonObject, KubeObject, Origin } from '../model/index.ts';
import { beginProvenance, createPlaceFinding } from '../provenance/index.ts';
import { createSchemaStore } from '../schema/index.ts';
import { createCelRules } from './cel/create-cel-rules.ts';
import { loadRulesFor, validateObjects } from './index.ts';
import type { RuleEvaluator } from './index.ts';

const store = createSchemaStore({ files: bundledSchemas() });

interface Setting {
  readonly origin?: Origin;
  readonly rules?: RuleEvaluator;
}

function validate(objects: readonly KubeObject[], { origin, rules }: Setting = {}): readonly Diagnostic[] {
  const origins = createOriginTable();
  if (origin !== undefined) objects.forEach((object) => origins.set(object, origin));
  const found: Diagnostic[] = [];
  const place = createPlaceFinding(beginProvenance({ origins, objects }));
  validateObjects(objects, { store, report: (diagnostic) => void found.push(place(diagnostic)!), rules });
  return found;
}

function configMap(fields: Record<string, Json>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, ...fields };
}

const cluster: KubeObject = {
  apiVersion: 'postgresql.cnpg.io/v1',
  kind: 'Cluster',
  metadata: { name: 'db' },
  spec: { instances: 1, imageCatalogRef: { kind: 'Catalog', name: 'a', major: 17, apiGroup: 'postgresql.cnpg.io' } },
};

describe('validateObjects', () => {
  it('names the object and field if there is no source text', () => {
    const [finding] = validate([configMap({ datum: {} })]);
    expect(finding).toEqual({
      object: { group: '', kind: 'ConfigMap', namespace: '', name: 'web' },
      code: 'field-unknown',
      severity: 'error',
      message: 'unknown field "datum" in ConfigMap (in datum of v1 ConfigMap "web")',
      hint: 'use one of apiVersion, binaryData, data, immutable, kind, metadata',
    });
  });

  it('hides the values of a Secret', () => {
    const data = { text: 'hunter!two', short: '!', count: 1234, deep: { key: 'hunter!three' } };
    const messages = validate([{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db' }, data }]);
    expect(messages.map(({ message }) => message)).toEqual([
      'text must be base64, got (hidden) (in v1 Secret "db")',
      'short must be base64, got (hidden) (in v1 Secret "db")',
      'count must be a string, got (hidden) (in v1 Secret "db")',
      'deep must be a string, got an object (in v1 Secret "db")',
    ]);
  });

  it('hides the values of a Secret in other fields, encoded and decoded', () => {
    const values = { data: { key: 'aHVudGVyMg==' }, stringData: { other: 'not base64', empty: '' } };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db' }, ...values };
    const messagesOf = (immutable: Json) => validate([{ ...secret, immutable }]).map(({ message }) => message);
    const hidden = 'immutable must be true or false, got (hidden) (in v1 Secret "db")';
    for (const value of ['aHVudGVyMg==', 'hunter2', 'not base64']) expect(messagesOf(value)).toEqual([hidden]);
    for (const value of ['yes', '']) expect(messagesOf(value)).toEqual([hidden.replace('(hidden)', `"${value}"`)]);
  });

  it('names the template file, or else the source', () => {
    const origin = { renderer: 'helm', source: 'charts/web' };
    expect(validate([configMap({ datum: {} })], { origin })[0]?.location).toEqual({ file: 'charts/web' });
    const chart = { ...origin, file: 'charts/web/templates/config.yaml' };
    expect(validate([configMap({ datum: {} })], { origin: chart })[0]?.location).toEqual({ file: chart.file });
  });

  it('locates a finding by document and path, including the path of the object', () => {
    const object = configMap({ datum: {} });
    const text = {
      source: { path: 'a.yaml', text: '' },
      document: 2,
      range: { start: 0, end: 0 },
      path: ['items', 1],
      parsed: object,
    };
    const origin = { renderer: 'manifests', source: 'a.yaml', text };
    expect(validate([object], { origin })[0]?.location).toEqual({
      file: 'a.yaml',
      document: 2,
      path: ['items', 1, 'datum'],
      at: 'key',
    });
  });

  it('reports in the order of the objects and of their fields', () => {
    const late = { apiVersion: 'v1', kind: 'ConfigMap', datum: 1, metadata: { labels: { 'a b': 'c' }, name: 'B' } };
    const found = validate([late, configMap({ metadata: { name: 'C' } })]);
    expect(found.map(({ code }) => code)).toEqual(['field-unknown', 'label-invalid', 'name-invalid', 'name-invalid']);
  });

  it('limits annotations and data in bytes, as Kubernetes does', () => {
    const codes = (object: KubeObject): readonly string[] => validate([object]).map(({ code }) => code);
    const annotated = (length: number): KubeObject =>
      configMap({ metadata: { name: 'web', annotations: { a: 'é'.repeat(length) } } });
    expect(codes(annotated(131_071))).toEqual([]);
    expect(codes(annotated(131_072))).toEqual(['annotations-too-large']);
    expect(codes(configMap({ data: { a: 'x'.repeat(1_048_576) } }))).toEqual([]);
    expect(codes(configMap({ data: { a: 'é'.repeat(524_289) } }))).toEqual(['data-too-large']);
    expect(codes(configMap({ binaryData: { a: 'eHh4'.repeat(349_526) } }))).toEqual(['data-too-large']);
  });

  it.each<[how: string, nest: (schema: JsonObject) => JsonObject]>([
    ['under "not"', (schema) => ({ not: schema })],
    ['in fields', (schema) => ({ type: 'object', properties: { a: schema } })],
  ])('reports objects that are nested too deeply %s', (_, nest) => {
    let schema: JsonObject = { type: 'string' };
    for (let depth = 0; depth < 10_000; depth += 1) schema = nest(schema);
    const openAPIV3Schema = { ...schema, type: 'object' };
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
    const definition: KubeObject = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [version],
      },
    };
    expect(validate([definition]).map(({ code }) => code)).toEqual(['object-too-deep']);
  });

  it('counts null items of a list in paths', () => {
    const ports: readonly Json[] = [{ name: 'http', port: 80 }, null, { name: 'http', port: 0 }];
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports } };
    const findings = validate([service]).map(({ code, message }) => `${code}: ${message}`);
    expect(findings.filter((text) => text.includes('ports[2]'))).toEqual([
      'list-duplicate: duplicate port name "http" in ports (in spec.ports[2].name of v1 Service "web")',
      'field-range: port must be between 1 and 65535, got 0 (in spec.ports[2].port of v1 Service "web")',
    ]);
  });

  it('checks the metadata of a kind without a schema like that of any other', () => {
    const finalizers = ['example.com/a', 'example.com/a'];
    const object = configMap({ metadata: { name: 'web', finalizers } });
    const [usual] = validate([object]);
    const [custom] = validate([{ ...object, apiVersion: 'example.com/v1' }]);
    expect(custom).toMatchObject({ code: 'list-duplicate', severity: 'warning' });
    expect([custom!.severity, custom!.hint, custom!.related?.length]).toEqual([
      usual!.severity,
      usual!.hint,
      usual!.related?.length,
    ]);
  });

  it('reports where a run exceeds a limit, and how many findings it does not keep', () => {
    const codes = (object: KubeObject, limits: BudgetLimits): readonly string[] => {
      const found: Diagnostic[] = [];
      const budget = createBudget(limits);
      validateObjects([object], {
        store,
        budget,
        rules: createCelRules(budget),
        report: (diagnostic) => void found.push(diagnostic),
      });
      return found.map(({ code, subject }) => `${code} ${subject?.path.join('.') ?? ''}`);
    };
    expect(codes(cluster, { maxRuleSteps: 1 })).toEqual(['budget-exhausted spec.imageCatalogRef']);
    const route = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata: { name: 'web' } };
    const spec = { hostnames: ['shop.example.com'] };
    expect(codes({ ...route, spec }, { maxPatternSteps: 1 })).toEqual(['budget-exhausted spec.hostnames.0']);
    expect(codes(configMap({ a: 1, b: 2 }), { maxFindings: 1 })).toEqual(['field-unknown a', 'findings-omitted ']);
  });

  it('reports each rule once as not checked without an evaluator', () => {
    const found = validate([cluster, { ...cluster, metadata: { name: 'other' } }]);
    const rules = found.filter(({ code }) => code === 'rule-not-checked').map(({ message }) => message);
    expect(rules.length).toBeGreaterThan(1);
    expect(new Set(rules).size).toBe(rules.length);
  });

  it('loads the rule evaluator only if it is needed', async () => {
    expect(await loadRulesFor([configMap({})])).toBeUndefined();
    const rules = await loadRulesFor([configMap({}), cluster]);
    expect(rules).toBeDefined();
    const found = validate([cluster], { rules: rules! });
    expect(found.map(({ code }) => code)).toEqual(['rule-failed']);
  });
});
