import { quote } from '../../diagnostics/index.ts';
import {
  checkDns1035Label,
  checkDnsSubdomain,
  has,
  isBuiltInGroup,
  listAt,
  mappingAt,
  textAt,
} from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { missingField } from '../../schema/index.ts';
import { checkStructure } from './check-structure.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { calledService, calledUrl } from './reference-rules.ts';
import type { KindCheck } from './kind-check.ts';

/** These names become parts of URLs. */
const label: FieldRule = { text: checkDns1035Label };
const kindName: FieldRule = { text: (name) => checkDns1035Label(name.toLowerCase()) };

/** `.spec.replicas`, without brackets or filters. */
function explainSimplePath(path: string): string | undefined {
  return /^(?:\.\w[\w-]*|\['[^']+'\])+$/.test(path) && path.startsWith('.')
    ? undefined
    : 'must be a JSON path such as .spec.replicas';
}

function pathBelow(root: string): FieldRule {
  return {
    format: (path) => explainSimplePath(path) ?? (path.startsWith(root) ? undefined : `must start with "${root}"`),
  };
}

const columnTypes = ['integer', 'number', 'string', 'boolean', 'date'];
const columnFormats = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'];

/** Columns of `kubectl get`. Their paths may be more complex than the paths of fields. */
const column: FieldRule = {
  fields: {
    name: { required: 'a title' },
    type: { required: columnTypes.join(', '), words: columnTypes },
    format: { words: columnFormats },
    jsonPath: {
      required: 'a JSON path such as .spec.size',
      format: (path) =>
        /^\.\S/.test(path) || path.startsWith("['") ? undefined : 'must be a JSON path such as .spec.size',
    },
  },
};

const version: FieldRule = {
  fields: {
    name: { text: checkDns1035Label, emptyIsValue: true },
    schema: {
      required: 'an object with "openAPIV3Schema"',
      fields: { openAPIV3Schema: { required: 'an object', fields: {} } },
    },
    additionalPrinterColumns: { items: column },
    selectableFields: {
      most: 8,
      unique: 'jsonPath',
      items: { fields: { jsonPath: { required: 'a JSON path such as .spec.color' } } },
    },
    subresources: {
      fields: {
        status: { also: refuseFields },
        scale: {
          fields: {
            specReplicasPath: { required: 'a JSON path such as .spec.replicas', ...pathBelow('.spec.') },
            statusReplicasPath: { required: 'a JSON path such as .status.replicas', ...pathBelow('.status.') },
            labelSelectorPath: {
              format: (path) =>
                explainSimplePath(path) ??
                (/^\.(?:spec|status)\./.test(path) ? undefined : 'must start with ".spec." or ".status."'),
            },
          },
        },
      },
    },
  },
  also: ({ value, path, object, findings }) => {
    if (!textAt(value, 'deprecationWarning') || (isJsonObject(value) && value['deprecated'] === true)) return;
    const args = { field: 'deprecationWarning', demand: 'may only be set when deprecated is true' };
    findings.add(object, { path: [...path, 'deprecationWarning'], at: 'key' }, ['field-enum', args]);
  },
};

function refuseFields({ value, path, object, findings }: FieldSite): void {
  for (const name of isJsonObject(value) ? Object.keys(value) : []) {
    const args = { noun: 'field', name, holder: 'status', known: [] } as const;
    findings.add(object, { path: [...path, name], at: 'key' }, ['field-unknown', args]);
  }
}

const reviewVersions: readonly Json[] = ['v1', 'v1beta1'];

const conversion: FieldRule = {
  fields: {
    strategy: { required: 'None or Webhook', words: ['None', 'Webhook'] },
    webhook: {
      fields: {
        clientConfig: { oneOf: ['service', 'url'], fields: { service: calledService, url: calledUrl } },
        conversionReviewVersions: {
          items: { text: checkDns1035Label, emptyIsValue: true },
          unique: '',
        },
      },
    },
  },
  also: checkConversion,
};

function checkConversion({ value, path, object, findings }: FieldSite): void {
  const strategy = textAt(value, 'strategy');
  const webhook = mappingAt(value, 'webhook');
  if (strategy !== 'Webhook') {
    if (webhook === undefined || strategy === undefined) return;
    const args = { field: 'webhook', demand: 'may only be set when strategy is Webhook' };
    findings.add(object, { path: [...path, 'webhook'], at: 'key' }, ['field-enum', args]);
    return;
  }
  const demand = (name: string, holder: string, place: readonly string[]): void =>
    findings.add(object, { path: [...path, ...place, name] }, [
      'field-required',
      missingField({ name, holder, expected: 'required when strategy is Webhook' }),
    ]);
  if (webhook === undefined) demand('webhook', 'spec.conversion', []);
  else if (!has(webhook, 'clientConfig')) demand('clientConfig', 'spec.conversion.webhook', ['webhook']);
  const versions = listAt(webhook, 'conversionReviewVersions');
  if (webhook !== undefined && versions.length === 0)
    demand('conversionReviewVersions', 'spec.conversion.webhook', ['webhook']);
  else if (webhook !== undefined && !versions.some((one) => reviewVersions.includes(one))) {
    const args = { field: 'conversionReviewVersions', demand: 'must include "v1" or "v1beta1"' };
    findings.add(object, { path: [...path, 'webhook', 'conversionReviewVersions'] }, ['field-enum', args]);
  }
}

const definition: FieldRule = {
  fields: {
    spec: {
      required: 'an object',
      fields: {
        group: { required: 'a domain', text: checkDnsSubdomain },
        scope: { required: 'Namespaced or Cluster', words: ['Namespaced', 'Cluster'] },
        names: {
          required: 'an object with "plural" and "kind"',
          fields: {
            plural: { required: 'a lower-case name', ...label },
            singular: label,
            kind: { required: 'a name', ...kindName },
            listKind: kindName,
            shortNames: { items: { ...label, emptyIsValue: true } },
            categories: { items: { ...label, emptyIsValue: true } },
          },
        },
        versions: { required: 'a list', unique: 'name', items: version },
        conversion,
      },
    },
  },
};

/** CustomResourceDefinitions of apiextensions.k8s.io/v1. */
export function checkDefinition(check: KindCheck): void {
  const { object, gvk, findings } = check;
  if (gvk.version !== 'v1') return;
  checkFieldRules(check, object, { rule: definition, path: [] });
  const spec = mappingAt(object, 'spec');
  if (spec === undefined) return;
  const name = textAt(mappingAt(object, 'metadata'), 'name');
  const [plural, group] = [textAt(mappingAt(spec, 'names'), 'plural'), textAt(spec, 'group')];
  if (textAt(mappingAt(object, 'metadata'), 'generateName')) {
    const demand = 'may not be set: a CustomResourceDefinition is named PLURAL.GROUP';
    findings.add(object, { path: ['metadata', 'generateName'], at: 'key' }, [
      'field-enum',
      { field: 'generateName', demand },
    ]);
  }
  if (name !== undefined && plural !== undefined && group !== undefined && name !== `${plural}.${group}`) {
    findings.add(object, { path: ['metadata', 'name'] }, [
      'name-invalid',
      { what: 'name', text: name, reason: `must be "${plural}.${group}" (spec.names.plural and spec.group)` },
    ]);
  }
  if (group !== undefined && isBuiltInGroup(group)) {
    const demand = 'must not be an API group of Kubernetes';
    const advice = 'use a domain that you own, for example "example.com"';
    findings.add(object, { path: ['spec', 'group'] }, [
      'field-enum',
      { field: 'group', demand, found: quote(group), advice },
    ]);
  }
  checkVersions(check, spec);
}

function checkVersions(check: KindCheck, spec: JsonObject): void {
  const { object, findings } = check;
  const versions = listAt(spec, 'versions');
  const stored = versions.filter((one) => isJsonObject(one) && one['storage'] === true).length;
  if (stored !== 1) {
    const demand = 'must have exactly one version with storage: true';
    const found = stored === 0 ? 'none' : String(stored);
    findings.add(object, { path: ['spec', 'versions'], at: 'key' }, [
      'field-range',
      { field: 'versions', demand, found },
    ]);
  }
  versions.forEach((one, index) => {
    const schema = mappingAt(mappingAt(one, 'schema'), 'openAPIV3Schema');
    if (schema === undefined) return;
    checkStructure(check, schema, ['spec', 'versions', index, 'schema', 'openAPIV3Schema']);
    listAt(one, 'selectableFields').forEach((field, position) => {
      const text = textAt(field, 'jsonPath') ?? '';
      if (text === '' || isScalarAt(schema, text)) return;
      const args = {
        field: 'jsonPath',
        demand: 'must point to a string, integer or boolean field of the schema',
        found: quote(text),
      };
      findings.add(object, { path: ['spec', 'versions', index, 'selectableFields', position, 'jsonPath'] }, [
        'field-enum',
        args,
      ]);
    });
  });
}

/** Whether a path such as `.spec.color` points to a field that field selectors can use. */
function isScalarAt(schema: JsonObject, path: string): boolean {
  if (!path.startsWith('.') || path.startsWith('.metadata')) return false;
  let node: JsonObject | undefined = schema;
  for (const name of path.slice(1).split('.')) node = mappingAt(mappingAt(node, 'properties'), name);
  return ['string', 'integer', 'boolean'].includes(textAt(node, 'type') ?? '');
}
