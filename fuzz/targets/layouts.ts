import { createOriginTable } from '../../packages/kurel/src/engine/index.ts';
import { checkOutputPaths } from '../../packages/kurel/src/host/check-output-paths.ts';
import { decodeObjects } from '../../packages/kurel/src/kube/index.ts';
import { layouts, type LayoutName } from '../../packages/kurel/src/layout/index.ts';
import {
  isJsonArray,
  type Diagnostic,
  type Json,
  type KubeObject,
  type OutputFile,
} from '../../packages/kurel/src/model/index.ts';
import { readYaml, writeJson } from '../../packages/kurel/src/yaml/index.ts';
import { readTexts } from '../read-repository.ts';
import { check, type Target } from '../target.ts';
import { isHalfPair, yamlTokens } from './yaml.ts';

const names = Object.keys(layouts) as readonly LayoutName[];

/** Layouts that write nothing but the objects, and all of them. */
const plain: ReadonlySet<LayoutName> = new Set(['stream', 'flat', 'by-kind', 'by-resource']);

export const layoutTarget: Target = {
  name: 'layouts',
  promise:
    'every layout writes files that contain the objects, with paths that stay in the directory and are unique on every file system',
  seeds: () => [
    ...readTexts(['layout/cases', 'validate/cases', 'kube/cases'], { ending: /\.ya?ml$/, longest: 2000 }),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ../../x, namespace: CON}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: "..\\\\..\\\\X"}\n',
    'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A/B, metadata: {name: kustomization}}\n- {apiVersion: v1, kind: a, metadata: {generateName: x-}}\n',
  ],
  tokens: [
    ...yamlTokens.slice(0, 16),
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n---\n',
    'metadata: {name: a, namespace: b}\n',
    'kind: ',
    'name: ',
    'namespace: ',
    'generateName: ',
    'kurel.gokure.dev/install-phase: ',
    'annotations: {kurel.gokure.dev/install-phase: pre-install}\n',
    '..',
    '../',
    '/',
    '\\',
    'con',
    'NUL',
    'com1.txt',
    'kustomization',
    'K',
    '\u212a',
    '\u0130',
    'e\u0301',
    '\u00e9',
    'a.',
    '%2e',
    '.hidden',
    '\ud83d\ude00',
    'apps/v1',
    'Namespace',
    'CustomResourceDefinition',
    'kustomize.toolkit.fluxcd.io/v1',
    'Kustomization',
  ],
  batch: 64,
  short: 900,
  run(text) {
    const { documents, diagnostics } = readYaml({ path: 'a.yaml', text });
    if (diagnostics.length > 0) return;
    const decoded = decodeObjects(documents, { file: 'a.yaml', report: () => {} });
    const objects = decoded.map(({ object }) => object);
    // Half a surrogate pair has its own error.
    try {
      for (const object of objects) writeJson(object);
    } catch (error) {
      if (isHalfPair(error)) return;
      throw error;
    }
    for (const layout of names) layOut(layout, objects);
  },
};

function layOut(layout: LayoutName, objects: readonly KubeObject[]): void {
  for (const index of [false, true]) {
    const found: Diagnostic[] = [];
    const files = layouts[layout]({
      objects,
      origins: createOriginTable(),
      format: index ? 'json' : 'yaml',
      report: (diagnostic) => void found.push(diagnostic),
      name: 'shop',
      options: { index, phased: index, syncWaves: false },
    });
    const [fault] = layout === 'stream' ? [] : checkOutputPaths(files);
    check(fault === undefined, `the paths of ${layout} can be written: ${fault?.code}`);
    if (found.some(({ severity }) => severity === 'error')) continue;
    const [before, after] = [sorted(objects), sorted(objectsIn(files))];
    if (plain.has(layout))
      check(before.join('\n') === after.join('\n'), `${layout} holds the objects, and nothing else`);
    else check(after.length >= before.length, `${layout} holds all objects`);
  }
}

function objectsIn(files: readonly OutputFile[]): readonly KubeObject[] {
  return files.flatMap(({ path, text }) => {
    const { documents, diagnostics } = readYaml({ path, text });
    check(diagnostics.length === 0, 'what a layout writes can be read');
    // Several objects in one text of JSON are an array or a List.
    const all: Json[] = [];
    for (const { data } of documents) {
      if (isJsonArray(data)) all.push(...data);
      else if (data !== undefined) all.push(data);
    }
    const options = { file: path, report: () => {} };
    return decodeObjects(
      all.map((data, index) => ({ data, index })),
      options,
    ).map(({ object }) => object);
  });
}

function sorted(objects: readonly KubeObject[]): readonly string[] {
  return objects.map((object) => writeJson(object, 0)).toSorted();
}
