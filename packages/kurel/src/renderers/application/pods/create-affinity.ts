import type { JsonObject } from '../../../model/index.ts';
import { given } from '../catalog/given.ts';
import type { Affinity } from './pod-properties.ts';

/** Pods that keep away from one another, and nodes that they need; `undefined` when neither is asked for. */
export function createAffinity(asked: Affinity | undefined, component: string): JsonObject | undefined {
  if (asked === undefined) return undefined;
  const nodeAffinity = createNodeAffinity(asked.nodeSelector);
  const podAntiAffinity = asked.enablePodAntiAffinity ? createAntiAffinity(asked, component) : undefined;
  return nodeAffinity === undefined && podAntiAffinity === undefined
    ? undefined
    : given({ nodeAffinity, podAntiAffinity });
}

function createAntiAffinity({ topologyKey, podAntiAffinityType }: Affinity, component: string): JsonObject {
  const term = { labelSelector: { matchLabels: { app: component } }, topologyKey };
  return podAntiAffinityType === 'required'
    ? { requiredDuringSchedulingIgnoredDuringExecution: [term] }
    : { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term }] };
}

function createNodeAffinity(labels: Readonly<Record<string, string>>): JsonObject | undefined {
  const keys = Object.keys(labels).toSorted();
  if (keys.length === 0) return undefined;
  const matchExpressions = keys.map((key) => ({ key, operator: 'In', values: [labels[key]!] }));
  return { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } };
}
