import type { Field, ValueOf } from '../documents/field.ts';

export const accessModes = {
  type: 'array',
  description: 'Access modes of the claim. Defaults to [ReadWriteOnce].',
  minItems: 1,
  items: { type: 'string', enum: ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'] },
} as const satisfies Field;

export const storageClass = {
  type: 'string',
  description: 'StorageClass of the claim. Defaults to that of the cluster; "" for none.',
  format: 'storage-class',
} as const satisfies Field;

// Types with a single Kubernetes field of the same name.
const ownFields = ['projected', 'downwardAPI', 'csi', 'nfs', 'ephemeral'] as const;

const volumeTypes = ['emptyDir', 'configMap', 'secret', 'hostPath', 'pvc', ...ownFields] as const;

export type VolumeType = (typeof volumeTypes)[number];

function ofVolume<const Key extends string>(key: Key, description: string) {
  const kubernetes = ['v1', 'Pod', 'spec', 'volumes', key] as const;
  return { type: 'object', description: `${description} Required for type ${key}.`, kubernetes } as const;
}

/** A volume and where it is mounted. */
export const volume = {
  type: 'object',
  description: 'A volume and its mount path.',
  instead: {
    emptyDir: 'use type: emptyDir',
    configMap: 'use type: configMap and "configMapName"',
    secret: 'use type: secret and "secretName"',
    hostPath: 'use type: hostPath and "path"',
    persistentVolumeClaim: 'use type: pvc and "size"',
    storage: 'use type: pvc and "size"',
  },
  properties: {
    name: { type: 'string', description: 'Name of the volume in the pod.', required: true, format: 'dns-label' },
    mountPath: {
      type: 'string',
      description: 'Path in the container where the volume is mounted.',
      required: true,
      format: 'mount-path',
    },
    readOnly: { type: 'boolean', description: 'Whether the volume is mounted read-only.', default: false },
    subPath: { type: 'string', description: 'Path in the volume to mount instead of its root.' },
    type: {
      type: 'string',
      description: 'Volume type.',
      required: true,
      enum: volumeTypes,
      noun: 'volume type',
    },
    sizeLimit: { type: 'quantity', description: 'Size limit of an emptyDir volume.' },
    medium: {
      type: 'string',
      description: 'Storage medium of an emptyDir volume. Memory is a RAM-backed file system.',
      enum: ['Memory'],
    },
    configMapName: {
      type: 'string',
      description: 'Name of the ConfigMap. Required for type configMap.',
      format: 'dns-subdomain',
    },
    secretName: {
      type: 'string',
      description: 'Name of the Secret. Required for type secret.',
      format: 'dns-subdomain',
    },
    path: {
      type: 'string',
      description: 'Path on the node. Required for type hostPath, which a policy must allow.',
      format: 'absolute-path',
    },
    size: { type: 'quantity', description: 'Storage size of the claim. Required for type pvc.' },
    storageClass: { ...storageClass, description: `${storageClass.description} Only for type pvc.` },
    accessModes: { ...accessModes, description: `${accessModes.description} Only for type pvc.` },
    projected: ofVolume('projected', 'Projected volume source.'),
    downwardAPI: ofVolume('downwardAPI', 'Downward API volume source.'),
    csi: ofVolume('csi', 'CSI volume source.'),
    nfs: ofVolume('nfs', 'NFS volume source.'),
    ephemeral: ofVolume('ephemeral', 'Ephemeral volume source.'),
  },
} as const satisfies Field;

export type Volume = ValueOf<typeof volume>;

/** Required and optional properties of each volume type. */
export const volumeKeys: Readonly<
  Record<VolumeType, { readonly must: readonly string[]; readonly may: readonly string[] }>
> = {
  emptyDir: { must: [], may: ['sizeLimit', 'medium'] },
  configMap: { must: ['configMapName'], may: [] },
  secret: { must: ['secretName'], may: [] },
  hostPath: { must: ['path'], may: [] },
  pvc: { must: ['size'], may: ['storageClass', 'accessModes'] },
  projected: { must: ['projected'], may: [] },
  downwardAPI: { must: ['downwardAPI'], may: [] },
  csi: { must: ['csi'], may: [] },
  nfs: { must: ['nfs'], may: [] },
  ephemeral: { must: ['ephemeral'], may: [] },
};
