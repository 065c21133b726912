import {
  checkDnsLabel,
  checkLabelKey,
  containersOf,
  explainSchedule,
  has,
  listAt,
  mappingAt,
  nameOf,
  numberAt,
  textAt,
} from '../../kube/index.ts';
import type { PodSite } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { JsonObject, Path } from '../../model/index.ts';
import { podTemplate } from './check-workloads.ts';
import { ofSpec } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import { below, checkEither, demandField, refuse, refuseName, refuseNone, refuseWord, report } from './field-site.ts';
import type { FieldSite, Site } from './field-site.ts';

const count: FieldRule = { range: { least: 0 } };

const failureRule: FieldRule = {
  fields: {
    action: { required: 'FailJob, FailIndex, Ignore, Count' },
    onExitCodes: {
      fields: {
        operator: { required: 'In or NotIn' },
        values: { required: 'a list of exit codes', most: 255, unique: '', also: checkOrdered },
      },
      also: (site) => {
        if (textAt(site.value, 'operator') === 'In' && listAt(site.value, 'values').includes(0))
          refuse(site, ['values'], { demand: 'must not contain 0 when operator is In' });
      },
    },
    onPodConditions: {
      most: 20,
      items: {
        fields: {
          type: { required: 'the type of a condition', text: checkLabelKey },
          status: { words: ['True', 'False', 'Unknown'] },
        },
      },
    },
  },
  also: (site) => {
    const isSet = [has(site.value, 'onExitCodes'), listAt(site.value, 'onPodConditions').length > 0] as const;
    checkEither(site, ['onExitCodes', 'onPodConditions'], isSet);
  },
};

function checkOrdered(site: FieldSite): void {
  if (!isJsonArray(site.value)) return;
  const codes = site.value.map(Number);
  const isOrdered = codes.every((code, index) => index === 0 || codes[index - 1]! <= code);
  if (!isOrdered) refuse(site, [], { demand: 'must be in ascending order' });
}

const jobSpec: FieldRule = {
  required: 'an object with "template"',
  fields: {
    template: podTemplate,
    parallelism: count,
    completions: count,
    backoffLimit: count,
    backoffLimitPerIndex: count,
    maxFailedIndexes: count,
    activeDeadlineSeconds: { range: { least: 0, isLong: true } },
    ttlSecondsAfterFinished: count,
    podFailurePolicy: { fields: { rules: { most: 20, items: failureRule } } },
    successPolicy: {
      fields: { rules: { required: 'a list of rules', most: 20, items: { fields: { succeededCount: count } } } },
    },
  },
  also: checkJobSpec,
};

export const job: FieldRule = { fields: { spec: jobSpec } };

const zoneName = /^(?!-)[-A-Za-z._0-9+]{1,14}(?:\/(?!-)[-A-Za-z._0-9+]{1,14})*$/;

function explainZone(zone: string): string | undefined {
  return zoneName.test(zone) && !/^local$/i.test(zone) ? undefined : 'must be a time zone such as "Europe/Berlin"';
}

/** The API server generates a selector for each Job of a CronJob. */
const generated = 'may not be set in a CronJob: it is generated for each Job';
const generatedFields: FieldRule['refuses'] = {
  selector: ({ selector }) => selector !== false && generated,
  manualSelector: ({ manualSelector }) => manualSelector !== false && generated,
};

export const cronJob = ofSpec({
  required: 'an object with "schedule" and "jobTemplate"',
  fields: {
    schedule: { required: 'for example "*/15 8-18 * * 1-5"', also: checkSchedule },
    timeZone: { format: explainZone, emptyIsValue: true },
    startingDeadlineSeconds: { range: { least: 0, isLong: true } },
    successfulJobsHistoryLimit: count,
    failedJobsHistoryLimit: count,
    jobTemplate: {
      required: 'an object with "spec"',
      fields: { spec: { ...jobSpec, refuses: generatedFields } },
    },
  },
});

function checkSchedule(site: FieldSite): void {
  const { value: text } = site;
  if (typeof text !== 'string' || text === '') return;
  const reason = explainSchedule(text);
  if (reason !== undefined) report(site, [], ['schedule-invalid', { text, reason }]);
}

/** The spec of a Job, or of the Job template of a CronJob. */
function checkJobSpec(site: FieldSite): void {
  const { value: spec, gvk, pod } = site;
  if (!isJsonObject(spec)) return;
  if (spec['completionMode'] === 'Indexed') checkIndexes(site, spec);
  else {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy'])
      if (has(spec, field)) refuse(site, [field], { demand: 'may only be set when completionMode is Indexed' });
  }
  if (spec['completionMode'] === 'Indexed' && !has(spec, 'completions'))
    demandField(site, ['completions'], { holder: `spec of an indexed ${gvk.kind}`, expected: 'an integer' });
  if (has(spec, 'maxFailedIndexes') && !has(spec, 'backoffLimitPerIndex'))
    refuse(site, ['maxFailedIndexes'], { demand: 'may only be set when "backoffLimitPerIndex" is set' });
  const policy = mappingAt(spec, 'podFailurePolicy');
  if (policy !== undefined) checkFailurePolicy(site, spec, policy);
  if (pod !== undefined) checkRestartPolicy(site, pod);
}

function checkRestartPolicy(site: FieldSite, pod: PodSite): void {
  const policy = pod.spec['restartPolicy'] ?? '';
  if (policy !== '' && policy !== 'Always') return;
  const got = policy === 'Always' ? '"Always"' : 'the default "Always"';
  const field = `restartPolicy of a ${site.gvk.kind}`;
  refuseWord({ ...site, path: pod.specPath }, ['restartPolicy'], { field, got, allowed: ['OnFailure', 'Never'] });
}

