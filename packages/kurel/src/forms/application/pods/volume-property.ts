import type { Field, Fields, ValueOf } from '../../../documents/index.ts';
import { choiceField, describeMore, flagField, textField } from '../../../documents/index.ts';

export const accessModes = {
  type: 'array',
  description: 'Access modes of the claim. Defaults to [ReadWriteOnce].',
  minItems: 1,
  items: { type: 'string', enum: ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'] },
} as const satisfies Field;

export const storageClass = textField(
  'storage-class',
  'StorageClass of the claim. Defaults to that of the cluster; "" for none.',
);

// Types with a single Kubernetes field of the same name.
const ownFields = ['projected', 'downwardAPI', 'csi', 'nfs', 'ephemeral', 'image'] as const;

const volumeTypes = ['emptyDir', 'configMap', 'secret', 'hostPath', 'pvc', ...ownFields] as const;

function ofVolume<const Key extends string>(key: Key, description: string) {
  const kubernetes = ['v1', 'Pod', 'spec', 'volumes', key] as const;
  return { type: 'object', description: `${description} Required for type ${key}.`, kubernetes } as const;
}

const mount = {
  mountPath: { ...textField('mount-path', 'Path in the container where the volume is mounted.'), required: true },
  readOnly: { ...flagField('Whether the volume is mounted read-only.'), default: false },
  subPath: { type: 'string', description: 'Path in the volume to mount instead of its root.' },
  subPathExpr: {
    type: 'string',
    description: 'Like subPath, with environment variables of the container, such as $(POD_NAME).',
  },
} as const satisfies Fields;

const mountMode = {
  recursiveReadOnly: choiceField(
    ['Disabled', 'IfPossible', 'Enabled'],
    'Whether file systems mounted below a read-only mount are read-only too. Defaults to Disabled.',
  ),
  mountPropagation: choiceField(
    ['None', 'HostToContainer', 'Bidirectional'],
    'Whether later mounts of the host or the container are visible to the other. Defaults to None.',
  ),
} as const satisfies Fields;

export const mounts = {
  type: 'array',
  description: 'Further mounts of the volume in the container.',
  uniqueBy: 'mountPath',
  items: { type: 'object', description: 'Another mount of the volume.', properties: { ...mount, ...mountMode } },
} as const satisfies Field;

const csiInstead = 'use type: csi, or type: pvc with "claimName" for a claim of such a volume';

export const volume = {
  type: 'object',
  description: 'A volume and its mount path.',
  instead: {
    emptyDir: 'use type: emptyDir',
    configMap: 'use type: configMap and "configMapName"',
    secret: 'use type: secret and "secretName"',
    hostPath: 'use type: hostPath and "path"',
    persistentVolumeClaim: 'use type: pvc and "size", or "claimName" for an existing claim',
    storage: 'use type: pvc and "size"',
    volumeMounts: 'use "mountPath", and "mounts" for further mounts',
    bindMountOptions: 'remove it; set it with a patch if you need it',
    gitRepo: 'use an init container that clones the repository to an emptyDir',
    awsElasticBlockStore: csiInstead,
    azureDisk: csiInstead,
    azureFile: csiInstead,
    cephfs: csiInstead,
    cinder: csiInstead,
    fc: csiInstead,
    flexVolume: csiInstead,
    flocker: csiInstead,
    gcePersistentDisk: csiInstead,
    glusterfs: csiInstead,
    iscsi: csiInstead,
    photonPersistentDisk: csiInstead,
    portworxVolume: csiInstead,
    quobyte: csiInstead,
    rbd: csiInstead,
    scaleIO: csiInstead,
    storageos: csiInstead,
    vsphereVolume: csiInstead,
  },
  properties: {
    name: { ...textField('dns-label', 'Name of the volume in the pod.'), required: true },
    ...mount,
    type: { ...choiceField(volumeTypes, 'Volume type.'), required: true, noun: 'volume type' },
    sizeLimit: { type: 'quantity', description: 'Size limit of an emptyDir volume.' },
    medium: choiceField(['Memory'], 'Storage medium of an emptyDir volume. Memory is a RAM-backed file system.'),
    configMapName: textField('dns-subdomain', 'Name of the ConfigMap. Required for type configMap.'),
    secretName: textField('dns-subdomain', 'Name of the Secret. Required for type secret.'),
    path: textField('absolute-path', 'Path on the node. Required for type hostPath, which a policy must allow.'),
    size: { type: 'quantity', description: 'Storage size of a new claim. Required for type pvc without claimName.' },
    claimName: textField(
      'dns-subdomain',
      'Name of the claim; without size, of an existing claim, such as one of the pvc trait. Defaults to COMPONENT-VOLUME. ' +
        'Only for type pvc.',
    ),
    storageClass: describeMore(storageClass, 'Only for type pvc.'),
    accessModes: describeMore(accessModes, 'Only for type pvc.'),
    projected: ofVolume('projected', 'Projected volume source.'),
    downwardAPI: ofVolume('downwardAPI', 'Downward API volume source.'),
    csi: ofVolume('csi', 'CSI volume source.'),
    nfs: ofVolume('nfs', 'NFS volume source.'),
    ephemeral: ofVolume('ephemeral', 'Ephemeral volume source.'),
    image: ofVolume('image', 'Container image whose files are mounted.'),
    hostPathType: choiceField(
      ['DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'],
      'What must exist at the path, or is created. Not checked by default. Only for type hostPath.',
    ),
    items: {
      type: 'array',
      description: 'Keys to mount, with their file names. Defaults to all. Only for types configMap and secret.',
      kubernetes: ['v1', 'Pod', 'spec', 'volumes', 'configMap', 'items'],
    },
    defaultMode: {
      type: 'integer',
      description: 'Permissions of the files, such as 0400. Only for types configMap and secret.',
      minimum: 0,
      maximum: 0o777,
    },
    optional: flagField('Whether the pods start without the ConfigMap or Secret. Only for types configMap and secret.'),
    ...mountMode,
    mounts,
  },
} as const satisfies Field;

export type Volume = ValueOf<typeof volume>;

const ofKeys = ['items', 'defaultMode', 'optional'];

/** Required and optional properties of each volume type. */
export const volumeKeys: Readonly<Record<Volume['type'], Record<'must' | 'may', readonly string[]>>> = {
  emptyDir: { must: [], may: ['sizeLimit', 'medium'] },
  configMap: { must: ['configMapName'], may: ofKeys },
  secret: { must: ['secretName'], may: ofKeys },
  hostPath: { must: ['path'], may: ['hostPathType'] },
  pvc: { must: ['size'], may: ['storageClass', 'accessModes', 'claimName'] },
  projected: { must: ['projected'], may: [] },
  downwardAPI: { must: ['downwardAPI'], may: [] },
  csi: { must: ['csi'], may: [] },
  nfs: { must: ['nfs'], may: [] },
  ephemeral: { must: ['ephemeral'], may: [] },
  image: { must: ['image'], may: [] },
};
