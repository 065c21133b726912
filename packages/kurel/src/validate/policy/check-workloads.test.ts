import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../kube/index.ts';
import type { Json, JsonObject, KubeObject } from '../../model/index.ts';
import { enforcePolicy } from './enforce-policy.ts';
import { noPolicy } from './rules.ts';
import type { RuleLayer } from './rules.ts';

const strict: RuleLayer = {
  ...noPolicy,
  enforced: { maxReplicas: 3, maxCPU: '1', allowedRegistries: ['ghcr.io'] },
};

function refusals(object: KubeObject, layers: readonly RuleLayer[] = [strict]): readonly string[] {
  const found: string[] = [];
  const report = ({ code }: { readonly code: string }, path: readonly (string | number)[]): void => {
    // They have a test of their own.
    if (code !== 'policy-limit-missing') found.push(`${code} ${path.join('.')}`);
  };
  enforcePolicy(object, { rules: { layers }, scopeOf, report });
  return found;
}

const bad: JsonObject = { name: 'x', image: 'evil.example/x:1', securityContext: { privileged: true } };
const good = { name: 'x', image: 'ghcr.io/x/y:1' };

describe('pods in unknown kinds', () => {
  it.each<[type: string, spec: JsonObject, found: readonly string[]]>([
    [
      'jobset.x-k8s.io/v1alpha2 JobSet',
      {
        replicatedJobs: [
          { replicas: 9, template: { spec: { template: { spec: { hostPID: true, containers: [bad] } } } } },
        ],
      },
      [
        'policy-limit spec.replicatedJobs.0.replicas',
        'policy-security spec.replicatedJobs.0.template.spec.template.spec.hostPID',
        'policy-registry spec.replicatedJobs.0.template.spec.template.spec.containers.0.image',
        'policy-security spec.replicatedJobs.0.template.spec.template.spec.containers.0.securityContext.privileged',
      ],
    ],
    [
      'keda.sh/v1alpha1 ScaledJob',
      { maxReplicaCount: 9, jobTargetRef: { template: { spec: { containers: [bad] } } } },
      [
        'policy-limit spec.maxReplicaCount',
        'policy-registry spec.jobTargetRef.template.spec.containers.0.image',
        'policy-security spec.jobTargetRef.template.spec.containers.0.securityContext.privileged',
      ],
    ],
    [
      'argoproj.io/v1alpha1 Rollout',
      { replicas: 9, template: { spec: { initContainers: [bad] } } },
      [
        'policy-limit spec.replicas',
        'policy-registry spec.template.spec.initContainers.0.image',
        'policy-security spec.template.spec.initContainers.0.securityContext.privileged',
      ],
    ],
    [
      'argoproj.io/v1alpha1 Rollout',
      { workloadRef: { kind: 'Deployment', name: 'x' } },
      ['policy-not-checked spec.workloadRef'],
    ],
    [
      'argoproj.io/v1alpha1 Workflow',
      {
        podSpecPatch: 'hostNetwork: true',
        hostNetwork: true,
        volumes: [{ name: 'x', hostPath: { path: '/' } }],
        templates: [
          { name: 'a', container: bad },
          { name: 'b', script: { image: 'evil.example/x', source: 'id' } },
          { name: 'c', resource: { action: 'create', manifest: 'kind: Pod' } },
          { name: 'd', sidecars: [bad] },
        ],
      },
      [
        'policy-not-checked spec.podSpecPatch',
        'policy-security spec.hostNetwork',
        'policy-security spec.volumes.0.hostPath.path',
        'policy-registry spec.templates.0.container.image',
        'policy-security spec.templates.0.container.securityContext.privileged',
        'policy-registry spec.templates.1.script.image',
        'policy-not-checked spec.templates.2.resource.manifest',
        'policy-registry spec.templates.3.sidecars.0.image',
        'policy-security spec.templates.3.sidecars.0.securityContext.privileged',
      ],
    ],
    [
      'tekton.dev/v1 Task',
      {
        stepTemplate: { image: 'evil.example/x' },
        steps: [bad, { script: 'id', image: 'evil.example/x' }],
        sidecars: [bad],
        volumes: [{ name: 'x', hostPath: { path: '/' } }],
      },
      [
        'policy-registry spec.stepTemplate.image',
        'policy-registry spec.steps.0.image',
        'policy-security spec.steps.0.securityContext.privileged',
        'policy-registry spec.steps.1.image',
        'policy-registry spec.sidecars.0.image',
        'policy-security spec.sidecars.0.securityContext.privileged',
        'policy-security spec.volumes.0.hostPath.path',
      ],
    ],
    [
      'example.com/v1 Runner',
      { hostPath: '/data', cache: { hostPath: false }, privileged: 1, capabilities: { add: ['SYS_ADMIN', 7] } },
      ['policy-security spec.hostPath', 'policy-security spec.privileged', 'policy-capability spec.capabilities.add.0'],
    ],
    ['tekton.dev/v1 TaskRun', { taskRef: { resolver: 'bundles' } }, ['policy-not-checked spec.taskRef']],
    [
      'monitoring.coreos.com/v1 Prometheus',
      {
        replicas: 9,
        image: 'evil.example/x',
        hostNetwork: true,
        containers: [bad],
        volumes: [{ name: 'x', hostPath: { path: '/' } }],
        thanos: { image: 'evil.example/x' },
        securityContext: { seccompProfile: { type: 'Unconfined' } },
      },
      [
        'policy-limit spec.replicas',
        'policy-security spec.hostNetwork',
        'policy-registry spec.containers.0.image',
        'policy-security spec.containers.0.securityContext.privileged',
        'policy-security spec.volumes.0.hostPath.path',
        'policy-security spec.securityContext.seccompProfile.type',
        'policy-registry spec.image',
        'policy-registry spec.thanos.image',
      ],
    ],
    [
      'monitoring.coreos.com/v1 Alertmanager',
      { replicas: 9, image: 'evil.example/x', initContainers: [bad] },
      [
        'policy-limit spec.replicas',
        'policy-registry spec.initContainers.0.image',
        'policy-security spec.initContainers.0.securityContext.privileged',
        'policy-registry spec.image',
      ],
    ],
    [
      'postgresql.cnpg.io/v1 ImageCatalog',
      { images: [{ major: 17, image: 'evil.example/x' }] },
      ['policy-registry spec.images.0.image'],
    ],
    [
      'postgresql.cnpg.io/v1 Cluster',
      {
        securityContext: { capabilities: { add: ['ALL'] } },
        postgresql: { extensions: [{ image: { reference: 'evil.example/x' } }] },
      },
      [
        'policy-capability spec.securityContext.capabilities.add.0',
        'policy-registry spec.postgresql.extensions.0.image.reference',
      ],
    ],
    [
      'serving.knative.dev/v1 Service',
      { template: { spec: { containers: [bad] } } },
      [
        'policy-limit spec.template.metadata.annotations.autoscaling.knative.dev/max-scale',
        'policy-registry spec.template.spec.containers.0.image',
        'policy-security spec.template.spec.containers.0.securityContext.privileged',
      ],
    ],
    [
      'apps/v9 Deployment',
      { template: { spec: { containers: [bad] } } },
      [
        'policy-registry spec.template.spec.containers.0.image',
        'policy-security spec.template.spec.containers.0.securityContext.privileged',
      ],
    ],
    [
      'extensions/v1beta1 Deployment',
      { template: { spec: { hostIPC: true, containers: [good] } } },
      ['policy-security spec.template.spec.hostIPC'],
    ],
    ['apps/v1 ControllerRevision', {}, []],
    ['example.com/v1 Widget', { image: 'evil.example/x' }, ['policy-not-checked spec.image']],
    ['example.com/v1 Widget', { workerImage: { repository: 'x', tag: '1' } }, ['policy-not-checked spec.workerImage']],
    ['example.com/v1 Widget', { images: ['x'] }, ['policy-not-checked spec.images']],
    ['example.com/v1 Widget', { run: 'evil.example/x:1' }, ['policy-not-checked spec.run']],
    ['example.com/v1 Widget', { host: 'evil.example/x', url: 'https://evil.example/x' }, []],
    ['example.com/v1 Widget', { text: 'apiVersion: v1\nkind: Pod\n' }, ['policy-not-checked spec.text']],
    ['example.com/v1 Widget', { text: 'apiVersion: v1\n' }, []],
    ['example.com/v1 Widget', { imagePullPolicy: 'Always', image: '' }, []],
    ['example.com/v1 Widget', { template: { spec: { size: 1 } } }, ['policy-not-checked spec.template']],
    ['example.com/v1 Widget', { template: { metadata: {} } }, []],
    [
      'example.com/v1 Widget',
      { extraContainers: [{ image: 'evil.example/x' }] },
      ['policy-registry spec.extraContainers.0.image'],
    ],
    [
      'helm.cattle.io/v1 HelmChart',
      { chart: 'x', repo: 'https://x.example' },
      ['policy-not-checked spec.chart', 'policy-not-checked spec.repo'],
    ],
    [
      'kyverno.io/v1 ClusterPolicy',
      { rules: [{ mutate: { patchesJson6902: '[]' } }] },
      ['policy-not-checked spec.rules.0.mutate.patchesJson6902'],
    ],
    [
      'example.com/v1 Widget',
      { object: { apiVersion: 'v1', kind: 'Role', metadata: {} } },
      ['policy-not-checked spec.object.kind'],
    ],
    ['example.com/v1 Widget', { targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } }, []],
    ['helm.toolkit.fluxcd.io/v2 HelmRelease', {}, ['policy-not-checked spec']],
    ['argoproj.io/v1alpha1 Application', {}, ['policy-not-checked spec']],
  ])('%s %j', (type, spec, found) => {
    const [apiVersion = '', kind = ''] = type.split(' ');
    expect(refusals({ apiVersion, kind, metadata: { name: 'x' }, spec })).toEqual(found);
  });

  it('checks fields without a schema', () => {
    const data: Json = { spec: { template: { spec: { containers: [bad] } } } };
    const object = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'x' }, data };
    expect(refusals(object)).toContain(
      'policy-security data.spec.template.spec.containers.0.securityContext.privileged',
    );
  });

  it('reports no unchecked fields without a policy', () => {
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'x' },
      spec: { image: 'x', taskRef: {} },
    };
    expect(refusals(object, [noPolicy])).toEqual([]);
  });

  it('ignores the status', () => {
    const status = { template: { spec: { containers: [bad] } } };
    expect(refusals({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'x' }, status })).toEqual([]);
  });

  it('checks objects of any depth', () => {
    let spec: JsonObject = { hostPID: true };
    for (let depth = 0; depth < 20_000; depth += 1) spec = { spec };
    expect(refusals({ apiVersion: 'example.com/v1', kind: 'Widget', spec })).toHaveLength(1);
  });
});

describe('unconfined', () => {
  it.each<[what: string, object: KubeObject, found: readonly string[]]>([
    [
      'a pod',
      { apiVersion: 'v1', kind: 'Pod', spec: { securityContext: { seccompProfile: { type: 'Unconfined' } } } },
      ['policy-security spec.securityContext.seccompProfile.type'],
    ],
    [
      'a container',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        spec: { containers: [{ ...good, securityContext: { appArmorProfile: { type: 'Unconfined' } } }] },
      },
      ['policy-security spec.containers.0.securityContext.appArmorProfile.type'],
    ],
    [
      'an annotation',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          annotations: { 'container.apparmor.security.beta.kubernetes.io/x': 'unconfined', other: 'unconfined' },
        },
      },
      ['policy-security metadata.annotations.container.apparmor.security.beta.kubernetes.io/x'],
    ],
    [
      'the default profile of the runtime',
      { apiVersion: 'v1', kind: 'Pod', spec: { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } } },
      [],
    ],
  ])('%s', (_, object, found) => {
    expect(refusals(object)).toEqual(found);
    const unsaid = found.map((one) => one.replace('policy-security ', 'policy-security-unsaid '));
    expect(refusals(object, [noPolicy])).toEqual(unsaid);
  });
});
