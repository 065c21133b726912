import { quote } from '../../diagnostics/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { has, labelSelectorFromObject, listAt, mappingAt, podLabels } from '../../kube/index.ts';
import type { LabelSelector, PodSite } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { notAllowed } from '../../schema/index.ts';
import { checkLabelsAndAnnotations } from './check-metadata.ts';
import { checkNumber } from './read-amount.ts';
import type { KindCheck } from './kind-check.ts';

const amounts = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'] as const;

/** Deployments, StatefulSets, DaemonSets, ReplicaSets and ReplicationControllers. */
export function checkWorkload(check: KindCheck, pod: PodSite | undefined): void {
  const { object, gvk } = check;
  const spec = mappingAt(object, 'spec');
  if (spec === undefined) return;
  for (const name of amounts) checkNumber(check, spec, { path: ['spec'], name, least: 0 });
  if (pod !== undefined) {
    checkSelector(check, spec, pod);
    checkRestartPolicy(check, pod);
  }
  if (gvk.kind === 'Deployment') checkDeployment(check, spec);
  listAt(spec, 'volumeClaimTemplates').forEach((claim, index) => {
    const metadata = mappingAt(claim, 'metadata');
    if (metadata !== undefined)
      checkLabelsAndAnnotations(check, metadata, ['spec', 'volumeClaimTemplates', index, 'metadata']);
  });
}

function checkSelector({ object, gvk, findings }: KindCheck, spec: JsonObject, pod: PodSite): void {
  const { selector } = spec;
  if (!isJsonObject(selector)) return;
  const isPlain = gvk.kind === 'ReplicationController';
  const wanted = isPlain ? selector : mappingAt(selector, 'matchLabels');
  if (!isPlain && isEmpty(wanted) && listAt(selector, 'matchExpressions').length === 0) {
    findings.add(object, { path: ['spec', 'selector'], at: 'key' }, ['selector-invalid', { reason: 'it is empty' }]);
    return;
  }
  const labels = podLabels(pod);
  for (const key in wanted) {
    const [value, label] = [wanted[key], Object.hasOwn(labels, key) ? labels[key] : undefined];
    if (value === label || typeof value !== 'string') continue;
    const found = typeof label === 'string' ? `is ${quote(label)}` : 'is missing';
    findings.add(
      object,
      {
        path: isPlain ? ['spec', 'selector', key] : ['spec', 'selector', 'matchLabels', key],
        related: [
          {
            message: 'the labels of the template are here',
            object,
            path: [...pod.templatePath, 'metadata', 'labels', key],
          },
        ],
      },
      ['selector-mismatch', { demand: `label ${quote(key)} must be ${quote(value)}, but ${found}` }],
    );
  }
  if (isPlain || listAt(selector, 'matchExpressions').length === 0) return;
  const expressions = readSelector({ matchExpressions: selector['matchExpressions']! });
  if (typeof expressions === 'string') {
    findings.add(object, { path: ['spec', 'selector', 'matchExpressions'], at: 'key' }, [
      'selector-invalid',
      { reason: expressions },
    ]);
  } else if (!expressions.matches(textsOf(labels))) {
    findings.add(object, { path: ['spec', 'selector', 'matchExpressions'], at: 'key' }, [
      'selector-mismatch',
      { demand: `"matchExpressions" wants ${expressions.toString()}` },
    ]);
  }
}

/** The selector, or why it is none. */
export function readSelector(selector: JsonObject): LabelSelector | string {
  try {
    return labelSelectorFromObject(withoutNulls(selector));
  } catch (error) {
    if (error instanceof DiagnosticError)
      return error.diagnostics.map(({ message }) => message.replace(/^.*?is invalid: /s, '')).join('; ');
    throw error;
  }
}

/** A label that is null is one without a value. */
function withoutNulls(selector: JsonObject): JsonObject {
  const labels = mappingAt(selector, 'matchLabels');
  if (labels === undefined || !Object.values(labels).includes(null)) return selector;
  const filled = Object.entries(labels).map(([key, value]) => [key, value ?? ''] as const);
  return { ...selector, matchLabels: Object.fromEntries(filled) };
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
  if (typeof policy !== 'string' || policy === 'Always') return;
  findings.add(object, { path: [...specPath, 'restartPolicy'] }, [
    'field-enum',
    notAllowed({ field: `restartPolicy in a ${gvk.kind}`, found: quote(policy), allowed: ['Always'], word: undefined }),
  ]);
}

function checkDeployment({ object, findings }: KindCheck, spec: JsonObject): void {
  const strategy = mappingAt(spec, 'strategy');
  if (strategy?.['type'] === 'Recreate' && has(strategy, 'rollingUpdate')) {
    findings.add(object, { path: ['spec', 'strategy', 'rollingUpdate'], at: 'key' }, [
      'field-enum',
      { field: 'rollingUpdate', demand: 'must be left out when the type is Recreate' },
    ]);
  }
  const rolling = mappingAt(strategy, 'rollingUpdate');
  if (rolling !== undefined && isNone(rolling['maxSurge']) && isNone(rolling['maxUnavailable'])) {
    findings.add(object, { path: ['spec', 'strategy', 'rollingUpdate', 'maxUnavailable'] }, [
      'field-range',
      {
        field: 'maxUnavailable',
        demand: 'must not be 0 when "maxSurge" is 0',
        found: '0: no pod could ever be replaced',
      },
    ]);
  }
}

function isNone(amount: Json | undefined): boolean {
  return amount === 0 || amount === '0%';
}
