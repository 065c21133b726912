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
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { isCidr, isIp } from '../../schema/index.ts';
import { ofSpec } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import {
  below,
  checkRange,
  createUniqueness,
  demandField,
  forbid,
  optionalPort,
  portRange,
  refuse,
  refuseDuplicate,
  refuseName,
  refuseWord,
} from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import { explainEndpoint } from './network-rules.ts';
import { labels } from './reference-rules.ts';

const longestAffinity = 86_400;
const onlyForBalancers = ({ type }: JsonObject): string | false =>
  type !== 'LoadBalancer' && 'may only be set when type is LoadBalancer';
const notForNames = ({ type }: JsonObject): string | false =>
  type === 'ExternalName' && 'may not be set when type is ExternalName';

function explainRange(text: string): string | undefined {
  return isCidr(text.trim()) ? undefined : 'must be a CIDR such as 10.0.0.0/8';
}

export const service: FieldRule = {
  ...ofSpec({
    fields: {
      selector: labels,
      externalIPs: { items: { format: explainEndpoint, emptyIsValue: true } },
      healthCheckNodePort: { range: optionalPort },
      loadBalancerClass: { text: checkLabelKey, emptyIsValue: true },
      loadBalancerSourceRanges: { items: { format: explainRange, emptyIsValue: true } },
      trafficDistribution: { words: ['PreferClose', 'PreferSameZone', 'PreferSameNode'], emptyIsValue: true },
      ports: {
        items: {
          fields: {
            name: { text: checkDnsLabel, what: 'port name' },
            port: { required: 'a number', range: portRange },
            nodePort: { range: optionalPort },
            // 0 or '' counts as not set.
            targetPort: { range: optionalPort, text: checkPortName },
            appProtocol: { text: checkLabelKey, emptyIsValue: true },
          },
        },
      },
    },
    refuses: {
      loadBalancerClass: onlyForBalancers,
      allocateLoadBalancerNodePorts: onlyForBalancers,
      loadBalancerSourceRanges: (spec) => listAt(spec, 'loadBalancerSourceRanges').length > 0 && onlyForBalancers(spec),
      healthCheckNodePort: ({ type, externalTrafficPolicy, healthCheckNodePort }) =>
        (type !== 'LoadBalancer' || externalTrafficPolicy !== 'Local') &&
        healthCheckNodePort !== 0 &&
        'may only be set when type is LoadBalancer and externalTrafficPolicy is Local',
      clusterIP: (spec) => Boolean(textAt(spec, 'clusterIP')) && notForNames(spec),
      ipFamilyPolicy: (spec) => !isEmptyList(spec['ipFamilyPolicy']) && notForNames(spec),
      ipFamilies: (spec) => !isEmptyList(spec['ipFamilies']) && notForNames(spec),
      clusterIPs: (spec) => !isEmptyList(spec['clusterIPs']) && notForNames(spec),
    },
  }),
  also: checkService,
};

function isEmptyList(value: Json | undefined): boolean {
  return isJsonArray(value) && value.length === 0;
}

