import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { gvkOf, has, mappingAt, podSiteOf } from '../../../../kube/index.ts';
import type { KubeObject } from '../../../../model/index.ts';
import { findExcesses, levels } from '../../pod-security/check-level.ts';
import type { Level } from '../../pod-security/check-level.ts';
import { hardenPod } from '../../pod-security/harden-pod.ts';
import type { Hardening } from '../../pod-security/harden-pod.ts';
import { changePods } from '../../pods/change-pods.ts';
import type { Field } from '../../documents/field.ts';
import { defineTrait } from '../define.ts';
import type { ReportAt } from '../define.ts';

const problems = defineProblems({
  'security-context-excess': {
    severity: 'error',
    summary: 'A pod asks for something that the level of its trait "security-context" does not allow.',
    message: ({ what, level }: { what: string; level: Level }) => `${what}, which psaLevel ${level} does not allow`,
    hint: ({ allowedBy }: { allowedBy: Level }) => `take it out, or set psaLevel to ${allowedBy}`,
  },
  'security-context-contradiction': {
    severity: 'error',
    summary: 'A property of the trait "security-context" contradicts its level.',
    message: ({ key, found }: { key: string; found: string }) =>
      `${quote(key)} cannot be ${found} with psaLevel restricted`,
    hint: ({ key }: { key: string }) => `leave ${quote(key)} out, or set psaLevel to baseline`,
  },
  'security-context-root': {
    severity: 'error',
    summary: 'Containers are to run as root and not to run as root.',
    message: () => '"runAsUser" cannot be 0 when "runAsNonRoot" is true: Kubernetes would not start the containers',
    hint: () => 'give another user, or take one of them out',
  },
  'security-context-without-pods': {
    severity: 'error',
    summary: 'The trait "security-context" is of a component whose pods somebody else makes.',
    message: () => 'the component makes no pods itself, so that nothing can be said of their security',
    hint: () => 'take the trait out',
  },
  'security-context-outranked': {
    severity: 'warning',
    summary: 'A property of the trait "security-context" has no effect, because the component says otherwise itself.',
    message: ({ key, found, own }: { key: string; found: string; own: string }) =>
      `${quote(key)} ${found} has no effect: "podSecurityContext" of the component says ${own}`,
    hint: () => 'say it in one place only',
  },
});

const id = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const satisfies Field;

export const securityContext = defineTrait({
  type: 'security-context',
  summary: 'Holds the pods of the component to a level of the Pod Security Standards.',
  needs: ['pods'],
  properties: {
    psaLevel: {
      type: 'string',
      description: 'the level: restricted fills in everything that the strictest standard demands',
      required: true,
      enum: levels,
    },
    runAsNonRoot: { type: 'boolean', description: 'whether containers may not run as root; so when restricted' },
    allowPrivilegeEscalation: {
      type: 'boolean',
      description: 'whether a process may gain more rights than its parent; not when restricted',
    },
    readOnlyRootFilesystem: {
      type: 'boolean',
      description: 'whether containers may only write to volumes; so when restricted',
    },
    runAsUser: { ...id, description: 'user that the containers run as' },
    runAsGroup: { ...id, description: 'group that the containers run as' },
    fsGroup: { ...id, description: 'group that volumes belong to' },
  },
  problems,
  render({ properties, report }) {
    checkLevel(properties, report);
    return {
      decorate(objects) {
        for (const object of objects) checkOutranked(object, properties, report);
        if (!objects.some(hasPods)) report(problems.create('security-context-without-pods', {}), []);
        return changePods(objects, (spec) => hardenPod(spec, properties));
      },
      inspect(object, tell) {
        const gvk = gvkOf(object);
        const pod = gvk === undefined ? undefined : podSiteOf(object, gvk);
        const { psaLevel: level } = properties;
        for (const { what, path, allowedBy } of pod === undefined ? [] : findExcesses(pod, level)) {
          tell(problems.create('security-context-excess', { what, level, allowedBy }), path);
        }
      },
    };
  },
});

const wanted = { runAsNonRoot: true, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true } as const;

function hasPods(object: KubeObject): boolean {
  const gvk = gvkOf(object);
  return gvk !== undefined && podSiteOf(object, gvk) !== undefined;
}

function checkLevel(asked: Hardening, report: ReportAt): void {
  if (asked.psaLevel !== 'restricted' && asked.runAsNonRoot === true && asked.runAsUser === 0) {
    report(problems.create('security-context-root', {}), ['runAsUser']);
  }
  if (asked.psaLevel !== 'restricted') return;
  for (const key of Object.keys(wanted) as (keyof typeof wanted)[]) {
    if (asked[key] === undefined || asked[key] === wanted[key]) continue;
    report(problems.create('security-context-contradiction', { key, found: `${asked[key]}` }), [key]);
  }
  if (asked.runAsUser !== 0) return;
  report(problems.create('security-context-contradiction', { key: 'runAsUser', found: '0' }), ['runAsUser']);
}

/** What a component says of its whole pod stands; the trait must not seem to have changed it. */
function checkOutranked(object: KubeObject, asked: Hardening, report: ReportAt): void {
  const gvk = gvkOf(object);
  const own = mappingAt(gvk === undefined ? undefined : podSiteOf(object, gvk)?.spec, 'securityContext') ?? {};
  for (const key of ['runAsNonRoot', 'runAsUser', 'runAsGroup', 'fsGroup'] as const) {
    if (asked[key] === undefined || !has(own, key) || `${own[key] as number}` === `${asked[key]}`) continue;
    const args = { key, found: `${asked[key]}`, own: `${own[key] as number}` };
    report(problems.create('security-context-outranked', args), [key]);
  }
}
