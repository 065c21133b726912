import { checkDnsLabel, checkLabelKey, checkLabelValue, has, listAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { checkTemplateMetadata } from './check-metadata.ts';
import { deviceExpression } from './expression-rules.ts';
import { ofSpec } from './field-rules.ts';
import type { FieldRule, Fields } from './field-rules.ts';
import { checkEither, refuse } from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import { objectName } from './reference-rules.ts';
import { explainDriver } from './storage-rules.ts';

const selectors: FieldRule = {
  most: 32,
  items: {
    fields: {
      cel: {
        required: 'an object with "expression"',
        fields: { expression: { required: 'a CEL expression', ...deviceExpression } },
      },
    },
  },
};

const opaque: FieldRule = {
  required: 'an object with "driver" and "parameters"',
  fields: {
    driver: { required: 'the name of a driver', text: explainDriver },
    parameters: { required: 'an object', fields: {} },
  },
};

const modes = ['ExactCount', 'All'];

const toleration: FieldRule = {
  fields: {
    key: { text: checkLabelKey },
    value: { text: checkLabelValue },
  },
  also: (site) => {
    if (textAt(site.value, 'operator') === 'Exists' && textAt(site.value, 'value'))
      refuse(site, ['value'], { demand: 'must be empty when operator is Exists' });
  },
};

const exactRequest: Fields = {
  deviceClassName: { required: 'the name of a DeviceClass', ...objectName },
  selectors,
  allocationMode: { words: modes },
  tolerations: { most: 16, items: toleration },
};

/** Checks the number of devices, which may not be set to request all of them. */
function checkCount(site: FieldSite): void {
  if (!isJsonObject(site.value)) return;
  const { count } = site.value;
  if (typeof count !== 'number' || count === 0) return;
  const isAll = textAt(site.value, 'allocationMode') === 'All';
  const demand = isAll ? 'may not be set when allocationMode is All' : 'must be at least 1';
  if (isAll || count < 0) refuse(site, ['count'], { code: 'field-range', demand, got: String(count) });
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
  also: (site) => {
    const isSet = [has(site.value, 'exactly'), listAt(site.value, 'firstAvailable').length > 0] as const;
    checkEither(site, ['exactly', 'firstAvailable'], isSet);
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
function checkRequestNames(site: FieldSite): void {
  const names = new Set<string>();
  for (const entry of listAt(site.value, 'requests')) {
    const name = textAt(entry, 'name') ?? '';
    names.add(name);
    for (const choice of listAt(entry, 'firstAvailable')) names.add(`${name}/${textAt(choice, 'name') ?? ''}`);
  }
  for (const list of ['constraints', 'config']) {
    listAt(site.value, list).forEach((entry, index) => {
      listAt(entry, 'requests').forEach((requested, position) => {
        const name = requested ?? '';
        if (typeof name !== 'string' || names.has(name)) return;
        const demand = 'must be the name of a request in the claim';
        refuse(site, [list, index, 'requests', position], { demand, got: `"${name}"` });
      });
    });
  }
}

export const deviceClass = ofSpec({ fields: { selectors, config: { most: 32, items: { fields: { opaque } } } } });

export const resourceClaim = ofSpec({ fields: { devices: deviceClaim } });

export const resourceClaimTemplate = ofSpec({
  fields: {
    metadata: { also: checkTemplateMetadata },
    spec: { fields: { devices: deviceClaim } },
  },
});
