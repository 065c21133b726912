import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameOf, namespaceOf } from '../../kube/index.ts';
import type { Json, JsonObject, KubeObject, SourceFile, Values } from '../../model/index.ts';
import { readYaml, writeJson } from '../../yaml/index.ts';
import type { PatchOptions, PatchResult, Variables } from '../patch.ts';
import { type PatchTexts, runPatches } from '../../../test/patch/patch-cases.ts';

/** By `kind.name` or `namespace/kind.name` of an object: values by path, such as `spec.ports[0]["a.b"]`. */
type Edits = Readonly<Record<string, Readonly<Record<string, Json>>>>;

interface PinningCase {
  /** Number of the case in the specification of the format. */
  readonly number?: number;
  readonly title: string;
  /** Files in `cases/manifests`. */
  readonly base?: readonly string[];
  /** Manifests of this case only. */
  readonly manifests?: string;
  readonly kpatch?: string;
  readonly yaml?: string;
  /** Strategic patches by target; a list if one object has several. */
  readonly strategic?: JsonObject | readonly JsonObject[];
  /** Several patch files by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly values?: Values;
  readonly features?: Readonly<Record<string, boolean>>;
  readonly scope?: Variables['scope'];
  readonly options?: Partial<PatchOptions>;
  /** All differences between the objects before and after. */
  readonly changed?: Edits;
  readonly inserted?: Edits;
  readonly removed?: Readonly<Record<string, readonly string[]>>;
  readonly gone?: readonly string[];
  /** Codes of all findings, in order. */
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
  readonly notes?: readonly string[];
  /** Words in the message or hint of the first finding. */
  readonly says?: readonly string[];
  readonly conflicts?: readonly ExpectedConflict[];
  /** The manifests afterwards. */
  readonly text?: string;
}

interface ExpectedConflict {
  readonly patches: readonly [number, number];
  readonly path: string;
  readonly values?: readonly [Json, Json];
}

const KEYS = new Set(
  `number title base manifests kpatch yaml strategic files values features scope options changed inserted removed gone
   errors warnings notes says conflicts text`.split(/\s+/),
);

const directory = join(import.meta.dirname, 'cases');
const tables = readdirSync(directory).filter((name) => name.endsWith('.yaml'));
const all = tables.flatMap((name) => readCases(name));

describe('the cases', () => {
  it('include every case of the specification', () => {
    const numbers = new Set(all.map(({ number }) => number).filter((number) => number !== undefined));
    expect([...numbers].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 152 }, (_, index) => index + 1));
  });

  it('use only known keys', () => {
    const unknown = all.flatMap((one) => Object.keys(one).filter((key) => !KEYS.has(key)));
    expect(unknown).toEqual([]);
  });
});

describe.each(tables)('%s', (table) => {
  it.each(readCases(table).map((one) => [label(one), one] as const))('%s', (_, one) => {
    const texts = textsOf(one);
    const run = runPatches(texts);
    const codes = (severity: string) =>
      run.diagnostics.filter((diagnostic) => diagnostic.severity === severity).map(({ code }) => code);
    expect({ errors: codes('error'), warnings: codes('warning'), notes: codes('note') }).toEqual({
      errors: one.errors ?? [],
      warnings: one.warnings ?? [],
      notes: one.notes ?? [],
    });
    for (const word of one.says ?? []) {
      expect(`${run.diagnostics[0]!.message} ${run.diagnostics[0]!.hint}`).toContain(word);
    }
    expect(run.result.objects).toStrictEqual(expectedObjects(run.before, one));
    const gone = run.result.changes.filter(({ operation }) => operation === 'enabled').map(({ before }) => before);
    expect(gone).toEqual((one.gone ?? []).map((key) => findObject(run.before, key)));
    expect(conflictsOf(run.result)).toMatchObject(one.conflicts ?? []);
    const changesNothing = [one.changed, one.inserted, one.removed, one.gone].every((edits) => edits === undefined);
    const wanted = one.text === undefined ? texts.manifests : [{ path: 'manifests.yaml', text: one.text }];
    if (one.text !== undefined || changesNothing) expect(run.texts).toEqual(wanted);
    // Partial results would be worse than none.
    if (one.errors !== undefined)
      expect(run.result.objects.every((object, at) => object === run.before[at])).toBe(true);

    const again = runPatches(texts);
    expect(dataIn(again.result)).toEqual(dataIn(run.result));
    expect(again.diagnostics).toEqual(run.diagnostics);
  });
});

