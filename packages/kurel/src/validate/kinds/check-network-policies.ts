import { describeValue, quote } from '../../diagnostics/index.ts';
import { checkPortName, listAt, mappingAt, numberAt, textAt } from '../../kube/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { fieldName, isExact, isWithin, readNetwork } from '../../schema/index.ts';
import type { Network } from '../../schema/index.ts';
import { checkNumber, portRange } from './read-amount.ts';
import type { KindCheck } from './kind-check.ts';

/** Ports and networks of a NetworkPolicy. */
export function checkNetworkPolicy(check: KindCheck): void {
  const spec = mappingAt(check.object, 'spec');
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    listAt(spec, direction).forEach((rule, index) => {
      const path = ['spec', direction, index];
      listAt(rule, 'ports').forEach((port, position) => checkPort(check, port, [...path, 'ports', position]));
      listAt(rule, peers).forEach((peer, position) => {
        checkBlock(check, mappingAt(peer, 'ipBlock'), [...path, peers, position, 'ipBlock']);
      });
    });
  }
}

function checkPort(check: KindCheck, port: Json, path: Path): void {
  const { object, findings } = check;
  const name = textAt(port, 'port');
  const reason = name === undefined ? undefined : checkPortName(name);
  if (reason !== undefined)
    findings.add(object, { path: [...path, 'port'] }, [
      'name-invalid',
      { what: 'port', text: name!, reason, rule: checkPortName },
    ]);
  checkNumber(check, port, { path, name: 'port', ...portRange });
  const [first, last] = [numberAt(port, 'port'), numberAt(port, 'endPort')];
  if (last === undefined || (first !== undefined && last >= first)) return;
  const demand = first === undefined ? 'may only be set when "port" is a number' : `must be at least "port" (${first})`;
  findings.add(object, { path: [...path, 'endPort'] }, [
    'field-range',
    { field: 'endPort', demand, found: String(last) },
  ]);
}

function checkBlock({ object, findings }: KindCheck, block: Json | undefined, path: Path): void {
  const cidr = textAt(block, 'cidr');
  const outer = cidr === undefined || cidr === '' ? undefined : checkNetwork(cidr, [...path, 'cidr']);
  listAt(block, 'except').forEach((entry, index) => {
    const network = entry ?? '';
    const place = [...path, 'except', index];
    const inner = typeof network === 'string' ? checkNetwork(network, place) : undefined;
    if (inner === undefined || outer === undefined || isWithin(inner, outer)) return;
    const args = {
      field: fieldName(place),
      demand: `must be a strict subset of ${cidr}`,
      found: describeValue(network),
    };
    findings.add(object, { path: place }, ['field-enum', args]);
  });

  function checkNetwork(text: string, place: Path): Network | undefined {
    const network = readNetwork(text);
    if (network !== undefined && isExact(network)) return network;
    const demand =
      network === undefined ? 'must be a CIDR such as 10.0.0.0/8' : 'must not have bits set beyond its prefix length';
    findings.add(object, { path: place }, ['field-format', { field: fieldName(place), demand, found: quote(text) }]);
    return undefined;
  }
}
