import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { has } from '../../../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../../../model/index.ts';
import type { Json } from '../../../../model/index.ts';
import { defineTrait } from '../define.ts';
import { given } from '../given.ts';

const problems = defineProblems({
  'networkpolicy-without-rules': {
    severity: 'error',
    summary: 'A network policy says neither what may come in nor what may go out.',
    message: () => 'the trait "networkpolicy" has neither "ingress" nor "egress"',
    hint: () => 'an empty list lets nothing through: ingress: []',
  },
  'networkpolicy-without-pods': {
    severity: 'error',
    summary: 'A network policy is of a component without pods of its own, and does not say which pods it is for.',
    message: ({ component }: { component: string }) =>
      `the component ${quote(component)} has no pods of its own that the network policy could be for`,
    hint: () => 'say with "podSelector" which pods it is for',
  },
});

export const networkpolicy = defineTrait({
  type: 'networkpolicy',
  summary: 'A NetworkPolicy for the pods of the component: what may reach them, and what they may reach.',
  capability: { isNeeded: () => false, rendering: {}, example: 'networkpolicy: {}' },
  properties: {
    name: {
      type: 'string',
      description: 'name of the NetworkPolicy; that of the component with "-allow" unless given',
      format: 'dns-subdomain',
    },
    podSelector: {
      type: 'object',
      description: 'the pods it is for; those of the component unless given',
      kubernetes: ['networking.k8s.io/v1', 'NetworkPolicy', 'spec', 'podSelector'],
    },
    ingress: {
      type: 'array',
      description: 'what may reach the pods, as NetworkPolicies have it; nothing when it is empty',
      kubernetes: ['networking.k8s.io/v1', 'NetworkPolicy', 'spec', 'ingress'],
    },
    egress: {
      type: 'array',
      description: 'what the pods may reach, as NetworkPolicies have it; nothing when it is empty',
      kubernetes: ['networking.k8s.io/v1', 'NetworkPolicy', 'spec', 'egress'],
    },
  },
  problems,
  render({ component, properties: { name, podSelector, ingress, egress }, report }) {
    if (ingress === undefined && egress === undefined) report(problems.create('networkpolicy-without-rules', {}), []);
    if (podSelector === undefined && component.pods === undefined) {
      report(problems.create('networkpolicy-without-pods', { component: component.name }), []);
    }
    const policyTypes = [...(ingress === undefined ? [] : ['Ingress']), ...(egress === undefined ? [] : ['Egress'])];
    const policy = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: name ?? `${component.name}-allow`, labels: { app: component.name } },
      spec: given({
        podSelector: podSelector ?? { matchLabels: { ...component.pods } },
        policyTypes,
        ingress: ingress?.map(withProtocols),
        egress: egress?.map(withProtocols),
      }),
    };
    return { objects: [policy] };
  },
});

/** Says of each port that it is of TCP where Kubernetes would fill that in; what says it already stays the same. */
function withProtocols(rule: Json): Json {
  const ports = isJsonObject(rule) ? rule['ports'] : undefined;
  if (!isJsonObject(rule) || !isJsonArray(ports) || ports.every((port) => withProtocol(port) === port)) return rule;
  return { ...rule, ports: ports.map(withProtocol) };
}

function withProtocol(port: Json): Json {
  return isJsonObject(port) && !has(port, 'protocol') ? { ...port, protocol: 'TCP' } : port;
}
