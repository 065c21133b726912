import { listAt } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { Operator } from '../catalog/define.ts';

/**
 * Rules that allow an operator to reach the pods it runs, and those pods to reach each other. A policy without them would
 * break a database: its operator could not read its state, and replicas could not follow the primary.
 */
export function allowOperator(
  { pods: operatorPods, namespace, ports }: Operator,
  pods: Readonly<Record<string, string>>,
  operatorNamespace = namespace,
): Readonly<Record<'ingress' | 'egress', readonly JsonObject[]>> {
  const own = { podSelector: { matchLabels: { ...pods } } };
  const operator = {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': operatorNamespace } },
    podSelector: { matchLabels: { ...operatorPods } },
  };
  const all = ports.map((port): JsonObject => ({ port, protocol: 'TCP' }));
  return { ingress: [{ from: [own, operator], ports: all }], egress: [{ to: [own], ports: all }] };
}

/** Whether a rule allows all traffic. */
export function isOpen(rule: Json): boolean {
  return isJsonObject(rule) && ['from', 'to', 'ports'].every((key) => listAt(rule, key).length === 0);
}
