import { describe, expect, it } from 'vitest';
import type { Report, Values } from '../model/index.ts';
import { mergeLayers, parseReferencePath, resolveParameters } from '../parameters/index.ts';
import type { ParameterLayer } from '../parameters/index.ts';
import type { ParameterTrace } from './field-trace.ts';
import { createFindParameter, traceParameters } from './parameter-sources.ts';
import { spell, spellPlainly } from '../diagnostics/index.ts';

function layer(kind: ParameterLayer['kind'], path: string, data: Values): ParameterLayer {
  return { kind, source: { path, text: 'image.tag=9' }, data };
}

const layers = [
  layer('package', 'parameters.yaml', {
    kurel: { name: 'shop', appVersion: '1.0' },
    image: { repository: 'web', tag: 'v${kurel.appVersion}', full: '${image.repository}:${image.tag}' },
    defaults: { memory: '1Gi', cpu: 1 },
    resources: '${defaults}',
    list: ['a', '${kurel.name}'],
  }),
  layer('local', 'local/parameters.yaml', { defaults: { memory: '2Gi' } }),
  layer('values', 'prod.yaml', { image: { repository: 'prod' } }),
];

function trace(text: string, more: readonly ParameterLayer[] = []): readonly string[] {
  const all = [...layers, ...more];
  const report: Report = ({ message }) => expect.unreachable(message);
  const merged = mergeLayers(all, report);
  const values = resolveParameters(merged, { report, locate: () => undefined });
  const find = createFindParameter({ layers: all, merged, values });
  return traceParameters([parseReferencePath(text)!], find).flatMap((one) => print(one, ''));
}

function print({ name, value, words, location, refersTo }: ParameterTrace, indent: string): readonly string[] {
  const description = spell(words, spellPlainly);
  const place = location === undefined ? description : `${location.file} (${description})`;
  return [
    `${indent}${name}=${JSON.stringify(value)} ${place}`,
    ...refersTo.flatMap((one) => print(one, `${indent}  `)),
  ];
}

describe('traceParameters', () => {
  it.each<[name: string, lines: readonly string[]]>([
    ['kurel.name', ['kurel.name="shop" parameters.yaml (package)']],
    [
      'image.full',
      [
        'image.full="prod:v1.0" parameters.yaml (package)',
        '  image.repository="prod" prod.yaml ("values")',
        '  image.tag="v1.0" parameters.yaml (package)',
        '    kurel.appVersion="1.0" parameters.yaml (package)',
      ],
    ],
    ['defaults.memory', ['defaults.memory="2Gi" local/parameters.yaml (local extension)']],
    [
      'resources.memory',
      [
        'resources.memory="2Gi" parameters.yaml (package)',
        '  defaults.memory="2Gi" local/parameters.yaml (local extension)',
      ],
    ],
    ['list[1]', ['list[1]="shop" parameters.yaml (package)', '  kurel.name="shop" parameters.yaml (package)']],
    ['nothing.there', []],
  ])('%s', (name, lines) => {
    expect(trace(name)).toEqual(lines);
  });

  it('names an assignment by its words', () => {
    expect(trace('image.tag', [layer('set', '--set[0]', { image: { tag: 9 } })])).toEqual([
      'image.tag=9 --set image.tag=9',
    ]);
  });
});
