import {
  checkCIdentifier,
  checkDns1035Label,
  checkDnsSubdomain,
  checkLabelKey,
  listAt,
  mappingAt,
  textAt,
} from '../../kube/index.ts';
import { parseApiVersion } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import { fieldName, formatPath, missingField } from '../../schema/index.ts';
import { checkHookConditions, checkPolicyExpressions } from './expression-rules.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { calledService, calledUrl, objectName, pathSegment } from './reference-rules.ts';
import { labelSelector } from './selector-rules.ts';

/** `*` covers everything, so no other item is allowed with it. */
function refuseBesideAll({ value, path, object, findings }: FieldSite, all = '*'): void {
  if (!isJsonArray(value) || value.length < 2 || !value.includes(all)) return;
  const demand = `may not combine "${all}" with other items`;
  findings.add(object, { path }, ['field-enum', { field: fieldName(path), demand }]);
}

/** Resources with subresources: `pods`, `pods/log`, `pods/*`, `*` before `/status`. */
function checkResources(site: FieldSite): void {
  const { value, path, object, findings } = site;
  if (!isJsonArray(value)) return;
  refuseBesideAll(site, '*/*');
  const refuse = (index: number, demand: string): void =>
    findings.add(object, { path: [...path, index] }, ['field-enum', { field: fieldName([...path, index]), demand }]);
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  let isPlainLast = false;
  value.forEach((entry, index) => {
    if (typeof entry !== 'string' || entry === '') return;
    const slash = entry.indexOf('/');
    if (slash === -1) {
      isPlainLast = entry !== '*';
      return;
    }
    const [resource, subresource] = [entry.slice(0, slash), entry.slice(slash + 1)];
    if (wholeResources.has(resource)) refuse(index, `may not be combined with "${resource}/*", which includes it`);
    else if (wholeSubresources.has(subresource))
      refuse(index, `may not be combined with "*/${subresource}", which includes it`);
    if (subresource === '*') wholeResources.add(resource);
    if (resource === '*') wholeSubresources.add(subresource);
  });
  // The API server only looks at the last item without a subresource.
  if (value.includes('*') && isPlainLast) refuse(value.indexOf('*'), 'may not be combined with other resources');
}

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*'];

function ruleFor(allowed: readonly string[]): FieldRule {
  return {
    fields: {
      operations: { required: 'a list', items: { words: allowed, emptyIsValue: true }, also: refuseBesideAll },
      apiGroups: { required: 'a list ("" is the core group)', also: refuseBesideAll },
      apiVersions: { required: 'a list', items: { required: 'a version' }, also: refuseBesideAll },
      resources: { required: 'a list', items: { required: 'a resource' }, also: checkResources },
      scope: { words: ['Cluster', 'Namespaced', '*'], emptyIsValue: true },
      resourceNames: { items: pathSegment, unique: '' },
    },
  };
}

const failurePolicy: FieldRule = { words: ['Fail', 'Ignore'], emptyIsValue: true };
const matchPolicy: FieldRule = { words: ['Exact', 'Equivalent'], emptyIsValue: true };
const reinvocationPolicy: FieldRule = { words: ['Never', 'IfNeeded'], emptyIsValue: true };

/** Only the API server can type-check a CEL expression. */
const expression: FieldRule = {
  required: 'a CEL expression',
  format: (text) => (text.trim() === '' ? 'must not be empty' : undefined),
};

const matchConditions: FieldRule = {
  most: 64,
  unique: 'name',
  items: { fields: { name: { required: 'a name that identifies the condition', text: checkLabelKey }, expression } },
};

const reviewVersions: readonly Json[] = ['v1', 'v1beta1'];

