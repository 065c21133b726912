import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { textAt } from '../../../../kube/index.ts';
import type { Json, KubeObject } from '../../../../model/index.ts';
import { findExcesses } from '../../pod-security/check-level.ts';
import type { Level } from '../../pod-security/check-level.ts';
import { findOutranked, hardenPod } from '../../pod-security/harden-pod.ts';
import type { Hardening } from '../../pod-security/harden-pod.ts';
import { changePods, podOf } from '../../pods/change-pods.ts';
import { defineTrait } from '../define.ts';
import type { ReportAt } from '../define.ts';
import { hardening, describeMore, scope } from '../../../../documents/index.ts';

const problems = defineProblems(() => ({
  'security-context-excess': {
    summary: 'A pod has a setting that the level of its security-context trait does not allow.',
    message: ({ what, level }: { what: string; level: Level }) => `${what}, which psaLevel ${level} does not allow`,
    hint: ({ allowedBy }: { allowedBy: Level }) => `remove it, or set psaLevel to ${allowedBy}`,
    fix: 'Remove the setting from the component or the patch that sets it, or set psaLevel to a level that allows it.',
  },
  'security-context-contradiction': {
    summary: 'A property of a security-context trait conflicts with its level.',
    message: ({ key, value }: { key: string; value: string }) =>
      `${quote(key)} ${value} conflicts with psaLevel restricted`,
    hint: ({ key }: { key: string }) => `remove ${quote(key)}, or set psaLevel to baseline`,
    fix: 'Remove the property: psaLevel restricted sets it. Or set psaLevel to baseline.',
  },
  'security-context-outranked': {
    severity: 'warning',
    summary: 'A setting of a component is overridden by its security-context trait.',
    message: ({ key, of, value, asked }: { key: string; of: string; value: string; asked: string }) =>
      `${quote(key)} ${value} of ${of} is overridden by ${asked} of trait "security-context"`,
    hint: () => 'set it in one place only',
    fix: 'Remove the setting from securityContext or podSecurityContext of the component, or change it in the trait, which takes precedence.',
  },
}));

export const securityContext = defineTrait({
  type: 'security-context',
  summary: 'Enforces a level of the Pod Security Standards for the pods of the component.',
  needs: ['podTemplate'],
  properties: {
    ...hardening,
    psaLevel: describeMore(hardening.psaLevel, 'restricted sets all fields that the standard requires.'),
    runAsNonRoot: describeMore(hardening.runAsNonRoot, 'Defaults to true for restricted.'),
    allowPrivilegeEscalation: describeMore(hardening.allowPrivilegeEscalation, 'Defaults to false for restricted.'),
    readOnlyRootFilesystem: describeMore(hardening.readOnlyRootFilesystem, 'Defaults to true for restricted.'),
    scope,
  },
  problems,
  render({ properties, report }) {
    checkLevel(properties, report);
    return {
      decorate(objects) {
        for (const object of objects) reportOutranked(object, properties, report);
        return changePods(objects, (spec) => hardenPod(spec, properties));
      },
      inspect(object, reportFinding) {
        const pod = podOf(object);
        const { psaLevel: level } = properties;
        if (pod === undefined) return;
        for (const { what, path, allowedBy } of findExcesses(pod, level)) {
          reportFinding(problems.create('security-context-excess', { what, level, allowedBy }), path);
        }
      },
    };
  },
});

const wanted = { runAsNonRoot: true, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true } as const;

function checkLevel(asked: Hardening, report: ReportAt): void {
  if (asked.psaLevel !== 'restricted') return;
  for (const key of Object.keys(wanted) as (keyof typeof wanted)[]) {
    if (asked[key] === undefined || asked[key] === wanted[key]) continue;
    report(problems.create('security-context-contradiction', { key, value: `${asked[key]}` }), [key]);
  }
  if (asked.runAsUser !== 0) return;
  report(problems.create('security-context-contradiction', { key: 'runAsUser', value: '0' }), ['runAsUser']);
}

/** The trait takes precedence, so ignored settings are reported. */
function reportOutranked(object: KubeObject, asked: Hardening, report: ReportAt): void {
  const pod = podOf(object);
  for (const { key, of, value, asked: wanted } of pod === undefined ? [] : findOutranked(pod, asked)) {
    const args = { key, of, value: show(value), asked: show(wanted) };
    const isExplicit = asked[key as keyof Hardening] !== undefined;
    report(problems.create('security-context-outranked', args), [isExplicit ? key : 'psaLevel']);
  }
}

/** A seccomp profile is shown as its type. */
function show(value: Json): string {
  return textAt(value, 'type') ?? `${value as number}`;
}
