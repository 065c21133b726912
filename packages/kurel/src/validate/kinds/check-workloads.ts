import { describeValue, DiagnosticError, quote } from '../../diagnostics/index.ts';
import {
  checkDnsLabel,
  has,
  labelSelectorFromObject,
  listAt,
  mappingAt,
  numberAt,
  podLabels,
  textAt,
} from '../../kube/index.ts';
import type { LabelSelector, PodSite } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { fieldName, missingField, notAllowed } from '../../schema/index.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { labels, labelSelector } from './selector-rules.ts';
import { checkLabelsAndAnnotations } from './check-metadata.ts';
import { checkNumber } from './read-amount.ts';
import type { KindCheck } from './kind-check.ts';

const amounts = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'] as const;

/** Deployments, StatefulSets, DaemonSets, ReplicaSets and ReplicationControllers. */
export function checkWorkload(check: KindCheck, pod: PodSite | undefined): void {
  const { object, gvk } = check;
  const rule = gvk.kind === 'ReplicationController' ? plainRules : rules[gvk.kind];
  if (rule !== undefined) checkFieldRules(check, object, { rule, path: [] });
  const spec = mappingAt(object, 'spec');
  if (spec === undefined) return;
  for (const name of amounts) {
    // The API server does not check the history limit of a StatefulSet.
    if (name !== 'revisionHistoryLimit' || gvk.kind !== 'StatefulSet')
      checkNumber(check, spec, { path: ['spec'], name, least: 0 });
  }
  if (pod !== undefined) {
    checkSelector(check, spec, pod);
    checkRestartPolicy(check, pod);
  }
  if (gvk.kind === 'Deployment') checkDeployment(check, spec);
  if (gvk.kind === 'DaemonSet') checkDaemonSet(check, spec);
  if (gvk.kind === 'StatefulSet') checkUpdates(check, spec);
  if (gvk.kind === 'ReplicationController') checkPlainSelector(check, spec, pod);
  listAt(spec, 'volumeClaimTemplates').forEach((claim, index) => {
    const metadata = mappingAt(claim, 'metadata');
    if (metadata !== undefined)
      checkLabelsAndAnnotations(check, metadata, ['spec', 'volumeClaimTemplates', index, 'metadata']);
  });
}

/** A pod template needs containers, although its schema does not require them. */
export const podTemplate: FieldRule = {
  required: 'an object with "metadata" and "spec"',
  fields: { spec: { required: 'an object with "containers"', fields: { containers: { required: 'a list' } } } },
};

/** An integer, or a percentage of all pods. */
function explainShare(text: string): string | undefined {
  return /^\d+%$/.test(text) ? undefined : 'must be an integer or a percentage such as 25%';
}

function checkShare({ value, path, object, findings }: FieldSite): void {
  const reason = typeof value === 'string' ? explainShare(value) : undefined;
  const isNegative = typeof value === 'number' && value < 0;
  if (reason === undefined && !isNegative) return;
  const demand = reason ?? 'must be at least 0';
  findings.add(object, { path }, [
    reason === undefined ? 'field-range' : 'field-format',
    { field: fieldName(path), demand, found: describeValue(value) },
  ]);
}

/** Like `checkShare`, but at most 100%. */
export function checkPart(site: FieldSite): void {
  checkShare(site);
  const { value, path, object, findings } = site;
  const [, percent] = typeof value === 'string' ? (/^(\d+)%$/.exec(value) ?? []) : [];
  if (percent === undefined || Number(percent) <= 100) return;
  const args = { field: fieldName(path), demand: 'must be at most 100%', found: describeValue(value) };
  findings.add(object, { path }, ['field-range', args]);
}

const rolling: FieldRule = { fields: { maxSurge: { also: checkShare }, maxUnavailable: { also: checkPart } } };

const workloadSpec: Readonly<Record<string, FieldRule>> = {
  selector: { required: 'an object with "matchLabels"', ...labelSelector },
  template: podTemplate,
};

function workload(fields: Readonly<Record<string, FieldRule>>): FieldRule {
  return {
    fields: {
      spec: { required: 'an object with "selector" and "template"', fields: { ...workloadSpec, ...fields } },
    },
  };
}

const updateTypes: FieldRule = { words: ['RollingUpdate', 'OnDelete'] };
const retention: FieldRule = { words: ['Retain', 'Delete'], emptyIsValue: true };

