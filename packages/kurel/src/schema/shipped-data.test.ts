import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../host/index.ts';
import { scopeOf } from '../kube/index.ts';
import type { JsonObject, KubeObject } from '../model/index.ts';
import { readYaml } from '../yaml/index.ts';
import { createSchemaStore, shippedKubernetesVersions } from './index.ts';
import type { SchemaNode, SchemaStore } from './index.ts';

const files = bundledSchemas();
const directory = join(import.meta.dirname, '../../schemas');
const stores = shippedKubernetesVersions(files).map((kubernetesVersion) =>
  createSchemaStore({ files, kubernetesVersion }),
);
stores.push(createSchemaStore({ files, gatewayChannel: 'standard' }));

describe('the shipped data', () => {
  it.each(stores)('of Kubernetes $kubernetesVersion resolves to the last field', (store) => {
    const seen = new Set<SchemaNode>();
    for (const gvk of store.kinds()) {
      const { schema } = store.find(gvk)!;
      expect(schema.type).toBe('object');
      expect(schema.property('metadata')?.property('labels')?.values?.type).toBe('string');
      visit(schema, seen);
    }
    expect(seen.size).toBeGreaterThan(2500);
  });

  it.each(stores)('of Kubernetes $kubernetesVersion has the scopes of the table', (store) => {
    const wrong = store.kinds().filter((gvk) => scopeOf(gvk) !== store.find(gvk)!.scope);
    expect(wrong).toEqual([]);
  });

  it('has enums, quantities and rules', () => {
    const all = new Set<SchemaNode>();
    for (const gvk of stores[0]!.kinds()) visit(stores[0]!.find(gvk)!.schema, all);
    const count = (test: (node: SchemaNode) => boolean): number => [...all].filter(test).length;
    expect(count((node) => node.nullIsAbsent === true && node.enum !== undefined)).toBeGreaterThan(70);
    expect(count((node) => node.type === 'quantity')).toBeGreaterThan(0);
    expect(count((node) => node.rules !== undefined)).toBeGreaterThan(50);
  });

  it('points from descriptions only to descriptions', () => {
    const names = readdirSync(directory).filter((name) => name.endsWith('.words.jsonl.br'));
    expect(names.length).toBeGreaterThan(9);
    for (const name of names) {
      const lines = files.read(name.slice(0, -'.br'.length)).trimEnd().split('\n');
      for (const line of lines) {
        const words: string | JsonObject = JSON.parse(line);
        if (typeof words === 'string') continue;
        const { p = {}, i = 0, v = 0 } = words;
        const next = [...Object.values(p as JsonObject), i, v];
        expect(next.filter((number) => typeof number !== 'number' || number < 0 || number >= lines.length)).toEqual([]);
      }
    }
  });

  it('lists its sources and their licences', () => {
    const { kubernetes, projects }: { kubernetes: JsonObject; projects: JsonObject[] } = JSON.parse(
      files.read('manifest.json'),
    );
    for (const source of [kubernetes, ...projects])
      expect(source).toMatchObject({ licence: expect.stringMatching(/\S/) });
    const stems = [kubernetes, ...projects].map(({ file }) => file);
    const shipped = readdirSync(directory).map((name) => name.split('.')[0]!);
    expect(new Set(shipped)).toEqual(new Set([...stems, 'manifest', 'NOTICE']));
  });
});

// MetalLB's own definitions are not part of the project; they may be in a directory next to it.
const metallb = join(import.meta.dirname, '../../../../../shared/data/crds/metallb');

describe.skipIf(!existsSync(metallb))('the schemas of MetalLB', () => {
  const definitions = existsSync(metallb) ? readDefinitions() : [];
  const ours = stores[0]!.kinds().filter(({ group }) => group === 'metallb.io');
  const theirs: SchemaStore = stores[0]!.with(definitions, () => 'MetalLB itself');

  it.each(ours)('agree about $version $kind', (gvk) => {
    expect(theirs.find(gvk)?.source).toBe('MetalLB itself');
    expect(listFacts(stores[0]!.find(gvk)!.schema)).toEqual(listFacts(theirs.find(gvk)!.schema));
    expect(stores[0]!.find(gvk)!.deprecation).toEqual(theirs.find(gvk)!.deprecation);
  });

  function readDefinitions(): readonly KubeObject[] {
    return readdirSync(metallb).flatMap((name) => {
      const { documents } = readYaml({ path: name, text: readFileSync(join(metallb, name), 'utf8') });
      return documents.flatMap(({ data }) => (data === undefined ? [] : [data as KubeObject]));
    });
  }
});
if (!existsSync(metallb))
  console.warn('SKIPPED: MetalLB definitions are not next to the project, its schemas are not compared');

/** Every fact by path, without our own descriptions and messages. */
function listFacts(root: SchemaNode): readonly string[] {
  const facts: string[] = [];
  const add = (node: SchemaNode | undefined, path: string): void => {
    if (node === undefined) return;
    const { propertyNames, rules, ...rest } = node;
    const parsed = Object.entries(rest).filter(([, value]) => value !== undefined && value !== false);
    const deprecated = node.deprecated !== undefined;
    facts.push(`${path} ${JSON.stringify([parsed, rules?.map(({ rule }) => rule), deprecated])}`);
    for (const name of [...propertyNames].toSorted())
      if (name !== 'metadata') add(node.property(name), `${path}.${name}`);
    add(node.items, `${path}[]`);
    add(node.values, `${path}{}`);
  };
  add(root, '');
  return facts;
}

function visit(node: SchemaNode | undefined, seen: Set<SchemaNode>): void {
  if (node === undefined || seen.has(node)) return;
  seen.add(node);
  const { allOf = [], anyOf = [], oneOf = [], not } = node.logic ?? {};
  for (const name of node.propertyNames) {
    const child = node.property(name);
    if (child === undefined) throw new Error(`${name} does not exist`);
    visit(child, seen);
  }
  if (node.type === 'list' && node.items === undefined) throw new Error('a list without items');
  for (const child of [node.items, node.values, not, ...allOf, ...anyOf, ...oneOf]) visit(child, seen);
}
