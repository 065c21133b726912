import { quote } from '../../diagnostics/index.ts';
import { checkDnsLabel, checkDnsSubdomain, checkPortName, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { JsonObject } from '../../model/index.ts';
import { isCidr, missingField } from '../../schema/index.ts';
import { checkLabels } from './check-metadata.ts';
import { checkNumber, portRange } from './read-amount.ts';
import type { KindCheck } from './kind-check.ts';

export function checkService(check: KindCheck): void {
  const { object, findings } = check;
  const spec = mappingAt(object, 'spec') ?? {};
  const type = textAt(spec, 'type') ?? 'ClusterIP';
  const ports = listAt(spec, 'ports');
  if (type === 'ExternalName') checkExternalName(check, spec);
  else if (ports.length === 0 && spec['clusterIP'] !== 'None') {
    findings.add(object, { path: ['spec', 'ports'] }, [
      'field-required',
      missingField({ name: 'ports', holder: 'spec', expected: 'a list; only headless Services go without' }),
    ]);
  }
  if (spec['clusterIP'] === 'None' && (type === 'NodePort' || type === 'LoadBalancer')) {
    findings.add(object, { path: ['spec', 'clusterIP'] }, [
      'field-enum',
      { field: 'clusterIP', demand: `must not be "None" in a Service of type ${type}`, found: '"None"' },
    ]);
  }
  const selector = mappingAt(spec, 'selector');
  if (selector !== undefined) checkLabels(check, selector, ['spec', 'selector']);
  if (has(spec, 'externalTrafficPolicy') && type === 'ClusterIP' && listAt(spec, 'externalIPs').length === 0) {
    findings.add(object, { path: ['spec', 'externalTrafficPolicy'], at: 'key' }, [
      'field-enum',
      {
        field: 'externalTrafficPolicy',
        demand: 'must only be set in Services that can be reached from outside',
        advice: 'the type is ClusterIP',
      },
    ]);
  }
  listAt(spec, 'loadBalancerSourceRanges').forEach((range, index) => {
    if (typeof range !== 'string' || isCidr(range.trim())) return;
    findings.add(object, { path: ['spec', 'loadBalancerSourceRanges', index] }, [
      'field-format',
      {
        field: `loadBalancerSourceRanges[${index}]`,
        demand: 'must be a network such as 10.0.0.0/8',
        found: quote(range),
      },
    ]);
  });
  checkPorts(check, ports.filter(isJsonObject), type);
}

function checkExternalName({ object, findings }: KindCheck, spec: JsonObject): void {
  const name = textAt(spec, 'externalName')?.replace(/\.$/, '');
  const path = ['spec', 'externalName'];
  if (name === undefined || name === '') {
    findings.add(object, { path }, [
      'field-required',
      missingField({ name: 'externalName', holder: 'spec of an ExternalName Service', expected: 'a host name' }),
    ]);
    return;
  }
  const reason = checkDnsSubdomain(name);
  if (reason !== undefined)
    findings.add(object, { path }, [
      'name-invalid',
      { what: 'externalName', text: name, reason, rule: checkDnsSubdomain },
    ]);
}

function checkPorts(check: KindCheck, ports: readonly JsonObject[], type: string): void {
  const { object, findings } = check;
  const names = new Map<string, number>();
  ports.forEach((port, index) => {
    const path = ['spec', 'ports', index];
    checkNumber(check, port, { path, name: 'port', ...portRange });
    checkNumber(check, port, { path, name: 'nodePort', least: 0, most: portRange.most });
    if (typeof port['targetPort'] === 'number') checkNumber(check, port, { path, name: 'targetPort', ...portRange });
    const target = textAt(port, 'targetPort');
    const targetReason = target === undefined ? undefined : checkPortName(target);
    if (targetReason !== undefined) {
      findings.add(object, { path: [...path, 'targetPort'] }, [
        'name-invalid',
        { what: 'targetPort', text: target!, reason: targetReason, rule: checkPortName },
      ]);
    }
    if (type === 'ClusterIP' && typeof port['nodePort'] === 'number' && port['nodePort'] > 0) {
      findings.add(object, { path: [...path, 'nodePort'], at: 'key' }, [
        'field-enum',
        {
          field: 'nodePort',
          demand: 'must only be set in Services of type NodePort or LoadBalancer',
          advice: 'the type is ClusterIP',
        },
      ]);
    }
    const name = textAt(port, 'name') ?? '';
    if (name === '') {
      if (ports.length > 1) {
        findings.add(object, { path: [...path, 'name'] }, [
          'field-required',
          missingField({
            name: 'name',
            holder: `ports[${index}]`,
            expected: 'which a Service with several ports needs',
          }),
        ]);
      }
      return;
    }
    const reason = checkDnsLabel(name);
    if (reason !== undefined)
      findings.add(object, { path: [...path, 'name'] }, [
        'name-invalid',
        { what: 'port name', text: name, reason, rule: checkDnsLabel },
      ]);
    const first = names.get(name);
    if (first === undefined) names.set(name, index);
    else {
      findings.add(
        object,
        {
          path: [...path, 'name'],
          related: [{ message: 'it is here first', object, path: ['spec', 'ports', first, 'name'] }],
        },
        ['list-duplicate', { list: '"ports"', what: `name ${quote(name)}` }],
      );
    }
  });
}
