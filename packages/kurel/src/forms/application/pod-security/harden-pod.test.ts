import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gvkOf, mappingAt, podSiteOf } from '../../../kube/index.ts';
import type { PodSite } from '../../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../../model/index.ts';
import { findExcesses } from './check-level.ts';
import { fillPod, findOutranked, hardenPod } from './harden-pod.ts';
import type { Hardening } from './harden-pod.ts';

const profile = fc.constantFrom(
  { type: 'RuntimeDefault' },
  { type: 'Localhost', localhostProfile: 'x' },
  { type: 'Unconfined' },
);
const shared = { runAsNonRoot: fc.boolean(), runAsUser: fc.constantFrom(0, 1000), seccompProfile: profile };
const podContext = fc.record({ ...shared, fsGroup: fc.constant(1) }, { requiredKeys: [] });
const containerContext = fc.record(
  {
    ...shared,
    privileged: fc.boolean(),
    allowPrivilegeEscalation: fc.boolean(),
    readOnlyRootFilesystem: fc.boolean(),
    capabilities: fc.record(
      {
        add: fc.uniqueArray(fc.constantFrom('NET_BIND_SERVICE', 'CHOWN')),
        drop: fc.uniqueArray(fc.constantFrom('ALL', 'KILL')),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const container = fc.record({ name: fc.constant('x'), securityContext: containerContext }, { requiredKeys: ['name'] });
const pods: fc.Arbitrary<JsonObject> = fc.record(
  {
    securityContext: podContext,
    initContainers: fc.array(container, { maxLength: 2 }),
    containers: fc.array(container, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['containers'] },
);

function containersOf(spec: JsonObject): readonly JsonObject[] {
  return [...((spec['initContainers'] ?? []) as JsonObject[]), ...(spec['containers'] as JsonObject[])];
}

/** Which containers must run as root and must not. */
function rootsOf(spec: JsonObject): readonly boolean[] {
  return containersOf(spec).map((one) => {
    const context = { ...mappingAt(spec, 'securityContext'), ...mappingAt(one, 'securityContext') };
    return context['runAsUser'] === 0 && context['runAsNonRoot'] === true;
  });
}

function siteOf(spec: JsonObject): PodSite {
  const object: KubeObject = { apiVersion: 'v1', kind: 'Pod', spec };
  return podSiteOf(object, gvkOf(object)!)!;
}

function excesses(spec: JsonObject): readonly string[] {
  return findExcesses(siteOf(spec), 'restricted').map(({ path }) => path.join('.'));
}

function isOfTrait(path: string): boolean {
  return /\b(?:runAsNonRoot|allowPrivilegeEscalation|readOnlyRootFilesystem|seccompProfile\.type)$/.test(path);
}

/** Settings that `restricted` requires of a container, which may inherit them from its pod. */
function isWhole(one: JsonObject, pod: JsonObject | undefined): boolean {
  const own = mappingAt(one, 'securityContext') ?? {};
  const drop = mappingAt(own, 'capabilities')?.['drop'];
  return (
    (own['runAsNonRoot'] ?? pod?.['runAsNonRoot']) !== undefined &&
    (own['seccompProfile'] ?? pod?.['seccompProfile']) !== undefined &&
    own['allowPrivilegeEscalation'] !== undefined &&
    own['readOnlyRootFilesystem'] !== undefined &&
    Array.isArray(drop) &&
    drop.includes('ALL')
  );
}

describe('hardenPod', () => {
  const restricted: Hardening = { psaLevel: 'restricted' };

  it('sets all required fields and nothing that is forbidden', () => {
    fc.assert(
      fc.property(pods, (spec) => {
        const hardened = hardenPod(spec, restricted);
        const pod = mappingAt(hardened, 'securityContext');
        expect(containersOf(hardened).every((one) => isWhole(one, pod))).toBe(true);
        const before = excesses(spec);
        const after = excesses(hardened);
        expect(before).toEqual(expect.arrayContaining([...after]));
        expect(before.filter((path) => !after.includes(path) && !isOfTrait(path))).toEqual([]);
      }),
    );
  });

  it('keeps all settings except those that the trait overrides', () => {
    const levels = fc.constantFrom<Hardening['psaLevel'][]>('restricted', 'baseline', 'privileged');
    const asked = fc.record({
      psaLevel: levels,
      runAsNonRoot: fc.boolean(),
      readOnlyRootFilesystem: fc.boolean(),
      runAsUser: fc.option(fc.constant(1000), { nil: undefined }),
    });
    fc.assert(
      fc.property(pods, asked, (spec, hardening) => {
        const before = structuredClone(spec);
        const hardened = hardenPod(spec, hardening);
        expect(spec).toEqual(before);
        const outranked = new Set(findOutranked(siteOf(spec), hardening).map(({ of, key }) => `${of} ${key}`));
        const rest = (parsed: JsonObject, of: string): JsonObject =>
          Object.fromEntries(Object.entries(parsed).filter(([key]) => !outranked.has(`${of} ${key}`)));
        expect(hardened['securityContext'] ?? {}).toMatchObject(
          rest(mappingAt(spec, 'securityContext') ?? {}, 'the pod'),
        );
        const own = containersOf(spec);
        for (const [index, one] of containersOf(hardened).entries()) {
          const { capabilities, ...parsed } = mappingAt(own[index], 'securityContext') ?? {};
          const context = mappingAt(one, 'securityContext') ?? {};
          expect(context).toMatchObject(rest(parsed, 'container "x"'));
          expect(mappingAt(context, 'capabilities')?.['add']).toEqual(
            mappingAt({ capabilities: capabilities ?? {} }, 'capabilities')?.['add'],
          );
        }
        expect(hardenPod(hardened, hardening)).toEqual(hardened);
        expect(findOutranked(siteOf(hardened), hardening)).toEqual([]);
      }),
    );
  });

  it('treats null as absent', () => {
    const spec = { containers: [{ name: 'x', securityContext: { runAsNonRoot: null, seccompProfile: null } }] };
    expect(containersOf(hardenPod(spec, restricted))[0]?.['securityContext']).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
  });
});

describe('fillPod', () => {
  const restricted: Hardening = { psaLevel: 'restricted' };

  it('keeps every setting of the author, and starts the containers that started before', () => {
    fc.assert(
      fc.property(pods, (spec) => {
        const before = structuredClone(spec);
        const filled = fillPod(spec, restricted);
        expect(spec).toEqual(before);
        expect(filled).toMatchObject(spec);
        expect(rootsOf(filled)).toEqual(rootsOf(spec));
        for (const [index, one] of containersOf(filled).entries()) {
          const own = mappingAt(one, 'securityContext') ?? {};
          const author = mappingAt(containersOf(spec)[index], 'securityContext') ?? {};
          const isChosen = author['privileged'] === true && author['allowPrivilegeEscalation'] === false;
          expect(own['privileged'] === true && own['allowPrivilegeEscalation'] === false).toBe(isChosen);
        }
        expect(fillPod(filled, restricted)).toEqual(filled);
      }),
    );
  });

  it.each([
    ['a Windows pod', { os: { name: 'windows' }, containers: [{ name: 'x' }] }],
    [
      'SYS_ADMIN',
      {
        containers: [
          {
            name: 'x',
            securityContext: { capabilities: { add: ['SYS_ADMIN'], drop: ['KILL'] }, runAsNonRoot: false },
          },
        ],
        securityContext: { runAsNonRoot: false, seccompProfile: { type: 'Localhost', localhostProfile: 'x' } },
      },
    ],
  ])('leaves %s alone', (_, spec) => {
    expect(fillPod(spec, restricted)).toEqual(spec);
  });

  it('sets a read-only file system and a user on request', () => {
    const asked: Hardening = { psaLevel: 'baseline', readOnlyRootFilesystem: true, runAsUser: 1000, fsGroup: 2000 };
    expect(fillPod({ containers: [{ name: 'x' }] }, asked)).toEqual({
      securityContext: { runAsUser: 1000, fsGroup: 2000 },
      containers: [{ name: 'x', securityContext: { readOnlyRootFilesystem: true } }],
    });
  });
});