const rules: Readonly<Record<string, FieldRule>> = {
  Deployment: workload({
    strategy: { fields: { type: { words: ['Recreate', 'RollingUpdate'] }, rollingUpdate: rolling } },
  }),
  ReplicaSet: workload({}),
  DaemonSet: workload({ updateStrategy: { fields: { type: updateTypes, rollingUpdate: rolling } } }),
  StatefulSet: workload({
    serviceName: { text: checkDnsLabel },
    podManagementPolicy: { words: ['OrderedReady', 'Parallel'] },
    updateStrategy: {
      fields: {
        type: updateTypes,
        rollingUpdate: { fields: { partition: { range: { least: 0 } }, maxUnavailable: { also: checkPart } } },
      },
    },
    persistentVolumeClaimRetentionPolicy: { fields: { whenDeleted: retention, whenScaled: retention } },
    ordinals: { fields: { start: { range: { least: 0 } } } },
  }),
};

/** The selector of a ReplicationController defaults to the labels of its template. */
const plainRules: FieldRule = {
  fields: { spec: { required: 'an object with "template"', fields: { selector: labels, template: podTemplate } } },
};

function checkSelector({ object, gvk, findings }: KindCheck, spec: JsonObject, pod: PodSite): void {
  const { selector } = spec;
  if (!isJsonObject(selector)) return;
  const isPlain = gvk.kind === 'ReplicationController';
  const wanted = isPlain ? selector : mappingAt(selector, 'matchLabels');
  if (!isPlain && isEmpty(wanted) && listAt(selector, 'matchExpressions').length === 0) {
    findings.add(object, { path: ['spec', 'selector'], at: 'key' }, ['selector-invalid', { reason: 'it is empty' }]);
    return;
  }
  const found = podLabels(pod);
  for (const key in wanted) {
    // The API server reads a null value as an empty string.
    const [value, label] = [wanted[key] ?? '', Object.hasOwn(found, key) ? (found[key] ?? '') : undefined];
    if (value === label || typeof value !== 'string') continue;
    const actual = typeof label === 'string' ? `, got ${quote(label)}` : ', but it is missing';
    findings.add(
      object,
      {
        path: isPlain ? ['spec', 'selector', key] : ['spec', 'selector', 'matchLabels', key],
        related: [
          {
            message: 'the labels of the pod template are here',
            object,
            path: [...pod.templatePath, 'metadata', 'labels', key],
          },
        ],
      },
      ['selector-mismatch', { demand: `label ${quote(key)} must be ${quote(value)}${actual}` }],
    );
  }
  if (isPlain || listAt(selector, 'matchExpressions').length === 0) return;
  const expressions = readSelector({ matchExpressions: selector['matchExpressions']! });
  if (typeof expressions === 'string') {
    findings.add(object, { path: ['spec', 'selector', 'matchExpressions'], at: 'key' }, [
      'selector-invalid',
      { reason: expressions },
    ]);
  } else if (!expressions.matches(textsOf(found))) {
    findings.add(object, { path: ['spec', 'selector', 'matchExpressions'], at: 'key' }, [
      'selector-mismatch',
      { demand: `"matchExpressions" requires ${expressions.toString()}` },
    ]);
  }
}

/** The selector, or why it is not valid. */
export function readSelector(selector: JsonObject): LabelSelector | string {
  try {
    return labelSelectorFromObject(withoutNulls(selector));
  } catch (error) {
    if (error instanceof DiagnosticError)
      return error.diagnostics
        .map(({ message }) => message.replace(/^.*? is (?:invalid|not valid|not a valid [a-z ]+): /s, ''))
        .join('; ');
    throw error;
  }
}

/** The API server reads a null label or value as an empty string. */
function withoutNulls(selector: JsonObject): JsonObject {
  const labels = mappingAt(selector, 'matchLabels');
  const hasNull = labels !== undefined && Object.values(labels).includes(null);
  const expressions = listAt(selector, 'matchExpressions');
  const hasNullValue = expressions.some((one) => listAt(one, 'values').includes(null));
  if (!hasNull && !hasNullValue) return selector;
  const filled = Object.entries(labels ?? {}).map(([key, value]) => [key, value ?? ''] as const);
  return {
    ...selector,
    ...(hasNull ? { matchLabels: Object.fromEntries(filled) } : {}),
    matchExpressions: expressions.map(withoutNullValues),
  };
}

function withoutNullValues(expression: Json): Json {
  if (!isJsonObject(expression)) return expression;
  return { ...expression, values: listAt(expression, 'values').map((value) => value ?? '') };
}

