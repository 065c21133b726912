import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../../host/disk-file-system.ts';
import type { Json, JsonObject, KubeObject } from '../../model/index.ts';
import { createSchemaStore } from '../../schema/index.ts';
import { validateObjects } from '../index.ts';
import { podCases } from '../../../test/validate/pod-cases.ts';

const files = bundledSchemas();

function errorsOf(spec: JsonObject, kubernetesVersion: string): readonly string[] {
  const labels = { app: 'web' };
  const object: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
  const errors: string[] = [];
  validateObjects([object], {
    store: createSchemaStore({ files, kubernetesVersion }),
    report: ({ severity, message }) => void (severity === 'error' && errors.push(message)),
  });
  return errors;
}

describe('pods', () => {
  it.each(podCases)('accept and reject $what as Kubernetes does', ({ put, taken, refused }) => {
    const wrong = taken.map((value) => [value, errorsOf(put(value), '1.37')] as const);
    expect(wrong.filter(([, errors]) => errors.length > 0)).toEqual([]);
    expect(refused.filter((value) => errorsOf(put(value), '1.37').length === 0)).toEqual([]);
  });
});

describe('pods in older clusters', () => {
  const container = { name: 'web', image: 'nginx:1.27' };
  const withFields = (fields: JsonObject): JsonObject => ({ containers: [{ ...container, ...fields }] });
  const cases: readonly (readonly [what: string, version: string, spec: JsonObject, isRefused: boolean])[] = [
    ['claims, which are dropped', '1.33', withFields({ resources: { claims: [{ name: 'gpu' }] } }), false],
    ['claims', '1.34', withFields({ resources: { claims: [{ name: 'gpu' }] } }), true],
    ['claims of the pod, which are dropped', '1.33', { ...withFields({}), resourceClaims: [{ name: 'A' }] }, false],
    ['resources of the pod, which are dropped', '1.33', { ...withFields({}), resources: withLimit('gpu') }, false],
    ['resources of the pod', '1.34', { ...withFields({}), resources: withLimit('gpu') }, true],
    ['the strict prefix rule', '1.31', withFields({ envFrom: [{ prefix: 'a b', secretRef: { name: 'a' } }] }), true],
    ['the relaxed prefix rule', '1.32', withFields({ envFrom: [{ prefix: 'a b', secretRef: { name: 'a' } }] }), false],
    ['a sleep of 0 seconds', '1.32', withFields({ lifecycle: { preStop: { sleep: { seconds: 0 } } } }), true],
    ['a sleep of 0 seconds', '1.33', withFields({ lifecycle: { preStop: { sleep: { seconds: 0 } } } }), false],
    ['a dropped procMount', '1.32', withFields({ securityContext: { procMount: 'Unmasked' } }), false],
  ];

  it.each(cases)('are checked for %s in %s', (_, version, spec, isRefused) => {
    expect(errorsOf(spec, version).length > 0).toBe(isRefused);
  });

  function withLimit(name: string): Json {
    return { limits: { [name]: 1 } };
  }
});
