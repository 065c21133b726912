import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareQuantities, parseQuantity } from '../../../kube/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { AmountRules } from '../catalog/define.ts';
import { createResources } from './create-resources.ts';

type Defaults = AmountRules['defaults'];
type Enforced = AmountRules['enforced'];

interface Case {
  readonly name: string;
  readonly written?: Json;
  readonly defaults?: Defaults;
  readonly enforced?: Enforced;
  readonly requests: JsonObject;
  readonly limits: JsonObject;
}

const cases: readonly Case[] = [
  { name: 'nothing', requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '128Mi' } },
  {
    name: 'empty objects',
    written: { requests: {}, limits: null },
    requests: { cpu: '100m', memory: '128Mi' },
    limits: { memory: '128Mi' },
  },
  {
    name: 'requests, of which the one for memory is the limit',
    written: { requests: { cpu: 2, memory: '1Gi' } },
    requests: { cpu: '2', memory: '1Gi' },
    limits: { memory: '1Gi' },
  },
  {
    name: 'limits below the defaults',
    written: { limits: { cpu: '50m', memory: '64Mi' } },
    requests: { cpu: '50m', memory: '64Mi' },
    limits: { cpu: '50m', memory: '64Mi' },
  },
  {
    name: 'limits above the defaults',
    written: { limits: { cpu: 2, memory: '1Gi' } },
    requests: { cpu: '100m', memory: '128Mi' },
    limits: { cpu: '2', memory: '1Gi' },
  },
  {
    name: 'a limit that is null',
    written: { limits: { memory: null } },
    requests: { cpu: '100m', memory: '128Mi' },
    limits: { memory: '128Mi' },
  },
  {
    name: 'other resources, and other units',
    written: {
      requests: { cpu: 0.5, memory: '1024Ki', 'ephemeral-storage': '2048Mi' },
      limits: { 'nvidia.com/gpu': 1n },
    },
    requests: { cpu: '500m', memory: '1Mi', 'ephemeral-storage': '2Gi' },
    limits: { memory: '1Mi', 'nvidia.com/gpu': '1' },
  },
  {
    name: 'all defaults of a policy',
    defaults: { cpuRequest: '250m', memoryRequest: '256Mi', cpuLimit: '1', memoryLimit: '512Mi' },
    requests: { cpu: '250m', memory: '256Mi' },
    limits: { cpu: '1', memory: '512Mi' },
  },
  {
    name: 'defaults of a policy with values of the author',
    written: { requests: { cpu: '10m' }, limits: { memory: '2Gi' } },
    defaults: { cpuRequest: '250m', memoryRequest: '256Mi', cpuLimit: '1', memoryLimit: '512Mi' },
    requests: { cpu: '10m', memory: '256Mi' },
    limits: { cpu: '1', memory: '2Gi' },
  },
  {
    name: 'requests above the limits of a policy',
    written: { requests: { cpu: 2, memory: '1Gi' } },
    defaults: { cpuLimit: '1', memoryLimit: '512Mi' },
    requests: { cpu: '2', memory: '1Gi' },
    limits: { cpu: '2', memory: '1Gi' },
  },
  {
    name: 'limits below the requests of a policy',
    written: { limits: { cpu: '100m', memory: '128Mi' } },
    defaults: { cpuRequest: '250m', memoryRequest: '256Mi' },
    requests: { cpu: '100m', memory: '128Mi' },
    limits: { cpu: '100m', memory: '128Mi' },
  },
  {
    name: 'limits of a policy below the defaults',
    defaults: { cpuLimit: '20m', memoryLimit: '32Mi' },
    requests: { cpu: '20m', memory: '32Mi' },
    limits: { cpu: '20m', memory: '32Mi' },
  },
  {
    name: 'a policy that allows less than the defaults',
    enforced: { maxCPU: '50m', maxMemory: '64Mi' },
    requests: { cpu: '50m', memory: '64Mi' },
    limits: { memory: '64Mi' },
  },
  {
    name: 'values of the author above the limits are kept, to be rejected later',
    written: { requests: { cpu: 2, memory: '1Gi' }, limits: { cpu: 1, memory: '512Mi' } },
    enforced: { maxCPU: '50m', maxMemory: '64Mi' },
    requests: { cpu: '2', memory: '1Gi' },
    limits: { cpu: '1', memory: '512Mi' },
  },
];

describe('resources', () => {
  it.each(cases)('$name', ({ written, defaults = {}, enforced = {}, requests, limits }) => {
    expect(createResources(written, { defaults, enforced })).toEqual({ requests, limits });
  });

  it('keep other fields', () => {
    const claims = [{ name: 'gpu' }];
    expect(createResources({ claims }, { defaults: {}, enforced: {} })['claims']).toBe(claims);
  });

  it('treat hostile names as names', () => {
    const written = JSON.parse('{"limits": {"__proto__": "1", "constructor": "2"}}') as JsonObject;
    const { limits } = createResources(written, { defaults: {}, enforced: {} });
    expect(JSON.stringify(limits)).toBe('{"memory":"128Mi","__proto__":"1","constructor":"2"}');
  });

  const amount = fc.constantFrom('10m', '100m', '2', '16Mi', '128Mi', '1Gi', '0.5', '3e3');
  const amounts = fc.record({ cpu: amount, memory: amount }, { requiredKeys: [] });
  const policy = fc.record(
    { cpuRequest: amount, memoryRequest: amount, cpuLimit: amount, memoryLimit: amount },
    { requiredKeys: [] },
  );

  it('never request more than the limit, unless the author does', () => {
    fc.assert(
      fc.property(amounts, amounts, policy, fc.boolean(), (requests, limits, defaults, isLimited) => {
        const written: JsonObject = isLimited ? { limits } : { requests };
        const made = createResources(written, { defaults, enforced: {} }) as Record<string, Record<string, string>>;
        for (const name of ['cpu', 'memory']) {
          const [request, limit] = [made['requests']?.[name], made['limits']?.[name]];
          if (limit === undefined) continue;
          expect(compareQuantities(parseQuantity(request!)!, parseQuantity(limit)!)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});
