import type { KubeObject } from '../../../../model/index.ts';
import { checkServiceName, checkShared } from '../../pods/check-shared.ts';
import { createPod } from '../../pods/create-pod.ts';
import { createPorts, createService, createServiceAccount } from '../../pods/create-service.ts';
import { image, insteadOfServerFields, podProperties, port } from '../../pods/pod-properties.ts';
import { defineComponent } from '../define.ts';

export const daemonset = defineComponent({
  type: 'daemonset',
  summary: 'Agent that runs on every node: DaemonSet, and a Service if it has a port.',
  tier: 'infra',
  provides: ['pods', 'podTemplate', 'serviceAccount'],
  instead: insteadOfServerFields,
  properties: {
    image,
    port: { ...port, description: `${port.description} Creates a Service.` },
    ...podProperties,
  },
  render(input) {
    const { name, properties, report } = input;
    const { port: number } = properties;
    const pod = createPod(input, { ports: createPorts('http', number) });
    const advice = 'set "accessModes" of the volume to [ReadWriteMany], or use an emptyDir';
    checkShared(properties.volumes, { users: 'the pods on several nodes', advice, report });
    if (number !== undefined) checkServiceName(input);
    const daemonSet: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name, labels: { app: name } },
      spec: { selector: { matchLabels: { app: name } }, template: pod.template },
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
