import { insteadInDeployments } from '../../pods/instead-fields.ts';
import { nameRelations } from '../../pods/names.ts';
import { image } from '../../pods/pod-properties.ts';
import { ports } from '../../pods/port-properties.ts';
import { budgetProblems, deploymentProperties, renderDeployment } from '../../pods/workloads.ts';
import { service } from '../../pods/service-properties.ts';
import { defineComponent } from '../define.ts';

export const worker = defineComponent({
  type: 'worker',
  summary: 'Long-running background worker: Deployment, and a Service only if "service" is set.',
  provides: ['pods', 'podTemplate', 'scales', 'serviceAccount'],
  instead: {
    ...insteadInDeployments,
    port: 'use "ports", or type: webservice for a component with a Service',
    containerPort: 'use "ports"',
  },
  relations: nameRelations,
  properties: {
    image,
    ports: {
      ...ports,
      description:
        'Ports of the container, and of its Service if "service" is set. Traits use the first one of the Service by default.',
    },
    service: { ...service, description: 'Service of the component. Without it, a worker has none.' },
    ...deploymentProperties,
  },
  problems: budgetProblems,
  render: (input) => renderDeployment(input, { hasService: false }),
});
