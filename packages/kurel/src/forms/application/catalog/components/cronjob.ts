import { defineProblems, didYouMean, nearest, quote } from '../../../../diagnostics/index.ts';
import { insteadInJobs } from '../../pods/instead-fields.ts';
import { nameRelations, namesOf } from '../../pods/names.ts';
import { image } from '../../pods/pod-properties.ts';
import { checkParallelVolumes, createJob, createWorkload, jobProperties, seconds } from '../../pods/workloads.ts';
import { choiceField, countField, flagField, inGroup, textField } from '../../../../documents/index.ts';
import { defineComponent } from '../define.ts';
import type { ReportAt } from '../define.ts';
import { pickFields } from '../present-fields.ts';

const problems = defineProblems(() => ({
  'cronjob-time-zone': {
    // A warning only: new time zones are added now and then, and the cluster may have newer data.
    severity: 'warning',
    summary: 'The time zone of a schedule is unknown.',
    message: ({ zone }: { zone: string }) => `unknown time zone ${quote(zone)}`,
    hint: ({ near }: { near: string | undefined }) => didYouMean(near) ?? 'use an IANA name such as Europe/Berlin',
    fix: 'Use a name of the IANA time zone database, such as Europe/Berlin or Etc/UTC.',
  },
}));

/** The properties that are fields of a CronJob. */
const scheduleProperties = {
  schedule: { ...textField('cron-schedule', 'Schedule in cron format, such as 0 3 * * * or @daily.'), required: true },
  timeZone: textField('time-zone', 'Time zone of the schedule. Defaults to that of the cluster.'),
  concurrencyPolicy: choiceField(
    ['Allow', 'Forbid', 'Replace'],
    'How to treat concurrent runs. Defaults to the Kubernetes default of Allow.',
  ),
  suspend: flagField('Whether to suspend further runs.'),
  ...inGroup('Jobs', {
    startingDeadlineSeconds: {
      ...seconds,
      description: 'Deadline in seconds for starting a run that missed its time.',
    },
    successfulJobsHistoryLimit: { ...countField('Number of successful Jobs to keep.'), default: 3 },
    failedJobsHistoryLimit: { ...countField('Number of failed Jobs to keep.'), default: 1 },
  }),
} as const;

export const cronjob = defineComponent({
  type: 'cronjob',
  summary: 'Scheduled task: CronJob.',
  provides: ['pods', 'podTemplate', 'serviceAccount'],
  instead: insteadInJobs,
  relations: nameRelations,
  properties: { image, ...scheduleProperties, ...jobProperties },
  problems,
  render(input) {
    const { properties: asked, report } = input;
    checkTimeZone(asked.timeZone, report);
    checkParallelVolumes(input);
    const job = createJob(input);
    const { labels } = namesOf(input);
    const spec = { ...pickFields(scheduleProperties, asked), jobTemplate: { metadata: { labels }, spec: job.spec } };
    return createWorkload(input, { apiVersion: 'batch/v1', kind: 'CronJob', spec, pod: job.pod });
  },
});

function checkTimeZone(zone: string | undefined, report: ReportAt): void {
  if (zone === undefined) return;
  const names = Intl.supportedValuesOf('timeZone');
  // Clusters look up time zones as files, whose names are case-sensitive.
  const name = names.find((candidate) => candidate.toLowerCase() === zone.toLowerCase());
  if (name === zone || (name === undefined && isOldName(zone))) return;
  report(problems.create('cronjob-time-zone', { zone, near: nearest(zone, names) }), ['timeZone']);
}

/** Deprecated names are still valid. */
function isOldName(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