const webhook: FieldRule = {
  fields: {
    name: { required: 'a name with at least two dots, such as check.example.com', text: explainHookName },
    rules: { items: ruleFor(operations) },
    failurePolicy,
    matchPolicy,
    reinvocationPolicy,
    sideEffects: { required: 'None or NoneOnDryRun', words: ['None', 'NoneOnDryRun'], emptyIsValue: true },
    timeoutSeconds: { range: { least: 1, most: 30 } },
    namespaceSelector: labelSelector,
    objectSelector: labelSelector,
    matchConditions,
    admissionReviewVersions: {
      required: 'usually ["v1"]',
      items: { text: checkDns1035Label, emptyIsValue: true },
      unique: '',
      also: checkReviewVersions,
    },
    clientConfig: {
      required: 'an object with "service" or "url"',
      oneOf: ['service', 'url'],
      fields: { service: calledService, url: calledUrl },
    },
  },
};

/** ValidatingWebhookConfigurations and MutatingWebhookConfigurations. */
export const webhookConfiguration: FieldRule = {
  fields: { webhooks: { unique: 'name', items: { ...webhook, also: checkHookConditions } } },
};

function explainHookName(name: string): string | undefined {
  const reason = checkDnsSubdomain(name);
  if (reason !== undefined) return reason;
  return name.split('.').length < 3 ? 'must have at least two dots, for example check.example.com' : undefined;
}

function checkReviewVersions({ value, path, object, findings }: FieldSite): void {
  if (!isJsonArray(value) || value.some((version) => reviewVersions.includes(version))) return;
  const demand = 'must include "v1" or "v1beta1"';
  findings.add(object, { path }, ['field-enum', { field: 'admissionReviewVersions', demand }]);
}

function matchResources(allowed: readonly string[]): FieldRule {
  const rules = { items: ruleFor(allowed) };
  return {
    fields: {
      matchPolicy,
      namespaceSelector: labelSelector,
      objectSelector: labelSelector,
      resourceRules: rules,
      excludeResourceRules: { items: ruleFor(operations) },
    },
  };
}

const variables: FieldRule = {
  items: { fields: { name: { required: 'a name to use in expressions', text: explainIdentifier }, expression } },
};

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

function explainIdentifier(name: string): string | undefined {
  return checkCIdentifier(name) ?? (reserved.has(name) ? 'must not be a reserved word of CEL' : undefined);
}

const paramKind: FieldRule = {
  fields: {
    apiVersion: { required: 'the apiVersion of the parameter objects', format: explainApiVersion },
    kind: { required: 'the kind of the parameter objects', text: (kind) => checkDns1035Label(kind.toLowerCase()) },
  },
};

function explainApiVersion(text: string): string | undefined {
  const parsed = parseApiVersion(text);
  if (parsed === undefined) return 'must have the form "group/version"';
  return (parsed.group === '' ? undefined : checkDnsSubdomain(parsed.group)) ?? checkDns1035Label(parsed.version);
}

