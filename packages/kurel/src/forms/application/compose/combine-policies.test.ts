import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rulesOfLevel, scopeOf } from '../../../kube/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../model/index.ts';
import { combinePolicies, enforcePolicy, noPolicy } from '../../../validate/index.ts';
import type { OwnRules } from '../../../documents/index.ts';
import type { RuleLayer } from '../../../validate/index.ts';
import { createCatalog } from '../catalog/catalog.ts';
import { composeApplication } from './compose-application.ts';
import type { LocatedData } from '../../../documents/index.ts';

describe('combinePolicies', () => {
  const own = (rules: Partial<RuleLayer>): RuleLayer => ({ ...noPolicy, of: 'application', security: {}, ...rules });

  it('returns the lowest limits', () => {
    const platform = { ...noPolicy, enforced: { maxReplicas: 5, maxCPU: '2', maxMemory: '1Gi' } };
    const { enforced } = combinePolicies(platform, [
      own({ enforced: { maxReplicas: 9, maxCPU: '1500m', maxStorageSize: '1Ti' } }),
      own({ enforced: { maxCPU: '1700m', maxMemory: '1024Mi' } }),
    ]);
    expect(enforced).toEqual({ maxReplicas: 5, maxCPU: '1500m', maxMemory: '1Gi', maxStorageSize: '1Ti' });
  });

  it('prefers defaults of the platform', () => {
    const platform = { ...noPolicy, defaults: { replicas: 2 } };
    const first = own({ defaults: { replicas: 7, cpuLimit: '1' } });
    const second = own({ defaults: { cpuLimit: '2', memoryLimit: '1Gi' } });
    expect(combinePolicies(platform, [first, second]).defaults).toEqual({
      replicas: 2,
      cpuLimit: '1',
      memoryLimit: '1Gi',
    });
  });
});

const limit = fc.constantFrom('500m', '1', '2', '1Gi', '2Gi');
const registries = fc.uniqueArray(fc.constantFrom('ghcr.io', 'ghcr.io/a', 'quay.io', 'docker.io/library'), {
  minLength: 1,
});
const flag = fc.boolean();
const traits = fc.uniqueArray(fc.constantFrom('rbac', 'scaler', 'certificate'), { minLength: 1 });

const components = fc.uniqueArray(fc.constantFrom('webservice', 'passthrough', 'helmchart'), { minLength: 1 });

const kinds = fc.uniqueArray(fc.constantFrom('Deployment', 'core/Secret', 'ClusterRole', 'GitRepository'), {
  minLength: 1,
});
const groups = fc.uniqueArray(fc.constantFrom('core', 'apps', 'rbac.authorization.k8s.io'), { minLength: 1 });

