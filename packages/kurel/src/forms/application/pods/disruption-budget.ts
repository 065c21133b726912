import { defineProblems, quote } from '../../../diagnostics/index.ts';
import { numberAt } from '../../../kube/index.ts';
import type { Json, KubeObject } from '../../../model/index.ts';
import type { ComponentInput } from '../catalog/define.ts';
import { defined } from '../catalog/defined.ts';
import { kubernetesFields, objectName } from '../catalog/fields.ts';
import type { Field, ValueOf } from '../documents/field.ts';
import { namesOf } from './names.ts';
import type { NameProperties } from './names.ts';

/** Findings about the PodDisruptionBudget of a component. */
export const budgetProblems = defineProblems({
  'budget-bound': {
    severity: 'error',
    summary: 'A PodDisruptionBudget has no bound, or two.',
    message: ({ isMissing }: { isMissing: boolean }) =>
      isMissing
        ? 'required field "minAvailable" or "maxUnavailable" is missing in "podDisruptionBudget"'
        : '"minAvailable" conflicts with "maxUnavailable"',
    hint: ({ isMissing }: { isMissing: boolean }) =>
      isMissing ? 'add one of them, such as maxUnavailable: 1' : 'remove one of them',
    fix: 'Set either minAvailable or maxUnavailable of podDisruptionBudget.',
  },
  'budget-blocks': {
    severity: 'warning',
    summary: 'A PodDisruptionBudget never allows an eviction, so nodes with the pods cannot be drained.',
    message: ({ bound, value, replicas }: { bound: string; value: string; replicas: number }) =>
      `${quote(bound)} ${value} never allows an eviction with ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}: nodes cannot be drained`,
    hint: ({ replicas }: { replicas: number }) =>
      replicas === 1
        ? 'set "replicas" to 2 or more, or remove "podDisruptionBudget"'
        : 'set "maxUnavailable" to 1 instead',
    fix: 'Allow at least one pod to be evicted: set maxUnavailable to 1, lower minAvailable, or raise replicas.',
  },
  'budget-twice': {
    severity: 'error',
    summary: 'A component has a PodDisruptionBudget of its own and one of its scaler trait.',
    message: () =>
      '"podDisruptionBudget" conflicts with "enablePDB" of the "scaler" trait: Kubernetes allows no eviction with two budgets',
    hint: () => 'remove one of them',
    fix: 'Remove podDisruptionBudget, or enablePDB of the scaler trait. The eviction of a pod with two budgets always fails.',
  },
});

export const podDisruptionBudget = {
  type: 'object',
  group: 'Rollout',
  description: 'PodDisruptionBudget, which limits how many pods are down while nodes are drained.',
  properties: {
    ...kubernetesFields(['policy/v1', 'PodDisruptionBudget', 'spec'], {
      minAvailable: { type: 'any', description: 'Number or percentage of pods that must keep running.' },
      maxUnavailable: { type: 'any', description: 'Number or percentage of pods that may be down.' },
    }),
    unhealthyPodEvictionPolicy: {
      type: 'string',
      description: 'Which pods that are not ready may be evicted. Defaults to IfHealthyBudget.',
      enum: ['IfHealthyBudget', 'AlwaysAllow'],
    },
    name: {
      ...objectName,
      description: 'Name of the PodDisruptionBudget. Defaults to that of the other objects with -pdb.',
    },
  },
} as const satisfies Field;

type Budget = ValueOf<typeof podDisruptionBudget>;

/** A component without the property has no replicas either. */
export type BudgetProperties = NameProperties & {
  readonly replicas?: number | undefined;
  readonly podDisruptionBudget?: Budget | undefined;
};

type BudgetInput = Pick<ComponentInput<BudgetProperties>, 'name' | 'properties' | 'report' | 'traitsOf'>;

/** The PodDisruptionBudget of a component: one or none. */
export function createBudget(input: BudgetInput): readonly KubeObject[] {
  const { podDisruptionBudget: asked } = input.properties;
  if (asked === undefined) return [];
  checkBudget(asked, input);
  const { object, labels, selector } = namesOf(input);
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy, name = `${object}-pdb` } = asked;
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, labels },
    spec: defined({ minAvailable, maxUnavailable, selector: { matchLabels: selector }, unhealthyPodEvictionPolicy }),
  };
  return [budget];
}

function checkBudget(asked: Budget, { properties, report, traitsOf }: BudgetInput): void {
  const { minAvailable, maxUnavailable } = asked;
  const path = ['podDisruptionBudget'];
  const isMissing = minAvailable === undefined && maxUnavailable === undefined;
  if (isMissing || (minAvailable !== undefined && maxUnavailable !== undefined)) {
    report(budgetProblems.create('budget-bound', { isMissing }), isMissing ? path : [...path, 'maxUnavailable'], 'key');
    return;
  }
  const [scaler] = traitsOf('scaler');
  if (scaler?.['enablePDB'] === true) report(budgetProblems.create('budget-twice', {}), path, 'key');
  // The scaler sets the number of replicas, at least to its minimum.
  const replicas = (scaler === undefined ? properties.replicas : numberAt(scaler, 'minReplicas')) ?? 0;
  const bound = minAvailable === undefined ? 'maxUnavailable' : 'minAvailable';
  const value = asked[bound]!;
  const amount = amountOf(value, replicas);
  if (replicas === 0 || amount === undefined) return;
  const blocks = bound === 'minAvailable' ? amount >= replicas : amount === 0;
  if (blocks)
    report(budgetProblems.create('budget-blocks', { bound, value: `${value as string | number}`, replicas }), [
      ...path,
      bound,
    ]);
}

/** Kubernetes rounds percentages up. */
function amountOf(value: Json, replicas: number): number | undefined {
  if (typeof value === 'number') return value;
  const [, percent] = typeof value === 'string' ? (/^(\d+)%$/.exec(value) ?? []) : [];
  return percent === undefined ? undefined : Math.ceil((Number(percent) * replicas) / 100);
}
