import { describeValue, quote } from '../../diagnostics/index.ts';
import {
  checkDnsLabel,
  labelSelectorFromObject,
  listAt,
  mappingAt,
  numberAt,
  podLabels,
  textAt,
  textEntries,
} from '../../kube/index.ts';
import type { PodSite } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { checkLabelsAndAnnotations } from './check-metadata.ts';
import { ofSpec } from './field-rules.ts';
import type { FieldRule, Fields } from './field-rules.ts';
import { demandField, refuse, refuseWord } from './field-site.ts';
import type { FieldSite, KindCheck } from './field-site.ts';
import { labels, labelSelector } from './reference-rules.ts';
import { claim } from './storage-rules.ts';

/** A pod template needs containers, although its schema does not require them. */
export const podTemplate: FieldRule = {
  required: 'an object with "metadata" and "spec"',
  fields: { spec: { required: 'an object with "containers"', fields: { containers: { required: 'a list' } } } },
};

/** An integer, or a percentage of all pods. */
function explainShare(text: string): string | undefined {
  return /^\d+%$/.test(text) ? undefined : 'must be an integer or a percentage such as 25%';
}

const share: FieldRule = { format: explainShare, emptyIsValue: true, also: refuseNegative };

function refuseNegative(site: FieldSite): void {
  if (typeof site.value === 'number' && site.value < 0)
    refuse(site, [], { code: 'field-range', demand: 'must be at least 0', got: describeValue(site.value) });
}

/** Like `share`, but at most 100%. */
const part: FieldRule = {
  ...share,
  also: (site) => {
    refuseNegative(site);
    const [, percent] = typeof site.value === 'string' ? (/^(\d+)%$/.exec(site.value) ?? []) : [];
    if (percent !== undefined && Number(percent) > 100)
      refuse(site, [], { code: 'field-range', demand: 'must be at most 100%', got: describeValue(site.value) });
  },
};

const rolling: FieldRule = { fields: { maxSurge: share, maxUnavailable: part } };
const count: FieldRule = { range: { least: 0 } };

const counts: Fields = {
  replicas: count,
  minReadySeconds: count,
  revisionHistoryLimit: count,
  progressDeadlineSeconds: count,
};

/** A selector and a template of pods that are always restarted. */
function workload(fields: Fields, also?: (site: FieldSite) => void): FieldRule {
  return ofSpec({
    required: 'an object with "selector" and "template"',
    fields: {
      selector: { required: 'an object with "matchLabels"', ...labelSelector },
      template: podTemplate,
      ...counts,
      ...fields,
    },
    also: (site) => {
      checkPodsOf(site);
      also?.(site);
    },
  });
}

const updateTypes: FieldRule = { words: ['RollingUpdate', 'OnDelete'] };
const retention: FieldRule = { words: ['Retain', 'Delete'], emptyIsValue: true };

export const deployment = workload(
  {
    strategy: {
      fields: { rollingUpdate: rolling },
      refuses: { rollingUpdate: ({ type }) => type === 'Recreate' && 'may not be set when type is Recreate' },
    },
  },
  checkDeployment,
);
export const replicaSet = workload({});
export const daemonSet = workload(
  { updateStrategy: { fields: { type: updateTypes, rollingUpdate: rolling } } },
  checkDaemonSet,
);
export const statefulSet = workload({
  // The API server does not check it.
  revisionHistoryLimit: {},
  serviceName: { text: checkDnsLabel },
  updateStrategy: {
    fields: { type: updateTypes, rollingUpdate: { fields: { partition: count, maxUnavailable: part } } },
    refuses: { rollingUpdate: ({ type }) => type === 'OnDelete' && 'may not be set when type is OnDelete' },
  },
  persistentVolumeClaimRetentionPolicy: { fields: { whenDeleted: retention, whenScaled: retention } },
  ordinals: { fields: { start: count } },
  volumeClaimTemplates: { items: claim },
});

/** The selector of a ReplicationController defaults to the labels of its template, so only one of them has to be set. */
export const replicationController = ofSpec({
  required: 'an object with "template"',
  fields: { selector: labels, template: podTemplate, ...counts },
  also: (site) => {
    checkPodsOf(site);
    const selector = mappingAt(site.value, 'selector') ?? {};
    if (site.pod === undefined || !isEmpty(selector) || !isEmpty(podLabels(site.pod))) return;
    demandField(site, ['selector'], { expected: 'or add labels to the pod template' });
  },
});

export const disruptionBudget = ofSpec({
  exclusive: ['minAvailable', 'maxUnavailable'],
  fields: {
    minAvailable: part,
    maxUnavailable: part,
    selector: labelSelector,
  },
});

