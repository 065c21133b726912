import { join } from 'node:path';

import { createRenderContext } from '../../packages/kurel/src/engine/index.ts';
import { diagnosticsOf, readValues } from '../../packages/kurel/src/index.ts';
import { renderApplicationSource } from '../../packages/kurel/src/forms/application/load-and-render.ts';
import type { ApplicationRendering, ParameterLayer } from '../../packages/kurel/src/index.ts';
import type { Json, Path } from '../../packages/kurel/src/model/index.ts';
import { fileSystemOf } from '../../packages/kurel/test/case-file-system.ts';
import { listCases, openCase } from '../../packages/kurel/test/golden-case.ts';
import type { GoldenCase } from '../../packages/kurel/test/golden-case.ts';

export type Folder = 'components' | 'traits' | 'policies';

const folders: readonly Folder[] = ['components', 'traits', 'policies'];
const inputs = ['kurel.yaml', 'app.yaml', 'values.yaml', 'cluster.yaml', 'policy.yaml'];

/** What the golden cases of all handlers show. */
export interface GoldenCases {
  /** Files of the case `minimal` by name, in the order in which people read them; none when there is no such case. */
  exampleOf(folder: Folder, type: string): readonly (readonly [name: string, text: string])[];
  /** What handlers of a type make in any of the cases that build: `apps/v1 Deployment`. */
  kindsOf(folder: Folder, type: string): readonly string[];
}

/** Reads the cases below `catalog` and builds those that can be built. */
export async function readGoldenCases(catalog: string): Promise<GoldenCases> {
  const kinds = new Map<string, Set<string>>();
  for (const folder of folders) {
    const cases = join(catalog, folder, 'cases');
    for (const type of listCases(cases)) {
      for (const name of listCases(join(cases, type))) await collectKinds(openCase(join(cases, type, name)), kinds);
    }
  }
  return {
    exampleOf(folder, type) {
      const cases = join(catalog, folder, 'cases', type);
      const minimal = listCases(cases).includes('minimal') ? openCase(join(cases, 'minimal')) : undefined;
      if (minimal?.has('expected.yaml') !== true) return [];
      const files = [...inputs, 'expected.yaml'].filter((file) => minimal.has(file));
      return files.map((file) => [file, minimal.read(file)]);
    },
    kindsOf: (folder, type) => [...(kinds.get(`${folder}/${type}`) ?? [])].toSorted(),
  };
}

async function collectKinds(one: GoldenCase, kinds: Map<string, Set<string>>): Promise<void> {
  if (!one.has('expected.yaml')) return;
  const at = (file: string): string | undefined => (one.has(file) ? file : undefined);
  const found: ApplicationRendering[] = [];
  const source = {
    fileSystem: fileSystemOf(one),
    path: '.',
    profile: at('cluster.yaml') ?? (false as const),
    policy: at('policy.yaml'),
    layers: layersOf(one),
  };
  try {
    found.push(await renderApplicationSource(source, {}, createRenderContext()));
  } catch (error) {
    // A case that needs more than its files: others show what the handler makes.
    if (diagnosticsOf(error) === undefined) throw error;
  }
  for (const { object, handler, path, data } of found.flatMap(partsOf)) {
    const isTrait = path.length > 3;
    const type = textAt(data, [...path, 'type']);
    // Network policies are of no component alone.
    if (!isTrait && type !== handler) continue;
    const key = `${isTrait ? 'traits' : 'components'}/${type}`;
    kinds.set(key, (kinds.get(key) ?? new Set()).add(`${object.apiVersion} ${object.kind}`));
  }
}

function partsOf({ made, input }: ApplicationRendering) {
  return made.map(({ object, type: handler, path }) => ({ object, handler, path, data: input.application.data }));
}

function layersOf(one: GoldenCase): readonly ParameterLayer[] {
  if (!one.has('values.yaml')) return [];
  const source = { path: 'values.yaml', text: one.read('values.yaml') };
  return [{ kind: 'values', source, data: readValues(source, () => {}) ?? {} }];
}

function textAt(data: Json, path: Path): string {
  let value: Json | undefined = data;
  for (const step of path) value = (value as Readonly<Record<string | number, Json>>)[step];
  return typeof value === 'string' ? value : '';
}
