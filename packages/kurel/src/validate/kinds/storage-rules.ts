import { checkDnsSubdomain, checkLabelKey, has, listAt, mappingAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { fieldName, missingField } from '../../schema/index.ts';
import { checkTiny, readAmount, showAmount } from './read-amount.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { objectName } from './reference-rules.ts';
import { labelSelector } from './selector-rules.ts';

/** Provisioner names are case-insensitive. */
function explainProvisioner(text: string): string | undefined {
  return checkLabelKey(text.toLowerCase());
}

export function explainDriver(text: string): string | undefined {
  if (text.length > 63) return `must have at most 63 characters, not ${text.length}`;
  return checkDnsSubdomain(text.toLowerCase());
}

const parameters: FieldRule = {
  also: ({ value, path, object, findings }) => {
    if (!isJsonObject(value) || !Object.hasOwn(value, '')) return;
    const args = { what: 'key', text: '', reason: 'must not be empty' };
    findings.add(object, { path: [...path, ''], at: 'key' }, ['name-invalid', args]);
  },
};

export const storageClass: FieldRule = {
  fields: {
    provisioner: { required: 'the name of a driver', text: explainProvisioner },
    parameters,
    reclaimPolicy: { words: ['Delete', 'Retain'] },
    volumeBindingMode: { words: ['Immediate', 'WaitForFirstConsumer'], emptyIsValue: true },
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

export const csiDriver: FieldRule = {
  fields: {
    spec: {
      fields: {
        fsGroupPolicy: { words: ['ReadWriteOnceWithFSType', 'File', 'None'], emptyIsValue: true },
        volumeLifecycleModes: { items: { words: ['Persistent', 'Ephemeral'], emptyIsValue: true } },
        nodeAllocatableUpdatePeriodSeconds: { range: { least: 10, isLong: true } },
        tokenRequests: {
          unique: 'audience',
          items: { fields: { expirationSeconds: { range: { least: tenMinutes, most: 2 ** 32, isLong: true } } } },
        },
      },
      also: ({ value, path, object, findings }) => {
        if (!has(value, 'serviceAccountTokenInSecrets') || listAt(value, 'tokenRequests').length > 0) return;
        findings.add(object, { path: [...path, 'serviceAccountTokenInSecrets'], at: 'key' }, [
          'field-enum',
          { field: 'serviceAccountTokenInSecrets', demand: 'may only be set when "tokenRequests" is set' },
        ]);
      },
    },
  },
};

export const csiNode: FieldRule = {
  fields: {
    spec: {
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
    },
  },
};

export const volumeAttachment: FieldRule = {
  fields: {
    spec: {
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
    },
  },
};

/** An amount that must not be negative. */
export function checkNotNegative({ value, path, object, findings }: FieldSite): void {
  const amount = readAmount(value);
  if (amount === undefined || amount.nanos >= 0n) return;
  const args = { field: fieldName(path), demand: 'must be at least 0', found: showAmount(value) };
  findings.add(object, { path }, ['field-range', args]);
}

export const storageCapacity: FieldRule = {
  fields: {
    storageClassName: { required: 'the name of a StorageClass', ...objectName },
    nodeTopology: labelSelector,
    capacity: { also: checkNotNegative },
  },
};

/** The capacity of a volume, which may only have `storage`. */
export function checkCapacity({ value: spec, path, object, findings }: FieldSite): void {
  const capacity = mappingAt(spec, 'capacity') ?? {};
  const place = [...path, 'capacity'];
  const size = capacity['storage'];
  if (!Object.hasOwn(capacity, 'storage')) {
    const expected = 'a quantity such as 10Gi';
    findings.add(object, { path: [...place, 'storage'] }, [
      'field-required',
      missingField({ name: 'storage', holder: 'spec.capacity', expected }),
    ]);
  }
  for (const name of Object.keys(capacity)) {
    if (name === 'storage') continue;
    const args = { field: 'capacity', demand: 'may contain only "storage"', found: `"${name}"` };
    findings.add(object, { path: [...place, name], at: 'key' }, ['field-enum', args]);
  }
  const amount = size === undefined ? undefined : readAmount(size);
  if (amount !== undefined && amount.nanos <= 0n) {
    const args = { field: 'storage', demand: 'must be greater than 0', found: showAmount(size!) };
    findings.add(object, { path: [...place, 'storage'] }, ['field-range', args]);
  }
  checkTiny({ object, findings }, { of: 'storage', value: size, path: [...place, 'storage'] });
}
