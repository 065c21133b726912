import { quote } from '../../diagnostics/index.ts';
import { checkDnsSubdomain, has, listAt, mappingAt, presentOf, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { isIp } from '../../schema/index.ts';
import { fieldName } from '../../schema/index.ts';
import { checkNumber, portRange } from './read-amount.ts';
import type { KindCheck } from './kind-check.ts';

/** Ingresses of networking.k8s.io/v1. */
export function checkIngress(check: KindCheck): void {
  const { object, findings } = check;
  const spec = mappingAt(object, 'spec');
  if (spec === undefined || check.gvk.version !== 'v1') return;
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
        demand: isRelative ? 'must begin with "/"' : `must not have ${quote(bad!)}`,
        found: text === '' ? 'none' : quote(text),
      },
    ]);
  }
  if (has(entry, 'backend')) checkBackend(check, entry['backend'], [...path, 'backend']);
}

function checkBackend(check: KindCheck, backend: Json | undefined, path: Path): void {
  const { object, findings } = check;
  if (!isJsonObject(backend)) return;
  const present = presentOf(backend, ['service', 'resource']);
  const isStranger = Object.keys(backend).length > 0;
  if (present.length === 2)
    findings.add(object, { path, at: 'key' }, ['fields-exclusive', { holder: '"backend"', fields: present }]);
  if (present.length === 0 && !isStranger) {
    findings.add(object, { path, at: 'key' }, [
      'field-choice-missing',
      { holder: '"backend"', fields: ['service', 'resource'] },
    ]);
  }
  const service = mappingAt(backend, 'service');
  if (service === undefined) return;
  const port = mappingAt(service, 'port') ?? {};
  checkNumber(check, port, { path: [...path, 'service', 'port'], name: 'number', least: 0, most: portRange.most });
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
