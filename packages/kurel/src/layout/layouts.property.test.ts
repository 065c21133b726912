import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { decodeOutput, describeWithProgram } from '../../test/render-case.ts';
import { createOriginTable } from '../engine/index.ts';
import { checkOutputPaths } from '../host/check-output-paths.ts';
import { describeObject, installPhases, withLabels } from '../kube/index.ts';
import type { Diagnostic, KubeObject, OutputFile } from '../model/index.ts';
import { writeJson } from '../yaml/index.ts';
import { layouts, orderByPhase } from './index.ts';
import type { LayoutName, OutputFormat } from './index.ts';
import {
  buildWithKustomize,
  isKustomization,
  kustomizeDirectories,
  labelsOfDirectory,
} from '../../test/layout-cases.ts';

const types = [
  'v1 ConfigMap',
  'v1 ServiceAccount',
  'apps/v1 Deployment',
  'networking.k8s.io/v1 Ingress',
  'rbac.authorization.k8s.io/v1 Role',
  'iam.example.com/v1 Role',
  'velero.io/v1 Schedule',
  'x.io/v1 Schedule',
  'x.io/v1 Kustomization',
];
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('---', '- a', '# b', 'a: b', '0644', 'yes', '1e3', '~', '<<', '=', 'a\nb', '  a\n b\n', '2024-01-01'),
);
const value = fc.oneof(text, fc.boolean(), fc.integer(), fc.constant(null));
const phase = fc.option(fc.constantFrom(...installPhases), { nil: undefined });
const name = fc.stringMatching(/^[a-z]{1,6}$/);

const object = fc
  .record({
    type: fc.constantFrom(...types),
    name,
    namespace: name,
    phase,
    note: text,
    labelled: fc.boolean(),
    value,
    list: fc.array(value),
  })
  .map(({ type, name, namespace, phase, note, labelled, value, list }): KubeObject => {
    const [apiVersion, kind] = type.split(' ') as [string, string];
    const annotations = { note, ...(phase === undefined ? {} : { 'kurel.gokure.dev/install-phase': phase }) };
    const labels = labelled ? { labels: { 'app.kubernetes.io/managed-by': 'kurel' } } : {};
    return {
      apiVersion,
      kind,
      metadata: { name, namespace, ...labels, annotations },
      spec: { value, list, [keyOf(note)]: 1 },
    };
  });

/** kustomize drops a key that is `<<`, in quotes too. */
function keyOf(note: string): string {
  return note === '<<' ? '' : note;
}

const objects = fc.uniqueArray(object, { selector: describeObject, maxLength: 30 });
const format = fc.constantFrom<OutputFormat>('yaml', 'json');

function layOut(layout: LayoutName, objects: readonly KubeObject[], format: OutputFormat): readonly OutputFile[] {
  const report = ({ message }: Diagnostic) => expect.fail(message);
  return layouts[layout]({
    objects,
    format,
    report,
    origins: createOriginTable(),
    name: 'shop',
    options: { phased: true },
  });
}

/** Texts, so that every difference counts, in an order of their own. */
function sorted(objects: readonly KubeObject[]): readonly string[] {
  return objects.map((object) => writeJson(object)).toSorted();
}

function objectsIn(files: readonly OutputFile[]): readonly KubeObject[] {
  return files
    .filter((file) => !/(?:^|\/)kustomization\.yaml$/.test(file.path))
    .flatMap(({ text }) => decodeOutput(text));
}

