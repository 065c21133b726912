import { compareQuantities, parseQuantity } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { AmountRules } from '../catalog/define.ts';
import { canonicalQuantity } from './create-volumes.ts';

// Defaults if neither the container nor the policy sets them.
const usual = { cpu: '100m', memory: '128Mi' } as const;

type Amounts = Readonly<Record<string, string>>;

/**
 * Requests and limits of a container, by precedence: set by the author, by the policy, defaults. A default never
 * contradicts the author: a request is at most its limit.
 */
export function createResources(written: Json | undefined, { defaults, enforced }: AmountRules): JsonObject {
  const { requests: asked, limits: limited, ...rest } = isJsonObject(written) ? written : {};
  const authored = { requests: amountsOf(asked), limits: amountsOf(limited) };
  const limits = {
    cpu: authored.limits['cpu'] ?? atLeast(defaults.cpuLimit, authored.requests['cpu']),
    memory: authored.limits['memory'] ?? atLeast(defaults.memoryLimit, authored.requests['memory']),
  };
  const requests = {
    cpu: authored.requests['cpu'] ?? atMost(defaults.cpuRequest ?? atMost(usual.cpu, enforced.maxCPU), limits.cpu),
    memory:
      authored.requests['memory'] ??
      atMost(defaults.memoryRequest ?? atMost(usual.memory, enforced.maxMemory), limits.memory),
  };
  return {
    requests: canonical({ ...requests, ...authored.requests }),
    limits: canonical({ ...limits, memory: limits.memory ?? requests.memory, ...authored.limits }),
    ...rest,
  };
}

function amountsOf(value: Json | undefined): Amounts {
  const entries = Object.entries(isJsonObject(value) ? value : {}).flatMap(([key, amount]): [string, string][] =>
    typeof amount === 'object' ? [] : [[key, `${amount}`]],
  );
  return Object.fromEntries(entries);
}

function canonical(amounts: Readonly<Record<string, string | undefined>>): JsonObject {
  const entries = Object.entries(amounts).flatMap(([key, amount]): [string, string][] =>
    amount === undefined ? [] : [[key, canonicalQuantity(amount)]],
  );
  return Object.fromEntries(entries);
}

function atLeast(amount: string | undefined, least: string | undefined): string | undefined {
  return amount !== undefined && least !== undefined && compare(amount, least) < 0 ? least : amount;
}

function atMost(amount: string, most: string | undefined): string {
  return most !== undefined && compare(amount, most) > 0 ? most : amount;
}

function compare(a: string, b: string): number {
  const [one, other] = [parseQuantity(a), parseQuantity(b)];
  return one === undefined || other === undefined ? 0 : compareQuantities(one, other);
}

/** Two or more replicas must not share a node if another is available; three or more should be in different zones. */
export function createTopologySpread(replicas: number, pods: JsonObject): readonly JsonObject[] {
  const labelSelector = { matchLabels: { ...pods } };
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
