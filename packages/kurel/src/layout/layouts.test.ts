import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../test/check-case.ts';
import { listCases, openCase } from '../../test/golden-case.ts';
import { decodeOutput, describeWithProgram } from '../../test/render-case.ts';
import { bundledSchemas } from '../host/index.ts';
import { identityOf, namespaceOf, withLabels } from '../kube/index.ts';
import type { Diagnostic, KubeObject, OutputFile } from '../model/index.ts';
import { createSchemaStore } from '../schema/index.ts';
import { loadRulesFor, validateObjects } from '../validate/index.ts';
import { addSyncWaves, layouts } from './index.ts';
import type { LayoutInput, LayoutName, LayoutOptions, OutputFormat } from './index.ts';
import {
  buildWithKustomize,
  isKustomization,
  kustomizeDirectories,
  labelsOfDirectory,
  openObjects,
} from '../../test/layout-cases.ts';
import { phasesInTree } from './phases.ts';

const cases = join(import.meta.dirname, 'cases');
const names = listCases(cases);

interface LayoutCase {
  readonly input: string;
  readonly layout: LayoutName;
  readonly format?: OutputFormat;
  readonly name?: string;
  readonly options?: LayoutOptions;
}

interface LaidOut extends LayoutInput {
  readonly layout: LayoutName;
  readonly files: readonly OutputFile[];
}

/** Nothing in the cases is to be complained about. */
function layOutCase(name: string): LaidOut {
  const one = openCase(join(cases, name));
  const settings: LayoutCase = JSON.parse(one.read('case.json'));
  const { input: file, layout, format = 'yaml', ...more } = settings;
  const opened = openObjects({
    path: file,
    text: one.has(file) ? one.read(file) : readFileSync(join(cases, file), 'utf8'),
  });
  const report = ({ message }: Diagnostic) => expect.fail(message);
  const input: LayoutInput = { ...opened, format, report, ...more };
  return { ...input, layout, files: layouts[layout](input) };
}

function sorted(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.toSorted((a, b) => (identityOf(a) < identityOf(b) ? -1 : 1));
}

describe('a layout', () => {
  it.each(names)('%s', (name) => {
    const texts = layOutCase(name).files.map(({ path, text }) => `===== ${path}\n${text}`);
    expectCaseFile(openCase(join(cases, name)), 'expected.txt', texts.join(''));
  });
});

describeWithProgram('kustomize', 'kustomize', (kustomize) => {
  it.each(names.filter((name) => layOutCase(name).files.some(isKustomization)))(
    'builds %s',
    { tags: 'slow' },
    (name) => {
      const { objects, origins, files, layout } = layOutCase(name);
      const built = buildWithKustomize(kustomize, files);
      expect([...built.keys()]).toEqual(kustomizeDirectories(files));
      const given = layout === 'argocd' ? addSyncWaves(objects, origins) : objects;
      const phases = phasesInTree({ objects: given }).map((phase) => {
        const labels = labelsOfDirectory(phase.name, files);
        return { name: phase.name, objects: phase.objects.map((object) => withLabels(object, labels)) };
      });
      for (const phase of phases) expect(sorted(built.get(phase.name)!)).toEqual(sorted(phase.objects));
      const root = built.get('');
      expect(root === undefined).toBe(layout !== 'argocd');
      if (root !== undefined) expect(sorted(root)).toEqual(sorted(phases.flatMap((phase) => phase.objects)));
      const flux = built.get('kustomizations');
      expect(flux === undefined).toBe(layout !== 'flux');
      if (flux !== undefined) expect(sorted(flux)).toEqual(sorted(fluxObjectsIn(files)));
    },
  );
});

function fluxObjectsIn(files: readonly OutputFile[]): readonly KubeObject[] {
  return files.filter(({ path }) => /^kustomizations\/.*\//.test(path)).flatMap(({ text }) => decodeOutput(text));
}

describe('the Flux objects', () => {
  const store = createSchemaStore({ files: bundledSchemas() });

  it.each(names.filter((name) => layOutCase(name).layout === 'flux'))('of %s are what Flux takes', async (name) => {
    const { objects, files } = layOutCase(name);
    const flux = fluxObjectsIn(files);
    expect(flux).toHaveLength(phasesInTree({ objects }).length);
    const found: Diagnostic[] = [];
    const report = (diagnostic: Diagnostic) => void found.push(diagnostic);
    const rules = await loadRulesFor(flux);
    validateObjects([...flux, ...namespacesOf(flux)], { store, report, rules });
    expect(found).toEqual([]);
  });
});

function namespacesOf(objects: readonly KubeObject[]): readonly KubeObject[] {
  const used = new Set(objects.map(namespaceOf));
  return Array.from(used, (name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
}
