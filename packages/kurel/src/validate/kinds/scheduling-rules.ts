import { checkDnsSubdomain, checkLabelKey, checkLabelValue, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import { formatPath, missingField } from '../../schema/index.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { namespaceName } from './reference-rules.ts';
import { checkValues, labelSelector } from './selector-rules.ts';

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];

function nodeTerm(values: FieldRule): FieldRule {
  return {
    fields: {
      matchExpressions: {
        items: {
          fields: {
            key: { required: 'a label key', text: checkLabelKey },
            operator: { required: operators.join(', '), words: operators },
            values: { items: values },
          },
          also: (site) => {
            checkValues(site, ['In', 'NotIn']);
            if (['Gt', 'Lt'].includes(textAt(site.value, 'operator') ?? '')) checkSingle(site);
          },
        },
      },
      matchFields: {
        items: {
          fields: {
            key: { required: 'metadata.name', words: ['metadata.name'] },
            operator: { required: 'In or NotIn', words: ['In', 'NotIn'] },
            values: { items: { text: checkDnsSubdomain, emptyIsValue: true } },
          },
          also: checkSingle,
        },
      },
    },
  };
}

function checkSingle({ value, path, object, findings }: FieldSite): void {
  const count = listAt(value, 'values').length;
  if (count === 1) return;
  const found = count === 0 ? 'none' : String(count);
  findings.add(object, { path: [...path, 'values'] }, [
    'field-range',
    { field: 'values', demand: `must have exactly 1 item when operator is ${textAt(value, 'operator')}`, found },
  ]);
}

/** Required node affinity of pods and volumes. */
export const nodeSelector: FieldRule = {
  fields: { nodeSelectorTerms: { required: 'a list', items: nodeTerm({ text: checkLabelValue }) } },
};

const weight: FieldRule = { required: 'a number from 1 to 100', range: { least: 1, most: 100 } };
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const required = 'requiredDuringSchedulingIgnoredDuringExecution';

const podTerm: FieldRule = {
  fields: {
    labelSelector,
    namespaceSelector: labelSelector,
    namespaces: { items: { ...namespaceName, emptyIsValue: true } },
    topologyKey: { required: 'a node label key', text: checkLabelKey },
  },
  also: checkLabelKeys,
};

const podAffinity: FieldRule = {
  fields: {
    [required]: { items: podTerm },
    [preferred]: { items: { fields: { weight, podAffinityTerm: { required: 'an object', ...podTerm } } } },
  },
};

export const affinity: FieldRule = {
  fields: {
    nodeAffinity: {
      fields: {
        [required]: nodeSelector,
        // The API server does not check the label values of preferred terms.
        [preferred]: { items: { fields: { weight, preference: nodeTerm({}) } } },
      },
    },
    podAffinity,
    podAntiAffinity: podAffinity,
  },
};

const policies: FieldRule = { words: ['Honor', 'Ignore'], emptyIsValue: true };

export const spreadConstraint: FieldRule = {
  fields: {
    maxSkew: { required: 'a number', range: { least: 1 } },
    minDomains: { range: { least: 1 } },
    topologyKey: { required: 'a node label key' },
    whenUnsatisfiable: { required: 'DoNotSchedule or ScheduleAnyway', words: ['DoNotSchedule', 'ScheduleAnyway'] },
    nodeAffinityPolicy: policies,
    nodeTaintsPolicy: policies,
    labelSelector,
  },
  also: (site) => {
    checkLabelKeys(site);
    const { value, path, object, findings } = site;
    if (!has(value, 'minDomains') || textAt(value, 'whenUnsatisfiable') === 'DoNotSchedule') return;
    const demand = 'may only be set when whenUnsatisfiable is DoNotSchedule';
    findings.add(object, { path: [...path, 'minDomains'], at: 'key' }, ['field-enum', { field: 'minDomains', demand }]);
  },
};

const keyLists = ['matchLabelKeys', 'mismatchLabelKeys'];

/** Label keys whose values come from the pod itself. */
function checkLabelKeys({ value, path, object, findings }: FieldSite): void {
  const selector = mappingAt(value, 'labelSelector');
  const selected = new Set([
    ...Object.keys(mappingAt(selector, 'matchLabels') ?? {}),
    ...listAt(selector, 'matchExpressions').flatMap((one) => textAt(one, 'key') ?? []),
  ]);
  const seen = new Set<string>();
  for (const list of keyLists) {
    const keys = listAt(value, list);
    if (keys.length > 0 && !has(value, 'labelSelector')) {
      const holder = formatPath(path);
      const args = missingField({ name: 'labelSelector', holder, expected: `required when "${list}" is set` });
      findings.add(object, { path: [...path, 'labelSelector'] }, ['field-required', args]);
    }
    keys.forEach((entry, index) => {
      const key = entry ?? '';
      if (typeof key !== 'string') return;
      const reason = checkLabelKey(key);
      const place = { path: [...path, list, index] };
      if (reason !== undefined) findings.add(object, place, ['name-invalid', { what: 'label key', text: key, reason }]);
      else if (selected.has(key)) {
        const args = {
          field: `${list}[${index}]`,
          demand: 'must not also be a key of "labelSelector"',
          found: `"${key}"`,
        };
        findings.add(object, place, ['field-enum', args]);
      } else if (list !== keyLists[0] && seen.has(key)) {
        const args = { field: `${list}[${index}]`, demand: 'must not also be in "matchLabelKeys"', found: `"${key}"` };
        findings.add(object, place, ['field-enum', args]);
      }
      if (list === keyLists[0]) seen.add(key);
    });
  }
}

/** The pair of topologyKey and whenUnsatisfiable must be unique in a pod. */
export function checkSpreadConstraints({ value, path, object, findings }: FieldSite): void {
  if (!isJsonArray(value)) return;
  const seen = new Map<string, number>();
  value.forEach((constraint, index) => {
    if (!isJsonObject(constraint)) return;
    const [key, action] = [textAt(constraint, 'topologyKey') ?? '', textAt(constraint, 'whenUnsatisfiable') ?? ''];
    const first = seen.get(`${key} ${action}`);
    if (first === undefined) seen.set(`${key} ${action}`, index);
    else {
      const related = [{ message: 'the first one is here', object, path: [...path, first, 'topologyKey'] }];
      const what = `topologyKey "${key}" with ${action}`;
      findings.add(object, { path: [...path, index, 'topologyKey'], related }, [
        'list-duplicate',
        { list: 'topologySpreadConstraints', what },
      ]);
    }
  });
}
