import type { Field, ValueOf } from '../documents/field.ts';

export const accessModes = {
  type: 'array',
  description: 'who may mount it at the same time',
  minItems: 1,
  items: { type: 'string', enum: ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'] },
} as const satisfies Field;

export const storageClass = {
  type: 'string',
  description: 'StorageClass; that of the cluster unless given, none when it is ""',
  format: 'storage-class',
} as const satisfies Field;

// Types of which Kubernetes has one field for everything, under the same name.
const ownFields = ['projected', 'downwardAPI', 'csi', 'nfs', 'ephemeral'] as const;

const volumeTypes = ['emptyDir', 'configMap', 'secret', 'hostPath', 'pvc', ...ownFields] as const;

export type VolumeType = (typeof volumeTypes)[number];

function ofVolume<const Key extends string>(key: Key, description: string) {
  const kubernetes = ['v1', 'Pod', 'spec', 'volumes', key] as const;
  return { type: 'object', description: `${key}: ${description}, as Pods have it`, kubernetes } as const;
}

/** A volume and where it is mounted. */
export const volume = {
  type: 'object',
  description: 'a volume and where the container finds it',
  instead: {
    emptyDir: 'write type: emptyDir',
    configMap: 'write type: configMap, and the name in "configMapName"',
    secret: 'write type: secret, and the name in "secretName"',
    hostPath: 'write type: hostPath, and the path in "path"',
    persistentVolumeClaim: 'write type: pvc, and the size in "size"',
    storage: 'write type: pvc, and the size in "size"',
  },
  properties: {
    name: { type: 'string', description: 'what it is called in the pod', required: true, format: 'dns-label' },
    mountPath: { type: 'string', description: 'where the container finds it', required: true, format: 'mount-path' },
    readOnly: { type: 'boolean', description: 'whether the container may only read it', default: false },
    subPath: { type: 'string', description: 'the part of the volume that is mounted' },
    type: {
      type: 'string',
      description: 'which type of volume it is',
      required: true,
      enum: volumeTypes,
      noun: 'type of volume',
    },
    sizeLimit: { type: 'quantity', description: 'emptyDir: how much may be in it' },
    medium: { type: 'string', description: 'emptyDir: Memory keeps it in memory', enum: ['Memory'] },
    configMapName: { type: 'string', description: 'configMap: its name', format: 'dns-subdomain' },
    secretName: { type: 'string', description: 'secret: its name', format: 'dns-subdomain' },
    path: {
      type: 'string',
      description: 'hostPath: the path on the node; a policy must allow it',
      format: 'absolute-path',
    },
    size: { type: 'quantity', description: 'pvc: how much is asked for' },
    storageClass: { ...storageClass, description: `pvc: ${storageClass.description}` },
    accessModes: { ...accessModes, description: `pvc: ${accessModes.description}` },
    projected: ofVolume('projected', 'several ConfigMaps, Secrets and fields in one'),
    downwardAPI: ofVolume('downwardAPI', 'fields of the pod as files'),
    csi: ofVolume('csi', 'a volume of a driver'),
    nfs: ofVolume('nfs', 'a directory of an NFS server'),
    ephemeral: ofVolume('ephemeral', 'a claim that lives as long as the pod'),
  },
} as const satisfies Field;

export type Volume = ValueOf<typeof volume>;

/** What each type of volume must and may have. */
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
