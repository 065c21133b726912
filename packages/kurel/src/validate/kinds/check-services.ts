import { describeValue, quote } from '../../diagnostics/index.ts';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkPortName,
  has,
  listAt,
  mappingAt,
  textAt,
} from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { fieldName, isCidr, isIp, missingField, notAllowed } from '../../schema/index.ts';
import { checkLabels } from './check-metadata.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import { explainEndpoint } from './network-rules.ts';
import { checkNumber, portRange } from './read-amount.ts';
import type { KindCheck } from './kind-check.ts';

const protocols = ['TCP', 'UDP', 'SCTP'];
const families = ['IPv4', 'IPv6'];
const longestAffinity = 86_400;

const service: FieldRule = {
  fields: {
    spec: {
      fields: {
        type: { words: ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'] },
        sessionAffinity: { words: ['None', 'ClientIP'] },
        externalIPs: { items: { format: explainEndpoint, emptyIsValue: true } },
        loadBalancerClass: { text: checkLabelKey, emptyIsValue: true },
        trafficDistribution: { words: ['PreferClose', 'PreferSameZone', 'PreferSameNode'], emptyIsValue: true },
        internalTrafficPolicy: { words: ['Cluster', 'Local'], emptyIsValue: true },
        externalTrafficPolicy: { words: ['Cluster', 'Local'] },
        ports: {
          items: {
            fields: {
              port: { required: 'a number' },
              protocol: { words: protocols },
              appProtocol: { text: checkLabelKey, emptyIsValue: true },
            },
          },
        },
      },
    },
  },
};

export function checkService(check: KindCheck): void {
  const { object, findings } = check;
  checkFieldRules(check, object, { rule: service, path: [] });
  const spec = mappingAt(object, 'spec') ?? {};
  const type = textAt(spec, 'type') ?? 'ClusterIP';
  const ports = listAt(spec, 'ports');
  if (type === 'ExternalName') checkExternalName(check, spec);
  else if (ports.length === 0 && spec['clusterIP'] !== 'None') {
    findings.add(object, { path: ['spec', 'ports'] }, [
      'field-required',
      missingField({ name: 'ports', holder: 'spec', expected: 'a list; only a headless Service may omit it' }),
    ]);
  }
  if (spec['clusterIP'] === 'None' && (type === 'NodePort' || type === 'LoadBalancer')) {
    findings.add(object, { path: ['spec', 'clusterIP'] }, [
      'field-enum',
      { field: 'clusterIP', demand: `may not be "None" when type is ${type}` },
    ]);
  }
  checkAddresses(check, spec, type);
  checkAffinity(check, spec);
  checkExternalUse(check, spec, type);
  const selector = mappingAt(spec, 'selector');
  if (selector !== undefined) checkLabels(check, selector, ['spec', 'selector']);
  if (
    textAt(spec, 'externalTrafficPolicy') &&
    (type === 'ClusterIP' || type === 'ExternalName') &&
    listAt(spec, 'externalIPs').length === 0
  ) {
    findings.add(object, { path: ['spec', 'externalTrafficPolicy'], at: 'key' }, [
      'field-enum',
      {
        field: 'externalTrafficPolicy',
        demand: 'may only be set when type is NodePort or LoadBalancer, or with externalIPs',
      },
    ]);
  }
  listAt(spec, 'loadBalancerSourceRanges').forEach((range, index) => {
    if (typeof range !== 'string' || isCidr(range.trim())) return;
    findings.add(object, { path: ['spec', 'loadBalancerSourceRanges', index] }, [
      'field-format',
      {
        field: `loadBalancerSourceRanges[${index}]`,
        demand: 'must be a CIDR such as 10.0.0.0/8',
        found: quote(range),
      },
    ]);
  });
  checkPorts(check, ports.filter(isJsonObject), type);
}

/** The requested cluster IPs and their families. */
function checkAddresses({ object, findings }: KindCheck, spec: JsonObject, type: string): void {
  if (type === 'ExternalName') return;
  const single = textAt(spec, 'clusterIP') ?? '';
  const list = listAt(spec, 'clusterIPs');
  const refuse = (text: string, path: Path): void =>
    findings.add(object, { path }, [
      'name-invalid',
      { what: fieldName(path), text, reason: 'must be an IP address or "None"' },
    ]);
  if (single !== '' && single !== 'None' && !isIp(single)) refuse(single, ['spec', 'clusterIP']);
  list.forEach((entry, index) => {
    const text = entry ?? '';
    if (typeof text === 'string' && !isIp(text) && !(index === 0 && text === 'None' && list.length === 1))
      refuse(text, ['spec', 'clusterIPs', index]);
  });
  if (list.length > 0 && single !== '' && list[0] !== single) {
    const args = {
      field: 'clusterIPs',
      demand: 'must start with the value of "clusterIP"',
      found: describeValue(list[0]!),
    };
    findings.add(object, { path: ['spec', 'clusterIPs', 0] }, ['field-enum', args]);
  }
  if (list.length > 2) {
    const args = { field: 'clusterIPs', demand: 'must have at most 2 items', found: String(list.length) };
    findings.add(object, { path: ['spec', 'clusterIPs'] }, ['field-range', args]);
  }
  checkFamilies({ object, findings }, spec, single === '' ? list : [single, ...list.slice(1)]);
}

function checkFamilies(
  { object, findings }: Pick<KindCheck, 'object' | 'findings'>,
  spec: JsonObject,
  addresses: readonly Json[],
): void {
  const found = listAt(spec, 'ipFamilies');
  found.forEach((entry, index) => {
    const path = ['spec', 'ipFamilies', index];
    const family = entry ?? '';
    if (typeof family !== 'string') return;
    if (!families.includes(family)) {
      const args = notAllowed({ field: fieldName(path), found: quote(family), allowed: families, word: family });
      findings.add(object, { path }, ['field-enum', args]);
    } else if (found.indexOf(family) !== index) {
      const related = [
        { message: 'the first one is here', object, path: ['spec', 'ipFamilies', found.indexOf(family)] },
      ];
      findings.add(object, { path, related }, ['list-duplicate', { list: 'ipFamilies', what: quote(family) }]);
    }
    const address = addresses[index];
    if (typeof address !== 'string' || !isIp(address) || address.includes(':') === (family === 'IPv6')) return;
    const args = { field: fieldName(path), demand: `must be the IP family of ${quote(address)}`, found: quote(family) };
    findings.add(object, { path }, ['field-enum', args]);
  });
  const policy = textAt(spec, 'ipFamilyPolicy') ?? 'SingleStack';
  const isOpen = spec['clusterIP'] === 'None' && Object.keys(mappingAt(spec, 'selector') ?? {}).length === 0;
  if (policy === 'SingleStack' && !isOpen && (found.length > 1 || addresses.length > 1)) {
    const demand = 'must be PreferDualStack or RequireDualStack for two IP families';
    const args = { field: 'ipFamilyPolicy', demand, found: has(spec, 'ipFamilyPolicy') ? quote(policy) : 'none' };
    findings.add(object, { path: ['spec', 'ipFamilyPolicy'] }, ['field-enum', args]);
  }
}

function checkAffinity(check: KindCheck, spec: JsonObject): void {
  const config = mappingAt(spec, 'sessionAffinityConfig');
  // Without session affinity the API server drops its settings.
  if (config === undefined || spec['sessionAffinity'] !== 'ClientIP') return;
  checkNumber(check, config['clientIP'], {
    path: ['spec', 'sessionAffinityConfig', 'clientIP'],
    name: 'timeoutSeconds',
    least: 1,
    most: longestAffinity,
  });
}

/** Fields that are allowed only for some types of Services. */
function checkExternalUse(check: KindCheck, spec: JsonObject, type: string): void {
  const { object, findings } = check;
  const refuse = (field: string, demand: string): void =>
    findings.add(object, { path: ['spec', field], at: 'key' }, ['field-enum', { field, demand }]);
  if (type !== 'LoadBalancer') {
    for (const field of ['loadBalancerClass', 'allocateLoadBalancerNodePorts']) {
      if (has(spec, field)) refuse(field, 'may only be set when type is LoadBalancer');
    }
    if (listAt(spec, 'loadBalancerSourceRanges').length > 0)
      refuse('loadBalancerSourceRanges', 'may only be set when type is LoadBalancer');
  }
  const needsCheck = type === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';
  if (!needsCheck && has(spec, 'healthCheckNodePort') && spec['healthCheckNodePort'] !== 0) {
    const demand = 'may only be set when type is LoadBalancer and externalTrafficPolicy is Local';
    refuse('healthCheckNodePort', demand);
  }
  checkNumber(check, spec, { path: ['spec'], name: 'healthCheckNodePort', least: 0, most: portRange.most });
  if (type !== 'ExternalName') return;
  if (textAt(spec, 'clusterIP')) refuse('clusterIP', 'may not be set when type is ExternalName');
  for (const field of ['ipFamilyPolicy', 'ipFamilies', 'clusterIPs']) {
    if (has(spec, field) && !isEmptyList(spec[field])) refuse(field, 'may not be set when type is ExternalName');
  }
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
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
    // A targetPort of 0 or '' counts as not set.
    if (typeof port['targetPort'] === 'number')
      checkNumber(check, port, { path, name: 'targetPort', least: 0, most: portRange.most });
    const target = textAt(port, 'targetPort') ?? '';
    const targetReason = target === '' ? undefined : checkPortName(target);
    if (targetReason !== undefined) {
      findings.add(object, { path: [...path, 'targetPort'] }, [
        'name-invalid',
        { what: 'targetPort', text: target, reason: targetReason, rule: checkPortName },
      ]);
    }
    if (type === 'ClusterIP' && typeof port['nodePort'] === 'number' && port['nodePort'] > 0) {
      findings.add(object, { path: [...path, 'nodePort'], at: 'key' }, [
        'field-enum',
        {
          field: 'nodePort',
          demand: 'may not be set when type is ClusterIP',
          advice: 'set type to NodePort or LoadBalancer, or remove nodePort',
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
            expected: 'required when a Service has more than one port',
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
          related: [{ message: 'the first one is here', object, path: ['spec', 'ports', first, 'name'] }],
        },
        ['list-duplicate', { list: 'ports', what: `port name ${quote(name)}` }],
      );
    }
  });
}
