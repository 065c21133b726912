import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { installPhaseAnnotation, waitForPreviousAnnotation, waitForReadyAnnotation } from '../../../../kube/index.ts';
import { insteadInJobs } from '../../pods/instead-fields.ts';
import { nameRelations } from '../../pods/names.ts';
import { image } from '../../pods/pod-properties.ts';
import { checkParallelVolumes, createJob, createWorkload, jobProperties } from '../../pods/workloads.ts';
import { defineComponent } from '../define.ts';
import type { ComponentInput, Delivery } from '../define.ts';
import { choiceField, flagField } from '../../../../documents/index.ts';

const problems = defineProblems(() => ({
  'job-hook-annotation': {
    summary: 'An annotation of a job or its application conflicts with its hook.',
    message: ({ hook, key, value }: { hook: Hook; key: string; value: string }) =>
      `annotation ${quote(key)} ${quote(value)} conflicts with hook: ${hook}`,
    hint: ({ key }: { key: string }) => `remove ${quote(key)} from the annotations, or remove "hook"`,
    fix: 'Keep one of them: hook sets the annotations that order the Job, or set these annotations yourself, without hook.',
  },
  'job-repeats': {
    severity: 'warning',
    summary: 'Flux runs a Job again each time it was removed after its ttlSecondsAfterFinished.',
    message: ({ seconds }: { seconds: number }) =>
      `Flux creates the Job again after it was removed: it runs again ${seconds} seconds after it has finished`,
    hint: () => 'remove "ttlSecondsAfterFinished": Flux replaces the Job when it changes',
    fix: 'Remove ttlSecondsAfterFinished, so that the finished Job stays and Flux does not create it again. To run it repeatedly, use a cronjob.',
  },
}));

const hooks = ['before', 'after'] as const;

type Hook = (typeof hooks)[number];

export const job = defineComponent({
  type: 'job',
  summary: 'Task that runs once, such as a database migration: Job.',
  provides: ['pods', 'podTemplate', 'serviceAccount'],
  instead: { ...insteadInJobs, schedule: 'use type: cronjob' },
  relations: nameRelations,
  properties: {
    image,
    hook: choiceField(
      hooks,
      'When the Job runs: before the other components are applied, or after them. Defaults to together with them.',
    ),
    suspend: flagField('Whether to create the Job without running it.'),
    ...jobProperties,
  },
  problems,
  render(input) {
    const { properties: asked, delivery, report } = input;
    const { hook, ttlSecondsAfterFinished: ttl } = asked;
    checkParallelVolumes(input);
    if (ttl !== undefined && delivery.engine === 'fluxcd') {
      report(problems.create('job-repeats', { seconds: ttl }), ['ttlSecondsAfterFinished'], 'key');
    }
    const { ofAll, ofJob } = orderOf(hook, delivery);
    if (hook !== undefined) checkAnnotations(hook, { ...ofAll, ...ofJob }, input);
    const { spec, pod } = createJob(input, { suspend: asked.suspend });
    // Annotations of the author are added to every object later, and the object's own would take precedence.
    const own = Object.entries(ofJob).filter(([key]) => !Object.hasOwn(input.annotations, key));
    const annotations = Object.fromEntries(own);
    const workload = createWorkload(input, { apiVersion: 'batch/v1', kind: 'Job', annotations, spec, pod });
    return { ...workload, annotations: ofAll };
  },
});

type Annotations = Readonly<Record<string, string>>;

/**
 * A pod template cannot be changed, so a changed Job must be replaced. Argo CD replaces hooks. A hook of the phase Sync, unlike
 * PreSync, can run in a wave after the objects that the Job needs: its ServiceAccount, claims and ConfigMaps, so some
 * annotations are for all objects of the component and its traits.
 */
function orderOf(hook: Hook | undefined, { engine }: Delivery): Record<'ofAll' | 'ofJob', Annotations> {
  const phase: Annotations =
    hook === undefined ? {} : { [installPhaseAnnotation]: hook === 'before' ? 'pre-install' : 'post-install' };
  if (engine === 'argocd') {
    return {
      ofAll: hook === 'before' ? { ...phase, 'argocd.argoproj.io/sync-wave': '-1' } : phase,
      ofJob: {
        'argocd.argoproj.io/hook': hook === 'after' ? 'PostSync' : 'Sync',
        'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
      },
    };
  }
  // The Flux Kustomization of the phase waits until the Job is complete, and the one before it until everything is ready.
  const wait: Annotations = {
    ...(hook === undefined ? {} : { [waitForReadyAnnotation]: 'true' }),
    ...(hook === 'after' ? { [waitForPreviousAnnotation]: 'true' } : {}),
  };
  return { ofAll: phase, ofJob: { ...wait, 'kustomize.toolkit.fluxcd.io/force': 'enabled' } };
}

function checkAnnotations(hook: Hook, wanted: Annotations, { annotations, report }: ComponentInput<unknown>): void {
  for (const key of Object.keys(wanted)) {
    const value = annotations[key];
    if (value === undefined || value === wanted[key]) continue;
    report(problems.create('job-hook-annotation', { hook, key, value }), ['hook']);
  }
}