function policySpec(allowed: readonly string[]): Readonly<Record<string, FieldRule>> {
  const constraints = matchResources(allowed);
  return {
    failurePolicy,
    paramKind,
    matchConditions,
    variables,
    matchConstraints: {
      required: 'an object with "resourceRules"',
      fields: { ...constraints.fields, resourceRules: { ...constraints.fields!['resourceRules'], required: 'a list' } },
    },
  };
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'];

/** An empty string means that the field is not set, but one of only spaces is an error. */
function explainBlank(text: string): string | undefined {
  return text.trim() === '' ? 'must not be blank' : undefined;
}

export const validatingPolicy: FieldRule = {
  fields: {
    spec: {
      required: 'an object',
      fields: {
        ...policySpec(operations),
        validations: {
          items: {
            fields: {
              expression,
              message: {
                format: (text) =>
                  explainBlank(text) ?? (/[\n\r]/.test(text.trim()) ? 'must not contain line breaks' : undefined),
              },
              messageExpression: { format: explainBlank },
              reason: { words: reasons, emptyIsValue: true },
            },
          },
        },
        auditAnnotations: {
          most: 20,
          unique: 'key',
          items: { fields: { key: { required: 'a key' }, valueExpression: expression }, also: checkAuditKey },
        },
      },
      also: (site) => {
        checkPolicyExpressions(site);
        const { value, path, object, findings } = site;
        if (listAt(value, 'validations').length > 0 || listAt(value, 'auditAnnotations').length > 0) return;
        findings.add(object, { path, at: 'key' }, [
          'field-choice-missing',
          { holder: '"spec"', fields: ['validations', 'auditAnnotations'] },
        ]);
      },
    },
  },
};

/** The API server prefixes the key with the name of the policy. */
function checkAuditKey({ value, path, object, findings }: FieldSite): void {
  const key = textAt(value, 'key') ?? '';
  const name = textAt(mappingAt(object, 'metadata'), 'name') ?? '';
  const reason = key === '' || name === '' ? undefined : checkLabelKey(`${name}/${key}`);
  if (reason !== undefined)
    findings.add(object, { path: [...path, 'key'] }, ['name-invalid', { what: 'key', text: key, reason }]);
}

const mutatingOperations = ['CREATE', 'UPDATE', 'CONNECT', '*'];
const patches = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

export const mutatingPolicy: FieldRule = {
  fields: {
    spec: {
      required: 'an object',
      fields: {
        ...policySpec(mutatingOperations),
        reinvocationPolicy: { ...reinvocationPolicy, required: 'Never or IfNeeded' },
        mutations: {
          required: 'a list',
          items: {
            fields: {
              patchType: { required: 'ApplyConfiguration or JSONPatch', words: Object.keys(patches) },
              applyConfiguration: { fields: { expression } },
              jsonPatch: { fields: { expression } },
            },
            also: checkMutation,
          },
        },
      },
      also: checkPolicyExpressions,
    },
  },
};

function checkMutation({ value, path, object, findings }: FieldSite): void {
  const type = textAt(value, 'patchType');
  if (type !== 'ApplyConfiguration' && type !== 'JSONPatch') return;
  for (const [name, field] of Object.entries(patches)) {
    const isThere = mappingAt(value, field) !== undefined;
    if (name === type && !isThere) {
      const holder = formatPath(path);
      const expected = `an object with "expression"`;
      findings.add(object, { path: [...path, field] }, [
        'field-required',
        missingField({ name: field, holder, expected }),
      ]);
    } else if (name !== type && isThere) {
      const demand = `may not be set when patchType is ${type}`;
      findings.add(object, { path: [...path, field], at: 'key' }, ['field-enum', { field, demand }]);
    }
  }
}

const paramRef: FieldRule = {
  fields: {
    name: pathSegment,
    selector: labelSelector,
    parameterNotFoundAction: { required: 'Allow or Deny', words: ['Allow', 'Deny'] },
  },
  also: ({ value, path, object, findings }) => {
    if (!isJsonObject(value)) return;
    const [hasName, hasSelector] = [Boolean(textAt(value, 'name')), mappingAt(value, 'selector') !== undefined];
    const args = { holder: '"paramRef"', fields: ['name', 'selector'] };
    if (hasName && hasSelector) findings.add(object, { path, at: 'key' }, ['fields-exclusive', args]);
    else if (!hasName && !hasSelector) findings.add(object, { path, at: 'key' }, ['field-choice-missing', args]);
  },
};

function bindingSpec(allowed: readonly string[]): Readonly<Record<string, FieldRule>> {
  return {
    policyName: { required: 'the name of the policy', ...objectName },
    paramRef,
    matchResources: matchResources(allowed),
  };
}

export const validatingBinding: FieldRule = {
  fields: {
    spec: {
      required: 'an object',
      fields: {
        ...bindingSpec(operations),
        validationActions: {
          required: 'a list with Deny, Warn or Audit',
          items: { words: ['Deny', 'Warn', 'Audit'], emptyIsValue: true },
          unique: '',
          also: ({ value, path, object, findings }) => {
            if (!isJsonArray(value) || !value.includes('Deny') || !value.includes('Warn')) return;
            const demand = 'must not contain both "Deny" and "Warn"';
            findings.add(object, { path }, ['field-enum', { field: 'validationActions', demand }]);
          },
        },
      },
    },
  },
};

export const mutatingBinding: FieldRule = {
  fields: { spec: { required: 'an object', fields: bindingSpec(mutatingOperations) } },
};
