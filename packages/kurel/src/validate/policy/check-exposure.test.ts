import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../kube/index.ts';
import type { Json, JsonObject, KubeObject } from '../../model/index.ts';
import { enforcePolicy } from './enforce-policy.ts';
import { noPolicy } from './rules.ts';
import type { RuleLayer } from './rules.ts';

function refusals(object: KubeObject, security: RuleLayer['security']): readonly string[] {
  const found: string[] = [];
  enforcePolicy(object, {
    rules: { layers: [{ ...noPolicy, security }] },
    scopeOf,
    report: ({ code }, path) => void found.push(`${code} ${path.join('.')}`),
  });
  return found;
}

const objectOf = (type: string, fields: JsonObject): KubeObject => {
  const [apiVersion = '', kind = ''] = type.split(' ');
  return { apiVersion, kind, metadata: { name: 'x' }, ...fields };
};
const service = (spec: JsonObject): KubeObject => objectOf('v1 Service', { spec });
const pod = (container: JsonObject, spec: JsonObject = {}): KubeObject =>
  objectOf('v1 Pod', { spec: { containers: [{ name: 'x', image: 'x', ...container }], ...spec } });
const probe = (host: Json, action = 'httpGet'): KubeObject => pod({ livenessProbe: { [action]: { host, port: 80 } } });
const emptyDir = (source: JsonObject): KubeObject => pod({}, { volumes: [{ name: 'v', emptyDir: source }] });
const role = (rule: JsonObject): KubeObject =>
  objectOf('rbac.authorization.k8s.io/v1 ClusterRole', { rules: [{ apiGroups: [''], ...rule }] });
const host = 'spec.containers.0.livenessProbe.httpGet.host';

type Row = readonly [rule: keyof RuleLayer['security'], object: KubeObject, found: readonly string[]];

const refused = (path: string): readonly string[] => [`policy-security ${path}`];

const rows: readonly Row[] = [
  ['allowExternalIPs', service({ externalIPs: ['10.0.0.1'] }), refused('spec.externalIPs')],
  ['allowExternalIPs', service({ externalIPs: [] }), []],
  [
    'allowExternalIPs',
    objectOf('postgresql.cnpg.io/v1 Cluster', {
      spec: { managed: { services: { additional: [{ serviceTemplate: { spec: { externalIPs: ['1.1.1.1'] } } }] } } },
    }),
    refused('spec.managed.services.additional.0.serviceTemplate.spec.externalIPs'),
  ],
  ['allowExternalNames', service({ type: 'ExternalName', externalName: 'x.example' }), refused('spec.type')],
  ['allowExternalNames', service({ type: 'LoadBalancer' }), []],
  [
    'allowExternalNames',
    objectOf('example.com/v1 Widget', { spec: { service: { type: 'ExternalName' } } }),
    refused('spec.service.type'),
  ],
  ...['169.254.169.254', '::ffff:169.254.169.254', '[fe80::1%eth0]', 'metadata.google.internal', '100.100.100.200'].map(
    (address): Row => ['allowLinkLocalProbes', probe(address), refused(host)],
  ),
  ['allowLinkLocalProbes', probe('127.0.0.1'), []],
  ['allowLinkLocalProbes', probe('localhost'), []],
  ['allowLinkLocalProbes', probe(''), []],
  ['allowLinkLocalProbes', probe('example.com'), [`policy-not-checked ${host}`]],
  // Some resolvers read it as 169.254.169.254.
  ['allowLinkLocalProbes', probe('2852039166'), refused(host)],
  ['allowLinkLocalProbes', probe('0xa9fea9fe'), [`policy-not-checked ${host}`]],
  [
    'allowLinkLocalProbes',
    probe('169.254.0.1', 'tcpSocket'),
    refused('spec.containers.0.livenessProbe.tcpSocket.host'),
  ],
  ['allowUnlimitedMemoryVolumes', emptyDir({ medium: 'Memory' }), refused('spec.volumes.0.emptyDir')],
  ['allowUnlimitedMemoryVolumes', emptyDir({ medium: 'Memory', sizeLimit: null }), refused('spec.volumes.0.emptyDir')],
  ['allowUnlimitedMemoryVolumes', emptyDir({ medium: 'Memory', sizeLimit: '1Gi' }), []],
  ['allowUnlimitedMemoryVolumes', emptyDir({}), []],
  [
    'allowTokenRequests',
    role({ resources: ['serviceaccounts/token'], verbs: ['create'] }),
    refused('rules.0.resources.0'),
  ],
  ['allowTokenRequests', role({ resources: ['pods', '*'], verbs: ['*'] }), refused('rules.0.resources.1')],
  ['allowTokenRequests', role({ resources: ['*/token'], verbs: ['create'] }), refused('rules.0.resources.0')],
  ['allowTokenRequests', role({ resources: ['serviceaccounts'], verbs: ['create'] }), []],
  ['allowTokenRequests', role({ resources: ['serviceaccounts/token'], verbs: ['get'] }), []],
  ['allowTokenRequests', role({ apiGroups: ['apps'], resources: ['*'], verbs: ['*'] }), []],
  [
    'allowTokenRequests',
    role({ apiGroups: ['*'], resources: ['serviceaccounts/token'], verbs: ['create'], resourceNames: ['x'] }),
    refused('rules.0.resources.0'),
  ],
  ...['exec', 'attach', 'portforward', 'proxy', 'ephemeralcontainers'].map((name): Row => [
    'allowPodExec',
    role({ resources: [`pods/${name}`], verbs: ['get', 'patch'] }),
    refused('rules.0.resources.0'),
  ]),
  ['allowPodExec', role({ resources: ['pods', 'pods/log'], verbs: ['get', 'create'] }), []],
  ['allowNodeProxy', role({ resources: ['nodes/proxy'], verbs: ['get'] }), refused('rules.0.resources.0')],
  ['allowNodeProxy', role({ resources: ['nodes', 'nodes/metrics'], verbs: ['get'] }), []],
  ...['get', 'list', 'watch', '*'].map((verb): Row => [
    'allowSecretReads',
    role({ resources: ['secrets'], verbs: [verb] }),
    refused('rules.0.resources.0'),
  ]),
  ['allowSecretReads', role({ resources: ['secrets'], verbs: ['get'], resourceNames: ['tls'] }), []],
  ['allowSecretReads', role({ resources: ['secrets'], verbs: ['create'] }), []],
  [
    'allowCertificateApproval',
    role({
      apiGroups: ['certificates.k8s.io'],
      resources: ['certificatesigningrequests/approval', 'signers'],
      verbs: ['update', 'sign'],
    }),
    [...refused('rules.0.resources.0'), ...refused('rules.0.resources.1')],
  ],
  [
    'allowCertificateApproval',
    role({ apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['create', 'get'] }),
    [],
  ],
];

describe('rules that a policy can set to false', () => {
  it.each(rows)('%s: %j', (rule, object, found) => {
    expect(refusals(object, { [rule]: false })).toEqual(found);
    expect(refusals(object, { [rule]: true })).toEqual([]);
    expect(refusals(object, {})).toEqual([]);
  });
});
