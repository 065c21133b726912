import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, KubeObject } from '../model/index.ts';
import {
  annotationsOf,
  describeObject,
  gvkOf,
  identityOf,
  labelsOf,
  nameOf,
  namespaceOf,
  parseApiVersion,
  parseGroupVersionKind,
} from './index.ts';

function make(metadata?: Json, type = { apiVersion: 'apps/v1', kind: 'Deployment' }): KubeObject {
  return metadata === undefined ? type : { ...type, metadata };
}

describe('parseApiVersion', () => {
  it.each([
    ['v1', { group: '', version: 'v1' }],
    ['apps/v1', { group: 'apps', version: 'v1' }],
    ['gateway.networking.k8s.io/v1', { group: 'gateway.networking.k8s.io', version: 'v1' }],
    ['', undefined],
    ['/v1', { group: '', version: 'v1' }],
    ['//v1', undefined],
    ['/v1/', undefined],
    ['apps/', undefined],
    ['/', undefined],
    ['a/b/c', undefined],
  ])('reads %j', (text, expected) => {
    expect(parseApiVersion(text)).toEqual(expected);
    expect(gvkOf({ apiVersion: text, kind: 'K' })).toEqual(expected && { ...expected, kind: 'K' });
  });
});

describe('parseGroupVersionKind', () => {
  it.each([
    ['apps/v1/Deployment', { group: 'apps', version: 'v1', kind: 'Deployment' }],
    ['v1/Service', { group: '', version: 'v1', kind: 'Service' }],
    ['Service', undefined],
    ['v1/', undefined],
    ['/Service', undefined],
    ['a/b/c/d', undefined],
    ['', undefined],
  ])('reads %j', (text, expected) => {
    expect(parseGroupVersionKind(text)).toEqual(expected);
  });
});

describe('metadata of odd objects', () => {
  it.each<[Json | undefined, string, string, object, object]>([
    [undefined, '', '', {}, {}],
    [null, '', '', {}, {}],
    ['text', '', '', {}, {}],
    [['list'], '', '', {}, {}],
    [{ name: 1, namespace: null, labels: 'x', annotations: [] }, '', '', {}, {}],
    [{ name: 'n', namespace: 's', labels: { a: '1', b: 2, c: null, d: '' } }, 'n', 's', { a: '1', d: '' }, {}],
    [{ annotations: { a: true, b: 'yes' } }, '', '', {}, { b: 'yes' }],
  ])('%j', (metadata, name, namespace, labels, annotations) => {
    const object = make(metadata);
    expect(nameOf(object)).toBe(name);
    expect(namespaceOf(object)).toBe(namespace);
    expect(labelsOf(object)).toEqual(labels);
    expect(annotationsOf(object)).toEqual(annotations);
  });
});

describe('identityOf', () => {
  it('is the same for two versions of a kind, and differs in everything else', () => {
    const metadata = { name: 'web', namespace: 'prod' };
    const base = identityOf(make(metadata));
    expect(base).toBe('apps/Deployment/prod/web');
    expect(identityOf(make(metadata, { apiVersion: 'apps/v1beta1', kind: 'Deployment' }))).toBe(base);
    const others = [
      make({ ...metadata, name: 'x' }),
      make({ ...metadata, namespace: 'x' }),
      make({ name: 'web' }),
      make(metadata, { apiVersion: 'extensions/v1', kind: 'Deployment' }),
      make(metadata, { apiVersion: 'v1', kind: 'Deployment' }),
      make(metadata, { apiVersion: 'apps/v1', kind: 'StatefulSet' }),
    ];
    expect(new Set([base, ...others.map(identityOf)]).size).toBe(others.length + 1);
  });

  it('keeps parts with slashes apart', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '/', '%', '2', 'F'), maxLength: 4 });
    fc.assert(
      fc.property(fc.tuple(part, part), fc.tuple(part, part), (a, b) => {
        const [left, right] = [a, b].map(([namespace, name]) => identityOf(make({ namespace, name })));
        expect(left === right).toBe(a[0] === b[0] && a[1] === b[1]);
      }),
    );
  });
});

describe('describeObject', () => {
  it.each<[Json | undefined, string]>([
    [{ name: 'web', namespace: 'prod' }, 'apps/v1 Deployment "web" in namespace "prod"'],
    [{ name: 'web' }, 'apps/v1 Deployment "web"'],
    [{ generateName: 'web-' }, 'apps/v1 Deployment named "web-*"'],
    [undefined, 'apps/v1 Deployment without a name'],
    [{ name: '\u001b[31m' }, 'apps/v1 Deployment "␛[31m"'],
  ])('%j', (metadata, expected) => {
    expect(describeObject(make(metadata))).toBe(expected);
  });
});
