import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { has } from '../../../../kube/index.ts';
import type { Field, KubernetesField } from '../../documents/field.ts';
import { defineTrait } from '../define.ts';
import type { Operator } from '../define.ts';
import { given } from '../given.ts';
import { scope } from '../scope.ts';

const problems = defineProblems({
  'cilium-without-rules': {
    severity: 'error',
    summary: 'A network policy of Cilium has no list of rules.',
    message: () => 'the trait "cilium-networkpolicy" has no rules',
    hint: () => 'give it "ingress", "egress", "ingressDeny" or "egressDeny"',
  },
  'cilium-without-pods': {
    severity: 'error',
    summary:
      'A network policy of Cilium is of a component without pods of its own, and does not say which pods it is for.',
    message: ({ component }: { component: string }) =>
      `the component ${quote(component)} has no pods of its own that the network policy could be for`,
    hint: () => 'say with "endpointSelector" which pods it is for',
  },
  'cilium-operator': {
    severity: 'warning',
    summary: 'A network policy of Cilium keeps the operator of a database from its pods.',
    message: ({ operator, component }: OperatorArgs) =>
      `no rule of "ingress" lets ${operator.name} reach the pods of ${quote(component)}, and these each other`,
    hint: (args: OperatorArgs) => `add the rule, with the namespace of the operator:\n${linesFor(args)}`,
  },
  'cilium-rules-empty': {
    severity: 'warning',
    summary:
      'A list of rules of Cilium is empty, which restricts nothing, other than in a NetworkPolicy of Kubernetes.',
    message: ({ list }: { list: string }) =>
      `${quote(list)} is an empty list, which Cilium takes for no rule at all: everything stays allowed`,
    hint: ({ list }: { list: string }) => `one rule that is empty lets nothing through: ${list}: [{}]`,
  },
});

interface OperatorArgs {
  readonly operator: Operator;
  readonly component: string;
  readonly pods: Readonly<Record<string, string>>;
}

/** A rule that lets the operator and the pods themselves in. */
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

function ofSpec<const F extends Field>(field: F, name: string): F & { readonly kubernetes: KubernetesField } {
  return { ...field, kubernetes: ['cilium.io/v2', 'CiliumNetworkPolicy', 'spec', name] };
}

export const ciliumNetworkpolicy = defineTrait({
  type: 'cilium-networkpolicy',
  summary: 'A CiliumNetworkPolicy for the pods of the component.',
  capability: { isNeeded: () => false, rendering: {}, example: 'cilium-networkpolicy: {}' },
  properties: {
    name: {
      type: 'string',
      description: 'name of the CiliumNetworkPolicy',
      required: true,
      format: 'dns-subdomain',
    },
    description: { type: 'string', description: 'what it is for' },
    endpointSelector: ofSpec(
      { type: 'object', description: 'the pods it is for; those of the component unless given' },
      'endpointSelector',
    ),
    enableDefaultDeny: ofSpec(
      { type: 'object', description: 'whether everything that no rule allows is denied, by direction' },
      'enableDefaultDeny',
    ),
    ingress: ofSpec({ type: 'array', description: 'what may reach the pods, as Cilium has it' }, 'ingress'),
    ingressDeny: ofSpec({ type: 'array', description: 'what may not, whatever is allowed' }, 'ingressDeny'),
    egress: ofSpec({ type: 'array', description: 'what the pods may reach, as Cilium has it' }, 'egress'),
    egressDeny: ofSpec({ type: 'array', description: 'what they may not, whatever is allowed' }, 'egressDeny'),
    labels: ofSpec({ type: 'array', description: 'labels by which Cilium names the rules' }, 'labels'),
    log: ofSpec({ type: 'object', description: 'what Cilium writes beside traffic that the rules match' }, 'log'),
    scope,
  },
  problems,
  render({ component, properties, report }) {
    const { name, description, endpointSelector, enableDefaultDeny, labels, log, scope: _, ...rules } = properties;
    if (Object.keys(rules).length === 0) report(problems.create('cilium-without-rules', {}), []);
    if (endpointSelector === undefined && component.pods === undefined) {
      report(problems.create('cilium-without-pods', { component: component.name }), []);
    }
    for (const list of ['ingress', 'egress'] as const) {
      const isDecided = (rules[`${list}Deny`] ?? []).length > 0 || has(enableDefaultDeny, list);
      if (rules[list]?.length === 0 && !isDecided) report(problems.create('cilium-rules-empty', { list }), [list]);
    }
    const { pods = {}, operator } = component;
    const { ingress = [] } = rules;
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
      spec: given({
        description,
        endpointSelector: endpointSelector ?? { matchLabels: { ...component.pods } },
        enableDefaultDeny,
        ingress: rules.ingress,
        ingressDeny: rules.ingressDeny,
        egress: rules.egress,
        egressDeny: rules.egressDeny,
        labels,
        log,
      }),
    };
    return { objects: [policy] };
  },
});
