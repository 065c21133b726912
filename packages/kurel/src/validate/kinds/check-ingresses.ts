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
import { isIp } from '../../schema/index.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import { below, demandField, optionalPort, refuse, refuseNone, refuseTogether } from './field-site.ts';
import type { FieldSite, KindCheck } from './field-site.ts';
import type { NameRule } from './problems.ts';
import { objectName, typedReference } from './reference-rules.ts';

function explainTlsHost(host: string): string | undefined {
  return checkDnsSubdomain(host.startsWith('*.') ? host.slice(2) : host);
}

function explainHost(host: string): string | undefined {
  return isIp(host) ? 'must be a DNS name, not an IP address' : explainTlsHost(host);
}

const backend: FieldRule = { also: checkBackend };

function serviceWith(rule: NameRule): FieldRule {
  return {
    fields: {
      name: { required: 'the name of a Service', text: rule, what: 'Service name' },
      port: { fields: { number: { range: optionalPort }, name: { text: checkPortName, what: 'port' } } },
    },
  };
}

const namedService = serviceWith(checkDnsLabel);
/** Before 1.36 the name of a Service may not start with a digit. */
const letteredService = serviceWith(checkDns1035Label);

const spec: FieldRule = {
  fields: {
    ingressClassName: { text: checkDnsSubdomain, emptyIsValue: true },
    tls: {
      items: { fields: { hosts: { items: { text: explainTlsHost, emptyIsValue: true } }, secretName: objectName } },
    },
    defaultBackend: backend,
    rules: {
      items: {
        fields: {
          host: { text: explainHost },
          http: {
            fields: { paths: { required: 'a list', items: { fields: { backend }, also: checkPath } } },
          },
        },
      },
    },
  },
};

/** Ingresses of networking.k8s.io/v1. */
export const ingress: FieldRule = { fields: { spec }, also: checkIngress };

function checkIngress(check: KindCheck): void {
  const { object } = check;
  // The API server reads a missing spec as an empty one.
  const spec = has(object, 'spec') ? mappingAt(object, 'spec') : {};
  if (spec !== undefined && listAt(spec, 'rules').length === 0 && !has(spec, 'defaultBackend'))
    refuseNone({ ...check, path: ['spec'] }, { fields: ['rules', 'defaultBackend'] });
}

const misleading = ['//', '/./', '/../', '%2f', '%2F'];

function checkPath(site: FieldSite): void {
  if (!isJsonObject(site.value)) return;
  const text = textAt(site.value, 'path') ?? '';
  const type = textAt(site.value, 'pathType');
  const isExact = type === 'Exact' || type === 'Prefix';
  const bad = isExact
    ? (misleading.find((part) => text.includes(part)) ?? ['/..', '/.'].find((end) => text.endsWith(end)))
    : undefined;
  const isRelative = !text.startsWith('/') && (isExact || text !== '');
  if (isRelative || bad !== undefined) {
    const demand = isRelative ? 'must start with "/"' : `must not contain ${quote(bad!)}`;
    refuse(site, ['path'], { code: 'field-format', demand, got: text === '' ? 'none' : quote(text) });
  }
  if (!has(site.value, 'backend')) demandField(site, ['backend'], { expected: 'an object with "service"' });
}

function checkBackend(site: FieldSite): void {
  const { value, path, minor } = site;
  if (!isJsonObject(value)) return;
  const fields = ['service', 'resource'];
  const holder = '"backend"';
  const present = presentOf(value, fields);
  const hasOther = Object.keys(value).some((name) => !fields.includes(name));
  if (present.length === 2) refuseTogether(site, [], { holder, fields });
  if (present.length === 0 && !hasOther) refuseNone(site, { holder, fields });
  if (present.length === 1)
    checkFieldRules(site, value['resource'], { rule: typedReference, path: [...path, 'resource'] });
  const service = mappingAt(value, 'service');
  if (service === undefined) return;
  checkFieldRules(site, service, { rule: minor >= 36 ? namedService : letteredService, path: [...path, 'service'] });
  const port = mappingAt(service, 'port') ?? {};
  const portSite = below(site, 'service', 'port');
  const chosen = presentOf(port, ['name', 'number']).filter((name) => port[name] !== 0 && port[name] !== '');
  if (chosen.length === 2) refuseTogether(portSite, [], { fields: chosen });
  if (chosen.length === 0) refuseNone(portSite, { holder: '"port" of the backend', fields: ['number', 'name'] });
}
