import { describe, expect, it } from 'vitest';
import type { Diagnostic, Json, KubeObject, Path } from '../model/index.ts';
import { createResourceSubstitution } from '../parameters/index.ts';
import { readYaml } from '../yaml/index.ts';
import { causesOfText, createFindParameter } from './parameter-sources.ts';
import type { Fill } from './parameter-sources.ts';

const values = { tag: '2', name: 'n', list: ['x', { y: 'z' }], labels: { a: 'b' } };
const layer = { kind: 'package', source: { path: 'parameters.yaml', text: '' }, data: values } as const;
const findParameter = createFindParameter({ layers: [layer], merged: values, values });

function causesIn(text: string, path: Path): unknown {
  const source = { path: 'a.yaml', text };
  const parsed = readYaml(source).documents[0]!.data as KubeObject;
  const report = ({ message }: Diagnostic): never => expect.unreachable(message);
  const { data, spots } = createResourceSubstitution({ values }, { report }).fillTree(parsed, {
    locate: () => ({ file: 'a.yaml' }),
  });
  const fills = spots.flatMap(({ writtenPath, references }): Fill[] =>
    references.map((reference) => ({ path: writtenPath, parameter: reference.path! })),
  );
  const filled = data as KubeObject;
  const location = { file: 'a.yaml', document: 0, path: [] };
  const causes = causesOfText({ location, source, words: '', parsed, filled, fills, findParameter })(path, undefined);
  return causes.map(({ kind, after, location: place, parameters = [] }) =>
    kind === 'base' ? [place?.path, after] : parameters.map(({ name }) => name),
  );
}

describe('causesOfText', () => {
  it.each<[text: string, path: Path, causes: Json]>([
    ['a: 1', ['a'], [[['a'], undefined] as unknown as Json]],
    ['a: v${tag}', ['a'], [[['a'], 'v${tag}'], ['tag']]],
    [
      'a: ${tag}-${name}',
      ['a'],
      [
        [['a'], '${tag}-${name}'],
        ['tag', 'name'],
      ],
    ],
    ['a: ${labels}', ['a', 'a'], [[['a', 'a'], '${labels}'], ['labels.a']]],
    ['a: ${list}', ['a', 1, 'y'], [[['a', 1, 'y'], '${list}'], ['list[1].y']]],
    ['a: { "${name}": 1, b: 2 }', ['a', 'n'], [[['a', '${name}'], 1], ['name']]],
    [
      'a: { "${name}": { c: "${tag}" } }',
      ['a', 'n', 'c'],
      [
        [['a', '${name}', 'c'], '${tag}'],
        ['name', 'tag'],
      ],
    ],
    ['a: { "${name}": 1, b: 2 }', ['a', 'b'], [[['a', 'b'], undefined] as unknown as Json]],
    ['a: ${HOME}', ['a'], [[['a'], undefined] as unknown as Json]],
    ['a: [x, "${tag}"]', ['a', 1], [[['a', 1], '${tag}'], ['tag']]],
  ])('%s at %j', (text, path, causes) => {
    expect(causesIn(text, path)).toEqual(causes);
  });

  it('knows that items have their type from the list that they are in', () => {
    const text = 'apiVersion: v1\nkind: ConfigMapList\nitems:\n  - metadata: { name: a }\n  - kind: ConfigMap\n';
    const source = { path: 'a.yaml', text };
    const parsed = { apiVersion: 'v1', kind: 'ConfigMap' };
    const causes = [0, 1].map((index) => {
      const location = { file: 'a.yaml', document: 0, path: ['items', index] };
      const causesOf = causesOfText({ location, source, words: '', parsed, filled: parsed, fills: [], findParameter });
      return causesOf(['kind'], 'ConfigMap')[0]?.location?.path;
    });
    expect(causes).toEqual([['kind'], ['items', 1, 'kind']]);
  });
});