/** The pods of a workload: their labels, and whether they are restarted. */
function checkPodsOf(site: FieldSite): void {
  const { gvk, pod, value: spec } = site;
  if (!isJsonObject(spec)) return;
  if (pod !== undefined) {
    checkSelector(site, spec, pod);
    const policy = textAt(pod.spec, 'restartPolicy') ?? '';
    if (policy !== 'Always' && policy !== '') {
      const refusal = { field: `restartPolicy in a ${gvk.kind}`, got: quote(policy), allowed: ['Always'] };
      refuseWord({ ...site, path: pod.specPath }, ['restartPolicy'], refusal);
    }
  }
  listAt(spec, 'volumeClaimTemplates').forEach((template, index) => {
    const metadata = mappingAt(template, 'metadata');
    if (metadata !== undefined)
      checkLabelsAndAnnotations(site, metadata, ['spec', 'volumeClaimTemplates', index, 'metadata']);
  });
}

function checkSelector({ object, gvk, findings }: KindCheck, { selector }: JsonObject, pod: PodSite): void {
  if (!isJsonObject(selector)) return;
  const isPlain = gvk.kind === 'ReplicationController';
  const wanted = isPlain ? selector : mappingAt(selector, 'matchLabels');
  const path = isPlain ? ['spec', 'selector'] : ['spec', 'selector', 'matchLabels'];
  const hasExpressions = !isPlain && listAt(selector, 'matchExpressions').length > 0;
  if (!isPlain && !hasExpressions && isEmpty(wanted)) {
    findings.add(object, { path: ['spec', 'selector'], at: 'key' }, ['selector-invalid', { reason: 'it is empty' }]);
    return;
  }
  const templateLabels = podLabels(pod);
  for (const key in wanted) {
    // The API server reads a null value as an empty string.
    const value = wanted[key] ?? '';
    const label = Object.hasOwn(templateLabels, key) ? (templateLabels[key] ?? '') : undefined;
    if (value === label || typeof value !== 'string') continue;
    const actual = typeof label === 'string' ? `, got ${quote(label)}` : ', but it is missing';
    const labelPath = [...pod.templatePath, 'metadata', 'labels', key];
    const related = [{ message: 'the labels of the pod template are here', object, path: labelPath }];
    findings.add(object, { path: [...path, key], related }, [
      'selector-mismatch',
      { demand: `label ${quote(key)} must be ${quote(value)}${actual}` },
    ]);
  }
  if (!hasExpressions) return;
  const expressions = labelSelectorFromObject({ matchExpressions: selector['matchExpressions']! });
  const place = { path: ['spec', 'selector', 'matchExpressions'], at: 'key' } as const;
  if (typeof expressions === 'string') findings.add(object, place, ['selector-invalid', { reason: expressions }]);
  else if (!expressions.matches(textEntries(templateLabels))) {
    const demand = `"matchExpressions" requires ${expressions.toString()}`;
    findings.add(object, place, ['selector-mismatch', { demand }]);
  }
}

function isEmpty(mapping: JsonObject | undefined): boolean {
  return mapping === undefined || Object.keys(mapping).length === 0;
}

/** A DaemonSet replaces pods in place or surges, never both. */
function checkDaemonSet(site: FieldSite): void {
  const strategy = mappingAt(site.value, 'updateStrategy');
  if ((textAt(strategy, 'type') || 'RollingUpdate') !== 'RollingUpdate') return;
  const settings = mappingAt(strategy, 'rollingUpdate') ?? {};
  const [surge, unavailable] = [settings['maxSurge'] ?? 0, settings['maxUnavailable'] ?? 1];
  if (isNone(surge) !== isNone(unavailable)) return;
  const [field, value] = isNone(surge) ? (['maxUnavailable', unavailable] as const) : (['maxSurge', surge] as const);
  const demand = isNone(surge) ? 'may not be 0 when "maxSurge" is 0' : 'may only be set when "maxUnavailable" is 0';
  refuse(site, ['updateStrategy', 'rollingUpdate', field], { code: 'field-range', demand, got: describeValue(value) });
}

const usualDeadline = 600;

function checkDeployment(site: FieldSite): void {
  const deadline = numberAt(site.value, 'progressDeadlineSeconds');
  const ready = numberAt(site.value, 'minReadySeconds') ?? 0;
  if ((deadline ?? usualDeadline) <= ready && (deadline ?? 0) >= 0) {
    const demand = `must be greater than "minReadySeconds" (${ready})`;
    const got = deadline === undefined ? `the default ${usualDeadline}` : String(deadline);
    refuse(site, ['progressDeadlineSeconds'], { code: 'field-range', demand, got });
  }
  const settings = mappingAt(mappingAt(site.value, 'strategy'), 'rollingUpdate');
  if (settings === undefined || !isNone(settings['maxSurge']) || !isNone(settings['maxUnavailable'])) return;
  const demand = 'may not be 0 when "maxSurge" is 0, because no pod could be replaced';
  refuse(site, ['strategy', 'rollingUpdate', 'maxUnavailable'], { code: 'field-range', demand });
}

function isNone(amount: Json | undefined): boolean {
  return amount === 0 || amount === '0%';
}
