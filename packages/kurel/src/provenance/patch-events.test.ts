import * as fc from 'fast-check';
import { propertyRuns } from '../../../../test/property-runs.ts';
import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../host/index.ts';
import type { Json, KubeObject, Location, SourceFile } from '../model/index.ts';
import { applyPatches, readPatchFile } from '../patch/index.ts';
import { createSchemaStore } from '../schema/index.ts';
import { locateInYaml } from '../yaml/index.ts';
import type { FieldTrace } from './field-trace.ts';
import { formatField } from './format-field.ts';
import { createFindParameter } from './parameter-sources.ts';
import { eventsOfPatches } from './patch-events.ts';
import { traceFields } from './field-tree.ts';

const store = createSchemaStore({ files: bundledSchemas() });

const web: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas: 1,
    template: {
      spec: {
        containers: [
          { name: 'main', image: 'nginx:1', args: ['x', 'y'], env: [{ name: 'A', value: '1' }] },
          { name: 'side', image: 'envoy:1', ports: [{ name: 'http', containerPort: 80 }] },
        ],
      },
    },
  },
};

const values = {
  tag: '2',
  team: 'shop',
  labels: { tier: 'front', team: 'shop' },
  list: ['p', 'q'],
  side: 'side',
  items: [{ name: 'main' }, { name: 'side', image: 'e' }],
};
const merged = { ...values, labels: { tier: 'front', team: '${team}' } };
const layer = { kind: 'package', source: { path: 'parameters.yaml', text: '' }, data: merged } as const;
const findParameter = createFindParameter({ layers: [layer], merged, values });

interface Outcome {
  readonly object: KubeObject;
  readonly traces: readonly FieldTrace[];
  readonly sources: readonly SourceFile[];
}

function patch(...texts: readonly string[]): Outcome {
  return tryPatch(...texts) ?? expect.unreachable('the patches cannot be applied');
}

/** `undefined` when the patches cannot follow one another, such as one on a container that is gone. */
function tryPatch(...texts: readonly string[]): Outcome | undefined {
  const sources = texts.map((text, index) => ({ path: `${index}${text.startsWith('-') ? '.yaml' : '.kpatch'}`, text }));
  const files = sources.map((source) => readPatchFile(source, ({ message }) => expect.unreachable(message)));
  let isApplied = true;
  const { objects, changes } = applyPatches([web], files, {
    store,
    variables: { scope: 'package', values },
    report: ({ severity }) => void (isApplied &&= severity !== 'error'),
  });
  if (!isApplied) return undefined;
  const object = objects[0]!;
  const events = eventsOfPatches(changes, findParameter);
  const causesOf = () => [{ kind: 'base', words: '', isExplicit: true }] as const;
  return { object, traces: traceFields(object, { start: web, causesOf, events }), sources };
}

/** The steps of the fields whose name ends so, the text that each points to, and the parameters in it. */
function stepsOf({ object, traces, sources }: Outcome, ending: string): readonly string[] {
  const field = traces.find(({ path }) => formatField(path, object).endsWith(ending));
  return (field?.steps ?? []).map(({ kind, location, parameters }) => {
    const names = parameters.map(({ name, refersTo }) => [name, ...refersTo.map((one) => one.name)].join(' ← '));
    const place = location === undefined ? kind : wordAt(location, sources);
    return [place, ...names].join(' | ');
  });
}

function wordAt(location: Location, sources: readonly SourceFile[]): string {
  const source = sources.find(({ path }) => path === location.file)!;
  const { start, end } = locateInYaml(source, location)!;
  return source.text.slice(start, end);
}

