import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonObject, KubeObject } from '../model/index.ts';
import { diffObjects } from './diff-objects.ts';
import { groupChanges } from './rate-risks.ts';
import { hideSecrets } from './hide-secrets.ts';

function object(kind: string, name: string, fields: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name }, ...fields };
}

function compare(target: string, before: readonly KubeObject[], after: readonly KubeObject[]) {
  return { target, difference: hideSecrets(diffObjects(before, after)) };
}

const config = (name: string, value: string): KubeObject => object('ConfigMap', name, { data: { value } });

describe('groupChanges', () => {
  it('lists identical changes once, risky ones first, then objects, then the most frequent', () => {
    const changes = groupChanges([
      compare('a', [config('x', '1'), object('Namespace', 'n')], [config('x', '2'), config('new', '1')]),
      compare('b', [config('x', '1'), config('y', '1')], [config('x', '2'), config('y', '2')]),
      compare('c', [config('y', '1')], []),
    ]);
    const rows = changes.map(({ operation, kind, name, field, targets }) => [operation, kind, name, field, targets]);
    expect(rows).toEqual([
      ['remove', 'Namespace', 'n', undefined, ['a']],
      ['remove', 'ConfigMap', 'y', undefined, ['c']],
      ['add', 'ConfigMap', 'new', undefined, ['a']],
      ['change', 'ConfigMap', 'x', 'data.value', ['a', 'b']],
      ['change', 'ConfigMap', 'y', 'data.value', ['b']],
    ]);
  });

  it('keeps apart what differs in type only', () => {
    const replicas = (value: number | string): KubeObject => object('Widget', 'w', { spec: { replicas: value } });
    const changes = groupChanges([
      compare('a', [replicas(1)], [replicas(2)]),
      compare('b', [replicas(1)], [replicas('2')]),
    ]);
    expect(changes.map(({ after }) => after)).toEqual([2, '2']);
  });

  it('never contains values of a Secret', () => {
    const secret = (value: string): KubeObject => object('Secret', 's', { stringData: { password: value } });
    const changes = groupChanges([
      compare('a', [secret('hunter-one')], [secret('hunter-two')]),
      compare('b', [secret('hunter-one')], [secret('hunter-three')]),
      compare('c', [], [secret('hunter-four')]),
    ]);
    expect(JSON.stringify(changes)).not.toContain('hunter');
    expect(changes.find(({ field }) => field !== undefined)).toMatchObject({ hidden: true, targets: ['a', 'b'] });
  });

  it('names every target of every change, in order', () => {
    const values = fc.array(fc.tuple(fc.constantFrom('1', '2', '3'), fc.constantFrom('1', '2', '3')), { maxLength: 8 });
    fc.assert(
      fc.property(values, (pairs) => {
        const compared = pairs.map(([from, to], index) => compare(`t${index}`, [config('x', from)], [config('x', to)]));
        const expected = pairs.flatMap(([from, to], index) =>
          from === to ? [] : [`t${index} ${JSON.stringify([from, to])}`],
        );
        const changes = groupChanges(compared);
        const found = changes.flatMap(({ targets, before, after }) =>
          targets.map((one) => `${one} ${JSON.stringify([before, after])}`),
        );
        expect(found.toSorted()).toEqual(expected.toSorted());
        const keys = changes.map(({ before, after }) => JSON.stringify([before, after]));
        expect(new Set(keys).size).toBe(keys.length);
        for (const { targets } of changes) expect(targets).toEqual(targets.toSorted());
      }),
    );
  });
});
