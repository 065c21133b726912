/** What a field names. */
export interface Target {
  readonly kind: string;
  readonly group?: string;
  /** The object works without it, or something else may create it. */
  readonly isOptional?: boolean;
}

const configMap: Target = { kind: 'ConfigMap', group: '' };
const secret: Target = { kind: 'Secret', group: '' };
const service: Target = { kind: 'Service', group: '' };
const account: Target = { kind: 'ServiceAccount', group: '' };
const claim: Target = { kind: 'PersistentVolumeClaim', group: '' };

/** The fields that name other objects, by the field. */
export interface ReferenceTable {
  /** What the `name` of an object names that the field holds, by itself or in a list. */
  readonly holders: ReadonlyMap<string, Target>;
  /** What the field names that is a name itself. */
  readonly fields: ReadonlyMap<string, Target>;
}

/** Fields of the same name mean the same in all kinds. */
const everywhere: ReferenceTable = {
  holders: new Map([
    ['certificateRefs', secret],
    ['configMap', configMap],
    ['configMapKeyRef', configMap],
    ['configMapRef', configMap],
    ['controllerExpandSecretRef', secret],
    ['controllerPublishSecretRef', secret],
    ['imagePullSecrets', secret],
    ['nodeExpandSecretRef', secret],
    ['nodePublishSecretRef', secret],
    ['nodeStageSecretRef', secret],
    ['secret', secret],
    ['secretKeyRef', secret],
    ['secretRef', secret],
    ['secrets', secret],
    ['service', service],
  ]),
  fields: new Map<string, Target>([
    ['claimName', claim],
    ['configMapName', configMap],
    ['gatewayClassName', { kind: 'GatewayClass', group: 'gateway.networking.k8s.io' }],
    ['ingressClassName', { kind: 'IngressClass', group: 'networking.k8s.io' }],
    ['priorityClassName', { kind: 'PriorityClass', group: 'scheduling.k8s.io' }],
    ['runtimeClassName', { kind: 'RuntimeClass', group: 'node.k8s.io' }],
    ['secretName', secret],
    // The old name of `serviceAccountName`, and the API server sets both.
    ['serviceAccount', { ...account, isOptional: true }],
    ['serviceAccountName', account],
    ['serviceName', service],
    ['storageClassName', { kind: 'StorageClass', group: 'storage.k8s.io' }],
    ['volumeName', { kind: 'PersistentVolume', group: '' }],
  ]),
};

/** Credentials of an object store, in a Cluster of CloudNativePG and in an ObjectStore of its plugin. */
const objectStoreHolders: readonly (readonly [string, Target])[] = [
  ['accessKeyId', secret],
  ['secretAccessKey', secret],
  ['region', secret],
  ['sessionToken', secret],
  ['connectionString', secret],
  ['storageAccount', secret],
  ['storageKey', secret],
  ['storageSasToken', secret],
  ['applicationCredentials', secret],
  ['endpointCA', secret],
];

/** Fields that name objects only in kinds of one API group, because their names say little. */
const byGroup: ReadonlyMap<string, ReferenceTable> = new Map([
  [
    'postgresql.cnpg.io',
    extendTable({
      holders: [
        ...objectStoreHolders,
        ['authQuerySecret', secret],
        ['backup', { kind: 'Backup', group: 'postgresql.cnpg.io' }],
        ['bindPassword', secret],
        ['clientCASecret', secret],
        ['clientTLSSecret', secret],
        ['cluster', { kind: 'Cluster', group: 'postgresql.cnpg.io' }],
        ['configMapRefs', configMap],
        ['customQueriesConfigMap', configMap],
        ['customQueriesSecret', secret],
        ['password', secret],
        ['passwordSecret', secret],
        ['secretRefs', secret],
        ['serverCASecret', secret],
        ['serverTLSSecret', secret],
        ['sslCert', secret],
        ['sslKey', secret],
        ['sslRootCert', secret],
        ['superuserSecret', secret],
      ],
      fields: [
        ['barmanObjectName', { kind: 'ObjectStore', group: 'barmancloud.cnpg.io' }],
        ['clientCASecret', secret],
        ['replicationTLSSecret', secret],
        ['serverCASecret', secret],
        ['serverTLSSecret', secret],
      ],
    }),
  ],
  ['barmancloud.cnpg.io', extendTable({ holders: objectStoreHolders, fields: [] })],
  [
    'volsync.backube',
    extendTable({
      holders: [],
      fields: [
        // Claims that an operator creates can be backed up, too.
        ['destinationPVC', { ...claim, isOptional: true }],
        ['keySecret', secret],
        ['moverServiceAccount', account],
        ['rcloneConfig', secret],
        ['repository', secret],
        ['sourcePVC', { ...claim, isOptional: true }],
        ['sshKeys', secret],
      ],
    }),
  ],
]);

/** The fields that name objects in kinds of an API group. */
export function referencesOf(group: string): ReferenceTable {
  return byGroup.get(group) ?? everywhere;
}

function extendTable(
  more: Readonly<Record<keyof ReferenceTable, readonly (readonly [string, Target])[]>>,
): ReferenceTable {
  return {
    holders: new Map([...everywhere.holders, ...more.holders]),
    fields: new Map([...everywhere.fields, ...more.fields]),
  };
}

/** What a reference means that may say its kind, and does not. */
export const usualKinds: ReadonlyMap<string, Target> = new Map([
  ['backendRef', service],
  ['backendRefs', service],
  ['issuerRef', { kind: 'Issuer', group: 'cert-manager.io' }],
  ['parentRefs', { kind: 'Gateway', group: 'gateway.networking.k8s.io' }],
  ['scaleTargetRef', { kind: 'Deployment', group: 'apps' }],
  ['secretStoreRef', { kind: 'SecretStore', group: 'external-secrets.io' }],
]);