const mostIndexed = 100_000;
/** The limit of parallelism and maxFailedIndexes with more completions than that. */
const mostOfMany = 10_000;

/** The limits of an indexed Job. */
function checkIndexes(site: FieldSite, spec: JsonObject): void {
  const [completions, parallelism] = [numberAt(spec, 'completions'), numberAt(spec, 'parallelism') ?? 0];
  const failed = numberAt(spec, 'maxFailedIndexes');
  const isLarge = (completions ?? 0) > mostIndexed && has(spec, 'backoffLimitPerIndex');
  const limit = isLarge ? mostOfMany : mostIndexed;
  const reason = isLarge
    ? `when there are more than ${mostIndexed} completions and "backoffLimitPerIndex" is set`
    : 'when completionMode is Indexed';
  const refuseNumber = (field: string, demand: string, number: number): void =>
    refuse(site, [field], { demand, got: String(number) });
  if (parallelism > limit) refuseNumber('parallelism', `must be at most ${limit} ${reason}`, parallelism);
  if (failed !== undefined && completions !== undefined && failed > completions) {
    refuseNumber('maxFailedIndexes', `must be at most "completions" (${completions})`, failed);
  } else if (failed !== undefined && failed > limit) {
    refuseNumber('maxFailedIndexes', `must be at most ${limit} ${reason}`, failed);
  }
  if (isLarge && failed === undefined) {
    const holder = `a Job with more than ${mostIndexed} completions and "backoffLimitPerIndex"`;
    demandField(site, ['maxFailedIndexes'], { holder, expected: 'an integer' });
  }
  const name = site.gvk.kind === 'Job' ? nameOf(site.object) : '';
  const host = `${name}-${(completions ?? 0) - 1}`;
  const hostReason = name === '' || (completions ?? 0) < 1 ? undefined : checkDnsLabel(host);
  if (hostReason !== undefined) {
    const invalid = { what: 'host name of the last pod', text: host, reason: hostReason };
    refuseName({ ...site, path: ['metadata'] }, ['name'], invalid);
  }
  listAt(mappingAt(spec, 'successPolicy'), 'rules').forEach((rule, index) => {
    if (isJsonObject(rule)) checkSuccessRule(below(site, 'successPolicy', 'rules', index), rule, completions);
  });
}

function checkSuccessRule(site: Site, rule: JsonObject, completions = Infinity): void {
  const [wanted, indexes] = [numberAt(rule, 'succeededCount'), textAt(rule, 'succeededIndexes')];
  if (!has(rule, 'succeededCount') && !has(rule, 'succeededIndexes'))
    refuseNone(site, { fields: ['succeededIndexes', 'succeededCount'] });
  const counted = indexes === undefined ? undefined : countIndexes(indexes, completions);
  if (typeof counted === 'string')
    refuse(site, ['succeededIndexes'], { code: 'field-format', demand: counted, got: `"${indexes}"` });
  const most = Math.min(completions, typeof counted === 'number' ? counted : Infinity);
  if (wanted === undefined || wanted <= most) return;
  const what = most === completions ? '"completions"' : 'the number of succeededIndexes';
  refuse(site, ['succeededCount'], { demand: `must be at most ${what} (${most})`, got: String(wanted) });
}

/** The number of indexes in a list such as `0,2-4`, or why the list is not valid. */
function countIndexes(text: string, completions: number): number | string {
  let [total, last] = [0, -1];
  for (const part of text === '' ? [] : text.split(',')) {
    const [, first, end = first] = /^\+?(\d+)(?:-\+?(\d+))?$/.exec(part) ?? [];
    if (first === undefined) return 'must be a list of indexes and ranges such as "0,2-4"';
    const [from, to] = [Number(first), Number(end)];
    if (from <= last || (part.includes('-') && to <= from)) return 'must be in ascending order';
    if (to >= completions) return `must contain only indexes below "completions" (${completions})`;
    total += to - from + 1;
    last = to;
  }
  return total;
}

function checkFailurePolicy(site: FieldSite, spec: JsonObject, policy: JsonObject): void {
  const { pod } = site;
  if (pod !== undefined && pod.spec['restartPolicy'] === 'OnFailure') {
    const demand = 'must be Never when "podFailurePolicy" is set';
    refuse({ ...site, path: pod.specPath }, ['restartPolicy'], { demand, got: '"OnFailure"' });
  }
  if (spec['podReplacementPolicy'] === 'TerminatingOrFailed')
    refuse(site, ['podReplacementPolicy'], { demand: 'must be Failed when "podFailurePolicy" is set' });
  const names = pod === undefined ? [] : containersOf(pod).flatMap(({ container }) => textAt(container, 'name') ?? []);
  listAt(policy, 'rules').forEach((rule, index) => {
    const steps: Path = ['podFailurePolicy', 'rules', index];
    if (textAt(rule, 'action') === 'FailIndex' && !has(spec, 'backoffLimitPerIndex'))
      refuse(site, [...steps, 'action'], { demand: 'may be FailIndex only when "backoffLimitPerIndex" is set' });
    const name = textAt(mappingAt(rule, 'onExitCodes'), 'containerName');
    if (name !== undefined && pod !== undefined && !names.includes(name))
      refuseWord(site, [...steps, 'onExitCodes', 'containerName'], { text: name, allowed: names });
  });
}
