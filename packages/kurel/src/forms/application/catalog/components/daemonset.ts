import type { KubeObject } from '../../../../model/index.ts';
import { checkServiceName, checkShared } from '../../pods/check-shared.ts';
import { createPod } from '../../pods/create-pod.ts';
import { createPorts, createService, createServiceAccount } from '../../pods/create-service.ts';
import { insteadInDaemonSets } from '../../pods/instead-fields.ts';
import { hostnameProperties } from '../../pods/more-pod-properties.ts';
import { image, insteadOfServerFields, podProperties, port, sidecars } from '../../pods/pod-properties.ts';
import { daemonSetRollout } from '../../pods/rollout-properties.ts';
import { plainAffinity } from '../../pods/scheduling-properties.ts';
import { defineComponent } from '../define.ts';
import { filled } from '../filled.ts';
import { given } from '../given.ts';

export const daemonset = defineComponent({
  type: 'daemonset',
  summary: 'Agent that runs on every node: DaemonSet, and a Service if it has a port.',
  tier: 'infra',
  provides: ['pods', 'podTemplate', 'serviceAccount'],
  instead: { ...insteadInDaemonSets, ...insteadOfServerFields },
  properties: {
    image,
    port: { ...port, description: `${port.description} Creates a Service.` },
    ...podProperties,
    sidecars,
    affinity: plainAffinity,
    ...hostnameProperties,
    ...daemonSetRollout,
  },
  render(input) {
    const { name, properties } = input;
    const { port: number } = properties;
    const pod = createPod(input, { ports: createPorts('http', number) });
    const advice = 'set "accessModes" of the volume to [ReadWriteMany], or use an emptyDir';
    checkShared(properties.volumes, { users: 'the pods on several nodes', advice, input });
    if (number !== undefined) checkServiceName(input);
    const daemonSet: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name, labels: { app: name } },
      spec: given({
        updateStrategy: filled(properties.updateStrategy),
        minReadySeconds: properties.minReadySeconds,
        revisionHistoryLimit: properties.revisionHistoryLimit,
        selector: { matchLabels: { app: name } },
        template: pod.template,
      }),
    };
    const services =
      number === undefined ? [] : [createService({ name, component: name, port: { name: 'http', number } })];
    return {
      objects: [daemonSet, ...services, createServiceAccount(name), ...pod.claimObjects],
      service: number === undefined ? undefined : { name, port: number, portName: 'http' },
      pods: { app: name },
      serviceAccount: name,
      claims: pod.claims,
    };
  },
});
