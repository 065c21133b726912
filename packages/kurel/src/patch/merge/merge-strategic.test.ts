import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../../engine/copy-json.ts';
import type { Diagnostic, JsonObject } from '../../model/index.ts';
import { containers, more, pinned, pod } from '../../../test/patch/merge-strategic-cases.ts';
import type { Kind } from '../../../test/patch/merge-strategic-cases.ts';
import { mergeStrategic } from './merge-strategic.ts';

interface Merged {
  readonly result: JsonObject;
  readonly findings: readonly Diagnostic[];
}

function merge(target: JsonObject, patch: JsonObject, kind: Kind): Merged {
  const findings: Diagnostic[] = [];
  const result = mergeStrategic(deepFreeze(target), deepFreeze(patch), {
    ...kind,
    report: (finding) => findings.push(finding),
    locate: (path, at) => ({ file: 'patch.yaml', path, at }),
  });
  return { result, findings };
}

const [a, b] = [{ name: 'a' }, { name: 'b' }];

describe('mergeStrategic', () => {
  it.each([...pinned, ...more])('%s', (_title, kind, at, before, patch, after) => {
    const target = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'it' }, [at]: before };
    const { result, findings } = merge(target, { [at]: patch }, kind);
    const errors = findings.filter(({ severity }) => severity === 'error').map(({ code }) => code);
    if (typeof after === 'string') {
      expect(errors).toEqual([after]);
      expect(result).toBe(target);
    } else {
      expect(errors).toEqual([]);
      expect(result).toEqual({ ...target, [at]: after });
    }
  });

  it('accepts directives at the root', () => {
    const target = { kind: 'Pod', spec: { nodeName: 'n' } };
    expect(merge(target, { $patch: 'replace', kind: 'Pod' }, pod).result).toEqual({ kind: 'Pod' });
    expect(merge(target, { $patch: 'delete' }, pod).result).toEqual({});
    expect(merge(target, { $patch: 'replace', ...target }, pod).result).toBe(target);
  });

  it('keeps the order of keys, and puts new ones last', () => {
    const { result } = merge({ z: 1, spec: { y: 1, x: 1 }, a: 1 }, { spec: { n: 1, x: 2 }, m: 1, z: 3 }, pod);
    expect(JSON.stringify(result)).toBe('{"z":3,"spec":{"y":1,"x":2,"n":1},"a":1,"m":1}');
  });

  it('shares what it does not touch', () => {
    const target = {
      metadata: { labels: { a: '1' } },
      spec: containers({ name: 'a', ports: [{ containerPort: 80 }] }, b),
    };
    const { result } = merge(target, { spec: containers({ name: 'a', image: 'i' }) }, pod);
    expect(result['metadata']).toBe(target.metadata);
    const items = (result['spec'] as JsonObject)['containers'] as readonly JsonObject[];
    expect(items[1]).toBe(b);
    expect(items[0]!['ports']).toBe((target.spec['containers'] as readonly JsonObject[])[0]!['ports']);
  });

  it('returns the same object if the patch changes nothing', () => {
    const target = {
      metadata: { finalizers: ['a', 'b'] },
      spec: { tolerations: [{ key: 'k', seconds: 1n }], ...containers(a, b) },
    };
    const patch = {
      metadata: { finalizers: ['b'], labels: null },
      spec: { tolerations: [{ key: 'k', seconds: 1 }], ...containers(b) },
    };
    const order = { '$setElementOrder/containers': [a, b] };
    expect(merge(target, patch, pod).result).toBe(target);
    expect(merge(target, { spec: order }, pod).result).toBe(target);
  });

  it('reports every problem at its location', () => {
    const patch = { metadata: { $patch: 'zap' }, spec: { containers: [{}, 1, { name: 'a', $retainKeys: 1 }] } };
    const { findings } = merge({ metadata: {}, spec: containers(a) }, patch, pod);
    expect(findings.map(({ code, location }) => [code, location?.path?.join('.'), location?.at])).toEqual([
      ['smp-directive-invalid', 'metadata.$patch', 'key'],
      ['smp-merge-key-missing', 'spec.containers.0', 'value'],
      ['smp-type-mismatch', 'spec.containers.1', 'value'],
      ['smp-directive-invalid', 'spec.containers.2.$retainKeys', 'key'],
    ]);
  });
});
