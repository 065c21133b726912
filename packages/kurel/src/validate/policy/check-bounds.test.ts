import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../model/index.ts';
import { enforcePolicy } from './enforce-policy.ts';
import { noPolicy } from './rules.ts';
import type { RuleLayer } from './rules.ts';

function findings(object: KubeObject, enforced: RuleLayer['enforced']): readonly string[] {
  const found: string[] = [];
  enforcePolicy(object, {
    rules: { layers: [{ ...noPolicy, enforced }] },
    scopeOf,
    report: ({ code }, path) => void found.push(`${code} ${path.join('.')}`),
  });
  return found;
}

function objectOf(type: string, spec: JsonObject, annotations: JsonObject = {}): KubeObject {
  const [apiVersion = '', kind = ''] = type.split(' ');
  return { apiVersion, kind, metadata: { name: 'x', annotations }, spec };
}

const target = { scaleTargetRef: { name: 'x' } };
const scaled = 'keda.sh/v1alpha1 ScaledObject';
const jobs = 'keda.sh/v1alpha1 ScaledJob';
const service = 'serving.knative.dev/v1 Service';
const maxScale = 'autoscaling.knative.dev/max-scale';
const knative = (annotations: JsonObject): JsonObject => ({
  template: { metadata: { annotations }, spec: { containers: [] } },
});
const ofService = `policy-limit spec.template.metadata.annotations.${maxScale}`;
const paused = 'autoscaling.keda.sh/paused-replicas';

type CountRow = readonly [type: string, spec: JsonObject, found: readonly string[], annotations?: JsonObject];

const counts: readonly CountRow[] = [
  // Defaults to one pod.
  ...[
    'apps/v1 Deployment',
    'apps/v1 StatefulSet',
    'apps/v1 ReplicaSet',
    'v1 ReplicationController',
    'batch/v1 Job',
    'batch/v1 CronJob',
    'argoproj.io/v1alpha1 Rollout',
    'postgresql.cnpg.io/v1 Pooler',
    'monitoring.coreos.com/v1 Prometheus',
    'monitoring.coreos.com/v1 Alertmanager',
    'monitoring.coreos.com/v1 ThanosRuler',
    // One pod on each node.
    'apps/v1 DaemonSet',
  ].map((type): CountRow => [type, {}, []]),
  // Its completions run one after the other.
  ['batch/v1 Job', { completions: 100 }, []],
  ['autoscaling/v2 HorizontalPodAutoscaler', {}, ['policy-limit spec.maxReplicas']],
  ['autoscaling/v2 HorizontalPodAutoscaler', { maxReplicas: 5 }, []],
  [scaled, target, ['policy-limit spec.maxReplicaCount']],
  [scaled, { ...target, maxReplicaCount: null }, ['policy-limit spec.maxReplicaCount']],
  [scaled, { ...target, maxReplicaCount: 5 }, []],
  [scaled, { ...target, maxReplicaCount: 6 }, ['policy-limit spec.maxReplicaCount']],
  [scaled, { ...target, maxReplicaCount: '{{ x }}' }, ['policy-not-checked spec.maxReplicaCount']],
  [scaled, { ...target, maxReplicaCount: 1 }, [`policy-limit metadata.annotations.${paused}`], { [paused]: '9' }],
  [jobs, {}, ['policy-limit spec.maxReplicaCount']],
  [jobs, { maxReplicaCount: 3 }, []],
  [jobs, { maxReplicaCount: 3, jobTargetRef: { parallelism: 2 } }, ['policy-limit spec.jobTargetRef.parallelism']],
  ['monitoring.coreos.com/v1 Prometheus', { replicas: 2, shards: 2 }, []],
  ['monitoring.coreos.com/v1 Prometheus', { replicas: 3, shards: 2 }, ['policy-limit spec.shards']],
  [service, knative({}), [ofService]],
  [service, knative({ [maxScale]: '5' }), []],
  [service, knative({ [maxScale]: '6' }), [ofService]],
  [service, knative({ [maxScale]: '0' }), [ofService]],
  ['actions.github.com/v1alpha1 AutoscalingRunnerSet', {}, ['policy-limit spec.maxRunners']],
  ['actions.github.com/v1alpha1 AutoscalingRunnerSet', { maxRunners: 5 }, []],
  ['example.com/v1 Scaler', target, ['policy-not-checked spec.scaleTargetRef']],
  ['example.com/v1 Scaler', { ...target, maxReplicas: 5 }, []],
];

describe('a limit of 5 pods', () => {
  it.each(counts.map(([type, spec, found, annotations]) => ({ type, spec, found, annotations })))(
    '$type $spec',
    ({ type, spec, found, annotations }) => {
      expect(findings(objectOf(type, spec, annotations), { maxReplicas: 5 })).toEqual(found);
      expect(findings(objectOf(type, spec, annotations), {})).toEqual([]);
    },
  );

  it('accepts a default that is not above it', () => {
    expect(findings(objectOf(scaled, target), { maxReplicas: 100 })).toEqual([]);
  });
});

