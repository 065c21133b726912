import { compareQuantities, parseQuantity } from '../../../kube/index.ts';
import type { JsonObject } from '../../../model/index.ts';
import type { AmountRules, ReportAt } from '../catalog/define.ts';
import { defined } from '../catalog/defined.ts';
import type { Field, ValueOf } from '../documents/field.ts';
import { canonicalQuantity } from '../pods/create-volumes.ts';
import { postgresqlProblems as problems } from './problems.ts';

const amounts = {
  cpu: { type: 'quantity', description: 'CPU, such as 500m.' },
  memory: { type: 'quantity', description: 'Memory, such as 2Gi.' },
} as const satisfies Readonly<Record<string, Field>>;

export const resources = {
  type: 'object',
  description: 'Resource requests and limits of each instance.',
  properties: {
    requests: { type: 'object', description: 'Resource requests.', properties: amounts },
    limits: { type: 'object', description: 'Resource limits.', properties: amounts },
  },
} as const satisfies Field;

interface ResourceOptions {
  readonly policy: AmountRules;
  readonly report: ReportAt;
}

/** Values of the author take precedence over defaults of the policy; a default never makes a request exceed its limit. */
export function createInstanceResources(
  { requests = {}, limits = {} }: ValueOf<typeof resources> = {},
  { policy: { defaults }, report }: ResourceOptions,
): JsonObject | undefined {
  for (const name of ['cpu', 'memory'] as const) {
    const [request, limit] = [requests[name], limits[name]];
    if (request === undefined || limit === undefined || compare(request, limit) <= 0) continue;
    const diagnostic = problems.create('postgresql-request-above-limit', { name, request, limit });
    report(diagnostic, ['resources', 'requests', name]);
  }
  const most = {
    cpu: limits.cpu ?? atLeast(defaults.cpuLimit, requests.cpu),
    memory: limits.memory ?? atLeast(defaults.memoryLimit, requests.memory),
  };
  const asked = {
    cpu: requests.cpu ?? atMost(defaults.cpuRequest, most.cpu),
    memory: requests.memory ?? atMost(defaults.memoryRequest, most.memory),
  };
  const made = defined({ requests: canonical(asked), limits: canonical(most) });
  return Object.keys(made).length === 0 ? undefined : made;
}

function canonical({ cpu, memory }: Readonly<Record<'cpu' | 'memory', string | undefined>>): JsonObject | undefined {
  if (cpu === undefined && memory === undefined) return undefined;
  return defined({
    cpu: cpu === undefined ? undefined : canonicalQuantity(cpu),
    memory: memory === undefined ? undefined : canonicalQuantity(memory),
  });
}

function atLeast(amount: string | undefined, least: string | undefined): string | undefined {
  return amount !== undefined && least !== undefined && compare(amount, least) < 0 ? least : amount;
}

function atMost(amount: string | undefined, most: string | undefined): string | undefined {
  return amount !== undefined && most !== undefined && compare(amount, most) > 0 ? most : amount;
}

function compare(a: string, b: string): number {
  const [one, other] = [parseQuantity(a), parseQuantity(b)];
  return one === undefined || other === undefined ? 0 : compareQuantities(one, other);
}
