import { checkDnsLabel, checkLabelKey, checkLabelValue, has, listAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { fieldName } from '../../schema/index.ts';
import { checkTemplateMetadata } from './check-metadata.ts';
import { checkDeviceExpression } from './expression-rules.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { objectName } from './reference-rules.ts';
import { explainDriver } from './storage-rules.ts';

const selectors: FieldRule = {
  most: 32,
  items: {
    fields: {
      cel: {
        required: 'an object with "expression"',
        fields: { expression: { required: 'a CEL expression', also: checkDeviceExpression } },
      },
    },
  },
};

const opaque: FieldRule = {
  required: 'an object with "driver" and "parameters"',
  fields: {
    driver: { required: 'the name of a driver', text: explainLowerDriver },
    parameters: { required: 'an object', fields: {} },
  },
};

function explainLowerDriver(name: string): string | undefined {
  return explainDriver(name);
}

const modes = ['ExactCount', 'All'];
const effects = ['NoSchedule', 'NoExecute', 'None'];

const toleration: FieldRule = {
  fields: {
    key: { text: checkLabelKey },
    operator: { words: ['Equal', 'Exists'] },
    value: { text: checkLabelValue },
    effect: { words: effects },
  },
  also: ({ value, path, object, findings }) => {
    const operator = textAt(value, 'operator') || 'Equal';
    const refuse = (field: string, demand: string): void =>
      findings.add(object, { path: [...path, field] }, ['field-enum', { field, demand }]);
    if (operator === 'Exists' && textAt(value, 'value')) refuse('value', 'must be empty when operator is Exists');
  },
};

const exactRequest: Readonly<Record<string, FieldRule>> = {
  deviceClassName: { required: 'the name of a DeviceClass', ...objectName },
  selectors,
  allocationMode: { words: modes },
  tolerations: { most: 16, items: toleration },
};

/** Checks the number of devices, which may not be set to request all of them. */
function checkCount({ value, path, object, findings }: FieldSite): void {
  if (!isJsonObject(value)) return;
  const mode = textAt(value, 'allocationMode') || 'ExactCount';
  const { count } = value;
  if (typeof count !== 'number' || count === 0) return;
  const refuse = (demand: string): void =>
    findings.add(object, { path: [...path, 'count'] }, [
      'field-range',
      { field: 'count', demand, found: String(count) },
    ]);
  if (mode === 'All') refuse('may not be set when allocationMode is All');
  else if (count < 0) refuse('must be at least 1');
}

const requestName: FieldRule = { required: 'a name', text: checkDnsLabel };

const request: FieldRule = {
  fields: {
    name: requestName,
    exactly: { fields: exactRequest, also: checkCount },
    firstAvailable: {
      most: 8,
      unique: 'name',
      items: { fields: { name: requestName, ...exactRequest }, also: checkCount },
    },
  },
  also: ({ value, path, object, findings }) => {
    const present = [has(value, 'exactly'), listAt(value, 'firstAvailable').length > 0];
    const args = { holder: `"${fieldName(path)}"`, fields: ['exactly', 'firstAvailable'] };
    if (present.every(Boolean)) findings.add(object, { path, at: 'key' }, ['fields-exclusive', args]);
    else if (!present.some(Boolean)) findings.add(object, { path, at: 'key' }, ['field-choice-missing', args]);
  },
};

/** `example.com/numa` */
function explainAttribute(name: string): string | undefined {
  return /^[^/]+\/[^/]/.test(name) || (name.includes('/') && !name.endsWith('/'))
    ? undefined
    : 'must be a domain and a name, for example example.com/numa';
}

const deviceClaim: FieldRule = {
  fields: {
    requests: { most: 32, unique: 'name', items: request },
    constraints: {
      most: 32,
      items: {
        oneOf: ['matchAttribute', 'distinctAttribute'],
        fields: {
          requests: { unique: '' },
          matchAttribute: { format: explainAttribute, emptyIsValue: true },
          distinctAttribute: { format: explainAttribute, emptyIsValue: true },
        },
      },
    },
    config: { most: 32, items: { fields: { requests: { unique: '' }, opaque } } },
  },
  also: checkRequestNames,
};

/** Constraints and configuration name requests of the same claim. */
function checkRequestNames({ value, path, object, findings }: FieldSite): void {
  const known = new Set<string>();
  for (const one of listAt(value, 'requests')) {
    const name = textAt(one, 'name') ?? '';
    known.add(name);
    for (const choice of listAt(one, 'firstAvailable')) known.add(`${name}/${textAt(choice, 'name') ?? ''}`);
  }
  for (const list of ['constraints', 'config']) {
    listAt(value, list).forEach((entry, index) => {
      listAt(entry, 'requests').forEach((requested, position) => {
        const name = requested ?? '';
        if (typeof name !== 'string' || known.has(name)) return;
        const place = [...path, list, index, 'requests', position];
        const args = {
          field: fieldName(place),
          demand: 'must be the name of a request in the claim',
          found: `"${name}"`,
        };
        findings.add(object, { path: place }, ['field-enum', args]);
      });
    });
  }
}

export const deviceClass: FieldRule = {
  fields: { spec: { fields: { selectors, config: { most: 32, items: { fields: { opaque } } } } } },
};

export const resourceClaim: FieldRule = { fields: { spec: { fields: { devices: deviceClaim } } } };

export const resourceClaimTemplate: FieldRule = {
  fields: {
    spec: {
      fields: {
        metadata: {
          also: ({ value, path, ...check }) => {
            if (isJsonObject(value)) checkTemplateMetadata(check, value, path);
          },
        },
        spec: { fields: { devices: deviceClaim } },
      },
    },
  },
};
