import { describe, expect, it } from 'vitest';
import type { Json, KubeObject } from '../model/index.ts';
import { installPhaseOf, timeoutOf, waitForReadyOf } from './index.ts';

function annotated(key: string, value: Json): KubeObject {
  const annotations = { [`kurel.gokure.dev/${key}`]: value };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } };
}

const seconds = 1_000_000_000n;

describe('an annotation', () => {
  it.each<[Json, string | undefined]>([
    ['pre-install', 'pre-install'],
    ['main', 'main'],
    ['post-install', 'post-install'],
    ['Main', undefined],
    ['preinstall', undefined],
    ['', undefined],
    [null, undefined],
    [true, undefined],
    [['main'], undefined],
  ])('of the phase: %j', (value, expected) => {
    expect(installPhaseOf(annotated('install-phase', value))).toBe(expected);
  });

  it.each<[Json, boolean | undefined]>([
    ['true', true],
    ['false', false],
    ['True', undefined],
    ['yes', undefined],
    ['', undefined],
    [true, undefined],
    [null, undefined],
  ])('to wait: %j', (value, expected) => {
    expect(waitForReadyOf(annotated('wait-for-ready', value))).toBe(expected);
  });

  it.each<[Json, bigint | undefined]>([
    ['5m', 300n * seconds],
    ['1h30m', 5400n * seconds],
    ['1.5s', 1_500_000_000n],
    ['10us', 10_000n],
    ['0', undefined],
    ['0s', undefined],
    ['-5m', undefined],
    ['5', undefined],
    ['5 m', undefined],
    ['5d', undefined],
    ['', undefined],
    [300, undefined],
    [null, undefined],
  ])('of the timeout: %j', (value, expected) => {
    expect(timeoutOf(annotated('timeout', value))).toBe(expected);
  });
});

describe('an object without such annotations', () => {
  it.each<[string, Json]>([
    ['has no annotations', { name: 'a' }],
    ['has no metadata', null],
    ['has other annotations', { annotations: { 'kurel.gokure.dev/package': 'x' } }],
    ['has invalid annotations', { annotations: ['kurel.gokure.dev/install-phase'] }],
  ])('%s', (_, metadata) => {
    const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    expect([installPhaseOf(object), waitForReadyOf(object), timeoutOf(object)]).toEqual(['main', false, 0n]);
  });
});
