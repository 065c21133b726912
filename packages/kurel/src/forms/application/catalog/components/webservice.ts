import { insteadInDeployments } from '../../pods/instead-fields.ts';
import { image } from '../../pods/pod-properties.ts';
import { nameRelations } from '../../pods/names.ts';
import { port, portRelations, ports } from '../../pods/port-properties.ts';
import { budgetProblems, deploymentProperties, renderDeployment } from '../../pods/workloads.ts';
import { service } from '../../pods/service-properties.ts';
import { defineComponent } from '../define.ts';
import { describeMore } from '../../../../documents/index.ts';

export const webservice = defineComponent({
  type: 'webservice',
  summary: 'Long-running HTTP service: Deployment and Service.',
  provides: ['pods', 'podTemplate', 'scales', 'serviceAccount'],
  instead: insteadInDeployments,
  relations: [...nameRelations, ...portRelations],
  properties: {
    image,
    port: { ...describeMore(port, 'Not with "ports".'), default: 80 },
    ports,
    service,
    ...deploymentProperties,
  },
  problems: budgetProblems,
  render: (input) => renderDeployment(input, { hasService: true }),
});
