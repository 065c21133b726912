import { quote } from '../../diagnostics/index.ts';
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  has,
  mappingAt,
  nameOf,
  textAt,
} from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { decodeBase64 } from '../findings.ts';
import { checkFullName, completePrefix, explainFinalizer, forbidPrefix } from './check-metadata.ts';
import { overhead } from './check-resources.ts';
import { ofSpec } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import { forbid, refuse, refuseName } from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import { memory, storage } from './read-amount.ts';
import { calledService, labels } from './reference-rules.ts';
import { uniqueTolerations } from './scheduling-rules.ts';

export const runtimeClass: FieldRule = {
  fields: {
    handler: { required: 'the name of a runtime handler on the nodes', text: checkDnsLabel },
    overhead: { fields: { podFixed: overhead } },
    scheduling: { fields: { nodeSelector: labels, tolerations: uniqueTolerations } },
  },
};

const podSpec: FieldRule = { required: 'an object with "containers"', fields: { containers: { required: 'a list' } } };

/** A Pod has a spec with containers; `check-pods.ts` checks the rest. */
export const podRoot: FieldRule = { fields: { spec: podSpec } };

/** A PodTemplate needs only containers. */
export const podTemplateRoot: FieldRule = {
  fields: { template: { required: 'an object with "spec"', fields: { spec: podSpec } } },
};

/** Higher priorities are reserved for Kubernetes. */
const systemPriority = 1_000_000_000;

export const priorityClass: FieldRule = {
  also: (site) => {
    const name = textAt(mappingAt(site.object, 'metadata'), 'name') ?? '';
    if (name.startsWith('system-') && name !== 'system-node-critical' && name !== 'system-cluster-critical') {
      const reason = 'must not start with "system-", which is reserved for Kubernetes';
      refuseName(site, ['metadata', 'name'], { what: 'name', text: name, reason });
      return;
    }
    const priority = isJsonObject(site.value) ? site.value['value'] : undefined;
    if (typeof priority !== 'number' || priority <= systemPriority || name.startsWith('system-')) return;
    const demand = `must be at most ${systemPriority}`;
    refuse(site, ['value'], { code: 'field-range', demand, got: String(priority) });
  },
};

/** Times of leases always have six decimal places. */
const microTime: FieldRule = {
  format: (text) =>
    /T\d\d:\d\d:\d\d\.\d{6}(?:Z|[+-]\d\d:\d\d)$/.test(text)
      ? undefined
      : 'must be a time with microseconds, for example 2006-01-02T15:04:05.000000Z',
};

export const lease = ofSpec({
  fields: {
    acquireTime: microTime,
    renewTime: microTime,
    leaseDurationSeconds: { range: { least: 1 } },
    leaseTransitions: { range: { least: 0 } },
  },
});

export const namespace = ofSpec({
  fields: { finalizers: { items: { text: explainFinalizer, emptyIsValue: true } } },
});

export const controllerRevision: FieldRule = {
  fields: { data: { required: 'an object', fields: {} }, revision: { range: { least: 0, isLong: true } } },
};

export const apiService = ofSpec({
  required: 'an object',
  fields: {
    group: { text: checkDnsSubdomain },
    version: { required: 'for example v1', text: checkDns1035Label },
    groupPriorityMinimum: { required: 'a number', range: { least: 1, most: 20_000 } },
    versionPriority: { required: 'a number', range: { least: 1, most: 1000 } },
    service: { fields: calledService },
  },
  also: checkApiService,
});

