import { checkDnsSubdomain, checkLabelKey, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { fieldName } from '../../schema/index.ts';
import { checkTemplateMetadata } from './check-metadata.ts';
import { checkFieldRules, ofSpec } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import { below, demandField, refuse, refuseName, refuseTogether } from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import { amount, checkTiny, readAmount, showAmount } from './read-amount.ts';
import { labelSelector, namespaceName, objectName } from './reference-rules.ts';

/** Provisioner names are case-insensitive. */
function explainProvisioner(text: string): string | undefined {
  return checkLabelKey(text.toLowerCase());
}

export function explainDriver(text: string): string | undefined {
  if (text.length > 63) return `must have at most 63 characters, not ${text.length}`;
  return checkDnsSubdomain(text.toLowerCase());
}

const parameters: FieldRule = {
  also: (site) => {
    if (isJsonObject(site.value) && Object.hasOwn(site.value, ''))
      refuseName(site, [''], { at: 'key', what: 'key', text: '', reason: 'must not be empty' });
  },
};

export const storageClass: FieldRule = {
  fields: {
    provisioner: { required: 'the name of a driver', text: explainProvisioner },
    parameters,
    reclaimPolicy: { words: ['Delete', 'Retain'] },
    allowedTopologies: {
      items: {
        fields: {
          matchLabelExpressions: {
            required: 'a list',
            unique: 'key',
            items: {
              fields: {
                key: { required: 'a label key', text: checkLabelKey },
                values: { required: 'a list', unique: '' },
              },
            },
          },
        },
      },
    },
  },
};

export const volumeAttributesClass: FieldRule = {
  fields: {
    driverName: { required: 'the name of a driver', text: explainProvisioner },
    parameters: { required: 'an object', ...parameters },
  },
};

const tenMinutes = 600;
export const tokenSeconds: FieldRule = { range: { least: tenMinutes, most: 2 ** 32, isLong: true } };

export const csiDriver = ofSpec({
  fields: {
    fsGroupPolicy: { words: ['ReadWriteOnceWithFSType', 'File', 'None'], emptyIsValue: true },
    volumeLifecycleModes: { items: { words: ['Persistent', 'Ephemeral'], emptyIsValue: true } },
    nodeAllocatableUpdatePeriodSeconds: { range: { least: 10, isLong: true } },
    tokenRequests: {
      unique: 'audience',
      items: { fields: { expirationSeconds: tokenSeconds } },
    },
  },
  refuses: {
    serviceAccountTokenInSecrets: (spec) =>
      listAt(spec, 'tokenRequests').length === 0 && 'may only be set when "tokenRequests" is set',
  },
});

export const csiNode = ofSpec({
  fields: {
    drivers: {
      unique: 'name',
      items: {
        fields: {
          name: { required: 'the name of a driver', text: explainDriver },
          nodeID: {
            required: 'the ID of the node',
            text: (id) => (id.length > 256 ? 'must have at most 256 characters' : undefined),
          },
          allocatable: { fields: { count: { range: { least: 0 } } } },
          topologyKeys: { items: { required: 'a key', text: checkLabelKey }, unique: '' },
        },
      },
    },
  },
});

export const volumeAttachment = ofSpec({
  required: 'an object',
  fields: {
    attacher: { required: 'the name of a driver', text: explainDriver },
    nodeName: { required: 'the name of a node', ...objectName },
    source: {
      required: 'an object',
      oneOf: ['persistentVolumeName', 'inlineVolumeSpec'],
      fields: { persistentVolumeName: { required: 'the name of a PersistentVolume', ...objectName } },
    },
  },
});

export const storageCapacity: FieldRule = {
  fields: {
    storageClassName: { required: 'the name of a StorageClass', ...objectName },
    nodeTopology: labelSelector,
    capacity: amount,
  },
};

/** The capacity of a volume, which may only have `storage`. */
export function checkCapacity(site: FieldSite): void {
  const capacity = mappingAt(site.value, 'capacity') ?? {};
  const place = below(site, 'capacity');
  if (!Object.hasOwn(capacity, 'storage')) demandField(place, ['storage'], { expected: 'a quantity such as 10Gi' });
  for (const name of Object.keys(capacity)) {
    if (name === 'storage') continue;
    refuse(place, [name], { field: 'capacity', demand: 'may contain only "storage"', got: `"${name}"`, at: 'key' });
  }
  checkStorage(site, ['capacity', 'storage'], capacity['storage']);
}

function checkStorage(site: FieldSite, steps: readonly string[], size: Json | undefined): void {
  const quantity = readAmount(size);
  if (size === undefined || quantity === undefined) return;
  if (quantity.nanos <= 0n)
    refuse(site, steps, { code: 'field-range', demand: 'must be greater than 0', got: showAmount(size) });
  checkTiny({ ...site, value: size, path: [...site.path, ...steps] }, 'storage');
}

export function refuseMixedModes(site: FieldSite): void {
  const modes = listAt(site.value, 'accessModes');
  const other = modes.findIndex((mode) => mode !== modes[0]);
  if (!modes.includes('ReadWriteOncePod') || other === -1) return;
  const demand = 'may not combine ReadWriteOncePod with other access modes';
  refuse(site, ['accessModes', other], { field: 'accessModes', demand });
}

const source: FieldRule = {
  fields: {
    kind: { required: 'the kind of the source' },
    name: { required: 'the name of the source' },
    apiGroup: { text: checkDnsSubdomain, what: 'API group' },
  },
  also: (site) => {
    const kind = textAt(site.value, 'kind') ?? '';
    if (textAt(site.value, 'apiGroup') || kind === 'PersistentVolumeClaim' || kind === '') return;
    const demand = 'must be PersistentVolumeClaim when "apiGroup" is not set';
    refuse(site, ['kind'], { demand, got: `"${kind}"` });
  },
};

const claimSpec: FieldRule = {
  fields: {
    selector: labelSelector,
    storageClassName: { text: checkDnsSubdomain, what: 'storage class' },
    volumeAttributesClassName: objectName,
    dataSourceRef: { ...source, fields: { ...source.fields, namespace: namespaceName } },
  },
  also: checkClaimSpec,
};

/** A claim, whose spec is required. */
export const claim: FieldRule = {
  fields: { spec: claimSpec },
  also: (site) => {
    const isMissing = isJsonObject(site.value) && (site.value['spec'] ?? null) === null;
    if (isMissing) checkFieldRules(site, {}, { rule: claimSpec, path: [...site.path, 'spec'] });
  },
};

/** The claim of an ephemeral volume. */
export const claimTemplate: FieldRule = {
  ...claim,
  fields: { ...claim.fields, metadata: { also: checkTemplateMetadata } },
};

/** A claim, or the template of claims in a StatefulSet or an ephemeral volume. */
function checkClaimSpec(site: FieldSite): void {
  const { value: spec, path } = site;
  if (!isJsonObject(spec)) return;
  checkSources(site, spec);
  refuseMixedModes(site);
  const holder = path.length === 1 ? 'spec' : `spec of ${fieldName(path.slice(0, -1))}`;
  if (listAt(spec, 'accessModes').length === 0) demandField(site, ['accessModes'], { holder, expected: 'a list' });
  const requests = mappingAt(mappingAt(spec, 'resources'), 'requests');
  const steps = ['resources', 'requests', 'storage'];
  if (has(requests, 'storage')) checkStorage(site, steps, requests!['storage']);
  else demandField(site, steps, { holder, expected: 'a quantity such as 1Gi' });
}

/** Both may be set to the same value. The API server drops sources other than claims and snapshots from the older field. */
function checkSources(site: FieldSite, spec: JsonObject): void {
  const [old, current] = [mappingAt(spec, 'dataSource'), mappingAt(spec, 'dataSourceRef')];
  if (old === undefined || !isKept(old)) return;
  checkFieldRules(site, old, { rule: source, path: [...site.path, 'dataSource'] });
  if (current === undefined) return;
  const isSame = ['apiGroup', 'kind', 'name'].every((field) => (old[field] ?? '') === (current[field] ?? ''));
  if (isSame && !textAt(current, 'namespace')) return;
  refuseTogether(site, ['dataSource'], { holder: '"spec"', fields: ['dataSource', 'dataSourceRef'] });
}

function isKept(source: JsonObject): boolean {
  const group = textAt(source, 'apiGroup') ?? '';
  if (source['kind'] === 'PersistentVolumeClaim') return group === '';
  return source['kind'] === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io';
}
