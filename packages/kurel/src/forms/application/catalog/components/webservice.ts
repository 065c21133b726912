import { checkServiceName } from '../../pods/check-shared.ts';
import { createDeployment, createPorts, createService, createServiceAccount } from '../../pods/create-service.ts';
import { createPod } from '../../pods/create-pod.ts';
import { createTopologySpread } from '../../pods/create-resources.ts';
import { budgetProblems, createBudget, podDisruptionBudget } from '../../pods/disruption-budget.ts';
import { insteadInDeployments } from '../../pods/instead-fields.ts';
import { hostnameProperties } from '../../pods/more-pod-properties.ts';
import { image, insteadOfServerFields, podProperties, port, replicas, sidecars } from '../../pods/pod-properties.ts';
import { deploymentRollout } from '../../pods/rollout-properties.ts';
import { affinity, topologySpread } from '../../pods/scheduling-properties.ts';
import { defineComponent } from '../define.ts';

export const webservice = defineComponent({
  type: 'webservice',
  summary: 'Long-running HTTP service: Deployment and Service.',
  provides: ['pods', 'podTemplate', 'scales', 'serviceAccount'],
  instead: { ...insteadInDeployments, ...insteadOfServerFields },
  properties: {
    image,
    port: { ...port, default: 80 },
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
    checkServiceName(input);
    const pod = createPod(input, {
      ports: createPorts('http', properties.port),
      topologySpreadConstraints: properties.topologySpread ? createTopologySpread(properties.replicas, name) : [],
    });
    return {
      objects: [
        createDeployment(input, pod),
        createService({ name, component: name, port: { name: 'http', number: properties.port } }),
        createServiceAccount(name),
        ...pod.claimObjects,
        ...createBudget(input, { app: name }),
      ],
      service: { name, port: properties.port, portName: 'http' },
      pods: { app: name },
      scales: { apiVersion: 'apps/v1', kind: 'Deployment' },
      serviceAccount: name,
      claims: pod.claims,
    };
  },
});
