import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  checkPortName,
  has,
  listAt,
  numberAt,
  textAt,
} from '../../kube/index.ts';
import { isJsonArray } from '../../model/index.ts';
import { isCidr, isExact, isIp, isIpv4, isWithin, readNetwork } from '../../schema/index.ts';
import { ofSpec } from './field-rules.ts';
import type { FieldRule, Fields } from './field-rules.ts';
import { below, demandField, portRange, refuse, refuseName, refuseNone, refuseTogether } from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import { groupName, labelSelector, namespaceName, objectName, pathSegment, typedReference } from './reference-rules.ts';

/** A CIDR without bits set beyond its prefix length. */
function explainExact(text: string): string | undefined {
  const network = readNetwork(text);
  if (network === undefined) return 'must be a CIDR such as 10.0.0.0/8';
  return isExact(network) ? undefined : 'must not have bits set beyond its prefix length';
}

const peerFields = ['podSelector', 'namespaceSelector', 'ipBlock'];

const peers: FieldRule = {
  items: {
    fields: {
      podSelector: labelSelector,
      namespaceSelector: labelSelector,
      ipBlock: {
        fields: {
          cidr: { required: 'a CIDR such as 10.0.0.0/8', format: explainExact },
          except: { items: { format: explainExact, emptyIsValue: true } },
        },
        also: checkExceptions,
      },
    },
    also: (site) => {
      const present = peerFields.filter((field) => has(site.value, field));
      const advice =
        'use podSelector: {} for all pods of the namespace, namespaceSelector: {} for all pods of the cluster';
      if (present.length === 0) refuseNone(site, { fields: peerFields, at: 'value', advice });
      else if (present.length > 1 && present.includes('ipBlock'))
        refuseTogether(site, ['ipBlock'], { fields: present, advice: 'write two peers' });
    },
  },
};

function checkExceptions(site: FieldSite): void {
  const cidr = textAt(site.value, 'cidr') ?? '';
  if (explainExact(cidr) !== undefined) return;
  listAt(site.value, 'except').forEach((entry, index) => {
    if (typeof entry !== 'string' || explainExact(entry) !== undefined) return;
    const [inner, outer] = [readNetwork(entry)!, readNetwork(cidr)!];
    if (isWithin(inner, outer) && inner.prefix > outer.prefix) return;
    refuse(site, ['except', index], { demand: `must be a strict subset of ${cidr}`, got: `"${entry}"` });
  });
}

const policyPorts: FieldRule = {
  items: {
    fields: { port: { text: checkPortName, emptyIsValue: true, range: portRange } },
    also: (site) => {
      const [first, last] = [numberAt(site.value, 'port'), numberAt(site.value, 'endPort')];
      if (last === undefined || (first !== undefined && last >= first)) return;
      const demand =
        first === undefined ? 'may only be set when "port" is a number' : `must be at least "port" (${first})`;
      refuse(site, ['endPort'], { code: 'field-range', demand, got: String(last) });
    },
  },
};

export const networkPolicy = ofSpec({
  fields: {
    podSelector: labelSelector,
    policyTypes: { most: 2 },
    ingress: { items: { fields: { from: peers, ports: policyPorts } } },
    egress: { items: { fields: { to: peers, ports: policyPorts } } },
  },
});

/** A domain and a path: `example.com/ingress`. */
function explainController(text: string): string | undefined {
  if (text.length > 250) return `must have at most 250 characters, not ${text.length}`;
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) return 'must be a domain and a path, for example example.com/ingress';
  const reason = checkDnsSubdomain(text.slice(0, slash));
  if (reason !== undefined) return `has an invalid domain: it ${reason}`;
  return /^[-A-Za-z0-9/._~%!$&'()*+,;=:]+$/.test(text.slice(slash + 1))
    ? undefined
    : 'must be a domain and a path, for example example.com/ingress';
}

export const ingressClass = ofSpec({
  required: 'an object with "controller"',
  fields: {
    controller: { required: 'a domain and a path, for example example.com/ingress', format: explainController },
    parameters: {
      fields: {
        ...typedReference.fields,
        scope: { words: ['Cluster', 'Namespace'], emptyIsValue: true },
        namespace: namespaceName,
      },
      refuses: {
        namespace: (parameters) =>
          (textAt(parameters, 'scope') ?? 'Cluster') === 'Cluster' && 'may not be set when scope is Cluster',
      },
      also: (site) => {
        if (textAt(site.value, 'scope') === 'Namespace' && !textAt(site.value, 'namespace'))
          demandField(site, ['namespace'], { expected: 'required when scope is Namespace' });
      },
    },
  },
});

