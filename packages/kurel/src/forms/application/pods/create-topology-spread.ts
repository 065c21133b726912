import type { JsonObject } from '../../../model/index.ts';

/** Two pods and more must not share a node while there is another; three and more should be in different zones. */
export function createTopologySpread(replicas: number, component: string): readonly JsonObject[] {
  const labelSelector = { matchLabels: { app: component } };
  const perNode = {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector,
  };
  const perZone = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector,
  };
  if (replicas < 2) return [];
  return replicas < 3 ? [perNode] : [perNode, perZone];
}
