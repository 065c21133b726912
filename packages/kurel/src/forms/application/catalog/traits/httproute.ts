import { createHttpRoute, placeRules } from '../../routing/create-http-route.ts';
import { joinRoutes } from '../../routing/host-routes.ts';
import { httprouteProblems } from '../../routing/http-rules.ts';
import { routingProblems } from '../../routing/problems.ts';
import { networkPolicy, parentRefs, routeRule, routingProperties } from '../../routing/routing-properties.ts';
import { defineTrait } from '../define.ts';
import { textField } from '../../../../documents/index.ts';

const properties = {
  parentRefs,
  hostnames: {
    type: 'array',
    description:
      'Hosts of the requests. *.example.com matches any name below it. Defaults to all hosts of the Gateway.',
    items: { type: 'string', format: 'host' },
  },
  rules: {
    type: 'array',
    description: 'Routing rules.',
    required: true,
    minItems: 1,
    items: { type: 'object', description: 'A routing rule.', properties: routeRule },
  },
  gatewayName: textField(
    'dns-subdomain',
    'Name of the Gateway, if "parentRefs" is not set. The platform can set the default.',
  ),
  gatewayNamespace: textField('dns-label', 'Namespace of the Gateway. Defaults to gateway-system.'),
  ...routingProperties,
  networkPolicy,
} as const;

export const httproute = defineTrait({
  type: 'httproute',
  summary: 'Gateway API HTTPRoute.',
  properties,
  problems: { definitions: { ...routingProblems.definitions, ...httprouteProblems.definitions } },
  render: (input) => joinRoutes([createHttpRoute(placeRules(input.properties.rules), input)]),
});
