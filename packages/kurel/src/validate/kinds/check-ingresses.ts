import { quote } from '../../diagnostics/index.ts';
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkPortName,
  has,
  listAt,
  mappingAt,
  presentOf,
  textAt,
} from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { fieldName, formatPath, isIp, missingField } from '../../schema/index.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import { objectName, typedReference } from './reference-rules.ts';
import { checkNumber, portRange } from './read-amount.ts';
import type { KindCheck } from './kind-check.ts';

const ingress: FieldRule = {
  fields: {
    spec: {
      fields: {
        ingressClassName: { text: checkDnsSubdomain, emptyIsValue: true },
        tls: {
          items: { fields: { hosts: { items: { text: explainTlsHost, emptyIsValue: true } }, secretName: objectName } },
        },
        rules: { items: { fields: { http: { fields: { paths: { required: 'a list' } } } } } },
      },
    },
  },
};

function explainTlsHost(host: string): string | undefined {
  return checkDnsSubdomain(host.startsWith('*.') ? host.slice(2) : host);
}

/** Ingresses of networking.k8s.io/v1. */
export function checkIngress(check: KindCheck): void {
  const { object, findings } = check;
  if (check.gvk.version !== 'v1') return;
  checkFieldRules(check, object, { rule: ingress, path: [] });
  // The API server reads a missing spec as an empty one.
  const spec = has(object, 'spec') ? mappingAt(object, 'spec') : {};
  if (spec === undefined) return;
  if (listAt(spec, 'rules').length === 0 && !has(spec, 'defaultBackend')) {
    findings.add(object, { path: ['spec'], at: 'key' }, [
      'field-choice-missing',
      { holder: '"spec"', fields: ['rules', 'defaultBackend'] },
    ]);
  }
  if (has(spec, 'defaultBackend')) checkBackend(check, spec['defaultBackend'], ['spec', 'defaultBackend']);
  listAt(spec, 'rules').forEach((rule, index) => {
    const path = ['spec', 'rules', index];
    const host = textAt(rule, 'host');
    const reason = host === undefined || host === '' ? undefined : explainHost(host);
    if (reason !== undefined)
      findings.add(object, { path: [...path, 'host'] }, [
        'name-invalid',
        { what: 'host', text: host!, reason, rule: explainHost },
      ]);
    listAt(mappingAt(rule, 'http'), 'paths').forEach((entry, position) => {
      checkPath(check, entry, [...path, 'http', 'paths', position]);
    });
  });
}

function explainHost(host: string): string | undefined {
  if (isIp(host)) return 'must be a DNS name, not an IP address';
  return checkDnsSubdomain(host.startsWith('*.') ? host.slice(2) : host);
}

const misleading = ['//', '/./', '/../', '%2f', '%2F'];

function checkPath(check: KindCheck, entry: Json, path: Path): void {
  if (!isJsonObject(entry)) return;
  const text = textAt(entry, 'path') ?? '';
  const type = textAt(entry, 'pathType');
  const exact = type === 'Exact' || type === 'Prefix';
  const bad = exact
    ? (misleading.find((part) => text.includes(part)) ?? ['/..', '/.'].find((end) => text.endsWith(end)))
    : undefined;
  const isRelative = !text.startsWith('/') && (exact || text !== '');
  if (isRelative || bad !== undefined) {
    check.findings.add(check.object, { path: [...path, 'path'] }, [
      'field-format',
      {
        field: fieldName([...path, 'path']),
        demand: isRelative ? 'must start with "/"' : `must not contain ${quote(bad!)}`,
        found: text === '' ? 'none' : quote(text),
      },
    ]);
  }
  if (has(entry, 'backend')) checkBackend(check, entry['backend'], [...path, 'backend']);
  else {
    const expected = 'an object with "service"';
    check.findings.add(check.object, { path: [...path, 'backend'] }, [
      'field-required',
      missingField({ name: 'backend', holder: formatPath(path), expected }),
    ]);
  }
}

function checkBackend(check: KindCheck, backend: Json | undefined, path: Path): void {
  const { object, findings } = check;
  if (!isJsonObject(backend)) return;
  const present = presentOf(backend, ['service', 'resource']);
  const isStranger = Object.keys(backend).some((name) => name !== 'service' && name !== 'resource');
  if (present.length === 2)
    findings.add(object, { path, at: 'key' }, ['fields-exclusive', { holder: '"backend"', fields: present }]);
  if (present.length === 0 && !isStranger) {
    findings.add(object, { path, at: 'key' }, [
      'field-choice-missing',
      { holder: '"backend"', fields: ['service', 'resource'] },
    ]);
  }
  if (present.length === 1)
    checkFieldRules(check, backend['resource'], { rule: typedReference, path: [...path, 'resource'] });
  const service = mappingAt(backend, 'service');
  if (service === undefined) return;
  // From 1.36 on, the name of a Service may start with a digit.
  const rule = check.minor >= 36 ? checkDnsLabel : checkDns1035Label;
  const fields = { name: { required: 'the name of a Service', text: rule, what: 'Service name' } };
  checkFieldRules(check, service, { rule: { fields }, path: [...path, 'service'] });
  const port = mappingAt(service, 'port') ?? {};
  checkNumber(check, port, { path: [...path, 'service', 'port'], name: 'number', least: 0, most: portRange.most });
  const portName = textAt(port, 'name') ?? '';
  const portReason = portName === '' ? undefined : checkPortName(portName);
  if (portReason !== undefined)
    findings.add(object, { path: [...path, 'service', 'port', 'name'] }, [
      'name-invalid',
      { what: 'port', text: portName, reason: portReason, rule: checkPortName },
    ]);
  const parsed = presentOf(port, ['name', 'number']).filter((name) => port[name] !== 0 && port[name] !== '');
  if (parsed.length === 1) return;
  const place = { path: [...path, 'service', 'port'], at: 'key' } as const;
  if (parsed.length === 2) findings.add(object, place, ['fields-exclusive', { holder: '"port"', fields: parsed }]);
  else
    findings.add(object, place, [
      'field-choice-missing',
      { holder: '"port" of the backend', fields: ['number', 'name'] },
    ]);
}
