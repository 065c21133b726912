import { compareQuantities, parseQuantity } from '../../../kube/index.ts';
import { isJsonObject, putEntry } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { AmountRules } from '../catalog/define.ts';
import { canonicalQuantity } from './create-volumes.ts';

// Defaults if neither the container nor the policy sets them.
const usual = { cpu: '100m', memory: '128Mi' } as const;

type Amounts = Readonly<Record<string, string | undefined>>;

type DefaultAmounts = {
  readonly [Key in 'cpuRequest' | 'memoryRequest' | 'cpuLimit' | 'memoryLimit']?: string | undefined;
};

type Resources = Readonly<Record<'requests' | 'limits', Amounts>>;

/** Requests and limits of a container, by precedence: set by the author, by the policy, defaults. */
export function createResources(written: Json | undefined, { defaults, enforced }: AmountRules): JsonObject {
  const { requests: asked, limits: limited, ...rest } = isJsonObject(written) ? written : {};
  const authored = { requests: amountsOf(asked), limits: amountsOf(limited) };
  const { requests, limits } = completeResources(authored, {
    ...defaults,
    cpuRequest: defaults.cpuRequest ?? atMost(usual.cpu, enforced.maxCPU),
    memoryRequest: defaults.memoryRequest ?? atMost(usual.memory, enforced.maxMemory),
  });
  return {
    requests: formatAmounts(requests),
    limits: formatAmounts({ ...limits, memory: limits['memory'] ?? requests['memory'] }),
    ...rest,
  };
}

/** Adds the defaults of the policy. They never contradict the author: a request is at most its limit. */
export function completeResources({ requests, limits }: Resources, defaults: DefaultAmounts): Resources {
  const most = {
    cpu: limits['cpu'] ?? atLeast(defaults.cpuLimit, requests['cpu']),
    memory: limits['memory'] ?? atLeast(defaults.memoryLimit, requests['memory']),
  };
  const least = {
    cpu: requests['cpu'] ?? atMost(defaults.cpuRequest, most.cpu),
    memory: requests['memory'] ?? atMost(defaults.memoryRequest, most.memory),
  };
  return { requests: { ...least, ...requests }, limits: { ...most, ...limits } };
}

function amountsOf(value: Json | undefined): Amounts {
  const amounts: Record<string, string> = {};
  for (const [key, amount] of Object.entries(isJsonObject(value) ? value : {})) {
    if (typeof amount !== 'object') putEntry(amounts, key, `${amount}`);
  }
  return amounts;
}

/** The amounts in the form that Kubernetes returns. */
export function formatAmounts(amounts: Amounts): JsonObject {
  const formatted: Record<string, Json> = {};
  for (const [key, amount] of Object.entries(amounts)) {
    if (amount !== undefined) putEntry(formatted, key, canonicalQuantity(amount));
  }
  return formatted;
}

function atLeast(amount: string | undefined, least: string | undefined): string | undefined {
  return compareAmounts(amount, least) < 0 ? least : amount;
}

function atMost(amount: string | undefined, most: string | undefined): string | undefined {
  return compareAmounts(amount, most) > 0 ? most : amount;
}

/** Missing and invalid amounts compare as equal. */
export function compareAmounts(first: string | undefined, second: string | undefined): number {
  if (first === undefined || second === undefined) return 0;
  const [a, b] = [parseQuantity(first), parseQuantity(second)];
  return a === undefined || b === undefined ? 0 : compareQuantities(a, b);
}
