import { createIngress } from '../../routing/create-ingress.ts';
import { checkHosts, joinRoutes, listHostRoutes } from '../../routing/host-routes.ts';
import { routingProblems } from '../../routing/problems.ts';
import { aliases, inspectAnnotations } from '../../routing/reserved-annotations.ts';
import {
  allowedHostnameWildcard,
  host,
  ingressClassName,
  networkPolicy,
  paths,
  routingProperties,
  tls,
} from '../../routing/routing-properties.ts';
import { defineTrait } from '../define.ts';

const properties = {
  rules: {
    type: 'array',
    description: 'Hosts, their paths and backends.',
    required: true,
    minItems: 1,
    items: {
      type: 'object',
      description: 'A host and its paths.',
      properties: { host: { ...host, required: true }, paths: { ...paths, required: true } },
    },
  },
  ingressClassName,
  tls,
  ...routingProperties,
  allowedHostnameWildcard,
  networkPolicy,
} as const;

export const ingress = defineTrait({
  type: 'ingress',
  summary: 'Kubernetes Ingress.',
  properties,
  problems: routingProblems,
  render(input) {
    const { allowedHostnameWildcard: allowed } = input.properties;
    const routes = listHostRoutes(input.properties, 'ingress', input.report);
    checkHosts(routes, { allowed, report: input.report });
    return {
      ...joinRoutes([createIngress(routes, input)]),
      inspectOwn: inspectAnnotations(allowed === undefined ? [] : aliases),
    };
  },
});