describe('eventsOfPatches', () => {
  it.each<[name: string, text: string, field: string, steps: readonly string[]]>([
    ['a value', '[deployment.web]\nreplicas: 3', 'replicas', ['base', 'replicas']],
    [
      'a part of an image',
      '[deployment.web.containers.name=main]\nimage.tag: "${tag}"',
      'main].image',
      ['base', 'image.tag | tag'],
    ],
    ['an object in a variable', 'metadata.labels: ${labels}', 'labels.team', ['metadata.labels | labels.team ← team']],
    [
      'a list in a variable',
      '[deployment.web.containers.name=main]\nargs: ${list}',
      'args[1]',
      ['base', 'args | list[1]'],
    ],
    [
      'another name of a variable',
      '[deployment.web]\nmetadata.labels.x: ${values.tag}',
      'labels.x',
      ['metadata.labels.x'],
    ],
    [
      'an entry of a new item',
      '[deployment.web.containers[-0]]\nname: new\nimage.repository: busybox\nimage.tag: ${tag}\nresources.limits.cpu: 1',
      'new].image',
      ['image.tag | tag'],
    ],
    [
      'an item after a new one',
      '[deployment.web.containers[-0]]\nname: new\nimage: x\n\n[deployment.web.containers.name=side]\nimage.tag: "9"',
      'side].image',
      ['base', 'image.tag'],
    ],
    ['an item behind one that is gone', '[deployment.web.containers.name=main]\nargs[delete=0]:', 'args[0]', ['base']],
    [
      'a YAML map',
      '- target: deployment.web\n  patch:\n    metadata.labels: { app: web, x: "${tag}" }',
      'labels.x',
      ['"${tag}" | tag'],
    ],
    [
      'a strategic merge',
      '- target: deployment.web\n  type: strategic\n  patch:\n    spec: { template: { spec: { containers: [{ name: "${side}", image: "envoy:${tag}" }] } } }',
      'side].image',
      ['base', '"envoy:${tag}" | tag'],
    ],
    [
      'what a strategic merge finds an item by',
      '- target: deployment.web\n  type: strategic\n  patch:\n    spec: { template: { spec: { containers: [{ name: side, image: e }] } } }',
      'side].name',
      ['base'],
    ],
    [
      'items that a strategic merge moves',
      '- target: deployment.web\n  type: strategic\n  patch:\n    spec: { template: { spec: { $setElementOrder/containers: [{ name: side }, { name: main }], containers: [{ name: side, tty: true }] } } }',
      'main].image',
      ['base'],
    ],
    [
      'a key with a variable',
      '- target: deployment.web\n  type: merge\n  patch:\n    metadata: { labels: { "${team}": yes-please } }',
      'labels.shop',
      ['yes-please | team'],
    ],
    [
      'a list that a merge replaces',
      '- target: deployment.web\n  type: merge\n  patch:\n    spec: { template: { spec: { containers: [{ name: other, image: "x:${tag}" }] } } }',
      'other].image',
      ['"x:${tag}" | tag'],
    ],
    [
      'an operation on a field',
      '- target: deployment.web\n  type: json\n  patch:\n    - { op: replace, path: /spec/replicas, value: 7 }\n    - { op: add, path: /metadata/labels/x, value: y }',
      'replicas',
      ['base', '7'],
    ],
    [
      'an operation on an object',
      '- target: deployment.web\n  type: json\n  patch:\n    - { op: add, path: /spec/strategy, value: { type: "${team}" } }',
      'strategy.type',
      ['"${team}" | team'],
    ],
    [
      'an operation without a value',
      '- target: deployment.web\n  type: json\n  patch:\n    - { op: copy, from: /metadata/name, path: /metadata/labels/x }',
      'labels.x',
      ['{ op: copy, from: /metadata/name, path: /metadata/labels/x }'],
    ],
    [
      'an item behind one that an operation adds',
      '- target: deployment.web\n  type: json\n  patch:\n    - { op: add, path: /spec/template/spec/containers/0, value: { name: new } }',
      'side].image',
      ['base'],
    ],
    [
      'a name that repeats inside the value',
      '- target: deployment.web\n  patch:\n    spec.strategy: { type: a, strategy: { type: b } }',
      'spec.strategy.type',
      ['a'],
    ],
    [
      'a variable in a key of a value',
      '- target: deployment.web\n  patch:\n    spec.strategy: { "${team}": { type: "${tag}" } }',
      'strategy.shop.type',
      ['"${tag}" | team | tag'],
    ],
    [
      'a variable in a JSON Pointer',
      '- target: deployment.web\n  type: json\n  patch:\n    - { op: add, path: "/metadata/labels/${team}", value: "${tag}" }',
      'labels.shop',
      ['"${tag}" | team | tag'],
    ],
    [
      'an item that a later operation moves',
      '- target: deployment.web\n  type: json\n  patch:\n    - { op: replace, path: /spec/template/spec/containers/1/image, value: e:2 }\n    - { op: remove, path: /spec/template/spec/containers/0 }',
      'side].image',
      ['base', 'e:2'],
    ],
    [
      'an item that an operation moves in its list',
      '- target: deployment.web\n  type: json\n  patch:\n    - { op: move, from: /spec/template/spec/containers/0, path: /spec/template/spec/containers/1 }\n    - { op: replace, path: /spec/template/spec/containers/1/image, value: n:2 }',
      'main].image',
      ['base', 'n:2'],
    ],
    [
      'a field that an operation moves away',
      '- target: deployment.web\n  type: json\n  patch:\n    - { op: move, from: /metadata/labels/app, path: /metadata/labels/x }',
      'labels.app',
      ['base', '{ op: move, from: /metadata/labels/app, path: /metadata/labels/x }'],
    ],
    [
      'an item that another operation only appends to',
      '- target: deployment.web\n  type: json\n  patch:\n    - { op: add, path: /spec/template/spec/containers/-, value: { name: new } }',
      'side].name',
      ['base'],
    ],
    [
      'a field that an operation only tests',
      '- target: deployment.web\n  type: json\n  patch:\n    - { op: test, path: /spec/replicas, value: 1 }',
      'replicas',
      ['base'],
    ],
    [
      'an object that loses its last field',
      '[deployment.web]\nmetadata.labels.app[delete]:',
      'labels',
      ['metadata.labels.app[delete]'],
    ],
    [
      'an item of a list in a variable',
      '- target: deployment.web\n  type: strategic\n  patch:\n    spec: { template: { spec: { containers: "${items}" } } }',
      'side].image',
      ['base', '"${items}" | items[1].image'],
    ],
  ])('traces %s', (_, text, field, steps) => {
    expect(stepsOf(patch(text), field)).toEqual(steps);
  });

  const patches = [
    '[deployment.web]\nreplicas: 5',
    '[deployment.web]\nreplicas[delete]:',
    '[deployment.web.labels]\ntier: back',
    'metadata.labels: ${labels}',
    '[deployment.web.containers[-0]]\nname: first\nimage: first:1',
    '[deployment.web.containers[-]]\nname: last\nimage: last:1',
    '[deployment.web.containers.name=main]\nimage.tag: "7"',
    '[deployment.web.containers.name=main]\nargs[-0]: z',
    '[deployment.web.containers.name=main]\nargs: ${list}',
    '[deployment.web.containers.name=main.env[-]]\nname: B\nvalue: "2"',
    '[deployment.web.containers]\nimagePullPolicy: Always',
    '- target: deployment.web\n  type: strategic\n  patch:\n    spec: { template: { spec: { containers: [{ name: side, image: e:2 }, { name: new, image: n }] } } }',
    '- target: deployment.web\n  type: strategic\n  patch:\n    spec: { template: { spec: { containers: [{ name: side, $patch: delete }] } } }',
    '- target: deployment.web\n  type: merge\n  patch:\n    metadata: { labels: { app: null, x: y } }',
    '- target: deployment.web\n  type: json\n  patch:\n    - { op: add, path: /spec/template/spec/containers/0, value: { name: zero } }',
    '- target: deployment.web\n  type: json\n  patch:\n    - { op: move, from: /spec/template/spec/containers/0, path: /spec/template/spec/containers/1 }',
    '- target: deployment.web\n  type: json\n  patch:\n    - { op: add, path: /metadata/labels/x, value: 1 }\n    - { op: move, from: /metadata/labels/x, path: /metadata/labels/y }\n    - { op: copy, from: /metadata/labels, path: /metadata/annotations }',
    '- target: deployment.web\n  type: json\n  patch:\n    - { op: remove, path: /spec/template/spec/containers/0 }\n    - { op: add, path: /spec/template/spec/containers/-, value: { name: late } }\n    - { op: replace, path: /spec/template/spec/containers/0/image, value: r:1 }',
  ];

  it('gives every field steps that lead from one value to the next and end with its own', () => {
    const print = (value: Json | undefined): string => JSON.stringify(value) ?? 'nothing';
    let traced = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...patches), { maxLength: 6 }), (picked) => {
        const outcome = tryPatch(...picked);
        if (outcome === undefined) return;
        traced += 1;
        for (const { steps, value } of outcome.traces) {
          const ends = [undefined, ...steps.map(({ after }) => after)].map(print);
          expect(steps.map(({ before }) => print(before))).toEqual(ends.slice(0, -1));
          expect(ends.at(-1)).toBe(print(value));
          expect(steps.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
    expect(traced).toBeGreaterThan(propertyRuns(300) / 3);
  });
});
