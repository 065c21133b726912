import { exposeProblems } from '../../routing/expose-problems.ts';
import { exposeProperties, exposeRendering } from '../../routing/expose-properties.ts';
import { checkRendering } from '../../routing/check-rendering.ts';
import { lowerToGateway } from '../../routing/lower-to-gateway.ts';
import { lowerToIngress } from '../../routing/lower-to-ingress.ts';
import { defineTrait } from '../define.ts';

export const expose = defineTrait({
  type: 'expose',
  summary: 'Requests from outside, in the way that the platform has for them: an Ingress, or HTTPRoutes of a Gateway.',
  capability: {
    isNeeded: () => true,
    rendering: exposeRendering,
    check: checkRendering,
    example: 'expose:\n  rendering:\n    controllerType: ingress\n    ingressClassName: nginx',
  },
  properties: exposeProperties,
  problems: exposeProblems,
  lower(input) {
    const { component, properties, report } = input;
    const { rules, hostnames = [], controllerType } = properties;
    if (rules === undefined && hostnames.length === 0) {
      report(exposeProblems.create('expose-nothing', { component: component.name }), []);
      return [];
    }
    return controllerType === 'gateway' ? lowerToGateway(input) : lowerToIngress(input);
  },
});