function checkService(root: FieldSite): void {
  const site = { ...root, path: ['spec'] };
  const spec = mappingAt(root.object, 'spec') ?? {};
  const type = textAt(spec, 'type') ?? 'ClusterIP';
  const ports = listAt(spec, 'ports');
  if (type === 'ExternalName') checkExternalName(site, spec);
  else {
    if (ports.length === 0 && spec['clusterIP'] !== 'None')
      demandField(site, ['ports'], { expected: 'a list; only a headless Service may omit it' });
    checkAddresses(site, spec);
  }
  if (spec['clusterIP'] === 'None' && (type === 'NodePort' || type === 'LoadBalancer'))
    refuse(site, ['clusterIP'], { demand: `may not be "None" when type is ${type}` });
  // Without session affinity the API server drops its settings.
  if (spec['sessionAffinity'] === 'ClientIP') {
    const settings = mappingAt(mappingAt(spec, 'sessionAffinityConfig'), 'clientIP');
    const place = below(site, 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
    checkRange(place, settings?.['timeoutSeconds'], { least: 1, most: longestAffinity });
  }
  const isInternal = (type === 'ClusterIP' || type === 'ExternalName') && listAt(spec, 'externalIPs').length === 0;
  if (isInternal && textAt(spec, 'externalTrafficPolicy')) {
    const demand = 'may only be set when type is NodePort or LoadBalancer, or with externalIPs';
    forbid(site, 'externalTrafficPolicy', demand);
  }
  checkPorts(site, ports, type);
}

/** The requested cluster IPs and their families. */
function checkAddresses(site: FieldSite, spec: JsonObject): void {
  const single = textAt(spec, 'clusterIP') ?? '';
  const list = listAt(spec, 'clusterIPs');
  const reason = 'must be an IP address or "None"';
  if (single !== '' && single !== 'None' && !isIp(single))
    refuseName(site, ['clusterIP'], { what: 'clusterIP', text: single, reason });
  list.forEach((entry, index) => {
    const text = entry ?? '';
    if (typeof text === 'string' && !isIp(text) && !(index === 0 && text === 'None' && list.length === 1))
      refuseName(site, ['clusterIPs', index], { what: `clusterIPs[${index}]`, text, reason });
  });
  if (list.length > 0 && single !== '' && list[0] !== single) {
    const demand = 'must start with the value of "clusterIP"';
    refuse(site, ['clusterIPs', 0], { field: 'clusterIPs', demand, got: describeValue(list[0]!) });
  }
  if (list.length > 2) {
    const demand = 'must have at most 2 items';
    refuse(site, ['clusterIPs'], { code: 'field-range', demand, got: String(list.length) });
  }
  checkFamilies(site, spec, single === '' ? list : [single, ...list.slice(1)]);
}

const families = ['IPv4', 'IPv6'];

function checkFamilies(site: FieldSite, spec: JsonObject, addresses: readonly Json[]): void {
  const list = listAt(spec, 'ipFamilies');
  list.forEach((entry, index) => {
    const steps = ['ipFamilies', index];
    const family = entry ?? '';
    if (typeof family !== 'string') return;
    const first = list.indexOf(family);
    if (!families.includes(family)) refuseWord(site, steps, { text: family, allowed: families });
    else if (first !== index)
      refuseDuplicate(site, steps, { first: ['ipFamilies', first], list: 'ipFamilies', what: quote(family) });
    const address = addresses[index];
    if (typeof address !== 'string' || !isIp(address) || address.includes(':') === (family === 'IPv6')) return;
    refuse(site, steps, { demand: `must be the IP family of ${quote(address)}`, got: quote(family) });
  });
  const policy = textAt(spec, 'ipFamilyPolicy') ?? 'SingleStack';
  const isOpen = spec['clusterIP'] === 'None' && Object.keys(mappingAt(spec, 'selector') ?? {}).length === 0;
  if (policy === 'SingleStack' && !isOpen && (list.length > 1 || addresses.length > 1)) {
    const demand = 'must be PreferDualStack or RequireDualStack for two IP families';
    refuse(site, ['ipFamilyPolicy'], { demand, got: has(spec, 'ipFamilyPolicy') ? quote(policy) : 'none' });
  }
}

function checkExternalName(site: FieldSite, spec: JsonObject): void {
  const text = textAt(spec, 'externalName')?.replace(/\.$/, '') ?? '';
  const reason = checkDnsSubdomain(text);
  if (text === '')
    demandField(site, ['externalName'], { holder: 'spec of an ExternalName Service', expected: 'a host name' });
  else if (reason !== undefined)
    refuseName(site, ['externalName'], { what: 'externalName', text, reason, rule: checkDnsSubdomain });
}

function checkPorts(site: FieldSite, ports: readonly Json[], type: string): void {
  const checkName = createUniqueness(site, 'ports');
  const isSingle = ports.filter(isJsonObject).length === 1;
  ports.forEach((port, index) => {
    if (!isJsonObject(port)) return;
    if (type === 'ClusterIP' && typeof port['nodePort'] === 'number' && port['nodePort'] > 0) {
      const demand = 'may not be set when type is ClusterIP';
      const advice = 'set type to NodePort or LoadBalancer, or remove nodePort';
      refuse(site, ['ports', index, 'nodePort'], { demand, advice, at: 'key' });
    }
    const name = textAt(port, 'name') ?? '';
    if (name !== '') checkName(name, ['ports', index, 'name'], { what: `port name ${quote(name)}` });
    else if (!isSingle) {
      const expected = 'required when a Service has more than one port';
      demandField(below(site, 'ports', index), ['name'], { holder: `ports[${index}]`, expected });
    }
  });
}
