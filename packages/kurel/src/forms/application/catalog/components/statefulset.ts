import { numberAt } from '../../../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../../../model/index.ts';
import { checkShared, checkWorkloadName } from '../../pods/check-shared.ts';
import { createPod } from '../../pods/create-pod.ts';
import { createServiceAccounts } from '../../pods/create-service.ts';
import { createStatefulServices } from '../../pods/create-stateful-services.ts';
import { checkModes, createClaimSpec, exclusiveMode } from '../../pods/create-volumes.ts';
import { budgetProblems, createBudget, podDisruptionBudget } from '../../pods/disruption-budget.ts';
import { insteadInStatefulSets } from '../../pods/instead-fields.ts';
import { ofWorkload } from '../../pods/kubernetes-field.ts';
import { namesOf } from '../../pods/names.ts';
import { image, insteadOfStatefulFields, podProperties, replicas, sidecars } from '../../pods/pod-properties.ts';
import { createPorts, port, ports, readPorts } from '../../pods/port-properties.ts';
import { statefulSetRollout } from '../../pods/rollout-properties.ts';
import { affinity } from '../../pods/scheduling-properties.ts';
import { headlessService, serviceBesideHeadless } from '../../pods/service-properties.ts';
import { accessModes, mounts, storageClass, volume } from '../../pods/volume-property.ts';
import type { Field, ValueOf } from '../../documents/field.ts';
import { defineComponent } from '../define.ts';
import type { Claim } from '../define.ts';
import { filled } from '../filled.ts';
import { defined } from '../defined.ts';

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
    port: { ...port, description: `${port.description} Not with "ports".` },
    ports,
    service: serviceBesideHeadless,
    headlessService,
    serviceName: {
      type: 'string',
      group: 'Network',
      description: 'Name of the headless Service. Defaults to that of the other objects.',
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
    const { properties, report } = input;
    const { replicas: count, volumeClaimTemplates: templates = [] } = properties;
    const names = namesOf(input);
    const { serviceName = names.object } = properties;
    checkWorkloadName('StatefulSet', input);
    for (const [index, one] of templates.entries())
      checkModes(one.accessModes, ['volumeClaimTemplates', index, 'accessModes'], report);
    if (count > 1) {
      const advice =
        'move it to "volumeClaimTemplates", so that each pod has its own, or set "accessModes" to [ReadWriteMany]';
      checkShared(properties.volumes, { users: `${count} replicas`, advice, input });
    }
    const own = readPorts(input, 'tcp');
    const pod = createPod(input, { ports: createPorts(own), claimTemplates: templates });
    const start = numberAt(properties.ordinals, 'start') ?? 0;
    const statefulSet: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: names.object, labels: names.labels },
      spec: defined({
        replicas: count,
        serviceName,
        podManagementPolicy: properties.podManagementPolicy,
        updateStrategy: filled(properties.updateStrategy),
        minReadySeconds: properties.minReadySeconds,
        revisionHistoryLimit: properties.revisionHistoryLimit,
        ordinals: filled(properties.ordinals),
        persistentVolumeClaimRetentionPolicy: filled(properties.persistentVolumeClaimRetentionPolicy),
        selector: { matchLabels: { ...names.selector } },
        template: pod.template,
        volumeClaimTemplates: templates.length === 0 ? undefined : templates.map(createClaimTemplate),
      }),
    };
    const services = createStatefulServices(input, { serviceName, ports: own });
    return {
      objects: [
        statefulSet,
        ...services.objects,
        ...createServiceAccounts(input),
        ...pod.claimObjects,
        ...createBudget(input),
      ],
      service: services.service,
      serviceAdvice: services.serviceAdvice,
      otherServices: services.otherServices,
      pods: names.selector,
      serviceAccount: names.serviceAccount,
      claims: [...claimsOf(templates, { component: names.object, replicas: count, start }), ...pod.claims],
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
