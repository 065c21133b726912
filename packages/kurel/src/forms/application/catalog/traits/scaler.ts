import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { has, mappingAt } from '../../../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../../../model/index.ts';
import { defineTrait } from '../define.ts';
import type { PropertiesOf, TraitInput } from '../define.ts';
import { defined } from '../present-fields.ts';
import { flagField, scope, textField } from '../../../../documents/index.ts';

const problems = defineProblems(() => ({
  'scaler-bound': {
    summary: 'A scaler has no minimum or maximum number of replicas, and the policy has no default.',
    message: ({ key }: Bound) => `required field ${quote(key)} is missing, and the policy has no default`,
    hint: ({ key, rule }: Bound) => `add ${quote(key)}, or set defaults.${rule} in the policy`,
    fix: 'Set minReplicas and maxReplicas, or set spec.defaults.scalerMinReplicas and scalerMaxReplicas in the policy.',
  },
  'scaler-bounds': {
    summary: 'maxReplicas of a scaler is less than minReplicas.',
    message: ({ least, most, inherited }: { least: number; most: number; inherited: string | undefined }) =>
      `"maxReplicas" must be at least "minReplicas" ${least}, got ${most}` +
      (inherited === undefined ? '' : `; ${quote(inherited)} comes from the policy or the profile`),
    hint: ({ inherited }: { inherited: string | undefined }) =>
      inherited === undefined ? undefined : `set ${quote(inherited)} as well`,
    fix: 'Raise maxReplicas or lower minReplicas. If one of them comes from the policy or the profile, set both in the trait.',
  },
  'scaler-budget': {
    summary: 'A PodDisruptionBudget is requested for a single replica.',
    message: ({ least }: { least: number }) => `"enablePDB" requires "minReplicas" of at least 2, got ${least}`,
    hint: () => 'set "minReplicas" to 2 or more, or remove "enablePDB"',
    fix: 'Set minReplicas to 2 or more. With a single replica, the budget would prevent its node from being drained. Or remove enablePDB.',
  },
  'scaler-twice': {
    summary: 'A component has two scalers.',
    message: ({ component }: { component: string }) =>
      `duplicate trait "scaler" of component ${quote(component)}: two autoscalers of one workload overwrite its replicas in turns`,
    hint: () => 'remove one of them, and set all metrics in the other',
    fix: 'Keep one scaler per component, with both cpuUtilization and memoryUtilization if you need both.',
  },
  'scaler-volume': {
    summary: 'A component is scaled although only one node or pod can mount its volume.',
    message: ({ volume, most }: { volume: string; most: number }) =>
      `volume ${quote(volume)} cannot be shared by ${most} replicas`,
    hint: () => 'set "maxReplicas" to 1, or "accessModes" of the volume to [ReadWriteMany]',
    fix: 'Set accessModes of the volume to [ReadWriteMany] if the StorageClass supports it, or set maxReplicas to 1.',
  },
}));

interface Bound {
  readonly key: string;
  /** The default of a policy. */
  readonly rule: string;
}

const positive = { type: 'integer', minimum: 1 } as const;
const percentage = { ...positive, maximum: 100 } as const;

const properties = {
  name: textField(
    'dns-subdomain',
    'Name of the HorizontalPodAutoscaler and the PodDisruptionBudget. Defaults to COMPONENT-hpa and COMPONENT-pdb.',
  ),
  minReplicas: { ...positive, description: 'Minimum number of replicas.', policyDefault: 'scalerMinReplicas' },
  maxReplicas: { ...positive, description: 'Maximum number of replicas.', policyDefault: 'scalerMaxReplicas' },
  cpuUtilization: {
    ...percentage,
    description:
      'Target CPU utilization, as a percentage of the request. Defaults to 80 unless memoryUtilization is set.',
  },
  memoryUtilization: {
    ...percentage,
    description: 'Target memory utilization, as a percentage of the request.',
  },
  enablePDB: {
    ...flagField(
      'Whether to create a PodDisruptionBudget that keeps half of the replicas running while nodes are drained.',
    ),
    default: false,
  },
  scope,
} as const;

export const scaler = defineTrait({
  type: 'scaler',
  summary: 'HorizontalPodAutoscaler, which replaces "replicas" of the component, and an optional PodDisruptionBudget.',
  needs: ['scales'],
  properties,
  problems,
  render(input) {
    const { component, properties: asked, authored, siblingsOf, report } = input;
    checkBounds(input);
    const { name, pods = {}, scales } = component;
    if (siblingsOf('scaler').indexOf(authored) > 0) {
      report(problems.create('scaler-twice', { component: name }), []);
      return {};
    }
    const labels = { app: name };
    const { minReplicas: least = 1, maxReplicas: most = least } = asked;
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: asked.name ?? `${name}-hpa`, labels },
      spec: {
        scaleTargetRef: { apiVersion: scales!.apiVersion, kind: scales!.kind, name: scales!.name ?? name },
        minReplicas: least,
        maxReplicas: most,
        metrics: createMetrics(asked),
      },
    };
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: asked.name ?? `${name}-pdb`, labels },
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
  return Object.entries(defined({ cpu, memory: memoryUtilization })).map(([name, averageUtilization]) => ({
    type: 'Resource',
    resource: { name, target: { type: 'Utilization', averageUtilization } },
  }));
}

/** With replicas set, every apply would reset the number that the autoscaler chose. */
function withoutReplicas(object: KubeObject): KubeObject {
  const { replicas: _, ...spec } = mappingAt(object, 'spec') ?? {};
  return { ...object, spec };
}

function checkBounds({ properties, authored, component: { claims = [] }, report }: TraitInput<Asked>): void {
  const { minReplicas, maxReplicas, enablePDB } = properties;
  const missing = (key: string, rule: string): void => report(problems.create('scaler-bound', { key, rule }), []);
  if (minReplicas === undefined) missing('minReplicas', 'scalerMinReplicas');
  if (maxReplicas === undefined) missing('maxReplicas', 'scalerMaxReplicas');
  const [least, most] = [minReplicas ?? 1, maxReplicas ?? Number.POSITIVE_INFINITY];
  if (most < least) {
    const inherited = ['minReplicas', 'maxReplicas'].find((key) => !has(authored, key));
    const path = [inherited === 'maxReplicas' ? 'minReplicas' : 'maxReplicas'];
    report(problems.create('scaler-bounds', { least, most, inherited }), path);
  }
  if (enablePDB && minReplicas === 1) report(problems.create('scaler-budget', { least: 1 }), ['enablePDB']);
  if (maxReplicas === undefined || maxReplicas < 2) return;
  for (const { volume, isExclusive } of claims) {
    if (isExclusive) report(problems.create('scaler-volume', { volume, most: maxReplicas }), ['maxReplicas']);
  }
}
