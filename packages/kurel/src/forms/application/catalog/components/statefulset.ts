import type { JsonObject, KubeObject } from '../../../../model/index.ts';
import { checkServiceName, checkShared, checkWorkloadName } from '../../pods/check-shared.ts';
import { createPod } from '../../pods/create-pod.ts';
import { createPorts, createService, createServiceAccount } from '../../pods/create-service.ts';
import { checkModes, createClaimSpec, exclusiveMode } from '../../pods/create-volumes.ts';
import {
  affinity,
  image,
  insteadOfStatefulFields,
  podProperties,
  port,
  replicas,
  sidecars,
} from '../../pods/pod-properties.ts';
import { accessModes, storageClass, volume } from '../../pods/volume-property.ts';
import type { Field, ValueOf } from '../../documents/field.ts';
import { defineComponent } from '../define.ts';
import type { Claim } from '../define.ts';
import { given } from '../given.ts';

const claimTemplate = {
  type: 'object',
  description: 'A volume claim template and its mount path.',
  properties: {
    name: volume.properties.name,
    size: { type: 'quantity', description: 'Storage size of the claim.', required: true },
    mountPath: volume.properties.mountPath,
    subPath: volume.properties.subPath,
    storageClass,
    accessModes,
  },
} as const satisfies Field;

type ClaimTemplate = ValueOf<typeof claimTemplate>;

export const statefulset = defineComponent({
  type: 'statefulset',
  summary: 'Ordered, persistent workload: StatefulSet and headless Service.',
  provides: ['pods', 'podTemplate', 'serviceAccount'],
  instead: insteadOfStatefulFields,
  properties: {
    image,
    port,
    serviceName: {
      type: 'string',
      description: 'Name of the headless Service. Defaults to the name of the component.',
      format: 'dns-1035-label',
    },
    replicas,
    ...podProperties,
    volumeClaimTemplates: {
      type: 'array',
      description: 'Volume claim templates: each pod has its own claim.',
      uniqueBy: 'name',
      items: claimTemplate,
    },
    sidecars,
    affinity,
  },
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
      checkShared(properties.volumes, { users: `${count} replicas`, advice, report });
    }
    const pod = createPod(input, { ports: createPorts('tcp', number), claimTemplates: templates });
    const statefulSet: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name, labels: { app: name } },
      spec: given({
        replicas: count,
        serviceName,
        podManagementPolicy: 'OrderedReady',
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
      ],
      service: { name: serviceName, port: number, portName: 'tcp' },
      pods: { app: name },
      serviceAccount: name,
      claims: [...claimsOf(templates, name, count), ...pod.claims],
    };
  },
});

function createClaimTemplate(one: ClaimTemplate): JsonObject {
  return { metadata: { name: one.name }, spec: createClaimSpec(one) };
}

/** Each replica has its own claim per template, with its ordinal in the name. */
function claimsOf(templates: readonly ClaimTemplate[], component: string, replicas: number): readonly Claim[] {
  return templates.map((one) => ({
    volume: one.name,
    claimName: (replica) => `${one.name}-${component}-${replica}`,
    replicas,
    isExclusive: exclusiveMode(one.accessModes) !== undefined,
  }));
}