export const ipAddress = ofSpec({
  required: 'an object',
  fields: {
    parentRef: {
      required: 'an object',
      fields: {
        group: { ...groupName, emptyIsValue: false },
        resource: { required: 'a resource', ...pathSegment },
        name: { required: 'a name', ...pathSegment },
        namespace: pathSegment,
      },
    },
  },
});

/** A CIDR in canonical form. */
function explainCanonical(text: string): string | undefined {
  return isCidr(text) && text !== text.toLowerCase() ? 'must be in lower case' : explainExact(text);
}

export const serviceCidr = ofSpec({
  required: 'an object with "cidrs"',
  fields: {
    cidrs: {
      required: 'a list',
      most: 2,
      items: { format: explainCanonical, emptyIsValue: true },
      also: (site) => {
        if (!isJsonArray(site.value) || site.value.length !== 2) return;
        const cidrs = site.value.filter((entry) => typeof entry === 'string' && isCidr(entry)).map(String);
        const isOneFamily = cidrs[0]?.includes(':') === cidrs[1]?.includes(':');
        if (cidrs.length === 2 && isOneFamily) refuse(site, [], { demand: 'must have one CIDR of each IP family' });
      },
    },
  },
});

/** An address that other machines can reach. */
export function explainEndpoint(text: string): string | undefined {
  if (!isIp(text)) return 'must be an IP address';
  if (/^(?:0\.0\.0\.0|::|0:0:0:0:0:0:0:0)$/.test(text)) return 'must not be the unspecified address';
  if (/^127\.|^::1$/.test(text)) return 'must not be a loopback address';
  return /^169\.254\.|^fe[89ab]|^224\.0\.0\.|^ff02/i.test(text) ? 'must not be a link-local address' : undefined;
}

const endpointPort: Fields = {
  name: { text: checkDnsLabel },
  appProtocol: { text: checkLabelKey, emptyIsValue: true },
};

const endpointAddress: FieldRule = {
  fields: {
    ip: { required: 'an IP address', format: explainEndpoint },
    hostname: { text: checkDnsLabel },
    nodeName: { ...objectName, emptyIsValue: true },
  },
};

export const endpoints: FieldRule = {
  fields: {
    subsets: {
      items: {
        fields: {
          addresses: { items: endpointAddress },
          notReadyAddresses: { items: endpointAddress },
          ports: {
            items: {
              fields: { ...endpointPort, port: { required: 'a number', range: portRange } },
            },
            also: checkPortNames,
          },
        },
        also: (site) => {
          const fields = ['addresses', 'notReadyAddresses'];
          if (fields.every((field) => listAt(site.value, field).length === 0))
            refuseNone(site, { fields, at: 'value' });
        },
      },
    },
  },
};

function checkPortNames(site: FieldSite): void {
  if (!isJsonArray(site.value) || site.value.length < 2) return;
  site.value.forEach((port, index) => {
    if (!textAt(port, 'name'))
      demandField(below(site, index), ['name'], { expected: 'required when there is more than one port' });
  });
}

const hintName: FieldRule = { fields: { name: { text: checkLabelValue } } };

export const endpointSlice: FieldRule = {
  fields: {
    addressType: { required: 'IPv4, IPv6 or FQDN' },
    endpoints: {
      most: 1000,
      items: {
        fields: {
          addresses: { required: 'a list', most: 100, also: checkAddresses },
          hostname: { text: checkDnsLabel, emptyIsValue: true },
          nodeName: { ...objectName, emptyIsValue: true },
          hints: {
            fields: {
              forZones: { most: 8, items: hintName, unique: 'name' },
              forNodes: { most: 8, items: { fields: { name: objectName } }, unique: 'name' },
            },
          },
        },
      },
    },
    ports: {
      most: 20_000,
      unique: 'name',
      items: {
        fields: endpointPort,
      },
    },
  },
};

function checkAddresses(site: FieldSite): void {
  const type = textAt(site.object, 'addressType');
  if (!isJsonArray(site.value)) return;
  site.value.forEach((entry, index) => {
    const text = entry ?? '';
    if (typeof text !== 'string') return;
    const reason = explainTyped(text, type);
    if (reason !== undefined) refuseName(site, [index], { what: 'address', text, reason });
  });
}

function explainTyped(text: string, type: string | undefined): string | undefined {
  if (type === 'FQDN') {
    const name = text.replace(/\.$/, '');
    return checkDnsSubdomain(name) ?? (name.includes('.') ? undefined : 'must have at least one dot');
  }
  if (type !== 'IPv4' && type !== 'IPv6') return undefined;
  const reason = explainEndpoint(text);
  if (reason !== undefined) return reason;
  return isIpv4(text) === (type === 'IPv4') ? undefined : `must be an ${type} address`;
}
