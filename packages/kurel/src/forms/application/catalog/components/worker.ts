import { createDeployment, createServiceAccount } from '../../pods/create-service.ts';
import { createPod } from '../../pods/create-pod.ts';
import { createTopologySpread } from '../../pods/create-resources.ts';
import { budgetProblems, createBudget, podDisruptionBudget } from '../../pods/disruption-budget.ts';
import { insteadInDeployments } from '../../pods/instead-fields.ts';
import { hostnameProperties } from '../../pods/more-pod-properties.ts';
import { image, insteadOfPodFields, podProperties, replicas, sidecars } from '../../pods/pod-properties.ts';
import { deploymentRollout } from '../../pods/rollout-properties.ts';
import { affinity, topologySpread } from '../../pods/scheduling-properties.ts';
import { defineComponent } from '../define.ts';

export const worker = defineComponent({
  type: 'worker',
  summary: 'Long-running background worker: Deployment without a Service.',
  provides: ['pods', 'podTemplate', 'scales', 'serviceAccount'],
  instead: {
    ...insteadInDeployments,
    ...insteadOfPodFields,
    port: 'use type: webservice; a worker has no Service',
    ports: 'use type: webservice; a worker has no Service',
  },
  properties: {
    image,
    replicas,
    ...podProperties,
    sidecars,
    affinity,
    topologySpread,
    ...hostnameProperties,
    ...deploymentRollout,
    podDisruptionBudget,
  },
  problems: budgetProblems,
  render(input) {
    const { name, properties } = input;
    const pod = createPod(input, {
      topologySpreadConstraints: properties.topologySpread ? createTopologySpread(properties.replicas, name) : [],
    });
    return {
      objects: [
        createDeployment(input, pod),
        createServiceAccount(name),
        ...pod.claimObjects,
        ...createBudget(input, { app: name }),
      ],
      pods: { app: name },
      scales: { apiVersion: 'apps/v1', kind: 'Deployment' },
      serviceAccount: name,
      claims: pod.claims,
    };
  },
});