function checkApiService(site: FieldSite): void {
  const { value } = site;
  if (!isJsonObject(value)) return;
  const [version, group] = [textAt(value, 'version') ?? '', textAt(value, 'group') ?? ''];
  forbidPrefix(site, 'an APIService is named VERSION.GROUP');
  const name = `${version}.${group}`;
  if (version !== '' && nameOf(site.object) !== '')
    checkFullName(site, name, `must be ${quote(name)} (spec.version and spec.group)`);
  if (group === '' && version !== 'v1')
    refuse(site, ['group'], { code: 'field-format', demand: 'must not be empty', got: 'none' });
  const isInsecure = value['insecureSkipTLSVerify'] === true;
  const hasBundle = Boolean(textAt(value, 'caBundle'));
  if (!has(value, 'service')) {
    if (hasBundle) forbid(site, 'caBundle', 'may only be set when "service" is set');
    if (isInsecure) forbid(site, 'insecureSkipTLSVerify', 'may only be true when "service" is set');
  } else if (isInsecure && hasBundle) forbid(site, 'insecureSkipTLSVerify', 'may not be true when "caBundle" is set');
}

const volume: FieldRule = { fields: { size: storage } };

/** A CloudNativePG Cluster: its sizes become the sizes of claims and containers. */
export const database = ofSpec({
  fields: {
    storage: volume,
    walStorage: volume,
    tablespaces: { items: { fields: { storage: volume } } },
    resources: { fields: { limits: { fields: { memory } }, requests: { fields: { memory } } } },
  },
});

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

const tenMinutes = 600;

/** The types of the PEM blocks. Only the API server decodes their content. */
function blocksIn(text: string): readonly string[] {
  return Array.from(
    text.matchAll(/^-----BEGIN ([A-Z0-9 ]+)-----\s*\n[\s\S]*?^-----END \1-----\s*$/gm),
    ([, type]) => type!,
  );
}

function explainRequest(text: string): string | undefined {
  const decoded = decodeBase64(text);
  if (decoded === undefined) return undefined;
  return blocksIn(decoded)[0] === 'CERTIFICATE REQUEST'
    ? undefined
    : 'must be a base64-encoded PEM certificate request';
}

/** Does not quote the value: base64 says nothing in a message. */
function checkRequest(site: FieldSite): void {
  const demand = typeof site.value === 'string' ? explainRequest(site.value) : undefined;
  if (demand !== undefined) refuse(site, [], { code: 'field-format', demand });
}

export const signingRequest = ofSpec({
  required: 'an object',
  fields: {
    request: { required: 'a base64-encoded PEM certificate request', also: checkRequest },
    signerName: {
      required: 'a domain and a path',
      text: (name) =>
        name === 'kubernetes.io/legacy-unknown' ? 'is not allowed in certificates.k8s.io/v1' : explainSigner(name),
    },
    expirationSeconds: { range: { least: tenMinutes } },
    usages: { required: 'a list', unique: '' },
  },
});

export const trustBundle: FieldRule = {
  ...ofSpec({
    required: 'an object',
    fields: {
      signerName: { text: explainSigner },
      trustBundle: { required: 'PEM certificates', also: checkBundle },
    },
  }),
  also: checkBundleName,
};

function checkBundle(site: FieldSite): void {
  if (typeof site.value !== 'string') return;
  const blocks = blocksIn(site.value);
  if (blocks.length === 0 || blocks.some((type) => type !== 'CERTIFICATE'))
    refuse(site, [], { code: 'field-format', demand: 'must contain only PEM certificates' });
}

/** The name contains the signer, so that bundles of two signers never have the same name. */
function checkBundleName(site: FieldSite): void {
  const metadata = mappingAt(site.object, 'metadata');
  const signer = textAt(mappingAt(site.object, 'spec'), 'signerName') ?? '';
  const prefix = signer === '' ? '' : `${signer.replaceAll('/', ':')}:`;
  for (const field of ['name', 'generateName']) {
    const text = textAt(metadata, field) ?? '';
    if (text === '') continue;
    const rest = text.slice(prefix.length);
    const reason = text.startsWith(prefix)
      ? checkDnsSubdomain(field === 'name' ? rest : completePrefix(rest))
      : `must start with "${prefix}", the prefix for its signerName`;
    if (reason !== undefined) refuseName(site, ['metadata', field], { what: field, text, reason });
  }
}
