import { describe, expect, it } from 'vitest';
import { createBudget, createMemory } from '../src/budget/index.ts';
import { build } from '../src/index.ts';
import type { BuildResult } from '../src/index.ts';
import { isJsonArray, isJsonObject } from '../src/model/index.ts';
import type { Json, Path } from '../src/model/index.ts';
import { builtIn } from '../src/forms/application/catalog/catalog.ts';
import type { Field, Fields } from '../src/documents/field.ts';
import { locateInYaml, readYaml } from '../src/yaml/index.ts';
import { applicationCases, requestOfCase } from './application-case.ts';
import { expectCaseFile } from './check-case.ts';
import type { GoldenCase } from './golden-case.ts';
import { decodeOutput } from './render-case.ts';
import { formatPrinted } from './format-printed.ts';

const results = new Map<string, BuildResult>();
/** Shared by all cases, as by the builds of a workspace. */
const memory = createMemory();

describe('an application', () => {
  it.each(applicationCases.map(({ name, files }) => [name, files] as const))('%s', async (name, files) => {
    const result = await build(requestOfCase(files));
    results.set(name, result);
    const messages = formatPrinted(result.diagnostics, {
      sources: result.sources,
      locate: locateInYaml,
      color: false,
    });
    const text = result.ok ? result.files[0]!.text : undefined;
    expectCaseFile(files, 'expected.txt', messages === '' ? undefined : messages);
    expectCaseFile(files, 'expected.yaml', text);
    for (const which of ['first', 'second']) {
      const again = await build({ ...requestOfCase(files), budget: createBudget({}, memory) });
      const { files: texts, objects, diagnostics, accepted, sources } = again;
      expect({ texts, objects, diagnostics, accepted, sources }, `the ${which} build in a workspace`).toEqual({
        texts: result.files,
        objects: result.objects,
        diagnostics: result.diagnostics,
        accepted: result.accepted,
        sources: result.sources,
      });
    }
    if (text === undefined) return;
    expect(decodeOutput(text), 'what is written is what was made').toEqual(result.objects);
  });
});

describe('every property of every handler', () => {
  const all = [
    ...builtIn.components.map((handler) => ({ handler, folder: 'catalog/components' })),
    ...builtIn.traits.map((handler) => ({ handler, folder: 'catalog/traits' })),
    ...builtIn.policies.map((handler) => ({ handler, folder: 'catalog/policies' })),
  ];

  it.each(all.map(({ handler, folder }) => ({ type: handler.type, handler, folder })))(
    '$type is in a case that passes and in one that fails',
    ({ handler, folder }) => {
      const own = applicationCases.filter(({ name }) => name.startsWith(`${folder}/cases/${handler.type}/`));
      const used = new Set<string>();
      const refused = new Set<string>();
      for (const { name, files } of own) {
        const result = results.get(name);
        if (result === undefined) throw new Error(`${name} was not built: run all cases`);
        if (result.ok) for (const path of usedIn(files, handler)) used.add(path);
        else for (const path of refusedIn(result)) refused.add(path);
      }
      const wanted = listProperties(handler.properties, []);
      const lacking = wanted.filter(({ path }) => !used.has(path)).map(({ path }) => `no passing case has ${path}`);
      const unrefused = wanted
        .filter(({ path, field }) => field.type !== 'any' && !refused.has(path))
        .map(({ path }) => `no failing case refuses ${path}`);
      expect([...lacking, ...unrefused]).toEqual([]);
    },
  );
});

interface Property {
  readonly path: string;
  readonly field: Field;
}

/** `rules[].host`: every property down to what Kubernetes describes. */
function listProperties(fields: Fields, above: readonly string[]): readonly Property[] {
  return Object.entries(fields).flatMap(([key, field]) => listField(field, [...above, key]));
}

function listField(field: Field, path: readonly string[]): readonly Property[] {
  const own = { path: path.join('.'), field };
  if (field.kubernetes !== undefined) return [own];
  const item =
    field.items === undefined ? [] : listField(field.items, [...path.slice(0, -1), `${path.at(-1)}[]`]).slice(1);
  return [own, ...item, ...listProperties(field.properties ?? {}, path)];
}

/** Properties that the author or the platform gives to handlers of the type. */
function usedIn(files: GoldenCase, { type }: { readonly type: string }): readonly string[] {
  const found: string[] = [];
  const application = readYaml({ path: 'app.yaml', text: files.read('app.yaml') }).documents[0]!.data!;
  const spec = (isJsonObject(application) && application['spec']) as { components: Json[]; policies?: Json[] };
  for (const entry of [...spec.components, ...(spec.policies ?? [])]) {
    if (!isJsonObject(entry)) continue;
    const parts = [entry, ...((entry['traits'] ?? []) as readonly Json[])];
    for (const part of parts) if (isJsonObject(part) && part['type'] === type) walk(part['properties'] ?? {}, '');
  }
  if (files.has('cluster.yaml')) {
    const profile = readYaml({ path: 'cluster.yaml', text: files.read('cluster.yaml') }).documents[0]!.data;
    const capabilities =
      (profile as { spec?: { capabilities?: Record<string, { rendering?: Json }> } }).spec?.capabilities ?? {};
    for (const [key, { rendering = {} }] of Object.entries(capabilities))
      if (key.split('.')[0] === type) walk(rendering, '');
  }
  return found;

  function walk(value: Json, path: string): void {
    if (path !== '') found.push(path);
    if (isJsonArray(value)) for (const item of value) walk(item, `${path}[]`);
    else if (isJsonObject(value))
      for (const [key, inner] of Object.entries(value)) walk(inner, path === '' ? key : `${path}.${key}`);
  }
}

/** Properties that something was found wrong with, and those around them. */
function refusedIn({ diagnostics }: BuildResult): readonly string[] {
  return diagnostics.flatMap(({ location, message }) => {
    const path = location?.path ?? [];
    const start = Math.max(path.lastIndexOf('properties'), path.lastIndexOf('rendering'));
    if (start === -1) return [];
    const inner = path.slice(start + 1);
    // What is missing is found wrong where it is missing from.
    const missing = /^required field "([^"]+)" is missing in /.exec(message)?.[1];
    return [inner, ...(missing === undefined ? [] : [[...inner, missing]])].flatMap(namesAlong);
  });
}

function namesAlong(path: Path): readonly string[] {
  let name = '';
  return path.map((step) => (name = typeof step === 'number' ? `${name}[]` : name === '' ? step : `${name}.${step}`));
}

describe('cases', () => {
  it('belong to a handler that exists', () => {
    const types = new Set([...builtIn.components, ...builtIn.traits, ...builtIn.policies].map(({ type }) => type));
    const names = applicationCases.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('catalog/') && !types.has(name.split('/')[3]!))).toEqual([]);
  });
});
