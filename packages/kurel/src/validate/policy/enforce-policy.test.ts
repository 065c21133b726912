import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../model/index.ts';
import { noPolicy } from './rules.ts';
import type { RuleLayer } from './rules.ts';
import { enforcePolicy } from './enforce-policy.ts';

const strict: RuleLayer = {
  ...noPolicy,
  enforced: { maxReplicas: 3, maxCPU: '1', maxMemory: '1Gi', maxStorageSize: '10Gi', allowedRegistries: ['ghcr.io'] },
  security: { ...noPolicy.security, allowedCapabilities: ['NET_BIND_SERVICE', 'CAP_KILL'] },
};

/** `policy-limit spec.replicas` */
function refusals(object: KubeObject, layers: readonly RuleLayer[] = [strict]): readonly string[] {
  const found: string[] = [];
  enforcePolicy(object, {
    rules: { layers },
    scopeOf,
    report({ code }, path) {
      // They have a test of their own.
      if (code !== 'policy-limit-missing') found.push(`${code} ${path.join('.')}`);
    },
  });
  return found;
}

function objectOf(apiVersion: string, kind: string, spec: JsonObject): KubeObject {
  return { apiVersion, kind, metadata: { name: 'web' }, spec };
}

function podOf(spec: JsonObject): KubeObject {
  return objectOf('v1', 'Pod', { containers: [], ...spec });
}

describe('fields outside of pods', () => {
  it.each<[kind: string, spec: JsonObject, found: readonly string[]]>([
    ['apps/v1 Deployment', { replicas: 3 }, []],
    ['apps/v1 Deployment', { replicas: 4 }, ['policy-limit spec.replicas']],
    ['apps/v1 Deployment', {}, []],
    ['apps/v1 Deployment', { replicas: null }, []],
    ['apps/v1 ReplicaSet', { replicas: 4 }, ['policy-limit spec.replicas']],
    ['v1 ReplicationController', { replicas: 4 }, ['policy-limit spec.replicas']],
    ['batch/v1 Job', { parallelism: 4 }, ['policy-limit spec.parallelism']],
    [
      'batch/v1 CronJob',
      { jobTemplate: { spec: { parallelism: 4 } } },
      ['policy-limit spec.jobTemplate.spec.parallelism'],
    ],
    ['autoscaling/v1 HorizontalPodAutoscaler', { maxReplicas: 4 }, ['policy-limit spec.maxReplicas']],
    [
      'v1 PersistentVolumeClaim',
      { resources: { limits: { storage: '11Gi' } } },
      ['policy-limit spec.resources.limits.storage'],
    ],
    ['v1 PersistentVolumeClaim', { resources: { requests: { storage: '10240Mi' } } }, []],
    [
      'v1 PersistentVolumeClaim',
      { resources: { requests: { storage: 'lots' } } },
      ['policy-not-checked spec.resources.requests.storage'],
    ],
    [
      'apps/v1 StatefulSet',
      { volumeClaimTemplates: [{ spec: {} }, { spec: { resources: { requests: { storage: '1Ti' } } } }] },
      ['policy-limit spec.volumeClaimTemplates.1.spec.resources.requests.storage'],
    ],
    ['v1 PersistentVolume', { hostPath: { path: '/' } }, ['policy-security spec.hostPath.path']],
    ['v1 PersistentVolume', { local: { path: '/' } }, ['policy-security spec.local.path']],
    ['v1 PersistentVolume', { nfs: { path: '/' } }, []],
    ['source.toolkit.fluxcd.io/v1 HelmRepository', { url: 'https://x.example' }, ['policy-registry spec.url']],
    ['source.toolkit.fluxcd.io/v1 OCIRepository', { url: 'oci://ghcr.io/team/x' }, []],
    [
      'postgresql.cnpg.io/v1 Cluster',
      {
        instances: 5,
        imageName: 'quay.io/x/postgres:17',
        resources: { limits: { cpu: 2 } },
        storage: { size: '20Gi' },
        walStorage: { size: '1Gi', pvcTemplate: { resources: { requests: { storage: '20Gi' } } } },
        tablespaces: [{ storage: { size: '1Ti' } }],
      },
      [
        'policy-limit spec.instances',
        'policy-limit spec.resources.limits.cpu',
        'policy-limit spec.storage.size',
        'policy-limit spec.walStorage.pvcTemplate.resources.requests.storage',
        'policy-limit spec.tablespaces.0.storage.size',
        'policy-registry spec.imageName',
      ],
    ],
    // Replica counts have the same names in unknown kinds.
    ['example.com/v1 Deployment', { replicas: 4 }, ['policy-limit spec.replicas']],
  ])('%s %j', (kind, spec, found) => {
    const [apiVersion = '', name = ''] = kind.split(' ');
    expect(refusals(objectOf(apiVersion, name, spec))).toEqual(found);
  });
});

