import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { has, listAt, presentOf } from '../../../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../../../model/index.ts';
import type { Json } from '../../../../model/index.ts';
import { defineTrait } from '../define.ts';
import type { Operator, ReportAt } from '../define.ts';
import type { Field } from '../../documents/field.ts';
import { allowOperator, isOpen } from '../../routing/allow-operator.ts';
import { given } from '../given.ts';
import { lenient } from '../lenient.ts';
import { scope } from '../scope.ts';

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
  'networkpolicy-open': {
    severity: 'warning',
    summary: 'A rule of a network policy has an empty list of peers, which stands for everyone.',
    message: ({ key }: { key: string }) => `${quote(key)} is empty, which Kubernetes takes for everyone`,
    hint: ({ key }: { key: string }) =>
      `take ${quote(key)} out if that is meant; a rule that is not there lets nobody through`,
  },
  'networkpolicy-operator-egress': {
    severity: 'warning',
    summary: 'A network policy keeps the pods of a database from the DNS or the API server, which they need.',
    message: ({ operator }: { operator: string }) =>
      `"egress" does not allow DNS (port 53) and the API server (port 443 or 6443), which pods of ${operator} need`,
    hint: () =>
      'add these lines, and a rule for the store of backups if there is one:\n- ports: [{port: 53, protocol: UDP}, {port: 53}]\n- ports: [{port: 443}, {port: 6443}]',
  },
  'networkpolicy-peer-empty': {
    severity: 'error',
    summary: 'A peer of a network policy says nothing, which the API server refuses.',
    message: () => 'the peer has neither "podSelector" nor "namespaceSelector" nor "ipBlock"',
    hint: () => 'podSelector: {} is every pod of the namespace, namespaceSelector: {} every pod of the cluster',
  },
  'networkpolicy-peer-mixed': {
    severity: 'error',
    summary: 'A peer of a network policy names pods and addresses, which the API server refuses.',
    message: ({ selector }: { selector: string }) => `"ipBlock" cannot stand beside ${quote(selector)}`,
    hint: () => 'write two peers, each with a "-" of its own',
  },
});

const operatorNamespace = {
  type: 'string',
  description:
    'namespace of the operator that runs the pods of the component, which a policy always lets in; of CloudNativePG, defaults to cnpg-system',
  format: 'dns-label',
} as const satisfies Field;

export const networkpolicy = defineTrait({
  type: 'networkpolicy',
  summary: 'A NetworkPolicy for the pods of the component: what may reach them, and what they may reach.',
  capability: {
    isNeeded: () => false,
    rendering: { operatorNamespace },
    example: 'networkpolicy:\n  rendering:\n    operatorNamespace: cnpg-system',
  },
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
      rewrite: lenient.selector,
    },
    ingress: {
      type: 'array',
      description: 'what may reach the pods, as NetworkPolicies have it; nothing when it is empty',
      kubernetes: ['networking.k8s.io/v1', 'NetworkPolicy', 'spec', 'ingress'],
      rewrite: lenient.networkRules,
    },
    egress: {
      type: 'array',
      description: 'what the pods may reach, as NetworkPolicies have it; nothing when it is empty',
      kubernetes: ['networking.k8s.io/v1', 'NetworkPolicy', 'spec', 'egress'],
      rewrite: lenient.networkRules,
    },
    operatorNamespace: { ...operatorNamespace, reserved: true },
    scope,
  },
  problems,
  render({ component, properties, report }) {
    const { name, podSelector, ingress, egress } = properties;
    if (ingress === undefined && egress === undefined) report(problems.create('networkpolicy-without-rules', {}), []);
    if (podSelector === undefined && component.pods === undefined) {
      report(problems.create('networkpolicy-without-pods', { component: component.name }), []);
    }
    checkPeers(ingress, ['ingress', 'from'], report);
    checkPeers(egress, ['egress', 'to'], report);
    // Pods that the author selects are another matter.
    const operator = podSelector === undefined ? component.operator : undefined;
    if (operator !== undefined && egress !== undefined) checkClusterEgress(egress, operator, report);
    const own = operator && allowOperator(operator, component.pods ?? {}, properties.operatorNamespace);
    const policyTypes = [...(ingress === undefined ? [] : ['Ingress']), ...(egress === undefined ? [] : ['Egress'])];
    const policy = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: name ?? `${component.name}-allow`, labels: { app: component.name } },
      spec: given({
        podSelector: podSelector ?? { matchLabels: { ...component.pods } },
        policyTypes,
        ingress: ingress && [...ingress.map(completeRule), ...(ingress.some(isOpen) ? [] : (own?.ingress ?? []))],
        egress: egress && [...egress.map(completeRule), ...(egress.some(isOpen) ? [] : (own?.egress ?? []))],
      }),
    };
    return { objects: [policy] };
  },
});

/** Without these ports the pods cannot find or reach the API server, and the operator takes them for dead. */
function checkClusterEgress(rules: readonly Json[], { name }: Operator, report: ReportAt): void {
  const ports = rules.flatMap((rule) => (has(rule, 'ports') ? listAt(rule, 'ports') : ['all']));
  const allows = (...numbers: readonly number[]): boolean =>
    ports.some((port) => port === 'all' || numbers.some((number) => has(port, 'port') && valueOf(port) === number));
  if (allows(53) && allows(443, 6443)) return;
  report(problems.create('networkpolicy-operator-egress', { operator: name }), ['egress'], 'key');
}

function valueOf(port: Json): Json | undefined {
  return isJsonObject(port) ? port['port'] : undefined;
}

/** As the API server has it, whose schema does not say so. */
function checkPeers(rules: readonly Json[] = [], [list, key]: readonly [string, string], report: ReportAt): void {
  for (const [index, rule] of rules.entries()) {
    const path = [list, index, key];
    if (has(rule, key) && listAt(rule, key).length === 0) {
      report(problems.create('networkpolicy-open', { key }), path);
    }
    for (const [position, peer] of listAt(rule, key).entries()) {
      if (!isJsonObject(peer)) continue;
      const [first, ...others] = presentOf(peer, ['podSelector', 'namespaceSelector', 'ipBlock']);
      if (first === undefined) report(problems.create('networkpolicy-peer-empty', {}), [...path, position]);
      if (!others.includes('ipBlock')) continue;
      report(problems.create('networkpolicy-peer-mixed', { selector: first! }), [...path, position, 'ipBlock'], 'key');
    }
  }
}

/** Without lists that say as much as no list, and each port with the protocol that Kubernetes would fill in. */
function completeRule(rule: Json): Json {
  if (!isJsonObject(rule)) return rule;
  const entries = Object.entries(rule).flatMap(([key, value]): [string, Json][] => {
    if (isJsonArray(value) && value.length === 0) return [];
    const isOfPorts = key === 'ports' && isJsonArray(value) && value.some((port) => withProtocol(port) !== port);
    return [[key, isOfPorts ? value.map(withProtocol) : value]];
  });
  const isSame = entries.length === Object.keys(rule).length && entries.every(([key, value]) => rule[key] === value);
  return isSame ? rule : Object.fromEntries(entries);
}

function withProtocol(port: Json): Json {
  return isJsonObject(port) && !has(port, 'protocol') ? { ...port, protocol: 'TCP' } : port;
}
