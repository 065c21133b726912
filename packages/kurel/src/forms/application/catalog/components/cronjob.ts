import { defineProblems, nearest, quote } from '../../../../diagnostics/index.ts';
import type { KubeObject } from '../../../../model/index.ts';
import { checkWorkloadName } from '../../pods/check-shared.ts';
import { createPod } from '../../pods/create-pod.ts';
import { createServiceAccount } from '../../pods/create-service.ts';
import { image, insteadOfPodFields, podProperties } from '../../pods/pod-properties.ts';
import type { Field } from '../../documents/field.ts';
import { defineComponent } from '../define.ts';
import type { ReportAt } from '../define.ts';
import { given } from '../given.ts';

const problems = defineProblems({
  'cronjob-time-zone': {
    // Names are added now and then, and the cluster may know more of them than this machine.
    severity: 'warning',
    summary: 'The time zone of a schedule is one that nobody has heard of.',
    message: ({ zone }: { zone: string }) => `no time zone is called ${quote(zone)}`,
    hint: ({ near }: { near: string | undefined }) =>
      near === undefined ? 'take one of the IANA names, such as Europe/Berlin' : `did you mean ${near}?`,
  },
});

const count = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const satisfies Field;
const seconds = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const satisfies Field;

const properties = {
  image,
  schedule: {
    type: 'string',
    description: 'when it runs: minute, hour, day of month, month and day of week, or a word such as @daily',
    required: true,
    format: 'cron-schedule',
  },
  timeZone: {
    type: 'string',
    description: 'time zone of the schedule; that of the cluster unless given',
    format: 'time-zone',
  },
  concurrencyPolicy: {
    type: 'string',
    description: 'what happens when the last run has not ended; Kubernetes allows both unless given',
    enum: ['Allow', 'Forbid', 'Replace'],
  },
  suspend: { type: 'boolean', description: 'whether no run is started for now' },
  startingDeadlineSeconds: { ...seconds, description: 'how late a run may start before it is left out' },
  successfulJobsHistoryLimit: { ...count, description: 'how many runs that went well are kept', default: 3 },
  failedJobsHistoryLimit: { ...count, description: 'how many runs that failed are kept', default: 1 },
  backoffLimit: { ...count, description: 'how often a run is tried again before it has failed' },
  activeDeadlineSeconds: { ...seconds, description: 'how long a run may take, all tries together', minimum: 1 },
  ttlSecondsAfterFinished: { ...count, description: 'how long a run is kept after its end' },
  restartPolicy: {
    type: 'string',
    description: 'whether a failed container is started again in its pod, or a new pod is made',
    enum: ['OnFailure', 'Never'],
    default: 'OnFailure',
  },
  ...podProperties,
} as const;

export const cronjob = defineComponent({
  type: 'cronjob',
  summary: 'A program that runs to its end, again and again on a schedule: a CronJob.',
  provides: ['pods', 'podTemplate', 'serviceAccount'],
  instead: insteadOfPodFields,
  properties,
  problems,
  render(input) {
    const { name, properties: asked, report } = input;
    checkWorkloadName('CronJob', input);
    checkTimeZone(asked.timeZone, report);
    const pod = createPod(input, { restartPolicy: asked.restartPolicy });
    const labels = { app: name };
    const cronJob: KubeObject = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name, labels },
      spec: given({
        schedule: asked.schedule,
        timeZone: asked.timeZone,
        concurrencyPolicy: asked.concurrencyPolicy,
        suspend: asked.suspend,
        startingDeadlineSeconds: asked.startingDeadlineSeconds,
        successfulJobsHistoryLimit: asked.successfulJobsHistoryLimit,
        failedJobsHistoryLimit: asked.failedJobsHistoryLimit,
        jobTemplate: {
          metadata: { labels },
          spec: given({
            backoffLimit: asked.backoffLimit,
            activeDeadlineSeconds: asked.activeDeadlineSeconds,
            ttlSecondsAfterFinished: asked.ttlSecondsAfterFinished,
            template: pod.template,
          }),
        },
      }),
    };
    return {
      objects: [cronJob, createServiceAccount(name), ...pod.claimObjects],
      pods: labels,
      serviceAccount: name,
      claims: pod.claims,
    };
  },
});

function checkTimeZone(zone: string | undefined, report: ReportAt): void {
  if (zone === undefined) return;
  const names = Intl.supportedValuesOf('timeZone');
  // Clusters find time zones by files, whose names have capitals.
  const name = names.find((one) => one.toLowerCase() === zone.toLowerCase());
  if (name === zone || (name === undefined && isOldName(zone))) return;
  const near = name ?? nearest(zone, names);
  report(problems.create('cronjob-time-zone', { zone, near }), ['timeZone']);
}

/** Names that have been given up still mean what they meant. */
function isOldName(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
