import { describe, expect, it } from 'vitest';
import { createOriginTable } from '../engine/index.ts';
import type { Json, KubeObject } from '../model/index.ts';
import { addSyncWaves } from './index.ts';

const wave = 'argocd.argoproj.io/sync-wave';
const phase = 'kurel.gokure.dev/install-phase';

describe('addSyncWaves', () => {
  it.each<[Json, Json]>([
    [{ name: 'a' }, { name: 'a', annotations: { [wave]: '0' } }],
    [
      { name: 'a', annotations: { [phase]: 'main' } },
      { name: 'a', annotations: { [phase]: 'main', [wave]: '0' } },
    ],
    [{ annotations: { [phase]: 'pre-install' } }, { annotations: { [phase]: 'pre-install', [wave]: '-1' } }],
    [{ annotations: { [phase]: 'post-install' } }, { annotations: { [phase]: 'post-install', [wave]: '1' } }],
    [
      { annotations: { [phase]: 'post-install', [wave]: '5' } },
      { annotations: { [phase]: 'post-install', [wave]: '5' } },
    ],
    [{ annotations: { [wave]: 5 } }, { annotations: { [wave]: 5 } }],
    [{ annotations: { [wave]: '' } }, { annotations: { [wave]: '' } }],
  ])('%j', (metadata, expected) => {
    const object: KubeObject = Object.freeze({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    const before = structuredClone(object);
    const origins = createOriginTable();
    const origin = { renderer: 'manifests', source: 'a.yaml' };
    origins.set(object, origin);
    const [changed] = addSyncWaves([object], origins);
    expect(changed).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: expected });
    expect(origins.get(changed!)).toBe(origin);
    expect(object).toEqual(before);
  });
});
