import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { has } from '../../../../kube/index.ts';
import { defineTrait } from '../define.ts';
import type { Operator } from '../define.ts';
import { defined, pickFields } from '../present-fields.ts';
import { kubernetesFields, scope, textField } from '../../../../documents/index.ts';

const problems = defineProblems(() => ({
  'cilium-without-pods': {
    summary: 'A cilium-networkpolicy trait has no endpointSelector, and its component has no pods of its own.',
    message: ({ component }: { component: string }) =>
      `required field "endpointSelector" is missing: component ${quote(component)} has no pods of its own`,
    hint: () => 'add "endpointSelector", the labels of the pods',
    fix: 'Set endpointSelector to the labels of the pods that the policy applies to.',
  },
  'cilium-operator': {
    severity: 'warning',
    summary: 'A Cilium network policy blocks the operator of a database from its pods.',
    message: ({ operator, component }: OperatorArgs) =>
      `"ingress" does not allow ${operator.name} to reach the pods of ${quote(component)}, or these pods each other`,
    hint: (args: OperatorArgs) => `add this rule, with the namespace of the operator:\n${linesFor(args)}`,
    fix: 'Add the rule in the hint to ingress. Without it the operator cannot manage the database, and replicas cannot follow the primary.',
  },
  'cilium-rules-empty': {
    severity: 'warning',
    summary: 'A list of Cilium rules is empty, which restricts nothing.',
    message: ({ list }: { list: string }) =>
      `${quote(list)} has no effect: Cilium ignores an empty list and allows everything`,
    hint: ({ list }: { list: string }) => `to deny everything, use one empty rule: ${list}: [{}]`,
    fix: 'Use a list with one empty rule, [{}], to deny all traffic. Unlike in a Kubernetes NetworkPolicy, an empty list restricts nothing. Or remove the list.',
  },
}));

interface OperatorArgs {
  readonly operator: Operator;
  readonly component: string;
  readonly pods: Readonly<Record<string, string>>;
}

/** A rule that allows the operator and the pods themselves. */
function linesFor({ operator: { namespace, pods: ofOperator, ports }, pods }: OperatorArgs): string {
  const labelsOf = (labels: Readonly<Record<string, string>>): string =>
    Object.entries(labels)
      .map(([key, value]) => `${key}: ${value}`)
      .join(', ');
  const numbers = ports.map((port) => `{port: "${port}"}`).join(', ');
  return [
    '- fromEndpoints:',
    `  - matchLabels: {${labelsOf(pods)}}`,
    `  - matchLabels: {k8s:io.kubernetes.pod.namespace: ${namespace}, ${labelsOf(ofOperator)}}`,
    `  toPorts: [{ports: [${numbers}]}]`,
  ].join('\n');
}

/** The properties that are fields of a CiliumNetworkPolicy. */
const specProperties = {
  description: { type: 'string', description: 'Description of the policy.' },
  ...kubernetesFields(['cilium.io/v2', 'CiliumNetworkPolicy', 'spec'], {
    endpointSelector: {
      type: 'object',
      description: 'Pods that the policy applies to. Defaults to those of the component.',
    },
    enableDefaultDeny: {
      type: 'object',
      description: 'Whether traffic that no rule allows is denied, by direction.',
    },
    ingress: { type: 'array', description: 'Allowed ingress traffic.' },
    ingressDeny: { type: 'array', description: 'Denied ingress traffic. Takes precedence over allowed traffic.' },
    egress: { type: 'array', description: 'Allowed egress traffic.' },
    egressDeny: { type: 'array', description: 'Denied egress traffic. Takes precedence over allowed traffic.' },
    labels: { type: 'array', description: 'Labels that identify the rules in Cilium.' },
    log: { type: 'object', description: 'Log settings for traffic that the rules match.' },
  }),
} as const;

export const ciliumNetworkpolicy = defineTrait({
  type: 'cilium-networkpolicy',
  summary: 'CiliumNetworkPolicy for the pods of the component.',
  capability: { isNeeded: () => false, rendering: {}, example: 'cilium-networkpolicy: {}' },
  properties: {
    name: { ...textField('dns-subdomain', 'Name of the CiliumNetworkPolicy.'), required: true },
    ...specProperties,
    scope,
  },
  relations: [{ anyOf: ['ingress', 'egress', 'ingressDeny', 'egressDeny'] }],
  problems,
  render({ component, properties, report }) {
    const { name, endpointSelector, enableDefaultDeny, ingress = [] } = properties;
    if (endpointSelector === undefined && component.pods === undefined) {
      report(problems.create('cilium-without-pods', { component: component.name }), []);
    }
    for (const list of ['ingress', 'egress'] as const) {
      const isDecided = (properties[`${list}Deny`] ?? []).length > 0 || has(enableDefaultDeny, list);
      if (properties[list]?.length === 0 && !isDecided) report(problems.create('cilium-rules-empty', { list }), [list]);
    }
    const { pods = {}, operator } = component;
    if (operator !== undefined && endpointSelector === undefined && ingress.length > 0) {
      const written = JSON.stringify(ingress);
      const isAllowed = ['"all"', '"cluster"', ...Object.values(operator.pods)].some((text) => written.includes(text));
      const args = { operator, component: component.name, pods };
      if (!isAllowed) report(problems.create('cilium-operator', args), ['ingress'], 'key');
    }
    const policy = {
      apiVersion: 'cilium.io/v2',
      kind: 'CiliumNetworkPolicy',
      metadata: { name },
      spec: defined({
        ...pickFields(specProperties, properties),
        endpointSelector: endpointSelector ?? { matchLabels: { ...component.pods } },
      }),
    };
    return { objects: [policy] };
  },
});
