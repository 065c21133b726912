import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { has, mappingAt } from '../../../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../../../model/index.ts';
import { defineTrait } from '../define.ts';
import type { PropertiesOf, ReportAt, TraitOwner } from '../define.ts';
import { given } from '../given.ts';
import { scope } from '../scope.ts';

const problems = defineProblems({
  'scaler-bound': {
    severity: 'error',
    summary: 'A scaler does not say between which numbers of pods it chooses, and the policy has no default.',
    message: ({ key }: Bound) => `${quote(key)} is missing in the scaler, and the policy gives none`,
    hint: ({ key, rule }: Bound) => `write ${key}, or let the policy give it with defaults.${rule}`,
  },
  'scaler-bounds': {
    severity: 'error',
    summary: 'The largest number of pods is smaller than the smallest.',
    message: ({ least, most, given: key }: { least: number; most: number; given: string | undefined }) =>
      `"maxReplicas" is ${most}, which is less than "minReplicas", which is ${least}` +
      (key === undefined ? '' : `; ${quote(key)} comes from the policy or the profile`),
    hint: ({ given: key }: { given: string | undefined }) => (key === undefined ? undefined : `write ${key} as well`),
  },
  'scaler-budget': {
    severity: 'error',
    summary: 'A single pod is to be kept from being stopped.',
    message: ({ least }: { least: number }) => `"enablePDB" needs two pods at all times, and "minReplicas" is ${least}`,
    hint: () => 'with one pod a node could never be emptied: set "minReplicas" to 2 or more, or take "enablePDB" out',
  },
  'scaler-volume': {
    severity: 'error',
    summary: 'A component whose volume only one node or pod may mount is to have several pods.',
    message: ({ volume, most }: { volume: string; most: number }) =>
      `there may be ${most} pods, and they cannot share the volume ${quote(volume)}`,
    hint: () => 'set "maxReplicas" to 1, or "accessModes" of the volume to [ReadWriteMany]',
  },
});

interface Bound {
  readonly key: string;
  /** The default of a policy. */
  readonly rule: string;
}

const properties = {
  minReplicas: {
    type: 'integer',
    description: 'least number of pods; what the policy says unless given',
    minimum: 1,
    policyDefault: 'scalerMinReplicas',
  },
  maxReplicas: {
    type: 'integer',
    description: 'largest number of pods; what the policy says unless given',
    minimum: 1,
    policyDefault: 'scalerMaxReplicas',
  },
  cpuUtilization: {
    type: 'integer',
    description: 'percentage of the requested CPU to aim at; 80 when no percentage is given',
    minimum: 1,
    maximum: 100,
  },
  memoryUtilization: {
    type: 'integer',
    description: 'percentage of the requested memory to aim at',
    minimum: 1,
    maximum: 100,
  },
  enablePDB: {
    type: 'boolean',
    description: 'whether half of the pods are kept running while nodes are emptied',
    default: false,
  },
  scope,
} as const;

export const scaler = defineTrait({
  type: 'scaler',
  summary: 'Lets the number of pods follow their load: a HorizontalPodAutoscaler takes the place of "replicas".',
  needs: ['scales'],
  properties,
  problems,
  render({ component, properties: asked, authored, report }) {
    checkBounds(asked, { authored, component, report });
    const { name, pods = {}, scales } = component;
    const labels = { app: name };
    const { minReplicas: least = 1, maxReplicas: most = least } = asked;
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: `${name}-hpa`, labels },
      spec: {
        scaleTargetRef: { apiVersion: scales!.apiVersion, kind: scales!.kind, name },
        minReplicas: least,
        maxReplicas: most,
        metrics: createMetrics(asked),
      },
    };
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: `${name}-pdb`, labels },
      spec: { minAvailable: '50%', selector: { matchLabels: pods } },
    };
    return {
      objects: asked.enablePDB ? [autoscaler, budget] : [autoscaler],
      decorate: (objects) => objects.map((object) => (object.kind === scales!.kind ? withoutReplicas(object) : object)),
    };
  },
});

type Asked = PropertiesOf<typeof properties>;

function createMetrics({ cpuUtilization, memoryUtilization }: Asked): readonly JsonObject[] {
  const cpu = cpuUtilization ?? (memoryUtilization === undefined ? 80 : undefined);
  return Object.entries(given({ cpu, memory: memoryUtilization })).map(([name, averageUtilization]) => ({
    type: 'Resource',
    resource: { name, target: { type: 'Utilization', averageUtilization } },
  }));
}

/** With a number of its own, each time the object is applied would undo what the autoscaler chose. */
function withoutReplicas(object: KubeObject): KubeObject {
  const { replicas: _, ...spec } = mappingAt(object, 'spec') ?? {};
  return { ...object, spec };
}

interface Bounds {
  readonly authored: JsonObject;
  readonly component: TraitOwner;
  readonly report: ReportAt;
}

function checkBounds({ minReplicas, maxReplicas, enablePDB }: Asked, { authored, component, report }: Bounds): void {
  const { claims = [] } = component;
  const missing = (key: string, rule: string): void => report(problems.create('scaler-bound', { key, rule }), []);
  if (minReplicas === undefined) missing('minReplicas', 'scalerMinReplicas');
  if (maxReplicas === undefined) missing('maxReplicas', 'scalerMaxReplicas');
  const [least, most] = [minReplicas ?? 1, maxReplicas ?? Number.POSITIVE_INFINITY];
  if (most < least) {
    const given = ['minReplicas', 'maxReplicas'].find((key) => !has(authored, key));
    const path = [given === 'maxReplicas' ? 'minReplicas' : 'maxReplicas'];
    report(problems.create('scaler-bounds', { least, most, given }), path);
  }
  if (enablePDB && minReplicas === 1) report(problems.create('scaler-budget', { least: 1 }), ['enablePDB']);
  if (maxReplicas === undefined || maxReplicas < 2) return;
  for (const { volume, isExclusive } of claims) {
    if (isExclusive) report(problems.create('scaler-volume', { volume, most: maxReplicas }), ['maxReplicas']);
  }
}
