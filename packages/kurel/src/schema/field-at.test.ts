import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../host/index.ts';
import { parseGroupVersionKind } from '../kube/index.ts';
import { createSchemaStore, fieldAt, mergeRuleOf, shippedKubernetesVersions } from './index.ts';
import type { KindSchema, MergeRule, SchemaNode } from './index.ts';

const store = createSchemaStore({ files: bundledSchemas() });
const deployment = store.find({ group: 'apps', version: 'v1', kind: 'Deployment' })!;
const pod = ['spec', 'template', 'spec'];

describe('fieldAt', () => {
  it.each([
    [[], { type: 'object' }, true],
    [['spec'], { type: 'object' }, true],
    [['spec', 'replicas'], { type: 'integer', format: 'int32' }, false],
    [['metadata', 'labels'], { type: 'object' }, false],
    [['metadata', 'labels', 'app.kubernetes.io/name'], { type: 'string' }, false],
    [['metadata', 'creationTimestamp'], { type: 'string', format: 'date-time', nullIsAbsent: true }, false],
    [['spec', 'strategy', 'rollingUpdate', 'maxSurge'], { type: 'int-or-string' }, false],
    [[...pod, 'containers'], { type: 'list', listType: 'map', listMapKeys: ['name'] }, true],
    [[...pod, 'containers', 0, 'name'], { type: 'string' }, true],
    [[...pod, 'containers', 'name'], { type: 'string' }, true],
    [[...pod, 'containers', 0, 'imagePullPolicy'], { enum: ['Always', 'IfNotPresent', 'Never'] }, false],
    [[...pod, 'containers', 0, 'resources', 'limits', 'cpu'], { type: 'quantity' }, false],
    [[...pod, 'containers', 0, 'args', 3], { type: 'string' }, false],
    [[...pod, 'tolerations', 0, 'effect'], { enum: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] }, false],
    [[...pod, 'serviceAccount'], { deprecated: expect.stringMatching(/^Deprecated: Use serviceAccountName/) }, false],
  ])('finds %j', (path, facts, required) => {
    expect(fieldAt(deployment, path)).toMatchObject({ found: facts, required });
  });

  it.each([
    [['spec', 'replcias'], { missing: 1, near: 'replicas', open: false }],
    [[...pod, 'containers', 0, 'imagePullpolicy'], { missing: 5, near: 'imagePullPolicy', open: false }],
    [['xyzzy', 'a'], { missing: 0, open: false }],
    [['spec', 'replicas', 'a'], { missing: 2, open: false }],
    [['spec', 'constructor'], { missing: 1, open: false }],
    [['metadata', 'managedFields', 0, 'fieldsV1', 'f:spec'], { missing: 4, open: true }],
  ])('reports where %j ends', (path, missing) => {
    expect(fieldAt(deployment, path)).toEqual(missing);
  });
});

/** The specification's rules for strategic merge, as kind, fields and rule: `merge`, `merge name`, `merge+retainKeys name`. */
const table: readonly (readonly [kind: string, fields: string, rule: string])[] = [
  ...[
    'v1/Pod spec',
    'apps/v1/Deployment spec.template.spec',
    'batch/v1/CronJob spec.jobTemplate.spec.template.spec',
  ].flatMap((place) => podRules(place.split(' ')[0]!, place.split(' ')[1]!)),
  ['v1/Service', 'spec.ports', 'merge port'],
  ['v1/ServiceAccount', 'secrets', 'merge name'],
  ['v1/ServiceAccount', 'imagePullSecrets', 'replace'],
  ['v1/ConfigMap', 'metadata.finalizers', 'merge'],
  ['v1/ConfigMap', 'metadata.ownerReferences', 'merge uid'],
  ['v1/Node', 'spec.podCIDRs', 'merge'],
  ['storage.k8s.io/v1/CSINode', 'spec.drivers', 'merge name'],
  ['apps/v1/Deployment', 'spec.strategy', 'merge+retainKeys'],
  ['policy/v1/PodDisruptionBudget', 'spec.selector', 'replace'],
  ...['Mutating', 'Validating'].flatMap((word): [string, string, string][] => [
    [`admissionregistration.k8s.io/v1/${word}WebhookConfiguration`, 'webhooks', 'merge name'],
    [`admissionregistration.k8s.io/v1/${word}WebhookConfiguration`, 'webhooks.matchConditions', 'merge name'],
    [`admissionregistration.k8s.io/v1/${word}AdmissionPolicy`, 'spec.matchConditions', 'merge name'],
  ]),
  ['admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy', 'spec.variables', 'merge name'],
  // Kubernetes marks them as atomic, contrary to the specification's table.
  ['admissionregistration.k8s.io/v1/MutatingAdmissionPolicy', 'spec.variables', 'replace'],
  ['v1/Node', 'status.addresses', 'merge type'],
  ['v1/Pod', 'status.podIPs', 'merge ip'],
  ['v1/Pod', 'status.hostIPs', 'merge ip'],
  ['v1/Pod', 'status.resourceClaimStatuses', 'merge+retainKeys name'],
  ['v1/Pod', 'status.containerStatuses.volumeMounts', 'merge mountPath'],
  ['v1/Pod', 'status.containerStatuses.allocatedResourcesStatus', 'merge name'],
  ['networking.k8s.io/v1/Ingress', 'spec.rules', 'replace'],
  ['networking.k8s.io/v1/Ingress', 'spec.tls', 'replace'],
  ['rbac.authorization.k8s.io/v1/Role', 'rules', 'replace'],
  ['rbac.authorization.k8s.io/v1/RoleBinding', 'subjects', 'replace'],
  ['networking.k8s.io/v1/NetworkPolicy', 'spec.ingress', 'replace'],
  ['networking.k8s.io/v1/NetworkPolicy', 'spec.egress', 'replace'],
  ['networking.k8s.io/v1/NetworkPolicy', 'spec.policyTypes', 'replace'],
  ['autoscaling/v2/HorizontalPodAutoscaler', 'spec.metrics', 'replace'],
];

