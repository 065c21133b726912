import { numberAt } from '../../../../kube/index.ts';
import { createPod } from '../../pods/create-pod.ts';
import { checkShared, createClaimSpec, exclusiveMode } from '../../pods/create-volumes.ts';
import { insteadInStatefulSets } from '../../pods/instead-fields.ts';
import { checkStatefulSetName, nameRelations, namesOf } from '../../pods/names.ts';
import { image, podProperties, replicas, sidecars } from '../../pods/pod-properties.ts';
import { port, portRelations, ports, readPorts } from '../../pods/port-properties.ts';
import { affinity } from '../../pods/scheduling.ts';
import { headlessService, serviceBesideHeadless } from '../../pods/service-properties.ts';
import { createStatefulServices } from '../../pods/services.ts';
import { accessModes, mounts, storageClass, volume } from '../../pods/volume-property.ts';
import { budgetProblems, createWorkload, podDisruptionBudget, updateProperties } from '../../pods/workloads.ts';
import { choiceField, describeMore, inGroup, kubernetesFields, textField } from '../../../../documents/index.ts';
import { defineComponent } from '../define.ts';
import type { Claim } from '../define.ts';
import { filled } from '../present-fields.ts';

const statefulSetSpec = ['apps/v1', 'StatefulSet', 'spec'] as const;

export const statefulset = defineComponent({
  type: 'statefulset',
  summary: 'Ordered, persistent workload: StatefulSet and headless Service.',
  provides: ['pods', 'podTemplate', 'serviceAccount'],
  instead: insteadInStatefulSets,
  relations: [...nameRelations, ...portRelations],
  properties: {
    image,
    port: describeMore(port, 'Not with "ports".'),
    ports,
    service: serviceBesideHeadless,
    headlessService,
    serviceName: {
      ...textField('dns-1035-label', 'Name of the headless Service. Defaults to that of the other objects.'),
      group: 'Network',
    },
    replicas,
    ...podProperties,
    volumeClaimTemplates: {
      type: 'array',
      group: 'Storage',
      description: 'Volume claim templates: each pod has its own claim.',
      uniqueBy: 'name',
      items: {
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
      },
    },
    sidecars,
    affinity,
    ...kubernetesFields(statefulSetSpec, {
      persistentVolumeClaimRetentionPolicy: {
        type: 'object',
        group: 'Storage',
        description: 'Whether claims of volumeClaimTemplates are deleted with their pods. Defaults to Retain.',
      },
    }),
    ...inGroup('Rollout', {
      ...updateProperties('StatefulSet'),
      podManagementPolicy: {
        ...choiceField(['OrderedReady', 'Parallel'], 'Whether pods start and stop one after another, or all at once.'),
        default: 'OrderedReady',
      },
      ...kubernetesFields(statefulSetSpec, {
        ordinals: { type: 'object', description: 'Numbers of the pods. They start at 0 by default.' },
      }),
    }),
    podDisruptionBudget,
  },
  problems: budgetProblems,
  render(input) {
    const { properties } = input;
    const { replicas: count, volumeClaimTemplates: templates = [] } = properties;
    const { object, selector } = namesOf(input);
    const { serviceName = object } = properties;
    checkStatefulSetName(input);
    if (count > 1) {
      const advice =
        'move it to "volumeClaimTemplates", so that each pod has its own, or set "accessModes" to [ReadWriteMany]';
      checkShared(input, { users: `${count} replicas`, advice });
    }
    const own = readPorts(input, 'tcp');
    const pod = createPod(input, { ports: own, claimTemplates: templates });
    const spec = {
      replicas: count,
      serviceName,
      podManagementPolicy: properties.podManagementPolicy,
      updateStrategy: filled(properties.updateStrategy),
      minReadySeconds: properties.minReadySeconds,
      revisionHistoryLimit: properties.revisionHistoryLimit,
      ordinals: filled(properties.ordinals),
      persistentVolumeClaimRetentionPolicy: filled(properties.persistentVolumeClaimRetentionPolicy),
      selector: { matchLabels: { ...selector } },
      template: pod.template,
      volumeClaimTemplates: filled(
        templates.map((template) => ({ metadata: { name: template.name }, spec: createClaimSpec(template) })),
      ),
    };
    const { objects: services, ...routed } = createStatefulServices(input, { serviceName, ports: own });
    const workload = createWorkload(input, { apiVersion: 'apps/v1', kind: 'StatefulSet', spec, pod, services });
    // Each replica has its own claim per template, with its ordinal in the name.
    const start = numberAt(properties.ordinals, 'start') ?? 0;
    const ofTemplates = templates.map(({ name, accessModes: modes }): Claim => ({
      volume: name,
      claimName: (replica) => `${name}-${object}-${start + replica}`,
      replicas: count,
      isExclusive: exclusiveMode(modes) !== undefined,
    }));
    return { ...workload, ...routed, claims: [...ofTemplates, ...pod.claims] };
  },
});
