import { createDeployment, createServiceAccounts, createServices } from '../../pods/create-service.ts';
import { createPod } from '../../pods/create-pod.ts';
import { createTopologySpread } from '../../pods/create-resources.ts';
import { budgetProblems, createBudget, podDisruptionBudget } from '../../pods/disruption-budget.ts';
import { insteadInDeployments } from '../../pods/instead-fields.ts';
import { hostnameProperties } from '../../pods/more-pod-properties.ts';
import { namesOf } from '../../pods/names.ts';
import { image, insteadOfServerFields, podProperties, replicas, sidecars } from '../../pods/pod-properties.ts';
import { createPorts, port, ports, readPorts } from '../../pods/port-properties.ts';
import { deploymentRollout } from '../../pods/rollout-properties.ts';
import { affinity, topologySpread } from '../../pods/scheduling-properties.ts';
import { service } from '../../pods/service-properties.ts';
import { defineComponent } from '../define.ts';

export const webservice = defineComponent({
  type: 'webservice',
  summary: 'Long-running HTTP service: Deployment and Service.',
  provides: ['pods', 'podTemplate', 'scales', 'serviceAccount'],
  instead: { ...insteadInDeployments, ...insteadOfServerFields },
  properties: {
    image,
    port: { ...port, description: `${port.description} Not with "ports".`, default: 80 },
    ports,
    service,
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
    const { properties } = input;
    const { object, selector, serviceAccount } = namesOf(input);
    const own = readPorts(input, 'http');
    const { objects: services, ...routed } = createServices(input, { ports: own, isUsual: true });
    const pod = createPod(input, {
      ports: createPorts(own),
      topologySpreadConstraints: properties.topologySpread ? createTopologySpread(properties.replicas, selector) : [],
    });
    return {
      objects: [
        createDeployment(input, pod),
        ...services,
        ...createServiceAccounts(input),
        ...pod.claimObjects,
        ...createBudget(input),
      ],
      ...routed,
      pods: selector,
      scales: { apiVersion: 'apps/v1', kind: 'Deployment', name: object },
      serviceAccount,
      claims: pod.claims,
    };
  },
});
