import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDnsSubdomain } from '../../../kube/index.ts';
import { canonicalQuantity, createClaimSpec, createVolumes, exclusiveMode } from './create-volumes.ts';

function claimOf(component: string, volume: string): string {
  const list = [{ name: volume, mountPath: '/data', readOnly: false, type: 'pvc' as const, size: '1Gi' }];
  const input = { name: component, properties: { volumes: list }, traitsOf: () => [], report: () => {} };
  const { claims, claimObjects } = createVolumes(input, []);
  expect(claimObjects[0]).toMatchObject({ metadata: { name: claims[0]!.claimName(0) } });
  return claims[0]!.claimName(0);
}

describe('the name of a claim', () => {
  it.each([
    ['web', 'data', 'web-data'],
    ['web-x', 'data-vol', 'web--x-data--vol'],
    ['web', 'x-data', 'web-x--data'],
    ['a-b-c', 'd', 'a--b--c-d'],
  ])('of %s and %s is %s', (component, volume, name) => {
    expect(claimOf(component, volume)).toBe(name);
  });

  const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);

  it('is a name, whatever its parts are', () => {
    fc.assert(
      fc.property(label, label, (component, volume) => checkDnsSubdomain(claimOf(component, volume)) === undefined),
    );
  });

  it('belongs to one pair of names', () => {
    const short = fc.stringMatching(/^[ab](?:[ab-]{0,3}[ab])?$/);
    fc.assert(
      fc.property(short, short, short, short, (a, b, c, d) => {
        expect(claimOf(a, b) === claimOf(c, d)).toBe(a === c && b === d);
      }),
    );
  });
});

describe('access modes', () => {
  it.each([
    [undefined, 'ReadWriteOnce'],
    [['ReadWriteOnce'], 'ReadWriteOnce'],
    [['ReadWriteOncePod'], 'ReadWriteOncePod'],
    [['ReadWriteMany', 'ReadWriteOnce'], 'ReadWriteOnce'],
    [['ReadWriteMany'], undefined],
    [['ReadOnlyMany', 'ReadWriteMany'], undefined],
  ])('%j are exclusive by %s', (modes, mode) => {
    expect(exclusiveMode(modes)).toBe(mode);
  });
});

describe('the spec of a claim', () => {
  it.each([
    [{ size: '1024Mi' }, { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }],
    [
      { size: '5Gi', storageClass: '', accessModes: ['ReadWriteMany'] },
      { accessModes: ['ReadWriteMany'], storageClassName: '', resources: { requests: { storage: '5Gi' } } },
    ],
  ])('of %j', (asked, spec) => {
    expect(createClaimSpec(asked)).toEqual(spec);
  });

  it.each([
    ['1024Mi', '1Gi'],
    ['0.5', '500m'],
    ['1500M', '1500M'],
    ['lots', 'lots'],
  ])('converts %s to %s', (written, text) => {
    expect(canonicalQuantity(written)).toBe(text);
  });
});
