import { checkDnsLabel, has, listAt, numberAt, parseApiVersion, textAt } from '../../kube/index.ts';
import { isJsonArray } from '../../model/index.ts';
import { fieldName, formatPath, missingField } from '../../schema/index.ts';
import { explainContainerResource } from './check-resources.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { readAmount, showAmount } from './read-amount.ts';
import { pathSegment } from './reference-rules.ts';
import { checkNotNegative } from './storage-rules.ts';

/** Before 1.36 the API server also accepts the core group; `checkTarget` has the rule of later versions. */
function explainTarget(text: string): string | undefined {
  const parsed = parseApiVersion(text);
  if (parsed === undefined) return 'must have the form "group/version"';
  return undefined;
}

const reference: FieldRule = {
  required: 'an object with "apiVersion", "kind" and "name"',
  fields: {
    apiVersion: { format: explainTarget },
    kind: { required: 'the kind of the object', ...pathSegment },
    name: { required: 'the name of the object', ...pathSegment },
  },
};

function checkPositive({ value, path, object, findings }: FieldSite): void {
  const amount = readAmount(value);
  if (amount === undefined || amount.nanos > 0n) return;
  const args = { field: fieldName(path), demand: 'must be greater than 0', found: showAmount(value) };
  findings.add(object, { path }, ['field-range', args]);
}

const targetTypes = ['Utilization', 'Value', 'AverageValue'];

/** The target value of a metric; one of `fields` is required. */
function target(fields: readonly string[], exclusive: boolean): FieldRule {
  return {
    required: `an object with "type" and "${fields.at(-1)}"`,
    ...(exclusive ? { exclusive: fields } : {}),
    fields: {
      type: { required: targetTypes.join(', '), words: targetTypes },
      value: { also: checkPositive },
      averageValue: { also: checkPositive },
      averageUtilization: { range: { least: 1 } },
    },
    also: ({ value, path, object, findings }) => {
      if (fields.some((name) => has(value, name))) return;
      const holder = `"${fieldName(path)}"`;
      const [only] = fields;
      if (fields.length > 1) findings.add(object, { path, at: 'key' }, ['field-choice-missing', { holder, fields }]);
      else {
        const args = missingField({ name: only!, holder: formatPath(path), expected: 'a quantity' });
        findings.add(object, { path: [...path, only!] }, ['field-required', args]);
      }
    },
  };
}

const metric: FieldRule = {
  required: 'an object with "name"',
  fields: { name: { required: 'the name of the metric', ...pathSegment } },
};
const resourceTarget = target(['averageUtilization', 'averageValue'], true);

const sources: Readonly<Record<string, FieldRule>> = {
  resource: { fields: { name: { required: 'cpu or memory' }, target: resourceTarget } },
  containerResource: {
    fields: {
      name: { required: 'cpu or memory', text: explainContainerResource },
      container: { required: 'the name of a container', text: checkDnsLabel },
      target: resourceTarget,
    },
  },
  pods: { fields: { metric, target: target(['averageValue'], false) } },
  object: { fields: { describedObject: reference, metric, target: target(['value', 'averageValue'], false) } },
  external: { fields: { metric, target: target(['value', 'averageValue'], true) } },
};

const sourceOf: Readonly<Record<string, string>> = {
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
};

function checkSource({ value, path, object, findings }: FieldSite): void {
  const type = textAt(value, 'type') ?? '';
  const own = sourceOf[type];
  if (own === undefined) return;
  if (!has(value, own)) {
    const holder = `${fieldName(path)} of type ${type}`;
    findings.add(object, { path: [...path, own] }, [
      'field-required',
      missingField({ name: own, holder, expected: 'an object' }),
    ]);
  }
  for (const name of Object.values(sourceOf)) {
    if (name === own || !has(value, name)) continue;
    const demand = `may not be set when type is ${type}`;
    findings.add(object, { path: [...path, name], at: 'key' }, ['field-enum', { field: name, demand }]);
  }
}

const scaling: FieldRule = {
  fields: {
    stabilizationWindowSeconds: { range: { least: 0, most: 3600 } },
    selectPolicy: { words: ['Max', 'Min', 'Disabled'], emptyIsValue: true },
    tolerance: { also: checkNotNegative },
    policies: {
      items: {
        fields: {
          type: { required: 'Pods or Percent', words: ['Pods', 'Percent'] },
          value: { required: 'a number', range: { least: 1 } },
          periodSeconds: { required: 'a number', range: { least: 1, most: 1800 } },
        },
      },
      also: ({ value, path, object, findings }) => {
        if (!isJsonArray(value) || value.length > 0) return;
        const args = { field: 'policies', demand: 'must have at least 1 item', found: 'none' };
        findings.add(object, { path }, ['field-range', args]);
      },
    },
  },
};

export const autoscaler: FieldRule = {
  fields: {
    spec: {
      required: 'an object',
      fields: {
        scaleTargetRef: { ...reference, also: checkTarget },
        maxReplicas: { required: 'a number', range: { least: 1 } },
        minReplicas: { range: { least: 0 } },
        targetCPUUtilizationPercentage: { range: { least: 1 } },
        metrics: {
          items: {
            fields: { type: { required: Object.keys(sourceOf).join(', '), words: Object.keys(sourceOf) }, ...sources },
            also: checkSource,
          },
        },
        behavior: { fields: { scaleUp: scaling, scaleDown: scaling } },
      },
      also: checkReplicas,
    },
  },
};

/** From 1.36 on, the scale target must have an API group. */
function checkTarget({ value, path, object, findings, minor }: FieldSite): void {
  const version = textAt(value, 'apiVersion') ?? '';
  if (minor < 36 || (version !== '' && parseApiVersion(version)?.group !== '')) return;
  if (textAt(value, 'kind') === 'ReplicationController' && version === 'v1') return;
  const args = missingField({
    name: 'apiVersion',
    holder: formatPath(path),
    expected: 'with an API group, for example apps/v1',
  });
  findings.add(object, { path: [...path, 'apiVersion'] }, ['field-required', args]);
}

function checkReplicas({ value, path, object, findings }: FieldSite): void {
  const [least, most] = [numberAt(value, 'minReplicas'), numberAt(value, 'maxReplicas')];
  const place = [...path, 'minReplicas'];
  if (least !== undefined && most !== undefined && least > most) {
    const related = [{ message: 'maxReplicas is here', object, path: [...path, 'maxReplicas'] }];
    findings.add(object, { path: place, related }, [
      'field-range',
      { field: 'minReplicas', demand: `must be at most "maxReplicas" (${most})`, found: String(least) },
    ]);
  }
  const types = listAt(value, 'metrics').map((one) => textAt(one, 'type'));
  if (least === 0 && !types.includes('Object') && !types.includes('External')) {
    const demand = 'must be at least 1 unless a metric has type Object or External';
    findings.add(object, { path: place }, ['field-range', { field: 'minReplicas', demand, found: '0' }]);
  }
}
