import { createPod } from '../../pods/create-pod.ts';
import { checkShared } from '../../pods/create-volumes.ts';
import { insteadInDaemonSets } from '../../pods/instead-fields.ts';
import { nameRelations, namesOf } from '../../pods/names.ts';
import { hostnameProperties, image, podProperties, sidecars } from '../../pods/pod-properties.ts';
import { port, portRelations, ports, readPorts } from '../../pods/port-properties.ts';
import { plainAffinity } from '../../pods/scheduling.ts';
import { service } from '../../pods/service-properties.ts';
import { createServices } from '../../pods/services.ts';
import { createWorkload, updateProperties } from '../../pods/workloads.ts';
import { describeMore, inGroup } from '../../../../documents/index.ts';
import { defineComponent } from '../define.ts';
import { filled } from '../present-fields.ts';

export const daemonset = defineComponent({
  type: 'daemonset',
  summary: 'Agent that runs on every node: DaemonSet, and a Service if it has a port.',
  tier: 'infra',
  provides: ['pods', 'podTemplate', 'serviceAccount'],
  instead: insteadInDaemonSets,
  relations: [...nameRelations, ...portRelations],
  properties: {
    image,
    port: describeMore(port, 'Creates a Service. Not with "ports".'),
    ports: describeMore(ports, 'Creates a Service.'),
    service,
    ...podProperties,
    sidecars,
    affinity: plainAffinity,
    ...hostnameProperties,
    ...inGroup('Rollout', updateProperties('DaemonSet')),
  },
  render(input) {
    const { properties } = input;
    const { selector } = namesOf(input);
    const own = readPorts(input, 'http');
    const { objects: services, ...routed } = createServices(input, { ports: own, isUsual: true });
    const pod = createPod(input, { ports: own });
    const advice = 'set "accessModes" of the volume to [ReadWriteMany], or use an emptyDir';
    checkShared(input, { users: 'the pods on several nodes', advice });
    const spec = {
      updateStrategy: filled(properties.updateStrategy),
      minReadySeconds: properties.minReadySeconds,
      revisionHistoryLimit: properties.revisionHistoryLimit,
      selector: { matchLabels: { ...selector } },
      template: pod.template,
    };
    return { ...createWorkload(input, { apiVersion: 'apps/v1', kind: 'DaemonSet', spec, pod, services }), ...routed };
  },
});
