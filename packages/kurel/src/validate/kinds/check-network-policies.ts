import { quote } from '../../diagnostics/index.ts';
import { checkPortName, listAt, mappingAt, numberAt, textAt } from '../../kube/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { isCidr } from '../../schema/index.ts';
import { fieldName } from '../../schema/index.ts';
import { checkNumber, portRange } from './check-number.ts';
import type { KindCheck } from './kind-check.ts';

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
  const demand =
    first === undefined
      ? 'must only be set beside a "port" that is a number'
      : `must be at least ${first}, which is "port"`;
  findings.add(object, { path: [...path, 'endPort'] }, [
    'field-range',
    { field: 'endPort', demand, found: String(last) },
  ]);
}

function checkBlock({ object, findings }: KindCheck, block: Json | undefined, path: Path): void {
  const cidr = textAt(block, 'cidr');
  if (cidr !== undefined) checkNetwork(cidr, [...path, 'cidr']);
  listAt(block, 'except').forEach((network, index) => {
    if (typeof network === 'string') checkNetwork(network, [...path, 'except', index]);
  });

  function checkNetwork(network: string, place: Path): void {
    if (isCidr(network)) return;
    const expected = 'a network such as 10.0.0.0/8';
    findings.add(object, { path: place }, [
      'field-format',
      { field: fieldName(place), demand: `must be ${expected}`, found: quote(network) },
    ]);
  }
}