function readCases(name: string): readonly PinningCase[] {
  const { documents, diagnostics } = readYaml({ path: name, text: readFileSync(join(directory, name), 'utf8') });
  expect(diagnostics).toEqual([]);
  return documents[0]!.data as unknown as readonly PinningCase[];
}

function label({ number, title }: PinningCase): string {
  return number === undefined ? title : `${number}: ${title}`;
}

function textsOf(one: PinningCase): PatchTexts {
  const { base = [], manifests, values = {}, features, scope = 'alone', conflicts, options } = one;
  const files = base.map((name) => ({
    path: `${name}.yaml`,
    text: readFileSync(join(directory, 'manifests', `${name}.yaml`), 'utf8'),
  }));
  const variables = { scope, values, ...(features === undefined ? {} : { features }) };
  return {
    manifests: manifests === undefined ? files : [...files, { path: 'manifests.yaml', text: manifests }],
    patches: patchesOf(one),
    options: { variables, ...(conflicts === undefined ? {} : { conflicts: true }), ...options },
  };
}

function patchesOf({ kpatch, yaml, strategic, files = {} }: PinningCase): readonly SourceFile[] {
  const given = { ...(kpatch === undefined ? {} : { 'patch.kpatch': kpatch }), ...files };
  const patches = Object.entries(given).map(([path, text]) => ({ path, text }));
  if (yaml !== undefined) patches.push({ path: 'patch.yaml', text: yaml });
  if (strategic !== undefined) {
    const targets = [strategic].flat().flatMap((documents) => Object.entries(documents));
    const entries = targets.map(([target, patch]) => ({ target, type: 'strategic', patch }));
    patches.push({ path: 'patch.yaml', text: writeJson(entries) });
  }
  return patches;
}

/** A result without the functions of filled trees, which are new in each run. */
function dataIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dataIn);
  if (value instanceof Map) return [...value].map(dataIn);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, dataIn(inner)]));
}

type Mutable = Json[] | { [key: string]: Json };

function expectedObjects(before: readonly KubeObject[], one: PinningCase): readonly KubeObject[] {
  const gone = (one.gone ?? []).map((key) => findObject(before, key));
  const copies = new Map(before.map((object) => [object, structuredClone(object)]));
  const at = (key: string, path: string, change: (parent: Mutable, step: string | number) => void) => {
    const steps = stepsOf(path);
    const last = steps.pop()!;
    const root: Json = copies.get(findObject(before, key))!;
    change(steps.reduce<Json>((data, step) => (data as JsonObject)[step]!, root) as Mutable, last);
  };
  for (const [key, path, value] of editsOf(one.changed)) {
    at(key, path, (parent, step) => void Object.assign(parent, { [step]: value }));
  }
  for (const [key, path, value] of editsOf(one.inserted)) {
    at(key, path, (parent, step) => void (parent as Json[]).splice(step as number, 0, value));
  }
  for (const [key, paths] of Object.entries(one.removed ?? {})) {
    for (const path of paths) at(key, path, (parent, step) => void Reflect.deleteProperty(parent, step));
  }
  return before.filter((object) => !gone.includes(object)).map((object) => copies.get(object)!);
}

function editsOf(edits: Edits = {}): readonly (readonly [string, string, Json])[] {
  return Object.entries(edits).flatMap(([key, values]) =>
    Object.entries(values).map(([path, value]) => [key, path, value] as const),
  );
}

/** `a.b[0].c` → the steps. */
function stepsOf(path: string): (string | number)[] {
  return Array.from(path.matchAll(/\[(\d+)\]|([^.[]+)/g), ([, index, name]) => name ?? Number(index));
}

function findObject(objects: readonly KubeObject[], key: string): KubeObject {
  const found = objects.filter((object) => {
    const short = `${object.kind.toLowerCase()}.${nameOf(object)}`;
    return key === short || key === `${namespaceOf(object)}/${short}`;
  });
  expect(found.length, key).toBe(1);
  return found[0]!;
}

function conflictsOf({ conflicts }: PatchResult): readonly ExpectedConflict[] {
  return conflicts
    .flatMap((report) => report.conflicts)
    .map(({ patchIndexA, patchIndexB, path, valueA, valueB }) => ({
      patches: [patchIndexA, patchIndexB],
      path,
      values: [valueA!, valueB!],
    }));
}
