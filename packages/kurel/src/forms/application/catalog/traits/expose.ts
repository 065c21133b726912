import { has, textAt } from '../../../../kube/index.ts';
import type { JsonObject } from '../../../../model/index.ts';
import { exposeProblems } from '../../routing/expose-problems.ts';
import { exposeProperties, exposeRendering } from '../../routing/routing-properties.ts';
import { exposeThroughGateway } from '../../routing/expose-through-gateway.ts';
import { exposeThroughIngress } from '../../routing/expose-through-ingress.ts';
import { defineTrait } from '../define.ts';
import type { ReportAt } from '../define.ts';

const auth = ['authSigninURL', 'authResponseHeaders'];

/** The required property of each controller type, and the properties only it supports. */
const keys = {
  ingress: {
    must: 'ingressClassName',
    own: ['ingressClassName', 'certManagerClusterIssuer', 'sslRedirect', 'forceSslRedirect', 'authURL', ...auth],
  },
  gateway: { must: 'gatewayName', own: ['gatewayName', 'gatewayNamespace'] },
} as const;

function checkRendering(rendering: JsonObject, report: ReportAt): void {
  const controller = rendering['controllerType'] === 'gateway' ? 'gateway' : 'ingress';
  const other = controller === 'gateway' ? 'ingress' : 'gateway';
  const { must } = keys[controller];
  if (!has(rendering, must)) {
    report(exposeProblems.create('expose-rendering-missing', { controller, key: must }), []);
  }
  for (const key of keys[other].own) {
    if (!has(rendering, key)) continue;
    report(exposeProblems.create('expose-rendering-foreign', { controller, key, other }), [key], 'key');
  }
  if (controller === 'ingress') checkAuth(rendering, report);
}

function checkAuth(rendering: JsonObject, report: ReportAt): void {
  const url = textAt(rendering, 'authURL');
  const alone = url === undefined ? auth.filter((key) => has(rendering, key)) : [];
  for (const key of alone) report(exposeProblems.create('expose-auth-alone', { key }), [key], 'key');
  // The part after "#" is not sent, so the groups would not be checked.
  if (url !== undefined && /[?#]/.test(url)) report(exposeProblems.create('expose-auth-url', { url }), ['authURL']);
}

export const expose = defineTrait({
  type: 'expose',
  summary: 'Exposes the component with an Ingress or HTTPRoutes, depending on the platform.',
  capability: {
    isNeeded: () => true,
    rendering: exposeRendering,
    check: checkRendering,
    example: 'expose:\n  rendering:\n    controllerType: ingress\n    ingressClassName: nginx',
  },
  properties: exposeProperties,
  problems: exposeProblems,
  render(input) {
    const { component, properties, report } = input;
    const { rules, hostnames = [], controllerType } = properties;
    if (rules === undefined && hostnames.length === 0) {
      report(exposeProblems.create('expose-nothing', { component: component.name }), []);
      return {};
    }
    return controllerType === 'gateway' ? exposeThroughGateway(input) : exposeThroughIngress(input);
  },
});