export function textsOf(mapping: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(mapping).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function isEmpty(mapping: JsonObject | undefined): boolean {
  return mapping === undefined || Object.keys(mapping).length === 0;
}

function checkRestartPolicy({ object, gvk, findings }: KindCheck, { spec, specPath }: PodSite): void {
  const policy = spec['restartPolicy'];
  if (typeof policy !== 'string' || policy === 'Always' || policy === '') return;
  findings.add(object, { path: [...specPath, 'restartPolicy'] }, [
    'field-enum',
    notAllowed({ field: `restartPolicy in a ${gvk.kind}`, found: quote(policy), allowed: ['Always'], word: undefined }),
  ]);
}

/** The selector defaults to the labels of the template, so only one of them has to be set. */
function checkPlainSelector({ object, findings }: KindCheck, spec: JsonObject, pod: PodSite | undefined): void {
  const wanted = mappingAt(spec, 'selector') ?? {};
  if (pod === undefined || Object.keys(wanted).length > 0 || Object.keys(podLabels(pod)).length > 0) return;
  const args = missingField({ name: 'selector', holder: 'spec', expected: 'or add labels to the pod template' });
  findings.add(object, { path: ['spec', 'selector'] }, ['field-required', args]);
}

/** A DaemonSet replaces pods in place or surges, never both. */
function checkDaemonSet({ object, findings }: KindCheck, spec: JsonObject): void {
  const strategy = mappingAt(spec, 'updateStrategy');
  if ((textAt(strategy, 'type') || 'RollingUpdate') !== 'RollingUpdate') return;
  const settings = mappingAt(strategy, 'rollingUpdate') ?? {};
  const [surge, unavailable] = [settings['maxSurge'] ?? 0, settings['maxUnavailable'] ?? 1];
  if (isNone(surge) !== isNone(unavailable)) return;
  const field = isNone(surge) ? 'maxUnavailable' : 'maxSurge';
  const demand = isNone(surge) ? 'may not be 0 when "maxSurge" is 0' : 'may only be set when "maxUnavailable" is 0';
  const args = { field, demand, found: describeValue(isNone(surge) ? unavailable : surge) };
  findings.add(object, { path: ['spec', 'updateStrategy', 'rollingUpdate', field] }, ['field-range', args]);
}

function checkUpdates({ object, findings }: KindCheck, spec: JsonObject): void {
  const strategy = mappingAt(spec, 'updateStrategy');
  if (strategy?.['type'] !== 'OnDelete' || !has(strategy, 'rollingUpdate')) return;
  const args = { field: 'rollingUpdate', demand: 'may not be set when type is OnDelete' };
  findings.add(object, { path: ['spec', 'updateStrategy', 'rollingUpdate'], at: 'key' }, ['field-enum', args]);
}

const usualDeadline = 600;

function checkDeployment({ object, findings }: KindCheck, spec: JsonObject): void {
  const [deadline, ready] = [numberAt(spec, 'progressDeadlineSeconds'), numberAt(spec, 'minReadySeconds') ?? 0];
  if ((deadline ?? usualDeadline) <= ready && (deadline ?? 0) >= 0) {
    const demand = `must be greater than "minReadySeconds" (${ready})`;
    const args = {
      field: 'progressDeadlineSeconds',
      demand,
      found: deadline === undefined ? `the default ${usualDeadline}` : String(deadline),
    };
    findings.add(object, { path: ['spec', 'progressDeadlineSeconds'] }, ['field-range', args]);
  }
  const strategy = mappingAt(spec, 'strategy');
  if (strategy?.['type'] === 'Recreate' && has(strategy, 'rollingUpdate')) {
    findings.add(object, { path: ['spec', 'strategy', 'rollingUpdate'], at: 'key' }, [
      'field-enum',
      { field: 'rollingUpdate', demand: 'may not be set when type is Recreate' },
    ]);
  }
  const rolling = mappingAt(strategy, 'rollingUpdate');
  if (rolling !== undefined && isNone(rolling['maxSurge']) && isNone(rolling['maxUnavailable'])) {
    findings.add(object, { path: ['spec', 'strategy', 'rollingUpdate', 'maxUnavailable'] }, [
      'field-range',
      {
        field: 'maxUnavailable',
        demand: 'may not be 0 when "maxSurge" is 0, because no pod could be replaced',
      },
    ]);
  }
}

function isNone(amount: Json | undefined): boolean {
  return amount === 0 || amount === '0%';
}
