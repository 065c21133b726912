import {
  checkCIdentifier,
  checkDns1035Label,
  checkDnsSubdomain,
  checkLabelKey,
  listAt,
  mappingAt,
  nameOf,
  parseApiVersion,
  textAt,
} from '../../kube/index.ts';
import { isJsonArray, isJsonObject, valueAt } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import { reserved } from '../cel/read-expression.ts';
import { checkConditions, checkPolicyExpressions } from './expression-rules.ts';
import { ofSpec } from './field-rules.ts';
import type { FieldRule, Fields } from './field-rules.ts';
import { checkEither, checkUnion, refuse, refuseName, refuseNone } from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import { listOrAll, refuseBesideAll } from './flow-rules.ts';
import { clientConfig, labelSelector, objectName, pathSegment } from './reference-rules.ts';

/** Resources with subresources: `pods`, `pods/log`, `pods/*`, `*` before `/status`. */
function checkResources(site: FieldSite): void {
  const { value } = site;
  if (!isJsonArray(value)) return;
  refuseBesideAll(site, '*/*');
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
    const whole = wholeResources.has(resource) ? `${resource}/*` : `*/${subresource}`;
    if (wholeResources.has(resource) || wholeSubresources.has(subresource))
      refuse(site, [index], { demand: `may not be combined with "${whole}", which includes it` });
    if (subresource === '*') wholeResources.add(resource);
    if (resource === '*') wholeSubresources.add(subresource);
  });
  // The API server only looks at the last item without a subresource.
  if (value.includes('*') && isPlainLast)
    refuse(site, [value.indexOf('*')], { demand: 'may not be combined with other resources' });
}

/** `operation` is a rule for operations that is stricter than the schema. */
function ruleFor(operation: FieldRule = {}): FieldRule {
  return {
    fields: {
      operations: { ...listOrAll, items: operation },
      apiGroups: { ...listOrAll, required: 'a list ("" is the core group)' },
      apiVersions: { ...listOrAll, items: { required: 'a version' } },
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

const webhook: FieldRule = {
  fields: {
    name: { required: 'a name with at least two dots, such as check.example.com', text: explainHookName },
    rules: { items: ruleFor() },
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
      also: (site) => checkReviewVersions(site, []),
    },
    clientConfig: { required: 'an object with "service" or "url"', ...clientConfig },
  },
};

/** ValidatingWebhookConfigurations and MutatingWebhookConfigurations. */
export const webhookConfiguration: FieldRule = {
  fields: { webhooks: { unique: 'name', items: { ...webhook, also: (site) => checkConditions(site) } } },
};

function explainHookName(name: string): string | undefined {
  const reason = checkDnsSubdomain(name);
  if (reason !== undefined) return reason;
  return name.split('.').length < 3 ? 'must have at least two dots, for example check.example.com' : undefined;
}

const reviewVersions: readonly Json[] = ['v1', 'v1beta1'];

/** Checks a list of versions that must include one that API servers use. */
export function checkReviewVersions(site: FieldSite, steps: readonly string[]): void {
  const versions = valueAt(site.value, steps);
  if (isJsonArray(versions) && !versions.some((version) => reviewVersions.includes(version)))
    refuse(site, steps, { demand: 'must include "v1" or "v1beta1"' });
}

function matchResources(operation?: FieldRule): FieldRule {
  return {
    fields: {
      matchPolicy,
      namespaceSelector: labelSelector,
      objectSelector: labelSelector,
      resourceRules: { items: ruleFor(operation) },
      excludeResourceRules: { items: ruleFor() },
    },
  };
}

const variables: FieldRule = {
  items: { fields: { name: { required: 'a name to use in expressions', text: explainIdentifier }, expression } },
};

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

function policySpec(operation?: FieldRule): Fields {
  const constraints = matchResources(operation);
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

export const validatingPolicy = ofSpec({
  required: 'an object',
  fields: {
    ...policySpec(),
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
    const fields = ['validations', 'auditAnnotations'];
    if (fields.every((field) => listAt(site.value, field).length === 0)) refuseNone(site, { fields });
  },
});

/** The API server prefixes the key with the name of the policy. */
function checkAuditKey(site: FieldSite): void {
  const [key, name] = [textAt(site.value, 'key') ?? '', nameOf(site.object)];
  const reason = key === '' || name === '' ? undefined : checkLabelKey(`${name}/${key}`);
  if (reason !== undefined) refuseName(site, ['key'], { what: 'key', text: key, reason });
}

const mutatingOperation: FieldRule = { words: ['CREATE', 'UPDATE', 'CONNECT', '*'], emptyIsValue: true };
const patches = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

export const mutatingPolicy = ofSpec({
  required: 'an object',
  fields: {
    ...policySpec(mutatingOperation),
    reinvocationPolicy: { ...reinvocationPolicy, required: 'Never or IfNeeded' },
    mutations: {
      required: 'a list',
      items: {
        fields: {
          patchType: { required: 'ApplyConfiguration or JSONPatch' },
          applyConfiguration: { fields: { expression } },
          jsonPatch: { fields: { expression } },
        },
        also: (site) => checkUnion(site, 'patchType', patches, { expected: 'an object with "expression"' }),
      },
    },
  },
  also: checkPolicyExpressions,
});

const paramRef: FieldRule = {
  fields: {
    name: pathSegment,
    selector: labelSelector,
    parameterNotFoundAction: { required: 'Allow or Deny', words: ['Allow', 'Deny'] },
  },
  also: (site) => {
    if (!isJsonObject(site.value)) return;
    const isSet = [Boolean(textAt(site.value, 'name')), mappingAt(site.value, 'selector') !== undefined] as const;
    checkEither(site, ['name', 'selector'], isSet);
  },
};

function bindingSpec(operation?: FieldRule): Fields {
  return {
    policyName: { required: 'the name of the policy', ...objectName },
    paramRef,
    matchResources: matchResources(operation),
  };
}

export const validatingBinding = ofSpec({
  required: 'an object',
  fields: {
    ...bindingSpec(),
    validationActions: {
      required: 'a list with Deny, Warn or Audit',
      unique: '',
      also: (site) => {
        if (isJsonArray(site.value) && site.value.includes('Deny') && site.value.includes('Warn'))
          refuse(site, [], { demand: 'must not contain both "Deny" and "Warn"' });
      },
    },
  },
});

export const mutatingBinding = ofSpec({ required: 'an object', fields: bindingSpec(mutatingOperation) });
