import { numberAt } from '../../../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../../../model/index.ts';
import { checkServiceName, checkShared, checkWorkloadName } from '../../pods/check-shared.ts';
import { createPod } from '../../pods/create-pod.ts';
import { createPorts, createService, createServiceAccount } from '../../pods/create-service.ts';
import { checkModes, createClaimSpec, exclusiveMode } from '../../pods/create-volumes.ts';
import { budgetProblems, createBudget, podDisruptionBudget } from '../../pods/disruption-budget.ts';
import { image, insteadOfStatefulFields, podProperties, port, replicas, sidecars } from '../../pods/pod-properties.ts';
import { statefulSetRollout } from '../../pods/rollout-properties.ts';
import { affinity } from '../../pods/scheduling-properties.ts';
import { insteadInStatefulSets } from '../../pods/instead-fields.ts';
import { ofWorkload } from '../../pods/kubernetes-field.ts';
import { accessModes, mounts, storageClass, volume } from '../../pods/volume-property.ts';
import type { Field, ValueOf } from '../../documents/field.ts';
import { defineComponent } from '../define.ts';
import type { Claim } from '../define.ts';
import { filled } from '../filled.ts';
import { given } from '../given.ts';

const claimTemplate = {
  type: 'object',
  description: 'A volume claim template and its mount path.',
  properties: {
    name: volume.properties.name,
    size: { type: 'quantity', description: 'Storage size of the claim.', required: true },
    mountPath: volume.properties.mountPath,
    subPath: volume.properties.subPath,
    subPathExpr: volume.properties.subPathExpr,
    mounts,
    storageClass,
    accessModes,
  },
} as const satisfies Field;

type ClaimTemplate = ValueOf<typeof claimTemplate>;

export const statefulset = defineComponent({
  type: 'statefulset',
  summary: 'Ordered, persistent workload: StatefulSet and headless Service.',
  provides: ['pods', 'podTemplate', 'serviceAccount'],
  instead: { ...insteadInStatefulSets, ...insteadOfStatefulFields },
  properties: {
    image,
    port,
    serviceName: {
      type: 'string',
      group: 'Network',
      description: 'Name of the headless Service. Defaults to the name of the component.',
      format: 'dns-1035-label',
    },
    replicas,
    ...podProperties,
    volumeClaimTemplates: {
      type: 'array',
      group: 'Storage',
      description: 'Volume claim templates: each pod has its own claim.',
      uniqueBy: 'name',
      items: claimTemplate,
    },
    sidecars,
    affinity,
    persistentVolumeClaimRetentionPolicy: ofWorkload(
      'StatefulSet',
      {
        type: 'object',
        group: 'Storage',
        description: 'Whether claims of volumeClaimTemplates are deleted with their pods. Defaults to Retain.',
      },
      'persistentVolumeClaimRetentionPolicy',
    ),
    ...statefulSetRollout,
    podDisruptionBudget,
  },
  problems: budgetProblems,
  render(input) {
    const { name, properties, report } = input;
    const { port: number, replicas: count, serviceName = name, volumeClaimTemplates: templates = [] } = properties;
    checkWorkloadName('StatefulSet', input);
    if (properties.serviceName === undefined) checkServiceName(input, 'rename the component, or set "serviceName"');
    for (const [index, one] of templates.entries())
      checkModes(one.accessModes, ['volumeClaimTemplates', index, 'accessModes'], report);
    if (count > 1) {
      const advice =
        'move it to "volumeClaimTemplates", so that each pod has its own, or set "accessModes" to [ReadWriteMany]';
      checkShared(properties.volumes, { users: `${count} replicas`, advice, input });
    }
    const pod = createPod(input, { ports: createPorts('tcp', number), claimTemplates: templates });
    const start = numberAt(properties.ordinals, 'start') ?? 0;
    const statefulSet: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name, labels: { app: name } },
      spec: given({
        replicas: count,
        serviceName,
        podManagementPolicy: properties.podManagementPolicy,
        updateStrategy: filled(properties.updateStrategy),
        minReadySeconds: properties.minReadySeconds,
        revisionHistoryLimit: properties.revisionHistoryLimit,
        ordinals: filled(properties.ordinals),
        persistentVolumeClaimRetentionPolicy: filled(properties.persistentVolumeClaimRetentionPolicy),
        selector: { matchLabels: { app: name } },
        template: pod.template,
        volumeClaimTemplates: templates.length === 0 ? undefined : templates.map(createClaimTemplate),
      }),
    };
    // Even without a port, the Service provides the DNS names of the pods.
    const port = number === undefined ? undefined : { name: 'tcp', number };
    return {
      objects: [
        statefulSet,
        createService({ name: serviceName, component: name, port, isHeadless: true }),
        createServiceAccount(name),
        ...pod.claimObjects,
        ...createBudget(input, { app: name }),
      ],
      service: { name: serviceName, port: number, portName: 'tcp' },
      pods: { app: name },
      serviceAccount: name,
      claims: [...claimsOf(templates, { component: name, replicas: count, start }), ...pod.claims],
    };
  },
});

function createClaimTemplate(one: ClaimTemplate): JsonObject {
  return { metadata: { name: one.name }, spec: createClaimSpec(one) };
}

interface Replicas {
  readonly component: string;
  readonly replicas: number;
  /** The first ordinal. */
  readonly start: number;
}

/** Each replica has its own claim per template, with its ordinal in the name. */
function claimsOf(templates: readonly ClaimTemplate[], { component, replicas, start }: Replicas): readonly Claim[] {
  return templates.map((one) => ({
    volume: one.name,
    claimName: (replica) => `${one.name}-${component}-${start + replica}`,
    replicas,
    isExclusive: exclusiveMode(one.accessModes) !== undefined,
  }));
}
