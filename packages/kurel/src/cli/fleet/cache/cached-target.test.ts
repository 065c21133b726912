import { describe, expect, it } from 'vitest';

import type { Json, KubeObject } from '../../../model/index.ts';
import { hasSecretData, isCachedTarget } from './cached-target.ts';

function secret(rest: Readonly<Record<string, Json>>): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, ...rest };
}

describe('data that should not leave the machine', () => {
  it.each<[string, KubeObject, boolean]>([
    ['a Secret with data', secret({ data: { a: 'eA==' } }), true],
    ['a Secret with stringData', secret({ stringData: { a: 'x' } }), true],
    ['a Secret without data', secret({ data: {}, type: 'Opaque' }), false],
    [
      'a Secret that kubectl has exported',
      secret({ metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } } }),
      true,
    ],
    ['a ConfigMap', { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { a: 'x' } }, false],
  ])('%s', (_, object, expected) => {
    expect(hasSecretData(object)).toBe(expected);
  });
});

describe('an entry of a cache', () => {
  const finding = { code: 'image-not-pinned', severity: 'warning', message: 'no' };
  const valid = {
    diagnostics: [finding],
    accepted: 0,
    acceptedBy: [['spec', 0]],
    directory: '',
    files: [],
  };
  const related = [{ message: 'here', location: { file: 'a.yaml', document: 0, path: ['a', 1], at: 'key' } }];
  const object = { group: '', kind: 'Pod', namespace: 'a', name: 'b' };

  it.each<[string, unknown]>([
    ['as it is stored', valid],
    ['with a name', { ...valid, name: 'web' }],
    [
      'with everything that a finding can have',
      { ...valid, diagnostics: [{ ...finding, hint: 'x', related, object }] },
    ],
  ])('is valid %s', (_, data) => {
    expect(isCachedTarget(data)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', [valid]],
    ['another field', { ...valid, more: 1 }],
    ['a missing field', { ...valid, files: undefined }],
    ['a negative count', { ...valid, accepted: -1 }],
    ['an error', { ...valid, diagnostics: [{ ...finding, severity: 'error' }] }],
    ['another severity', { ...valid, diagnostics: [{ ...finding, severity: 'fatal' }] }],
    ['a code with control characters', { ...valid, diagnostics: [{ ...finding, code: '\u001B[2J' }] }],
    ['a finding without a message', { ...valid, diagnostics: [{ code: 'x', severity: 'note' }] }],
    ['a message that is too long', { ...valid, diagnostics: [{ ...finding, message: 'x'.repeat(65_537) }] }],
    ['a location without a file', { ...valid, diagnostics: [{ ...finding, location: {} }] }],
    ['a file without text', { ...valid, files: [{ path: 'a' }] }],
  ])('is not valid with %s', (_, data) => {
    expect(isCachedTarget(data)).toBe(false);
  });
});
