import { checkDnsLabel, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { formatPath, missingField } from '../../schema/index.ts';
import { checkClaimTemplate } from './check-claims.ts';
import { checkVolumeField, checkVolumeResource } from './check-env-sources.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { escapesRoot } from './kind-check.ts';
import { namespaceName, objectName } from './reference-rules.ts';
import { nodeSelector } from './scheduling-rules.ts';
import { checkCapacity, explainDriver } from './storage-rules.ts';
import { labelSelector } from './selector-rules.ts';

const mode: FieldRule = { range: { least: 0, most: 0o777 } };

/** A path inside the volume. */
function explainLocalPath(path: string): string | undefined {
  if (path.startsWith('/')) return 'must be a relative path';
  if (escapesRoot(path)) return 'must not contain ".."';
  return path.startsWith('..') ? 'must not start with ".."' : undefined;
}

function explainHostPath(path: string): string | undefined {
  return escapesRoot(path) ? 'must not contain ".."' : undefined;
}

const localPath: FieldRule = { required: 'a relative path', format: explainLocalPath };

const keyItems: FieldRule = {
  items: { fields: { key: { required: 'a key of the data' }, path: localPath, mode } },
};

const downwardItems: FieldRule = {
  items: {
    oneOf: ['fieldRef', 'resourceFieldRef'],
    fields: {
      path: localPath,
      mode,
      fieldRef: { also: checkVolumeField },
      resourceFieldRef: { also: checkVolumeResource },
    },
  },
};

const tenMinutes = 600;
const tokenSeconds = { least: tenMinutes, most: 2 ** 32, isLong: true };

const projectedSource: FieldRule = {
  exclusive: ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'],
  fields: {
    secret: { fields: { name: { required: 'the name of a Secret' }, items: keyItems } },
    configMap: { fields: { name: { required: 'the name of a ConfigMap' }, items: keyItems } },
    downwardAPI: { fields: { items: downwardItems } },
    serviceAccountToken: { fields: { path: localPath, expirationSeconds: { range: tokenSeconds } } },
    clusterTrustBundle: {
      oneOf: ['name', 'signerName'],
      fields: { path: localPath, labelSelector },
    },
  },
};

/** Two sources must not write the same file. */
function checkProjectedPaths({ value, path, object, findings }: FieldSite): void {
  const seen = new Map<string, Path>();
  const visit = (file: Json, place: Path): void => {
    const text = textAt(file, 'path') ?? '';
    if (text === '') return;
    const first = seen.get(text);
    if (first === undefined) seen.set(text, [...place, 'path']);
    else {
      const related = [{ message: 'the first one is here', object, path: first }];
      findings.add(object, { path: [...place, 'path'], related }, [
        'list-duplicate',
        { list: 'sources', what: `path "${text}"` },
      ]);
    }
  };
  listAt(value, 'sources').forEach((source, index) => {
    for (const kind of ['secret', 'configMap', 'downwardAPI']) {
      listAt(mappingAt(source, kind), 'items').forEach((file, position) =>
        visit(file, [...path, 'sources', index, kind, 'items', position]),
      );
    }
    const bundle = mappingAt(source, 'clusterTrustBundle');
    if (bundle !== undefined) visit(bundle, [...path, 'sources', index, 'clusterTrustBundle']);
  });
}

const hostPath: FieldRule = {
  fields: {
    path: { required: 'a path on the node', format: explainHostPath },
    type: {
      words: ['DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'],
    },
  },
};

const nfs: FieldRule = {
  fields: {
    server: { required: 'a host' },
    path: {
      required: 'an absolute path',
      format: (path) => (path.startsWith('/') ? undefined : 'must start with "/"'),
    },
  },
};

const iscsiName =
  /^(?:iqn\.\d{4}-\d{2}\.(?:[a-zA-Z\d.-]+)(?::[^,;*&$|\s]+)?|eui\.[a-fA-F\d]{16}|naa\.[a-fA-F\d]{16,32})$/;

function explainIscsiName(name: string): string | undefined {
  return iscsiName.test(name) ? undefined : 'must have the form "iqn.2001-04.com.example:storage", "eui.…" or "naa.…"';
}

const iscsi: FieldRule = {
  fields: {
    targetPortal: { required: 'an address and a port' },
    iqn: { required: 'the name of the target', format: explainIscsiName },
    initiatorName: { format: explainIscsiName, emptyIsValue: true },
    lun: { range: { least: 0, most: 255 } },
  },
  also: ({ value, path, object, findings }) => {
    if (!isJsonObject(value) || has(value, 'secretRef')) return;
    if (value['chapAuthDiscovery'] !== true && value['chapAuthSession'] !== true) return;
    const holder = formatPath(path);
    const args = missingField({ name: 'secretRef', holder, expected: 'required for CHAP' });
    findings.add(object, { path: [...path, 'secretRef'] }, ['field-required', args]);
  },
};

const partition: FieldRule = { range: { least: 0, most: 255 } };

/** Sources that pod volumes and PersistentVolumes have in common. */
const commonSources: Readonly<Record<string, FieldRule>> = {
  hostPath,
  nfs,
  iscsi,
  gcePersistentDisk: { fields: { pdName: { required: 'the name of a disk' }, partition } },
  awsElasticBlockStore: { fields: { volumeID: { required: 'the ID of a disk' }, partition } },
  glusterfs: { fields: { endpoints: { required: 'a name' }, path: { required: 'a path' } } },
  cephfs: { fields: { monitors: { required: 'a list' } } },
  rbd: { fields: { monitors: { required: 'a list' }, image: { required: 'a name' } } },
  cinder: { fields: { volumeID: { required: 'the ID of a volume' } } },
  azureDisk: { fields: { diskName: { required: 'a name' }, diskURI: { required: 'a URI' } } },
  azureFile: { fields: { secretName: { required: 'the name of a Secret' }, shareName: { required: 'a name' } } },
  vsphereVolume: { fields: { volumePath: { required: 'a path' } } },
  flexVolume: { fields: { driver: { required: 'a name' } } },
  portworxVolume: { fields: { volumeID: { required: 'the ID of a volume' } } },
};

/** Volume sources of pods. */
const podSources: Readonly<Record<string, FieldRule>> = {
  ...commonSources,
  secret: { fields: { secretName: { required: 'the name of a Secret' }, defaultMode: mode, items: keyItems } },
  configMap: { fields: { name: { required: 'the name of a ConfigMap' }, defaultMode: mode, items: keyItems } },
  persistentVolumeClaim: { fields: { claimName: { required: 'the name of a PersistentVolumeClaim' } } },
  downwardAPI: { fields: { defaultMode: mode, items: downwardItems } },
  projected: {
    fields: { defaultMode: mode, sources: { items: projectedSource } },
    also: checkProjectedPaths,
  },
  csi: {
    fields: {
      driver: { required: 'the name of a driver', text: explainDriver },
      nodePublishSecretRef: { fields: { name: { required: 'the name of a Secret' } } },
    },
  },
  ephemeral: { fields: { volumeClaimTemplate: { required: 'an object with "spec"', also: checkClaimTemplate } } },
  gitRepo: { fields: { repository: { required: 'a URL' }, directory: { format: explainLocalPath } } },
  image: { fields: { pullPolicy: { words: ['Always', 'Never', 'IfNotPresent'] } } },
};

export const podVolume: FieldRule = {
  fields: { name: { required: 'a name', text: checkDnsLabel, what: 'volume name' }, ...podSources },
};

const secretReference: FieldRule = {
  fields: { name: { required: 'the name of a Secret' }, namespace: { required: 'the namespace of the Secret' } },
};

const volumeSources: Readonly<Record<string, FieldRule>> = {
  ...commonSources,
  local: { fields: { path: { required: 'a path on the node', format: explainHostPath } } },
  csi: {
    fields: {
      driver: { required: 'the name of a driver', text: explainDriver },
      volumeHandle: { required: 'the ID of the volume' },
      controllerPublishSecretRef: secretReference,
      nodePublishSecretRef: secretReference,
      controllerExpandSecretRef: secretReference,
      nodeExpandSecretRef: secretReference,
    },
  },
  azureFile: {
    fields: {
      secretName: { required: 'the name of a Secret' },
      shareName: { required: 'a name' },
      secretNamespace: { ...namespaceName, emptyIsValue: true },
    },
  },
  fc: {},
  flocker: {},
  quobyte: {},
  photonPersistentDisk: {},
  scaleIO: {},
  storageos: {},
};

const accessModes = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'];

export const persistentVolume: FieldRule = {
  fields: {
    spec: {
      required: 'an object',
      oneOf: Object.keys(volumeSources),
      fields: {
        ...volumeSources,
        accessModes: { required: 'a list such as [ReadWriteOnce]', items: { words: accessModes, emptyIsValue: true } },
        persistentVolumeReclaimPolicy: { words: ['Retain', 'Delete', 'Recycle'] },
        volumeMode: { words: ['Filesystem', 'Block'], emptyIsValue: true },
        storageClassName: objectName,
        volumeAttributesClassName: objectName,
        nodeAffinity: { fields: { required: nodeSelector } },
      },
      also: checkVolume,
    },
  },
};

function checkVolume(site: FieldSite): void {
  const { value, path, object, findings } = site;
  checkCapacity(site);
  const modes = listAt(value, 'accessModes');
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod')) {
    const args = { field: 'accessModes', demand: 'may not combine ReadWriteOncePod with other access modes' };
    findings.add(object, { path: [...path, 'accessModes'] }, ['field-enum', args]);
  }
  const root = textAt(mappingAt(value, 'hostPath'), 'path')?.replaceAll(/\/+\.?(?=\/|$)/g, '');
  if (root === '' && textAt(value, 'persistentVolumeReclaimPolicy') === 'Recycle') {
    const args = { field: 'persistentVolumeReclaimPolicy', demand: 'may not be Recycle for a hostPath of "/"' };
    findings.add(object, { path: [...path, 'persistentVolumeReclaimPolicy'] }, ['field-enum', args]);
  }
  const affinity = mappingAt(value, 'nodeAffinity');
  if (affinity !== undefined && !has(affinity, 'required')) {
    const args = missingField({ name: 'required', holder: 'spec.nodeAffinity', expected: 'an object' });
    findings.add(object, { path: [...path, 'nodeAffinity', 'required'] }, ['field-required', args]);
  }
  if (has(value, 'local') && affinity === undefined) {
    const args = missingField({ name: 'nodeAffinity', holder: 'spec', expected: 'required for a local volume' });
    findings.add(object, { path: [...path, 'nodeAffinity'] }, ['field-required', args]);
  }
}