describe('whatever the objects', () => {
  it('the phases in their order hold what the stream holds', () => {
    fc.assert(
      fc.property(objects, format, (objects, format) => {
        const stream = decodeOutput(layOut('stream', objects, 'yaml')[0]!.text);
        expect(stream).toEqual(orderByPhase(objects));
        for (const layout of ['phases', 'flux'] as const) {
          const files = layOut(layout, objects, format);
          let from = 0;
          for (const phase of installPhases) {
            const found = objectsIn(files.filter(({ path }) => path.startsWith(`${phase}/`)));
            expect(sorted(found)).toEqual(sorted(stream.slice(from, from + found.length)));
            from += found.length;
          }
          expect(from).toBe(stream.length);
        }
      }),
    );
  });

  it('a kustomization lists exactly the files beside it', () => {
    fc.assert(
      fc.property(objects, format, (objects, format) => {
        const files = layOut('phases', objects, format);
        for (const directory of kustomizeDirectories(files)) {
          const beside = files.map(({ path }) => path).filter((path) => path.startsWith(`${directory}/`));
          const [kustomization] = decodeOutput(
            files.find(({ path }) => path === `${directory}/kustomization.yaml`)!.text,
          );
          const listed = kustomization!['resources'] as readonly string[];
          expect([...listed, 'kustomization.yaml'].toSorted()).toEqual(
            beside.map((path) => path.slice(directory.length + 1)).toSorted(),
          );
          expect(listed).toEqual(listed.toSorted());
        }
      }),
    );
  });

  it.each<LayoutName>(['by-kind', 'by-resource', 'flat'])('%s holds all of them', (layout) => {
    const distinct = fc.uniqueArray(object, {
      selector: ({ kind, metadata }) => `${kind} ${(metadata as { name: string }).name}`,
    });
    fc.assert(
      fc.property(distinct, format, (objects, format) => {
        expect(sorted(objectsIn(layOut(layout, objects, format)))).toEqual(sorted(objects));
      }),
    );
  });
});

describeWithProgram('kustomize', 'kustomize', (kustomize) => {
  it.each<OutputFormat>(['yaml', 'json'])('builds what the stream holds from %s', { tags: 'slow' }, (format) => {
    const many = fc.uniqueArray(object, { selector: describeObject, minLength: 200, maxLength: 300 });
    const [objects = []] = fc.sample(many, { numRuns: 1, seed: 6 });
    const files = layOut('phases', objects, format);
    const built = buildWithKustomize(kustomize, files);
    for (const [directory, found] of built) {
      const given = objectsIn(files.filter(({ path }) => path.startsWith(`${directory}/`)));
      const labels = labelsOfDirectory(directory, files);
      const wanted = given.map((object) => withLabels(object, labels));
      expect(found.toSorted(compare)).toEqual(wanted.toSorted(compare));
    }
    expect([...built.values()].flat()).toHaveLength(objects.length);
  });
});

function compare(a: KubeObject, b: KubeObject): number {
  return describeObject(a) < describeObject(b) ? -1 : 1;
}

describe('whatever the names', () => {
  const odd = fc.oneof(
    fc.string({ unit: anyCharacter, minLength: 1 }),
    fc.constantFrom(
      '.',
      '..',
      '../..',
      '/etc/passwd',
      'a/b',
      'a\\b',
      '.git',
      'a.',
      'a ',
      'a\0',
      '%2E',
      'ä',
      '😀',
      '\uD83D',
    ),
    fc.constantFrom('con', 'CON', 'nul.txt', 'Com1', 'lpt9.', 'aux', 'kustomization', 'Kustomization', 'a'.repeat(300)),
  );
  const strange = fc
    .record({ kind: odd, name: odd, namespace: fc.option(odd, { nil: undefined }), phase })
    .map(({ kind, name, namespace, phase }): KubeObject => {
      const annotations = phase === undefined ? {} : { annotations: { 'kurel.gokure.dev/install-phase': phase } };
      return {
        apiVersion: 'v1',
        kind,
        metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...annotations },
      };
    });

  it.each<LayoutName>(['flat', 'by-kind', 'by-resource', 'phases', 'flux', 'argocd'])(
    '%s writes files that every disk takes',
    (layout) => {
      fc.assert(
        fc.property(fc.array(strange), format, fc.boolean(), (objects, format, index) => {
          const report = () => {};
          const input = { objects, format, report, origins: createOriginTable(), name: 'shop', options: { index } };
          const files = layouts[layout](input);
          expect(checkOutputPaths(files)).toEqual([]);
          expect(files.filter(({ path }) => /(?:^|\/)kustomization\.yaml$/i.test(path)).every(isOurs)).toBe(true);
        }),
      );
    },
  );
});

/** Nobody's object is in a file that kustomize takes for a kustomization. */
function isOurs(file: OutputFile): boolean {
  return isKustomization(file) || file.text.includes('apiVersion: kustomize.toolkit.fluxcd.io/v1');
}
