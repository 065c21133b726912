import { createDeployment, createServiceAccount } from '../../pods/create-service.ts';
import { createPod } from '../../pods/create-pod.ts';
import { createTopologySpread } from '../../pods/create-resources.ts';
import {
  affinity,
  image,
  insteadOfPodFields,
  podProperties,
  replicas,
  sidecars,
  topologySpread,
} from '../../pods/pod-properties.ts';
import { defineComponent } from '../define.ts';

export const worker = defineComponent({
  type: 'worker',
  summary: 'A program that works in the background for as long as it runs: a Deployment, and no Service.',
  provides: ['pods', 'podTemplate', 'scales', 'serviceAccount'],
  instead: {
    ...insteadOfPodFields,
    port: 'a worker takes no traffic; use type: webservice',
    ports: 'a worker takes no traffic; use type: webservice',
  },
  properties: { image, replicas, ...podProperties, sidecars, affinity, topologySpread },
  render(input) {
    const { name, properties } = input;
    const pod = createPod(input, {
      topologySpreadConstraints: properties.topologySpread ? createTopologySpread(properties.replicas, name) : [],
    });
    return {
      objects: [createDeployment(input, pod), createServiceAccount(name), ...pod.claimObjects],
      pods: { app: name },
      scales: { apiVersion: 'apps/v1', kind: 'Deployment' },
      serviceAccount: name,
      claims: pod.claims,
    };
  },
});
