import { checkLabelKey, containersOf, has, listAt, mappingAt, numberAt, textAt } from '../../kube/index.ts';
import type { PodSite } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { JsonObject, Path } from '../../model/index.ts';
import { fieldName, notAllowed } from '../../schema/index.ts';
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
    const [completions, failed] = [numberAt(spec, 'completions'), numberAt(spec, 'maxFailedIndexes')];
    if (completions !== undefined && failed !== undefined && failed > completions)
      refuse('maxFailedIndexes', `must be at most "completions" (${completions})`, String(failed));
    const parallelism = numberAt(spec, 'parallelism') ?? 0;
    if (parallelism > mostIndexed)
      refuse('parallelism', `must be at most ${mostIndexed} when completionMode is Indexed`, String(parallelism));
  }
  if (has(spec, 'maxFailedIndexes') && !has(spec, 'backoffLimitPerIndex'))
    refuse('maxFailedIndexes', 'may only be set when "backoffLimitPerIndex" is set');
  const policy = mappingAt(spec, 'podFailurePolicy');
  if (policy !== undefined) checkFailurePolicy(check, { spec, policy, path, pod });
}

const mostIndexed = 100_000;

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
