import { quote } from '../../diagnostics/index.ts';
import type { Path } from '../../model/index.ts';
import type { PodSite } from '../../kube/index.ts';
import { explainSchedule, has, mappingAt, textAt } from '../../kube/index.ts';
import { missingField, notAllowed } from '../../schema/index.ts';
import { checkNumber } from './check-number.ts';
import type { KindCheck } from './kind-check.ts';

const amounts = [
  'parallelism',
  'completions',
  'backoffLimit',
  'activeDeadlineSeconds',
  'ttlSecondsAfterFinished',
] as const;
const policies = ['OnFailure', 'Never'];

export function checkJob(check: KindCheck, pod: PodSite | undefined): void {
  const { object, gvk, findings } = check;
  const path: Path = gvk.kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec'] : ['spec'];
  const outer = mappingAt(object, 'spec');
  const spec = gvk.kind === 'CronJob' ? mappingAt(mappingAt(outer, 'jobTemplate'), 'spec') : outer;
  for (const name of amounts) checkNumber(check, spec, { path, name, least: 0 });
  if (spec?.['completionMode'] === 'Indexed' && !has(spec, 'completions')) {
    findings.add(object, { path: [...path, 'completions'] }, [
      'field-required',
      missingField({ name: 'completions', holder: `spec of an indexed ${gvk.kind}`, expected: 'an integer' }),
    ]);
  }
  if (pod === undefined) return;
  const policy = pod.spec['restartPolicy'];
  if (policy === undefined || policy === null || policy === 'Always') {
    findings.add(object, { path: [...pod.specPath, 'restartPolicy'] }, [
      'field-enum',
      notAllowed({
        field: `restartPolicy of a ${gvk.kind}`,
        found: policy === 'Always' ? '"Always"' : 'left out, which means "Always"',
        allowed: policies,
        word: undefined,
      }),
    ]);
  }
}

export function checkCronJob(check: KindCheck): void {
  const { object, findings } = check;
  const spec = mappingAt(object, 'spec');
  const schedule = textAt(spec, 'schedule');
  const reason = schedule === undefined ? undefined : explainSchedule(schedule);
  if (reason !== undefined)
    findings.add(object, { path: ['spec', 'schedule'] }, ['schedule-invalid', { text: schedule!, reason }]);
  for (const name of ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) {
    checkNumber(check, spec, { path: ['spec'], name, least: 0 });
  }
  const zone = textAt(spec, 'timeZone');
  if (zone !== undefined && (zone === '' || /^local$/i.test(zone))) {
    findings.add(object, { path: ['spec', 'timeZone'] }, [
      'field-format',
      { field: 'timeZone', demand: 'must name a time zone such as "Europe/Berlin"', found: quote(zone) },
    ]);
  }
}