/** Rules that an application can set for itself. */
const ownProperties = fc.record(
  {
    enforced: fc.record(
      {
        maxReplicas: fc.integer({ min: 1, max: 50 }),
        maxCPU: limit,
        maxMemory: limit,
        maxStorageSize: limit,
        allowedRegistries: registries,
        allowedSources: registries,
      },
      { requiredKeys: [] },
    ),
    defaults: fc.record(
      { replicas: fc.integer({ min: 0, max: 50 }), cpuRequest: limit, memoryLimit: limit, storageSize: limit },
      { requiredKeys: [] },
    ),
    security: fc.record(
      {
        allowHostNetwork: flag,
        allowPrivileged: flag,
        allowHostPID: flag,
        allowHostIPC: flag,
        allowHostPathVolumes: flag,
        allowUnconfined: flag,
        allowedCapabilities: fc.uniqueArray(fc.constantFrom('SYS_TIME', 'ALL', 'KILL')),
        allowWildcardRoles: flag,
        allowEscalatingVerbs: flag,
        allowClusterAdmin: flag,
        allowForeignBindings: flag,
        allowWebhooks: flag,
        level: fc.constantFrom('privileged', 'baseline', 'restricted'),
        allowSELinuxOptions: flag,
        allowProcMount: flag,
        allowProbeHosts: flag,
        allowedSysctls: fc.uniqueArray(fc.constantFrom('kernel.msgmax', 'net.core.somaxconn')),
        allowRunAsRoot: flag,
        allowPrivilegeEscalation: flag,
        allowMissingSeccompProfile: flag,
        allowDefaultCapabilities: flag,
        allowedVolumeTypes: fc.uniqueArray(fc.constantFrom('nfs', 'emptyDir')),
        allowTokenRequests: flag,
        allowPodExec: flag,
        allowNodeProxy: flag,
        allowSecretReads: flag,
        allowCertificateApproval: flag,
        allowExternalIPs: flag,
        allowExternalNames: flag,
        allowLinkLocalProbes: flag,
        allowUnlimitedMemoryVolumes: flag,
      },
      { requiredKeys: [] },
    ),
    objects: fc.record(
      {
        allowedKinds: kinds,
        forbiddenKinds: kinds,
        allowedGroups: groups,
        forbiddenGroups: groups,
        allowedNamespaces: fc.uniqueArray(fc.constantFrom('default', 'other'), { minLength: 1 }),
        namespacedOnly: flag,
      },
      { requiredKeys: [] },
    ),
    components: fc.record({ allowed: components, forbidden: components }, { requiredKeys: [] }),
    capabilities: fc.record({ allowed: traits, forbidden: traits, required: traits }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

describe('the policy of an application', () => {
  const amount = fc.constantFrom('100m', '1500m', '3', '1Gi', '5Gi');
  const workloads: fc.Arbitrary<KubeObject> = fc
    .record({
      replicas: fc.integer({ min: 0, max: 60 }),
      image: fc.constantFrom('nginx', 'ghcr.io/a/x', 'ghcr.io/b/x', 'quay.io/x'),
      cpu: amount,
      memory: amount,
      privileged: flag,
      hostPID: flag,
      add: fc.uniqueArray(fc.constantFrom('KILL', 'SYS_TIME', 'SYS_ADMIN')),
    })
    .map(({ replicas, image, cpu, memory, privileged, hostPID, add }) => {
      const securityContext = { privileged, capabilities: { add } };
      const containers = [{ name: 'x', image, resources: { requests: { cpu, memory } }, securityContext }];
      const spec = { replicas, template: { spec: { hostPID, containers } } };
      return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec };
    });
  const rbacGroup = 'rbac.authorization.k8s.io';
  const objects = fc.oneof(
    workloads,
    fc.constantFrom<KubeObject[]>(
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x', namespace: 'other' } },
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'x' },
        spec: { securityContext: { seccompProfile: { type: 'Unconfined' } } },
      },
      {
        apiVersion: `${rbacGroup}/v1`,
        kind: 'ClusterRole',
        metadata: { name: 'x' },
        rules: [{ apiGroups: ['*'], resources: ['pods'], verbs: ['bind'] }],
      },
      {
        apiVersion: `${rbacGroup}/v1`,
        kind: 'ClusterRoleBinding',
        metadata: { name: 'x' },
        roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: 'cluster-admin' },
      },
      { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', metadata: { name: 'x' } },
      {
        apiVersion: 'source.toolkit.fluxcd.io/v1',
        kind: 'GitRepository',
        metadata: { name: 'x', namespace: 'default' },
        spec: { url: 'https://quay.io/x' },
      },
      { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'x' }, spec: { image: 'quay.io/x' } },
    ),
  );
  const layerOf = (of: RuleLayer['of'], rules: Partial<OwnRules>): RuleLayer => ({
    ...noPolicy,
    ...rules,
    of,
    security: { ...(of === 'platform' ? noPolicy.security : {}), ...rules.security },
  });

  it('rejects what it forbids in addition to what the platform forbids', () => {
    const refusals = (object: KubeObject, layers: readonly RuleLayer[]): readonly string[] => {
      const found: string[] = [];
      const report = ({ code }: { readonly code: string }, path: readonly (string | number)[]): void =>
        void found.push(`${code} ${path.join('.')}`);
      enforcePolicy(object, { rules: { layers }, scopeOf, report });
      return found.toSorted();
    };
    fc.assert(
      fc.property(ownProperties, ownProperties, objects, (one, other, object) => {
        const [platform, own] = [layerOf('platform', one), layerOf('application', other)];
        const alone = [...refusals(object, [platform]), ...refusals(object, [own])];
        const { layers } = combinePolicies(platform, [own]);
        expect(refusals(object, layers)).toEqual([...new Set(alone)].toSorted());
      }),
    );
  });

  const rbac = { type: 'rbac', properties: { rules: [{ resources: ['pods'], verbs: ['get'] }] } };
  const volume = { name: 'd', mountPath: '/d' };
  const objectOf = (type: string, fields: JsonObject): { type: string; properties: JsonObject } => {
    const [apiVersion = '', kind = ''] = type.split(' ');
    return { type: 'passthrough', properties: { object: { apiVersion, kind, ...fields } } };
  };
  const inPod = (spec: JsonObject): ReturnType<typeof objectOf> =>
    objectOf('v1 Pod', { spec: { containers: [{ name: 'x', image: 'x' }], ...spec } });
  const inContainer = (fields: JsonObject): ReturnType<typeof objectOf> =>
    inPod({ containers: [{ name: 'x', image: 'x', ...fields }] });
  const unsafe = inPod({ volumes: [{ name: 'n', nfs: { server: 'x', path: '/' } }] });
  const roleOf = (resource: string, verb: string, group = ''): ReturnType<typeof objectOf> =>
    objectOf('rbac.authorization.k8s.io/v1 Role', {
      rules: [{ apiGroups: [group], resources: [resource], verbs: [verb] }],
    });
  /** A rule of a platform, and a component that violates it. */
  const refused: readonly (readonly [
    policy: JsonObject,
    component: { type?: string; properties?: JsonObject; traits?: Json[] },
  ])[] = [
    [{ enforced: { maxReplicas: 3 } }, { properties: { replicas: 4 } }],
    [{ enforced: { maxCPU: '1' } }, { properties: { resources: { requests: { cpu: '1001m' } } } }],
    [{ enforced: { maxMemory: '1Gi' } }, { properties: { resources: { limits: { memory: '1025Mi' } } } }],
    [{ enforced: { maxStorageSize: '1Gi' } }, { properties: { volumes: [{ ...volume, type: 'pvc', size: '2Gi' }] } }],
    [{ enforced: { allowedRegistries: ['ghcr.io/a'] } }, { properties: { image: 'ghcr.io/b/x:1' } }],
    [{}, { properties: { hostNetwork: true } }],
    [{}, { properties: { hostPID: true } }],
    [{}, { properties: { hostIPC: true } }],
    [{}, { properties: { securityContext: { privileged: true } } }],
    [{}, { properties: { volumes: [{ ...volume, type: 'hostPath', path: '/x' }] } }],
    [
      { security: { allowedCapabilities: ['KILL'] } },
      { properties: { securityContext: { capabilities: { add: ['SYS_TIME'] } } } },
    ],
    [{}, { properties: { securityContext: { seccompProfile: { type: 'Unconfined' } } } }],
    [
      { enforced: { allowedSources: ['ghcr.io'] } },
      objectOf('source.toolkit.fluxcd.io/v1 GitRepository', { spec: { url: 'https://x.example' } }),
    ],
    [{}, objectOf('rbac.authorization.k8s.io/v1 Role', { rules: [{ verbs: ['*'] }] })],
    [{}, objectOf('rbac.authorization.k8s.io/v1 Role', { rules: [{ verbs: ['impersonate'] }] })],
    [{}, objectOf('rbac.authorization.k8s.io/v1 RoleBinding', { roleRef: { name: 'cluster-admin' } })],
    [
      {},
      objectOf('rbac.authorization.k8s.io/v1 RoleBinding', {
        subjects: [{ kind: 'Group', name: 'system:authenticated' }],
      }),
    ],
    [{}, objectOf('admissionregistration.k8s.io/v1 MutatingWebhookConfiguration', {})],
    [{ capabilities: { forbidden: ['rbac'] } }, objectOf('rbac.authorization.k8s.io/v1 Role', {})],
    [{}, inPod({ securityContext: { seLinuxOptions: { type: 'spc_t' } } })],
    [{}, inPod({ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } })],
    [{}, inContainer({ securityContext: { procMount: 'Unmasked' } })],
    [{}, inContainer({ livenessProbe: { tcpSocket: { host: '10.0.0.1', port: 80 } } })],
    ...Object.entries(rulesOfLevel('restricted')).flatMap(([rule, value]) =>
      rule in rulesOfLevel('baseline') ? [] : [[{ security: { [rule]: value } }, unsafe] as const],
    ),
    [{ security: { level: 'restricted' } }, unsafe],
    [{ security: { allowTokenRequests: false } }, roleOf('serviceaccounts/token', 'create')],
    [{ security: { allowPodExec: false } }, roleOf('pods/exec', 'create')],
    [{ security: { allowNodeProxy: false } }, roleOf('nodes/proxy', 'get')],
    [{ security: { allowSecretReads: false } }, roleOf('secrets', 'list')],
    [
      { security: { allowCertificateApproval: false } },
      roleOf('certificatesigningrequests/approval', 'update', 'certificates.k8s.io'),
    ],
    [{ security: { allowExternalIPs: false } }, objectOf('v1 Service', { spec: { externalIPs: ['10.0.0.1'] } })],
    [{ security: { allowExternalNames: false } }, objectOf('v1 Service', { spec: { type: 'ExternalName' } })],
    [
      { security: { allowProbeHosts: true, allowLinkLocalProbes: false } },
      inContainer({ livenessProbe: { httpGet: { host: '169.254.169.254', port: 80 } } }),
    ],
    [
      { security: { allowUnlimitedMemoryVolumes: false } },
      inPod({ volumes: [{ name: 'm', emptyDir: { medium: 'Memory' } }] }),
    ],
    [{ components: { allowed: ['helmchart'] } }, {}],
    [{ components: { forbidden: ['webservice'] } }, {}],
    [{ objects: { allowedKinds: ['Service'] } }, {}],
    [{ objects: { forbiddenKinds: ['apps/Deployment'] } }, {}],
    [{ objects: { allowedGroups: ['core'] } }, {}],
    [{ objects: { forbiddenGroups: ['apps'] } }, {}],
    [{ objects: { allowedNamespaces: ['other'] } }, {}],
    [{ objects: { namespacedOnly: true } }, objectOf('v1 PersistentVolume', {})],
    [{ capabilities: { forbidden: ['rbac'] } }, { traits: [rbac] }],
    [{ capabilities: { allowed: ['certificate'] } }, { traits: [rbac] }],
    [{ capabilities: { required: ['certificate'] } }, {}],
  ];

  it('never allows what the platform forbids', { tags: 'slow' }, () => {
    const catalog = createCatalog();
    const apiVersion = 'launcher.gokure.dev/v1alpha1';
    const located = (file: string, data: Json): LocatedData => ({ data, locate: (path) => ({ file, path }) });
    const isRefused = (policy: JsonObject, component: JsonObject, own: readonly Json[]): boolean => {
      let failed = false;
      const spec = { components: [component], policies: own };
      const composition = composeApplication({
        application: located('app.yaml', { apiVersion, kind: 'Application', metadata: { name: 'a' }, spec }),
        policy: located('policy.yaml', { apiVersion, kind: 'Policy', metadata: { name: 'p' }, spec: policy }),
        catalog,
        report: ({ severity }) => void (failed ||= severity === 'error'),
      });
      const isError = composition?.findings.some(({ diagnostic }) => diagnostic.severity === 'error');
      return failed || composition === undefined || isError === true;
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...refused),
        ownProperties,
        ([policy, { type = 'webservice', properties, traits: list = [] }], own) => {
          const component = {
            name: 'web',
            type,
            properties: type === 'webservice' ? { image: 'ghcr.io/a/web:1', ...properties } : properties!,
            traits: list,
          };
          const entry = { name: 'own', type: 'env-policy', properties: own as JsonObject };
          expect(isRefused(policy, component, []), 'without a policy of its own').toBe(true);
          expect(isRefused(policy, component, [entry])).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
    expect(isRefused({}, { name: 'web', type: 'webservice', properties: { image: 'ghcr.io/a/web:1' } }, [])).toBe(
      false,
    );
  });
});