it('compares numbers that a double cannot hold', () => {
  const object = objectOf('apps/v1', 'Deployment', { replicas: 9_007_199_254_740_993n });
  expect(refusals(object)).toEqual(['policy-limit spec.replicas']);
});

describe('fields of pods', () => {
  const image = 'ghcr.io/team/app:1';
  const one = (container: JsonObject): JsonObject => ({ containers: [{ name: 'app', image, ...container }] });

  it.each<[what: string, spec: JsonObject, found: readonly string[]]>([
    ['nothing of note', one({}), []],
    [
      'host namespaces',
      { hostNetwork: true, hostPID: true, hostIPC: true },
      ['policy-security spec.hostNetwork', 'policy-security spec.hostPID', 'policy-security spec.hostIPC'],
    ],
    ['no host namespaces', { hostNetwork: false, hostPID: false, hostIPC: false }, []],
    [
      'every list of containers',
      {
        initContainers: [{ image: 'a' }],
        containers: [{ image }, { image: 'b' }],
        ephemeralContainers: [{ image: 'c' }],
      },
      [
        'policy-registry spec.containers.1.image',
        'policy-registry spec.initContainers.0.image',
        'policy-registry spec.ephemeralContainers.0.image',
      ],
    ],
    [
      'an image as a volume',
      { volumes: [{ name: 'x', image: { reference: 'quay.io/x/y' } }] },
      ['policy-registry spec.volumes.0.image.reference'],
    ],
    [
      'a hostPath',
      { volumes: [{ name: 'x', hostPath: { path: '/' } }] },
      ['policy-security spec.volumes.0.hostPath.path'],
    ],
    [
      'resources of the pod',
      { resources: { requests: { cpu: '1001m' } } },
      ['policy-limit spec.resources.requests.cpu'],
    ],
    [
      'amounts that are numbers',
      one({ resources: { limits: { cpu: 1.5, memory: 1073741825 } } }),
      ['policy-limit spec.containers.0.resources.limits.cpu', 'policy-limit spec.containers.0.resources.limits.memory'],
    ],
    [
      'a HostProcess pod',
      { securityContext: { windowsOptions: { hostProcess: true } } },
      ['policy-security spec.securityContext.windowsOptions.hostProcess'],
    ],
    [
      'a HostProcess container',
      one({ securityContext: { windowsOptions: { hostProcess: true } } }),
      ['policy-security spec.containers.0.securityContext.windowsOptions.hostProcess'],
    ],
    [
      'host ports',
      one({ ports: [{ hostPort: 0 }, { hostPort: null }, {}, { hostPort: 80 }] }),
      ['policy-security spec.containers.0.ports.3.hostPort'],
    ],
    [
      'capabilities',
      one({ securityContext: { capabilities: { add: ['KILL', 'cap_net_bind_service', 'ALL'] } } }),
      ['policy-capability spec.containers.0.securityContext.capabilities.add.2'],
    ],
    [
      'values of the wrong type',
      { containers: [7, { image: 7, ports: 7, resources: [], securityContext: 'x' }], volumes: {} },
      [],
    ],
  ])('%s', (_, spec, found) => {
    expect(refusals(podOf(spec))).toEqual(found);
  });

  it('allows all capabilities with ALL', () => {
    const all: RuleLayer = { ...strict, security: { allowedCapabilities: ['ALL'] } };
    const pod = podOf(one({ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }));
    expect(refusals(pod, [all])).toEqual([]);
  });
});