function podRules(kind: string, spec: string): [string, string, string][] {
  const containers = ['containers', 'initContainers', 'ephemeralContainers'];
  const rules = [
    ...containers.map((field) => [field, 'merge name']),
    ['volumes', 'merge+retainKeys name'],
    ['resourceClaims', 'merge+retainKeys name'],
    ['imagePullSecrets', 'merge name'],
    ['schedulingGates', 'merge name'],
    ['hostAliases', 'merge ip'],
    ['topologySpreadConstraints', 'merge topologyKey'],
    ['tolerations', 'replace'],
    ...containers.flatMap((field) => [
      [`${field}.env`, 'merge name'],
      [`${field}.ports`, 'merge containerPort'],
      [`${field}.volumeMounts`, 'merge mountPath'],
      [`${field}.volumeDevices`, 'merge devicePath'],
      [`${field}.args`, 'replace'],
      [`${field}.command`, 'replace'],
      [`${field}.envFrom`, 'replace'],
    ]),
  ];
  return rules.map(([field, rule]) => [kind, `${spec}.${field!}`, rule!]);
}

/** Fields that are not in the specification's table, because they are newer or never patched. */
const beyondTable: readonly string[] = [
  'evictionResponders: merge name',
  'healthConditions: merge status',
  'mapping: merge name',
  'nodeAllocatableResourceClaimStatuses: merge resourceClaimName',
  'overhead: merge name',
  'requesters: merge name',
  'reservedFor: merge uid',
  'resourceClaims: merge name',
  'responders: merge name',
  'storageHealth: merge name',
  'targetResponders: merge name',
  'x-kubernetes-validations: merge rule',
];

/** Conditions without a merge key in Kubernetes. */
const atomicConditions: readonly string[] = [
  'CertificateSigningRequest',
  'CustomResourceDefinition',
  'StorageVersion',
  'ValidatingAdmissionPolicy',
];

const files = bundledSchemas();
const stores = shippedKubernetesVersions(files).map((kubernetesVersion) =>
  createSchemaStore({ files, kubernetesVersion }),
);
const builtIn = (kind: KindSchema): boolean => kind.source.startsWith('Kubernetes ');

describe.each(stores)('merge rules of Kubernetes $kubernetesVersion', (store) => {
  it('match the specification', () => {
    const wrong = table.flatMap(([text, fields, rule]) => {
      const kind = store.find(parseGroupVersionKind(text)!);
      if (kind === undefined) return [];
      const field = fieldAt(kind, fields.split('.'));
      if (!('found' in field)) return [];
      const found = writeRule(mergeRuleOf(field.found));
      return found === rule ? [] : [`${text} ${fields}: ${found}, not ${rule}`];
    });
    expect(wrong).toEqual([]);
  });

  it('merge conditions by type', () => {
    const others = store.kinds().flatMap((gvk) => {
      const kind = store.find(gvk)!;
      const field = fieldAt(kind, ['status', 'conditions']);
      if (!builtIn(kind) || !('found' in field)) return [];
      return writeRule(mergeRuleOf(field.found)) === 'merge type' ? [] : [gvk.kind];
    });
    expect([...new Set(others)].toSorted()).toEqual(atomicConditions);
  });
});

it('has every field of the table, and no rule beyond those listed', () => {
  const parsed = new Set(table.map(([, fields, rule]) => `${fields.split('.').at(-1)!}: ${rule}`));
  const found = listRules(stores.flatMap((store) => store.kinds().map((gvk) => store.find(gvk)!)));
  const known = new Set([...parsed, ...beyondTable, 'conditions: merge type']);
  expect([...found].filter((rule) => !known.has(rule))).toEqual([]);
  const stated = [...known].filter((rule) => !rule.endsWith(': replace') || rule === 'selector: replace');
  expect(stated.filter((rule) => !found.has(rule))).toEqual([]);
});

function listRules(kinds: readonly KindSchema[]): ReadonlySet<string> {
  const rules = new Set<string>();
  const seen = new Set<SchemaNode>();
  const visit = (node: SchemaNode | undefined, name: string): void => {
    if (node === undefined) return;
    if (node.patchStrategy !== undefined) rules.add(`${name}: ${writeRule(mergeRuleOf(node))}`);
    if (seen.has(node)) return;
    seen.add(node);
    for (const property of node.propertyNames) visit(node.property(property), property);
    visit(node.items, name);
    visit(node.values, name);
  };
  for (const kind of kinds) if (builtIn(kind)) visit(kind.schema, '');
  return rules;
}

function writeRule({ strategy, retainKeys, key }: MergeRule): string {
  return `${strategy}${retainKeys ? '+retainKeys' : ''}${key === undefined ? '' : ` ${key}`}`;
}
