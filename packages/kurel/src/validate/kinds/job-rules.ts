import {
  checkDnsLabel,
  checkLabelKey,
  containersOf,
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
import { fieldName, missingField, notAllowed } from '../../schema/index.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import type { KindCheck } from './kind-check.ts';

const amount: FieldRule = { range: { least: 0 } };
const actions = ['FailJob', 'FailIndex', 'Ignore', 'Count'];

const failureRule: FieldRule = {
  fields: {
    action: { required: actions.join(', '), words: actions },
    onExitCodes: {
      fields: {
        operator: { required: 'In or NotIn', words: ['In', 'NotIn'] },
        values: { required: 'a list of exit codes', most: 255, unique: '', also: checkOrdered },
      },
      also: ({ value, path, object, findings }) => {
        if (textAt(value, 'operator') !== 'In' || !listAt(value, 'values').includes(0)) return;
        const args = { field: 'values', demand: 'must not contain 0 when operator is In' };
        findings.add(object, { path: [...path, 'values'] }, ['field-enum', args]);
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
  also: ({ value, path, object, findings }) => {
    const present = [has(value, 'onExitCodes'), listAt(value, 'onPodConditions').length > 0];
    const args = { holder: `"${fieldName(path)}"`, fields: ['onExitCodes', 'onPodConditions'] };
    if (present.every(Boolean)) findings.add(object, { path, at: 'key' }, ['fields-exclusive', args]);
    else if (!present.some(Boolean)) findings.add(object, { path, at: 'key' }, ['field-choice-missing', args]);
  },
};

function checkOrdered({ value, path, object, findings }: FieldSite): void {
  if (!isJsonArray(value)) return;
  const isOrdered = value.every((code, index) => index === 0 || Number(value[index - 1]) <= Number(code));
  if (isOrdered) return;
  findings.add(object, { path }, ['field-enum', { field: fieldName(path), demand: 'must be in ascending order' }]);
}

const jobSpec: FieldRule = {
  fields: {
    parallelism: amount,
    completions: amount,
    backoffLimit: amount,
    backoffLimitPerIndex: amount,
    maxFailedIndexes: amount,
    activeDeadlineSeconds: { range: { least: 0, isLong: true } },
    ttlSecondsAfterFinished: amount,
    completionMode: { words: ['NonIndexed', 'Indexed'], emptyIsValue: true },
    podReplacementPolicy: { words: ['TerminatingOrFailed', 'Failed'], emptyIsValue: true },
    podFailurePolicy: { fields: { rules: { most: 20, items: failureRule } } },
    successPolicy: {
      fields: { rules: { required: 'a list of rules', most: 20, items: { fields: { succeededCount: amount } } } },
    },
  },
};

/** The spec of a Job, or of the Job template of a CronJob. */
export function checkJobSpec(
  check: KindCheck,
  spec: JsonObject,
  { path, pod }: { readonly path: Path; readonly pod: PodSite | undefined },
): void {
  const { object, findings } = check;
  checkFieldRules(check, spec, { rule: jobSpec, path });
  const isIndexed = spec['completionMode'] === 'Indexed';
  const refuse = (field: string, demand: string, found?: string): void =>
    findings.add(object, { path: [...path, field] }, [
      'field-enum',
      { field, demand, ...(found === undefined ? {} : { found }) },
    ]);
  if (!isIndexed) {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy']) {
      if (has(spec, field)) refuse(field, 'may only be set when completionMode is Indexed');
    }
  } else {
    checkIndexes(check, spec, path);
  }
  if (has(spec, 'maxFailedIndexes') && !has(spec, 'backoffLimitPerIndex'))
    refuse('maxFailedIndexes', 'may only be set when "backoffLimitPerIndex" is set');
  const policy = mappingAt(spec, 'podFailurePolicy');
  if (policy !== undefined) checkFailurePolicy(check, { spec, policy, path, pod });
}

const mostIndexed = 100_000;
/** The limit of parallelism and maxFailedIndexes with more completions than that. */
const mostOfMany = 10_000;

/** The limits of an indexed Job. */
function checkIndexes({ object, gvk, findings }: KindCheck, spec: JsonObject, path: Path): void {
  const [completions, parallelism] = [numberAt(spec, 'completions'), numberAt(spec, 'parallelism') ?? 0];
  const failed = numberAt(spec, 'maxFailedIndexes');
  const isLarge = (completions ?? 0) > mostIndexed && has(spec, 'backoffLimitPerIndex');
  const limit = isLarge ? mostOfMany : mostIndexed;
  const reason = isLarge
    ? `when there are more than ${mostIndexed} completions and "backoffLimitPerIndex" is set`
    : 'when completionMode is Indexed';
  const refuse = (field: string, demand: string, found: number): void =>
    findings.add(object, { path: [...path, field] }, ['field-enum', { field, demand, found: String(found) }]);
  if (parallelism > limit) refuse('parallelism', `must be at most ${limit} ${reason}`, parallelism);
  if (failed !== undefined && completions !== undefined && failed > completions) {
    refuse('maxFailedIndexes', `must be at most "completions" (${completions})`, failed);
  } else if (failed !== undefined && failed > limit) {
    refuse('maxFailedIndexes', `must be at most ${limit} ${reason}`, failed);
  }
  if (isLarge && failed === undefined) {
    const holder = `a Job with more than ${mostIndexed} completions and "backoffLimitPerIndex"`;
    const args = missingField({ name: 'maxFailedIndexes', holder, expected: 'an integer' });
    findings.add(object, { path: [...path, 'maxFailedIndexes'] }, ['field-required', args]);
  }
  const name = gvk.kind === 'Job' ? nameOf(object) : '';
  const host = `${name}-${(completions ?? 0) - 1}`;
  const reasonOfHost = name === '' || (completions ?? 0) < 1 ? undefined : checkDnsLabel(host);
  if (reasonOfHost !== undefined) {
    const args = { what: 'host name of the last pod', text: host, reason: reasonOfHost };
    findings.add(object, { path: ['metadata', 'name'] }, ['name-invalid', args]);
  }
  listAt(mappingAt(spec, 'successPolicy'), 'rules').forEach((rule, index) => {
    if (!isJsonObject(rule)) return;
    checkSuccessRule({ object, findings }, { rule, completions, path: [...path, 'successPolicy', 'rules', index] });
  });
}

interface SuccessRule {
  readonly rule: JsonObject;
  readonly completions: number | undefined;
  readonly path: Path;
}

function checkSuccessRule(
  { object, findings }: Pick<KindCheck, 'object' | 'findings'>,
  { rule, completions = Infinity, path }: SuccessRule,
): void {
  const [count, indexes] = [numberAt(rule, 'succeededCount'), textAt(rule, 'succeededIndexes')];
  if (!has(rule, 'succeededCount') && !has(rule, 'succeededIndexes')) {
    const args = { holder: `"${fieldName(path)}"`, fields: ['succeededIndexes', 'succeededCount'] };
    findings.add(object, { path, at: 'key' }, ['field-choice-missing', args]);
  }
  const counted = indexes === undefined ? undefined : countIndexes(indexes, completions);
  if (typeof counted === 'string') {
    const args = { field: 'succeededIndexes', demand: counted, found: `"${indexes}"` };
    findings.add(object, { path: [...path, 'succeededIndexes'] }, ['field-format', args]);
  }
  const most = Math.min(completions, typeof counted === 'number' ? counted : Infinity);
  if (count === undefined || count <= most) return;
  const what = most === completions ? '"completions"' : 'the number of succeededIndexes';
  const args = { field: 'succeededCount', demand: `must be at most ${what} (${most})`, found: String(count) };
  findings.add(object, { path: [...path, 'succeededCount'] }, ['field-enum', args]);
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

interface FailurePolicy {
  readonly spec: JsonObject;
  readonly policy: JsonObject;
  readonly path: Path;
  readonly pod: PodSite | undefined;
}

function checkFailurePolicy({ object, findings }: KindCheck, { spec, policy, path, pod }: FailurePolicy): void {
  if (pod !== undefined && pod.spec['restartPolicy'] === 'OnFailure') {
    const args = {
      field: 'restartPolicy',
      demand: 'must be Never when "podFailurePolicy" is set',
      found: '"OnFailure"',
    };
    findings.add(object, { path: [...pod.specPath, 'restartPolicy'] }, ['field-enum', args]);
  }
  if (spec['podReplacementPolicy'] === 'TerminatingOrFailed') {
    const demand = 'must be Failed when "podFailurePolicy" is set';
    findings.add(object, { path: [...path, 'podReplacementPolicy'] }, [
      'field-enum',
      { field: 'podReplacementPolicy', demand },
    ]);
  }
  const names = pod === undefined ? [] : containersOf(pod).flatMap(({ container }) => textAt(container, 'name') ?? []);
  listAt(policy, 'rules').forEach((rule, index) => {
    if (!isJsonObject(rule)) return;
    const place = [...path, 'podFailurePolicy', 'rules', index];
    if (rule['action'] === 'FailIndex' && !has(spec, 'backoffLimitPerIndex')) {
      const args = { field: 'action', demand: 'may be FailIndex only when "backoffLimitPerIndex" is set' };
      findings.add(object, { path: [...place, 'action'] }, ['field-enum', args]);
    }
    const name = textAt(mappingAt(rule, 'onExitCodes'), 'containerName');
    if (name === undefined || pod === undefined || names.includes(name)) return;
    const args = notAllowed({ field: 'containerName', found: `"${name}"`, allowed: names, word: name });
    findings.add(object, { path: [...place, 'onExitCodes', 'containerName'] }, ['field-enum', args]);
  });
}
