import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { gvkOf, podSiteOf, textAt } from '../../../../kube/index.ts';
import type { Json, KubeObject } from '../../../../model/index.ts';
import { findExcesses, levels } from '../../pod-security/check-level.ts';
import type { Level } from '../../pod-security/check-level.ts';
import { findOutranked, hardenPod } from '../../pod-security/harden-pod.ts';
import type { Hardening } from '../../pod-security/harden-pod.ts';
import { changePods } from '../../pods/change-pods.ts';
import { findRoots } from '../../pods/check-pod.ts';
import type { Field } from '../../documents/field.ts';
import { defineTrait } from '../define.ts';
import { scope } from '../scope.ts';
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
  'security-context-outranked': {
    severity: 'warning',
    summary:
      'A component says something of its pods that its trait "security-context" says otherwise; the trait decides.',
    message: ({ key, of, found, asked }: { key: string; of: string; found: string; asked: string }) =>
      `${quote(key)} of ${of} is ${found}, which has no effect: the trait "security-context" says ${asked}`,
    hint: () => 'say it in one place only',
  },
});

const id = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const satisfies Field;

export const securityContext = defineTrait({
  type: 'security-context',
  summary: 'Holds the pods of the component to a level of the Pod Security Standards.',
  needs: ['podTemplate'],
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
    scope,
  },
  problems,
  render({ properties, report }) {
    checkLevel(properties, report);
    return {
      decorate(objects) {
        for (const object of objects) tellOutranked(object, properties, report);
        return changePods(objects, (spec) => hardenPod(spec, properties));
      },
      inspect(object, reportFinding) {
        const gvk = gvkOf(object);
        const pod = gvk === undefined ? undefined : podSiteOf(object, gvk);
        const { psaLevel: level } = properties;
        if (pod === undefined) return;
        for (const { what, path, allowedBy } of findExcesses(pod, level)) {
          reportFinding(problems.create('security-context-excess', { what, level, allowedBy }), path);
        }
        // Among the excesses of the strictest level is root as well.
        for (const { path } of level === 'restricted' ? [] : findRoots(pod.spec)) {
          reportFinding(problems.create('security-context-root', {}), [...pod.specPath, ...path]);
        }
      },
    };
  },
});

const wanted = { runAsNonRoot: true, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true } as const;

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

/** What the trait says wins, and nobody should believe otherwise. */
function tellOutranked(object: KubeObject, asked: Hardening, report: ReportAt): void {
  const gvk = gvkOf(object);
  const pod = gvk === undefined ? undefined : podSiteOf(object, gvk);
  for (const { key, of, found, asked: wanted } of pod === undefined ? [] : findOutranked(pod, asked)) {
    const args = { key, of, found: show(found), asked: show(wanted) };
    const isExplicit = asked[key as keyof Hardening] !== undefined;
    report(problems.create('security-context-outranked', args), [isExplicit ? key : 'psaLevel']);
  }
}

/** A profile is known by its type. */
function show(value: Json): string {
  return textAt(value, 'type') ?? `${value as number}`;
}
