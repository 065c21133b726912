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
import type { JsonObject } from '../../model/index.ts';
import { checkReviewVersions } from './admission-rules.ts';
import { checkFullName, forbidPrefix } from './check-metadata.ts';
import { checkStructure } from './check-structure.ts';
import type { FieldRule } from './field-rules.ts';
import { below, demandField, forbid, refuse, report } from './field-site.ts';
import type { FieldSite, KindCheck } from './field-site.ts';
import { clientConfig } from './reference-rules.ts';

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
  refuses: {
    deprecationWarning: (version) =>
      Boolean(textAt(version, 'deprecationWarning')) &&
      version['deprecated'] !== true &&
      'may only be set when deprecated is true',
  },
};

function refuseFields(site: FieldSite): void {
  for (const name of isJsonObject(site.value) ? Object.keys(site.value) : [])
    report(site, [name], ['field-unknown', { noun: 'field', name, holder: 'status', known: [] }], { at: 'key' });
}

const conversion: FieldRule = {
  fields: {
    strategy: { required: 'None or Webhook', words: ['None', 'Webhook'] },
    webhook: {
      fields: {
        clientConfig,
        conversionReviewVersions: {
          items: { text: checkDns1035Label, emptyIsValue: true },
          unique: '',
        },
      },
    },
  },
  also: checkConversion,
};

function checkConversion(site: FieldSite): void {
  const strategy = textAt(site.value, 'strategy');
  const webhook = mappingAt(site.value, 'webhook');
  if (strategy !== 'Webhook') {
    if (webhook !== undefined && strategy !== undefined)
      forbid(site, 'webhook', 'may only be set when strategy is Webhook');
    return;
  }
  const expected = 'required when strategy is Webhook';
  if (webhook === undefined) {
    demandField(site, ['webhook'], { expected });
    return;
  }
  const place = below(site, 'webhook');
  if (!has(webhook, 'clientConfig')) demandField(place, ['clientConfig'], { expected });
  if (listAt(webhook, 'conversionReviewVersions').length === 0)
    demandField(place, ['conversionReviewVersions'], { expected });
  else checkReviewVersions(site, ['webhook', 'conversionReviewVersions']);
}

const spec: FieldRule = {
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
};

/** CustomResourceDefinitions of apiextensions.k8s.io/v1. */
export const definition: FieldRule = { fields: { spec }, also: checkDefinition };

function checkDefinition(check: KindCheck): void {
  const spec = mappingAt(check.object, 'spec');
  if (spec === undefined) return;
  const [plural, group] = [textAt(mappingAt(spec, 'names'), 'plural'), textAt(spec, 'group')];
  forbidPrefix(check, 'a CustomResourceDefinition is named PLURAL.GROUP');
  const name = `${plural}.${group}`;
  if (plural !== undefined && group !== undefined)
    checkFullName(check, name, `must be "${name}" (spec.names.plural and spec.group)`);
  const site = { ...check, path: ['spec'] };
  if (group !== undefined && isBuiltInGroup(group)) {
    const demand = 'must not be an API group of Kubernetes';
    refuse(site, ['group'], {
      demand,
      got: quote(group),
      advice: 'use a domain that you own, for example "example.com"',
    });
  }
  const versions = listAt(spec, 'versions');
  const stored = versions.filter((version) => isJsonObject(version) && version['storage'] === true).length;
  if (stored !== 1) {
    const demand = 'must have exactly one version with storage: true';
    const got = stored === 0 ? 'none' : String(stored);
    refuse(site, ['versions'], { code: 'field-range', demand, got, at: 'key' });
  }
  versions.forEach((version, index) => {
    const schema = mappingAt(mappingAt(version, 'schema'), 'openAPIV3Schema');
    if (schema === undefined) return;
    checkStructure({ ...check, value: schema, path: ['spec', 'versions', index, 'schema', 'openAPIV3Schema'] });
    listAt(version, 'selectableFields').forEach((field, position) => {
      const text = textAt(field, 'jsonPath') ?? '';
      if (text === '' || isScalarAt(schema, text)) return;
      const demand = 'must point to a string, integer or boolean field of the schema';
      refuse(site, ['versions', index, 'selectableFields', position, 'jsonPath'], { demand, got: quote(text) });
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
