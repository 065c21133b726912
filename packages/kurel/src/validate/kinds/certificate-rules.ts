import { checkDnsLabel, checkDnsSubdomain, mappingAt, textAt } from '../../kube/index.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';

/** `example.com/signer` */
function explainSigner(name: string): string | undefined {
  const [domain = '', path, ...more] = name.split('/');
  if (path === undefined || more.length > 0) return 'must be a domain and a path, for example example.com/signer';
  const labels = domain.split('.');
  const bad = labels.map(checkDnsLabel).find((reason) => reason !== undefined);
  if (bad !== undefined) return `has an invalid domain: each label ${bad}`;
  if (labels.length < 2) return 'must have a domain with a dot, for example example.com/signer';
  return path
    .split('.')
    .map(checkDnsSubdomain)
    .find((reason) => reason !== undefined);
}

const usages = [
  'signing',
  'digital signature',
  'content commitment',
  'key encipherment',
  'key agreement',
  'data encipherment',
  'cert sign',
  'crl sign',
  'encipher only',
  'decipher only',
  'any',
  'server auth',
  'client auth',
  'code signing',
  'email protection',
  's/mime',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'timestamping',
  'ocsp signing',
  'microsoft sgc',
  'netscape sgc',
];

const tenMinutes = 600;

/** The types of the PEM blocks. Only the API server decodes their content. */
function blocksIn(text: string): readonly string[] {
  return Array.from(
    text.matchAll(/^-----BEGIN ([A-Z0-9 ]+)-----\s*\n[\s\S]*?^-----END \1-----\s*$/gm),
    ([, type]) => type!,
  );
}

function decode(text: string): string | undefined {
  try {
    return atob(text.replaceAll(/[\r\n]/g, ''));
  } catch {
    return undefined;
  }
}

function explainRequest(text: string): string | undefined {
  const decoded = decode(text);
  if (decoded === undefined) return undefined;
  return blocksIn(decoded)[0] === 'CERTIFICATE REQUEST'
    ? undefined
    : 'must be a base64-encoded PEM certificate request';
}

/** Does not quote the value: base64 says nothing in a message. */
function checkRequest({ value, path, object, findings }: FieldSite): void {
  const demand = typeof value === 'string' ? explainRequest(value) : undefined;
  if (demand !== undefined) findings.add(object, { path }, ['field-format', { field: 'request', demand }]);
}

export const signingRequest: FieldRule = {
  fields: {
    spec: {
      required: 'an object',
      fields: {
        request: { required: 'a base64-encoded PEM certificate request', also: checkRequest },
        signerName: {
          required: 'a domain and a path',
          text: (name) =>
            name === 'kubernetes.io/legacy-unknown' ? 'is not allowed in certificates.k8s.io/v1' : explainSigner(name),
        },
        expirationSeconds: { range: { least: tenMinutes } },
        usages: { required: 'a list', items: { words: usages, emptyIsValue: true }, unique: '' },
      },
    },
  },
};

export const trustBundle: FieldRule = {
  fields: {
    spec: {
      required: 'an object',
      fields: {
        signerName: { text: explainSigner },
        trustBundle: { required: 'PEM certificates', also: checkBundle },
      },
    },
  },
  also: checkBundleName,
};

function checkBundle({ value, path, object, findings }: FieldSite): void {
  if (typeof value !== 'string') return;
  const blocks = blocksIn(value);
  if (blocks.length > 0 && blocks.every((type) => type === 'CERTIFICATE')) return;
  const demand = 'must contain only PEM certificates';
  findings.add(object, { path }, ['field-format', { field: 'trustBundle', demand }]);
}

/** The name contains the signer, so that bundles of two signers never have the same name. */
function checkBundleName({ object, findings }: FieldSite): void {
  const metadata = mappingAt(object, 'metadata');
  const signer = textAt(mappingAt(object, 'spec'), 'signerName') ?? '';
  const prefix = signer === '' ? '' : `${signer.replaceAll('/', ':')}:`;
  for (const field of ['name', 'generateName']) {
    const name = textAt(metadata, field) ?? '';
    if (name === '') continue;
    const reason = explainBundleName(name, prefix, field === 'generateName');
    if (reason !== undefined)
      findings.add(object, { path: ['metadata', field] }, ['name-invalid', { what: field, text: name, reason }]);
  }
}

function explainBundleName(name: string, prefix: string, isPrefix: boolean): string | undefined {
  if (!name.startsWith(prefix)) return `must start with "${prefix}", the prefix for its signerName`;
  const rest = name.slice(prefix.length);
  return checkDnsSubdomain(isPrefix && rest.length > 1 && rest.endsWith('-') ? `${rest.slice(0, -2)}a` : rest);
}
