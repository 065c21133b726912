import { checkDnsLabel, checkDnsSubdomain, checkLabelKey, checkLabelValue, has, textAt } from '../../kube/index.ts';
import { isJsonArray } from '../../model/index.ts';
import { fieldName, formatPath, isCidr, isExact, isIp, isIpv4, missingField, readNetwork } from '../../schema/index.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { groupName, namespaceName, objectName, pathSegment, typedReference } from './reference-rules.ts';
import { portRange } from './read-amount.ts';
import { labelSelector } from './selector-rules.ts';

const network = (text: string): string | undefined => (isCidr(text) ? undefined : 'must be a CIDR such as 10.0.0.0/8');

const peer: FieldRule = {
  fields: {
    podSelector: labelSelector,
    namespaceSelector: labelSelector,
    ipBlock: { fields: { cidr: { required: 'a CIDR such as 10.0.0.0/8' } } },
  },
  also: ({ value, path, object, findings }) => {
    const present = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((name) => has(value, name));
    const holder = `"${fieldName(path)}"`;
    if (present.length === 0) {
      const fields = ['podSelector', 'namespaceSelector', 'ipBlock'];
      findings.add(object, { path }, ['field-choice-missing', { holder, fields }]);
    } else if (present.length > 1 && present.includes('ipBlock'))
      findings.add(object, { path: [...path, 'ipBlock'], at: 'key' }, [
        'fields-exclusive',
        { holder, fields: present },
      ]);
  },
};

/** Selectors and peers of a NetworkPolicy; `check-network-policies.ts` checks its ports and CIDRs. */
export const networkPolicy: FieldRule = {
  fields: {
    spec: {
      fields: {
        podSelector: labelSelector,
        policyTypes: { most: 2, items: { words: ['Ingress', 'Egress'], emptyIsValue: true } },
        ingress: { items: { fields: { from: { items: peer } } } },
        egress: { items: { fields: { to: { items: peer } } } },
      },
    },
  },
};

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

export const ingressClass: FieldRule = {
  fields: {
    spec: {
      required: 'an object with "controller"',
      fields: {
        controller: { required: 'a domain and a path, for example example.com/ingress', format: explainController },
        parameters: {
          fields: {
            ...typedReference.fields,
            scope: { words: ['Cluster', 'Namespace'], emptyIsValue: true },
            namespace: namespaceName,
          },
          also: checkScope,
        },
      },
    },
  },
};

function checkScope({ value, path, object, findings }: FieldSite): void {
  const scope = textAt(value, 'scope') ?? 'Cluster';
  const place = [...path, 'namespace'];
  if (scope === 'Namespace' && !textAt(value, 'namespace')) {
    const expected = 'required when scope is Namespace';
    const args = missingField({ name: 'namespace', holder: formatPath(path), expected });
    findings.add(object, { path: place }, ['field-required', args]);
  } else if (scope === 'Cluster' && has(value, 'namespace')) {
    const demand = 'may not be set when scope is Cluster';
    findings.add(object, { path: place, at: 'key' }, ['field-enum', { field: 'namespace', demand }]);
  }
}

export const ipAddress: FieldRule = {
  fields: {
    spec: {
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
    },
  },
};

/** A CIDR in canonical form. */
function explainExactNetwork(text: string): string | undefined {
  const reason = network(text);
  if (reason !== undefined) return reason;
  if (text !== text.toLowerCase()) return 'must be in lower case';
  return isExact(readNetwork(text)!) ? undefined : 'must not have bits set beyond its prefix length';
}

export const serviceCidr: FieldRule = {
  fields: {
    spec: {
      required: 'an object with "cidrs"',
      fields: {
        cidrs: {
          required: 'a list',
          most: 2,
          items: { format: explainExactNetwork, emptyIsValue: true },
          also: ({ value, path, object, findings }) => {
            if (!isJsonArray(value) || value.length !== 2) return;
            const [first, second] = value.map((one) => typeof one === 'string' && isCidr(one) && one.includes(':'));
            if (first !== second || !value.every((one) => typeof one === 'string' && isCidr(one))) return;
            const demand = 'must have one CIDR of each IP family';
            findings.add(object, { path }, ['field-enum', { field: 'cidrs', demand }]);
          },
        },
      },
    },
  },
};

/** An address that other machines can reach. */
export function explainEndpoint(text: string): string | undefined {
  if (!isIp(text)) return 'must be an IP address';
  if (/^(?:0\.0\.0\.0|::|0:0:0:0:0:0:0:0)$/.test(text)) return 'must not be the unspecified address';
  if (/^127\.|^::1$/.test(text)) return 'must not be a loopback address';
  return /^169\.254\.|^fe[89ab]|^224\.0\.0\.|^ff02/i.test(text) ? 'must not be a link-local address' : undefined;
}

const protocols = ['TCP', 'UDP', 'SCTP'];

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
              fields: {
                name: { text: checkDnsLabel },
                port: { required: 'a number', range: portRange },
                protocol: { words: protocols },
                appProtocol: { text: checkLabelKey, emptyIsValue: true },
              },
            },
            also: checkPortNames,
          },
        },
        also: ({ value, path, object, findings }) => {
          const isThere = (name: string): boolean =>
            isJsonArray((value as Record<string, never>)[name]) &&
            (value as Record<string, readonly unknown[]>)[name]!.length > 0;
          if (isThere('addresses') || isThere('notReadyAddresses')) return;
          const args = { holder: `"${fieldName(path)}"`, fields: ['addresses', 'notReadyAddresses'] };
          findings.add(object, { path }, ['field-choice-missing', args]);
        },
      },
    },
  },
};

function checkPortNames({ value, path, object, findings }: FieldSite): void {
  if (!isJsonArray(value) || value.length < 2) return;
  value.forEach((port, index) => {
    if (textAt(port, 'name')) return;
    const expected = 'required when there is more than one port';
    const args = missingField({ name: 'name', holder: formatPath([...path, index]), expected });
    findings.add(object, { path: [...path, index, 'name'] }, ['field-required', args]);
  });
}

const hintName: FieldRule = { fields: { name: { text: checkLabelValue } } };

export const endpointSlice: FieldRule = {
  fields: {
    addressType: { required: 'IPv4, IPv6 or FQDN', words: ['IPv4', 'IPv6', 'FQDN'] },
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
        fields: {
          name: { text: checkDnsLabel },
          protocol: { words: protocols, emptyIsValue: true },
          port: {},
          appProtocol: { text: checkLabelKey, emptyIsValue: true },
        },
      },
    },
  },
};

function checkAddresses({ value, path, object, findings }: FieldSite): void {
  const type = textAt(object, 'addressType');
  if (!isJsonArray(value)) return;
  value.forEach((entry, index) => {
    const text = entry ?? '';
    const reason = typeof text === 'string' ? explainTyped(text, type) : undefined;
    if (reason === undefined || typeof text !== 'string') return;
    findings.add(object, { path: [...path, index] }, ['name-invalid', { what: 'address', text, reason }]);
  });
}

function explainTyped(text: string, type: string | undefined): string | undefined {
  if (type === 'FQDN') {
    const reason = checkDnsSubdomain(text.replace(/\.$/, ''));
    return reason ?? (text.replace(/\.$/, '').includes('.') ? undefined : 'must have at least one dot');
  }
  if (type !== 'IPv4' && type !== 'IPv6') return undefined;
  const reason = explainEndpoint(text);
  if (reason !== undefined) return reason;
  return isIpv4(text) === (type === 'IPv4') ? undefined : `must be an ${type} address`;
}
