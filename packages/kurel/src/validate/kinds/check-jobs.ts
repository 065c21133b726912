import { quote } from '../../diagnostics/index.ts';
import { explainSchedule, has, mappingAt, textAt } from '../../kube/index.ts';
import type { PodSite } from '../../kube/index.ts';
import type { Path } from '../../model/index.ts';
import { missingField, notAllowed } from '../../schema/index.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { checkJobSpec } from './job-rules.ts';
import { podTemplate } from './check-workloads.ts';
import type { KindCheck } from './kind-check.ts';

const policies = ['OnFailure', 'Never'];

const job: FieldRule = {
  fields: { spec: { required: 'an object with "template"', fields: { template: podTemplate } } },
};

export function checkJob(check: KindCheck, pod: PodSite | undefined): void {
  const { object, gvk, findings } = check;
  const path: Path = gvk.kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec'] : ['spec'];
  const outer = mappingAt(object, 'spec');
  const spec = gvk.kind === 'CronJob' ? mappingAt(mappingAt(outer, 'jobTemplate'), 'spec') : outer;
  checkFieldRules(check, object, { rule: gvk.kind === 'CronJob' ? cronJob : job, path: [] });
  if (spec !== undefined) checkJobSpec(check, spec, { path, pod });
  if (spec?.['completionMode'] === 'Indexed' && !has(spec, 'completions')) {
    findings.add(object, { path: [...path, 'completions'] }, [
      'field-required',
      missingField({ name: 'completions', holder: `spec of an indexed ${gvk.kind}`, expected: 'an integer' }),
    ]);
  }
  if (pod === undefined) return;
  const policy = pod.spec['restartPolicy'];
  if (policy === undefined || policy === null || policy === '' || policy === 'Always') {
    findings.add(object, { path: [...pod.specPath, 'restartPolicy'] }, [
      'field-enum',
      notAllowed({
        field: `restartPolicy of a ${gvk.kind}`,
        found: policy === 'Always' ? '"Always"' : 'the default "Always"',
        allowed: policies,
        word: undefined,
      }),
    ]);
  }
}

const amount: FieldRule = { range: { least: 0 } };

const cronJob: FieldRule = {
  fields: {
    spec: {
      required: 'an object with "schedule" and "jobTemplate"',
      fields: {
        schedule: { required: 'for example "*/15 8-18 * * 1-5"' },
        concurrencyPolicy: { words: ['Allow', 'Forbid', 'Replace'] },
        startingDeadlineSeconds: { range: { least: 0, isLong: true } },
        successfulJobsHistoryLimit: amount,
        failedJobsHistoryLimit: amount,
        jobTemplate: {
          required: 'an object with "spec"',
          fields: { spec: { ...job.fields!['spec']! } },
          also: refuseSelector,
        },
      },
    },
  },
};

/** The API server generates a selector for each Job of a CronJob. */
function refuseSelector({ value, path, object, findings }: FieldSite): void {
  const spec = mappingAt(value, 'spec');
  for (const field of ['selector', 'manualSelector']) {
    if (!has(spec, field) || spec![field] === false) continue;
    const args = { field, demand: 'may not be set in a CronJob: it is generated for each Job' };
    findings.add(object, { path: [...path, 'spec', field], at: 'key' }, ['field-enum', args]);
  }
}

const zoneName = /^(?!-)[-A-Za-z._0-9+]{1,14}(?:\/(?!-)[-A-Za-z._0-9+]{1,14})*$/;

export function checkCronJob(check: KindCheck): void {
  const { object, findings } = check;
  const spec = mappingAt(object, 'spec');
  const schedule = textAt(spec, 'schedule');
  const reason = schedule === undefined || schedule === '' ? undefined : explainSchedule(schedule);
  if (reason !== undefined)
    findings.add(object, { path: ['spec', 'schedule'] }, ['schedule-invalid', { text: schedule!, reason }]);
  const zone = textAt(spec, 'timeZone');
  if (zone !== undefined && (!zoneName.test(zone) || /^local$/i.test(zone))) {
    findings.add(object, { path: ['spec', 'timeZone'] }, [
      'field-format',
      { field: 'timeZone', demand: 'must be a time zone such as "Europe/Berlin"', found: quote(zone) },
    ]);
  }
}
