import type { KubeObject } from '../../../../model/index.ts';
import { checkShared } from '../../pods/check-shared.ts';
import { createPod } from '../../pods/create-pod.ts';
import { createServiceAccounts, createServices } from '../../pods/create-service.ts';
import { insteadInDaemonSets } from '../../pods/instead-fields.ts';
import { hostnameProperties } from '../../pods/more-pod-properties.ts';
import { namesOf } from '../../pods/names.ts';
import { image, insteadOfServerFields, podProperties, sidecars } from '../../pods/pod-properties.ts';
import { createPorts, port, ports, readPorts } from '../../pods/port-properties.ts';
import { daemonSetRollout } from '../../pods/rollout-properties.ts';
import { plainAffinity } from '../../pods/scheduling-properties.ts';
import { service } from '../../pods/service-properties.ts';
import { defineComponent } from '../define.ts';
import { filled } from '../filled.ts';
import { defined } from '../defined.ts';

export const daemonset = defineComponent({
  type: 'daemonset',
  summary: 'Agent that runs on every node: DaemonSet, and a Service if it has a port.',
  tier: 'infra',
  provides: ['pods', 'podTemplate', 'serviceAccount'],
  instead: { ...insteadInDaemonSets, ...insteadOfServerFields },
  properties: {
    image,
    port: { ...port, description: `${port.description} Creates a Service. Not with "ports".` },
    ports: { ...ports, description: `${ports.description} Creates a Service.` },
    service,
    ...podProperties,
    sidecars,
    affinity: plainAffinity,
    ...hostnameProperties,
    ...daemonSetRollout,
  },
  render(input) {
    const { properties } = input;
    const { object, labels, selector, serviceAccount } = namesOf(input);
    const own = readPorts(input, 'http');
    const { objects: services, ...routed } = createServices(input, { ports: own, isUsual: true });
    const pod = createPod(input, { ports: createPorts(own) });
    const advice = 'set "accessModes" of the volume to [ReadWriteMany], or use an emptyDir';
    checkShared(properties.volumes, { users: 'the pods on several nodes', advice, input });
    const daemonSet: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: object, labels },
      spec: defined({
        updateStrategy: filled(properties.updateStrategy),
        minReadySeconds: properties.minReadySeconds,
        revisionHistoryLimit: properties.revisionHistoryLimit,
        selector: { matchLabels: { ...selector } },
        template: pod.template,
      }),
    };
    return {
      objects: [daemonSet, ...services, ...createServiceAccounts(input), ...pod.claimObjects],
      ...routed,
      pods: selector,
      serviceAccount,
      claims: pod.claims,
    };
  },
});
