import { listAt, mappingAt, numberAt, textAt } from '../kube/index.ts';
import type { JsonObject } from '../model/index.ts';
import type { Subject } from './subject.ts';

/** What a controller makes from an object, in its namespace. */
type Made = readonly (readonly [kind: string, name: string | undefined])[];

interface Maker {
  readonly group: string;
  readonly make: (name: string, spec: JsonObject | undefined) => Made;
}

const nothing: Made = [];

/** By kind, as no two groups here have a kind of the same name. */
const makers = new Map<string, Maker>([
  ['StatefulSet', { group: 'apps', make: makeClaims }],
  ['SealedSecret', { group: 'bitnami.com', make: (name) => [['Secret', name]] }],
  ['Certificate', { group: 'cert-manager.io', make: (_, spec) => [['Secret', textAt(spec, 'secretName')]] }],
  [
    'Issuer',
    {
      group: 'cert-manager.io',
      make: (_, spec) => [['Secret', textAt(mappingAt(mappingAt(spec, 'acme'), 'privateKeySecretRef'), 'name')]],
    },
  ],
  [
    'ExternalSecret',
    {
      group: 'external-secrets.io',
      make(name, spec) {
        const target = mappingAt(spec, 'target');
        return [[textAt(mappingAt(target, 'manifest'), 'kind') ?? 'Secret', textAt(target, 'name') ?? name]];
      },
    },
  ],
  ['Alertmanager', { group: 'monitoring.coreos.com', make: (_, spec) => governedBy('alertmanager-operated', spec) }],
  ['Prometheus', { group: 'monitoring.coreos.com', make: (_, spec) => governedBy('prometheus-operated', spec) }],
  [
    'PrometheusAgent',
    { group: 'monitoring.coreos.com', make: (_, spec) => governedBy('prometheus-agent-operated', spec) },
  ],
  ['ThanosRuler', { group: 'monitoring.coreos.com', make: (_, spec) => governedBy('thanos-ruler-operated', spec) }],
  ['Cluster', { group: 'postgresql.cnpg.io', make: makeDatabase }],
  ['Pooler', { group: 'postgresql.cnpg.io', make: (name) => [['Service', name]] }],
]);

/** What others may refer to because the object is there: what the best known controllers make of it. */
export function madeFrom({ object, gvk, name }: Subject): Made {
  const maker = makers.get(gvk.kind);
  return maker?.group === gvk.group ? maker.make(name, mappingAt(object, 'spec')) : nothing;
}

/** Pods are counted by whoever wrote the set; nobody refers to more of their claims one by one. */
const mostPods = 100;

function makeClaims(name: string, spec: JsonObject | undefined): Made {
  const first = numberAt(mappingAt(spec, 'ordinals'), 'start') ?? 0;
  const length = Math.max(0, Math.min(numberAt(spec, 'replicas') ?? 1, mostPods));
  return listAt(spec, 'volumeClaimTemplates').flatMap((template) => {
    const claim = textAt(mappingAt(template, 'metadata'), 'name') ?? '';
    return Array.from(
      { length },
      (_, index) => ['PersistentVolumeClaim', `${claim}-${name}-${first + index}`] as const,
    );
  });
}

/** The Service of all pods of the operator's kind, unless the object names one that is there. */
function governedBy(service: string, spec: JsonObject | undefined): Made {
  return textAt(spec, 'serviceName') === undefined ? [['Service', service]] : [];
}

function makeDatabase(name: string, spec: JsonObject | undefined): Made {
  const bootstrap = mappingAt(spec, 'bootstrap');
  const isGiven = ['initdb', 'pg_basebackup', 'recovery'].some(
    (way) => mappingAt(mappingAt(bootstrap, way), 'secret') !== undefined,
  );
  const isSuperuserMade = spec?.['enableSuperuserAccess'] === true && mappingAt(spec, 'superuserSecret') === undefined;
  const certificates = mappingAt(spec, 'certificates');
  const secrets = [
    ...(isGiven ? [] : ['app']),
    ...(isSuperuserMade ? ['superuser'] : []),
    ...(hasText(certificates, 'serverCASecret') && hasText(certificates, 'clientCASecret') ? [] : ['ca']),
    ...(hasText(certificates, 'serverTLSSecret') ? [] : ['server']),
    ...(hasText(certificates, 'replicationTLSSecret') ? [] : ['replication']),
  ];
  const services = mappingAt(mappingAt(spec, 'managed'), 'services');
  const off = listAt(services, 'disabledDefaultServices');
  return [
    ...secrets.map((suffix) => ['Secret', `${name}-${suffix}`] as const),
    ...['rw', 'ro', 'r'].filter((one) => !off.includes(one)).map((suffix) => ['Service', `${name}-${suffix}`] as const),
    ...listAt(services, 'additional').map((service) => {
      const metadata = mappingAt(mappingAt(service, 'serviceTemplate'), 'metadata');
      return ['Service', textAt(metadata, 'name')] as const;
    }),
  ];
}

function hasText(mapping: JsonObject | undefined, field: string): boolean {
  return textAt(mapping, field) !== undefined;
}
