import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { has, listAt } from '../../../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../../../model/index.ts';
import type { Json } from '../../../../model/index.ts';
import { defineTrait } from '../define.ts';
import type { Operator, ReportAt, ServicePort } from '../define.ts';
import { withProtocol } from '../../pods/port-properties.ts';
import { allowOperator, isOpen } from '../../routing/allow-operator.ts';
import { defined } from '../present-fields.ts';
import { kubernetesFields, lenient, scope, textField } from '../../../../documents/index.ts';

const problems = defineProblems(() => ({
  'networkpolicy-without-pods': {
    summary: 'A networkpolicy trait has no podSelector, and its component has no pods of its own.',
    message: ({ component }: { component: string }) =>
      `required field "podSelector" is missing: component ${quote(component)} has no pods of its own`,
    hint: () => 'add "podSelector", the labels of the pods',
    fix: 'Set podSelector to the labels of the pods that the policy applies to.',
  },
  'networkpolicy-open': {
    severity: 'warning',
    summary: 'A rule of a network policy has an empty list of peers, which allows all peers.',
    message: ({ key }: { key: string }) => `${quote(key)} is empty: Kubernetes allows all peers`,
    hint: ({ key }: { key: string }) => `remove ${quote(key)} to allow all peers, or remove the rule to allow none`,
    fix: 'Add peers to the list. To allow all peers, remove from or to; to allow none, remove the rule.',
  },
  'networkpolicy-service-port': {
    severity: 'warning',
    summary: 'A network policy allows the port of a Service, but the pods listen on another port.',
    message: ({ port, inside }: { port: number; inside: number }) =>
      `port ${port} is the port of the Service, but the pods listen on port ${inside}`,
    hint: ({ inside }: { inside: number }) => `use ${inside}; a network policy is about the ports of the pods`,
    fix: 'Use the port of the container in the network policy. Traffic to a Service has that port when it reaches the pods.',
  },
  'networkpolicy-operator-egress': {
    severity: 'warning',
    summary: 'A network policy blocks the pods of a database from DNS or the API server.',
    message: ({ operator }: { operator: string }) =>
      `"egress" does not allow DNS (port 53) and the API server (port 443 or 6443), which ${operator} pods need`,
    hint: () =>
      'add these rules, and one for the backup store if there is one:\n- ports: [{port: 53, protocol: UDP}, {port: 53}]\n- ports: [{port: 443}, {port: 6443}]',
    fix: 'Add the rules in the hint to egress, and a rule for the backup store if the database has one. Without them the operator treats the instances as failed.',
  },
}));

const operatorNamespace = textField(
  'dns-label',
  'Namespace of the operator that runs the pods of the component, which policies always allow. For CloudNativePG, defaults to cnpg-system.',
);

export const networkpolicy = defineTrait({
  type: 'networkpolicy',
  summary: 'NetworkPolicy for the pods of the component.',
  capability: {
    isNeeded: () => false,
    rendering: { operatorNamespace },
    example: 'networkpolicy:\n  rendering:\n    operatorNamespace: cnpg-system',
  },
  properties: {
    name: textField('dns-subdomain', 'Name of the NetworkPolicy. Defaults to COMPONENT-allow.'),
    ...kubernetesFields(['networking.k8s.io/v1', 'NetworkPolicy', 'spec'], {
      podSelector: {
        type: 'object',
        description: 'Pods that the policy applies to. Defaults to those of the component.',
        rewrite: lenient.selector,
      },
      ingress: {
        type: 'array',
        description: 'Allowed ingress traffic. An empty list allows none.',
        rewrite: lenient.networkRules,
      },
      egress: {
        type: 'array',
        description: 'Allowed egress traffic. An empty list allows none.',
        rewrite: lenient.networkRules,
      },
    }),
    operatorNamespace: { ...operatorNamespace, reserved: true },
    scope,
  },
  relations: [{ anyOf: ['ingress', 'egress'], hint: 'add one of them; an empty list denies all traffic: ingress: []' }],
  problems,
  render({ component, properties, report }) {
    const { name, podSelector, ingress, egress } = properties;
    if (podSelector === undefined && component.pods === undefined) {
      report(problems.create('networkpolicy-without-pods', { component: component.name }), []);
    }
    checkPeers(ingress, ['ingress', 'from'], report);
    checkPeers(egress, ['egress', 'to'], report);
    if (podSelector === undefined) checkServicePorts(ingress, component.service?.ports ?? [], report);
    // Pods that the author selects may not belong to the operator.
    const operator = podSelector === undefined ? component.operator : undefined;
    if (operator !== undefined && egress !== undefined) checkClusterEgress(egress, operator, report);
    const own = operator && allowOperator(operator, component.pods ?? {}, properties.operatorNamespace);
    const policyTypes = [...(ingress === undefined ? [] : ['Ingress']), ...(egress === undefined ? [] : ['Egress'])];
    const policy = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: name ?? `${component.name}-allow`, labels: { app: component.name } },
      spec: defined({
        podSelector: podSelector ?? { matchLabels: { ...component.pods } },
        policyTypes,
        ingress: ingress && [...ingress.map(completeRule), ...(ingress.some(isOpen) ? [] : (own?.ingress ?? []))],
        egress: egress && [...egress.map(completeRule), ...(egress.some(isOpen) ? [] : (own?.egress ?? []))],
      }),
    };
    return { objects: [policy] };
  },
});

/** The pods receive traffic on their own ports, not on those of their Service. */
function checkServicePorts(rules: readonly Json[] = [], servicePorts: readonly ServicePort[], report: ReportAt): void {
  for (const [index, rule] of rules.entries()) {
    for (const [position, entry] of listAt(rule, 'ports').entries()) {
      const port = valueOf(entry);
      const { containerPort: inside } = servicePorts.find((candidate) => candidate.port === port) ?? {};
      if (inside === undefined || servicePorts.some(({ containerPort }) => containerPort === port)) continue;
      const args = { port: Number(port), inside };
      report(problems.create('networkpolicy-service-port', args), ['ingress', index, 'ports', position, 'port']);
    }
  }
}

/** Without these ports the pods cannot reach the API server, and the operator considers them failed. */
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

/** An empty list of peers looks like one that allows none. */
function checkPeers(rules: readonly Json[] = [], [list, key]: readonly [string, string], report: ReportAt): void {
  for (const [index, rule] of rules.entries()) {
    if (has(rule, key) && listAt(rule, key).length === 0) {
      report(problems.create('networkpolicy-open', { key }), [list, index, key]);
    }
  }
}

/** Removes empty lists that have no effect, and adds the default protocol to each port. */
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
