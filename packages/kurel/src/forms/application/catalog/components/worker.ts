import { createDeployment, createServiceAccounts, createServices } from '../../pods/create-service.ts';
import { createPod } from '../../pods/create-pod.ts';
import { createTopologySpread } from '../../pods/create-resources.ts';
import { budgetProblems, createBudget, podDisruptionBudget } from '../../pods/disruption-budget.ts';
import { insteadInDeployments } from '../../pods/instead-fields.ts';
import { hostnameProperties } from '../../pods/more-pod-properties.ts';
import { namesOf } from '../../pods/names.ts';
import { image, insteadOfServerFields, podProperties, replicas, sidecars } from '../../pods/pod-properties.ts';
import { createPorts, ports, readPorts } from '../../pods/port-properties.ts';
import { deploymentRollout } from '../../pods/rollout-properties.ts';
import { affinity, topologySpread } from '../../pods/scheduling-properties.ts';
import { service } from '../../pods/service-properties.ts';
import { defineComponent } from '../define.ts';

export const worker = defineComponent({
  type: 'worker',
  summary: 'Long-running background worker: Deployment, and a Service only if "service" is set.',
  provides: ['pods', 'podTemplate', 'scales', 'serviceAccount'],
  instead: {
    ...insteadInDeployments,
    ...insteadOfServerFields,
    port: 'use "ports", or type: webservice for a component with a Service',
    containerPort: 'use "ports"',
  },
  properties: {
    image,
    ports: {
      ...ports,
      description:
        'Ports of the container, and of its Service if "service" is set. Traits use the first one of the Service by default.',
    },
    service: { ...service, description: 'Service of the component. Without it, a worker has none.' },
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
    const { objects: services, ...routed } = createServices(input, { ports: own, isUsual: false });
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
