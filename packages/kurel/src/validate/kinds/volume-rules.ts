import { checkDnsLabel, has, listAt, mappingAt, presentOf, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { volumeField, volumeResource } from './env-rules.ts';
import { ofSpec } from './field-rules.ts';
import type { FieldRule, Fields } from './field-rules.ts';
import { below, createUniqueness, demandField, refuse, refuseTogether } from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import { amount, checkTiny } from './read-amount.ts';
import { explainHostPath, explainSubPath, labelSelector, namespaceName, objectName } from './reference-rules.ts';
import { nodeSelector } from './scheduling-rules.ts';
import { checkCapacity, claimTemplate, explainDriver, refuseMixedModes, tokenSeconds } from './storage-rules.ts';

const mode: FieldRule = { range: { least: 0, most: 0o777 } };

/** A path inside the volume. */
function explainLocalPath(path: string): string | undefined {
  return explainSubPath(path) ?? (path.startsWith('..') ? 'must not start with ".."' : undefined);
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
      fieldRef: volumeField,
      resourceFieldRef: volumeResource,
    },
  },
};

const projectedSource: FieldRule = {
  exclusive: ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'],
  fields: {
    secret: { fields: { name: { required: 'the name of a Secret' }, items: keyItems } },
    configMap: { fields: { name: { required: 'the name of a ConfigMap' }, items: keyItems } },
    downwardAPI: { fields: { items: downwardItems } },
    serviceAccountToken: { fields: { path: localPath, expirationSeconds: tokenSeconds } },
    clusterTrustBundle: {
      oneOf: ['name', 'signerName'],
      fields: { path: localPath, labelSelector },
    },
  },
};

/** Two sources must not write the same file. */
function checkProjectedPaths(site: FieldSite): void {
  const checkPath = createUniqueness(site, 'sources');
  const visit = (file: Json | undefined, steps: Path): void => {
    const text = textAt(file, 'path') ?? '';
    if (text !== '') checkPath(text, [...steps, 'path'], { what: `path "${text}"` });
  };
  listAt(site.value, 'sources').forEach((source, index) => {
    for (const kind of ['secret', 'configMap', 'downwardAPI']) {
      listAt(mappingAt(source, kind), 'items').forEach((file, position) =>
        visit(file, ['sources', index, kind, 'items', position]),
      );
    }
    visit(mappingAt(source, 'clusterTrustBundle'), ['sources', index, 'clusterTrustBundle']);
  });
}

const hostPath: FieldRule = {
  fields: {
    path: { required: 'a path on the node', format: explainHostPath },
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
  also: (site) => {
    const { value } = site;
    if (!isJsonObject(value) || has(value, 'secretRef')) return;
    if (value['chapAuthDiscovery'] === true || value['chapAuthSession'] === true)
      demandField(site, ['secretRef'], { expected: 'required for CHAP' });
  },
};

const partition: FieldRule = { range: { least: 0, most: 255 } };

/** Sources that pod volumes and PersistentVolumes have in common. */
const commonSources: Fields = {
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
const podSources: Fields = {
  ...commonSources,
  emptyDir: { fields: { sizeLimit: amount }, also: checkSize },
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
  ephemeral: { fields: { volumeClaimTemplate: { required: 'an object with "spec"', ...claimTemplate } } },
  gitRepo: { fields: { repository: { required: 'a URL' }, directory: { format: explainLocalPath } } },
};

export const podVolume: FieldRule = {
  fields: { name: { required: 'a name', text: checkDnsLabel, what: 'volume name' }, ...podSources },
  also: (site) => {
    if (!isJsonObject(site.value)) return;
    const sources = presentOf(site.value, Object.keys(site.value)).filter((field) => field !== 'name');
    const holder = `volume "${textAt(site.value, 'name') ?? site.path.at(-1)}"`;
    if (sources.length > 1) refuseTogether(site, [sources[1]!], { holder, fields: sources });
  },
};

function checkSize({ value, object, findings, path }: FieldSite): void {
  const size = isJsonObject(value) ? value['sizeLimit'] : undefined;
  const of = textAt(value, 'medium') === 'Memory' ? 'memory' : 'storage';
  if (size !== undefined) checkTiny({ object, findings, value: size, path: [...path, 'sizeLimit'] }, of);
}

const secretReference: FieldRule = {
  fields: { name: { required: 'the name of a Secret' }, namespace: { required: 'the namespace of the Secret' } },
};

const volumeSources: Fields = {
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

export const persistentVolume = ofSpec({
  required: 'an object',
  oneOf: Object.keys(volumeSources),
  fields: {
    ...volumeSources,
    accessModes: { required: 'a list such as [ReadWriteOnce]' },
    storageClassName: objectName,
    volumeAttributesClassName: objectName,
    nodeAffinity: { fields: { required: nodeSelector } },
  },
  also: checkVolume,
});

function checkVolume(site: FieldSite): void {
  const { value } = site;
  checkCapacity(site);
  refuseMixedModes(site);
  const root = textAt(mappingAt(value, 'hostPath'), 'path')?.replaceAll(/\/+\.?(?=\/|$)/g, '');
  if (root === '' && textAt(value, 'persistentVolumeReclaimPolicy') === 'Recycle')
    refuse(site, ['persistentVolumeReclaimPolicy'], { demand: 'may not be Recycle for a hostPath of "/"' });
  const affinity = mappingAt(value, 'nodeAffinity');
  if (affinity !== undefined && !has(affinity, 'required'))
    demandField(below(site, 'nodeAffinity'), ['required'], { expected: 'an object' });
  if (has(value, 'local') && affinity === undefined)
    demandField(site, ['nodeAffinity'], { expected: 'required for a local volume' });
}