describe('limits of CPU and memory', () => {
  const enforced = { maxCPU: '1', maxMemory: '1Gi' };
  const limits = { cpu: '1', memory: '1Gi' };
  const container = { name: 'x', image: 'x' };
  const missing = (path: string, ...names: readonly string[]): readonly string[] =>
    names.map((name) => `policy-limit-missing ${path}.resources.limits.${name}`);

  it.each<readonly [type: string, spec: JsonObject, found: readonly string[]]>([
    ['v1 Pod', { containers: [container] }, missing('spec.containers.0', 'cpu', 'memory')],
    [
      'v1 Pod',
      { containers: [{ ...container, resources: { requests: limits } }] },
      missing('spec.containers.0', 'cpu', 'memory'),
    ],
    ['v1 Pod', { containers: [{ ...container, resources: { limits } }] }, []],
    [
      'v1 Pod',
      { containers: [{ ...container, resources: { limits: { cpu: 1 } } }] },
      missing('spec.containers.0', 'memory'),
    ],
    ['v1 Pod', { initContainers: [container] }, missing('spec.initContainers.0', 'cpu', 'memory')],
    ['v1 Pod', { ephemeralContainers: [container] }, []],
    // The limits of the pod hold for all of its containers.
    ['v1 Pod', { containers: [container], resources: { limits } }, []],
    [
      'v1 Pod',
      { containers: [container], resources: { limits: { ...limits, cpu: 2 } } },
      ['policy-limit spec.resources.limits.cpu'],
    ],
    ['postgresql.cnpg.io/v1 Cluster', {}, missing('spec', 'cpu', 'memory')],
    ['postgresql.cnpg.io/v1 Cluster', { resources: { limits } }, []],
    ['monitoring.coreos.com/v1 Prometheus', {}, missing('spec', 'cpu', 'memory')],
    ['monitoring.coreos.com/v1 Prometheus', { resources: { limits }, containers: [{ name: 'prometheus' }] }, []],
    ['postgresql.cnpg.io/v1 Pooler', {}, missing('spec.template.spec.containers.0', 'cpu', 'memory')],
    [
      'argoproj.io/v1alpha1 Workflow',
      { templates: [{ script: container }] },
      missing('spec.templates.0.script', 'cpu', 'memory'),
    ],
  ])('%s %j', (type, spec, found) => {
    expect(findings(objectOf(type, spec), enforced)).toEqual(found);
    expect(findings(objectOf(type, spec), {})).toEqual([]);
  });
});

describe('a limit of storage', () => {
  const volume = (emptyDir: JsonObject): JsonObject => ({ volumes: [{ name: 'v', emptyDir }] });
  const prometheus = 'monitoring.coreos.com/v1 Prometheus';
  const sizeLimit = 'spec.volumes.0.emptyDir.sizeLimit';
  const claim = (storage: string): JsonObject => ({ spec: { resources: { requests: { storage } } } });

  it.each<readonly [type: string, spec: JsonObject, found: readonly string[]]>([
    ['v1 Pod', volume({}), [`policy-limit-missing ${sizeLimit}`]],
    ['v1 Pod', volume({ sizeLimit: null }), [`policy-limit-missing ${sizeLimit}`]],
    ['v1 Pod', volume({ sizeLimit: '1Gi' }), []],
    ['v1 Pod', volume({ sizeLimit: '2Gi' }), [`policy-limit ${sizeLimit}`]],
    ['v1 PersistentVolume', { capacity: { storage: '2Gi' } }, ['policy-limit spec.capacity.storage']],
    ['v1 PersistentVolume', { capacity: { storage: '1Gi' } }, []],
    [
      'apps/v1 StatefulSet',
      { volumeClaimTemplates: [claim('2Gi')] },
      ['policy-limit spec.volumeClaimTemplates.0.spec.resources.requests.storage'],
    ],
    [
      'v1 Pod',
      { volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: claim('2Gi') } }] },
      ['policy-limit spec.volumes.0.ephemeral.volumeClaimTemplate.spec.resources.requests.storage'],
    ],
    ['postgresql.cnpg.io/v1 Cluster', { storage: { size: '2Gi' } }, ['policy-limit spec.storage.size']],
    [prometheus, {}, ['policy-limit-missing spec.storage']],
    [prometheus, { storage: { volumeClaimTemplate: claim('1Gi') } }, []],
    [prometheus, { storage: { emptyDir: {} } }, ['policy-limit-missing spec.storage.emptyDir.sizeLimit']],
    [
      'volsync.backube/v1alpha1 ReplicationDestination',
      { restic: { capacity: '2Gi', cacheCapacity: '1Gi' } },
      ['policy-limit spec.restic.capacity'],
    ],
  ])('%s %j', (type, spec, found) => {
    expect(findings(objectOf(type, spec), { maxStorageSize: '1Gi' })).toEqual(found);
    expect(findings(objectOf(type, spec), {})).toEqual([]);
  });
});
