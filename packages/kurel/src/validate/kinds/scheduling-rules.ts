import { quote } from '../../diagnostics/index.ts';
import { checkDnsSubdomain, checkLabelKey, checkLabelValue, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { FieldRule } from './field-rules.ts';
import { createUniqueness, demandField, refuse, refuseName, report } from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import { checkValues, labelSelector, namespaceName, operators } from './reference-rules.ts';

function nodeTerm(values: FieldRule): FieldRule {
  return {
    fields: {
      matchExpressions: {
        items: {
          fields: {
            key: { required: 'a label key', text: checkLabelKey },
            operator: { required: [...operators, 'Gt', 'Lt'].join(', ') },
            values: { items: values },
          },
          also: (site) => {
            checkValues(site);
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

function checkSingle(site: FieldSite): void {
  const count = listAt(site.value, 'values').length;
  if (count === 1) return;
  const demand = `must have exactly 1 item when operator is ${textAt(site.value, 'operator')}`;
  refuse(site, ['values'], { code: 'field-range', demand, got: count === 0 ? 'none' : String(count) });
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

export const spreadConstraints: FieldRule = {
  items: {
    fields: {
      maxSkew: { required: 'a number', range: { least: 1 } },
      minDomains: { range: { least: 1 } },
      topologyKey: { required: 'a node label key' },
      whenUnsatisfiable: { required: 'DoNotSchedule or ScheduleAnyway' },
      labelSelector,
    },
    refuses: {
      minDomains: ({ whenUnsatisfiable }) =>
        whenUnsatisfiable !== 'DoNotSchedule' && 'may only be set when whenUnsatisfiable is DoNotSchedule',
    },
    also: checkLabelKeys,
  },
  also: checkConstraintPairs,
};

/** The pair of topologyKey and whenUnsatisfiable must be unique in a pod. */
function checkConstraintPairs(site: FieldSite): void {
  if (!isJsonArray(site.value)) return;
  const checkPair = createUniqueness(site, 'topologySpreadConstraints');
  site.value.forEach((constraint, index) => {
    if (!isJsonObject(constraint)) return;
    const [key, action] = [textAt(constraint, 'topologyKey') ?? '', textAt(constraint, 'whenUnsatisfiable') ?? ''];
    checkPair(`${key} ${action}`, [index, 'topologyKey'], { what: `topologyKey "${key}" with ${action}` });
  });
}

const keyLists = ['matchLabelKeys', 'mismatchLabelKeys'];

/** Label keys whose values come from the pod itself. */
function checkLabelKeys(site: FieldSite): void {
  const { value } = site;
  const selector = mappingAt(value, 'labelSelector');
  const selected = new Set([
    ...Object.keys(mappingAt(selector, 'matchLabels') ?? {}),
    ...listAt(selector, 'matchExpressions').flatMap((expression) => textAt(expression, 'key') ?? []),
  ]);
  const matched = listAt(value, keyLists[0]!);
  for (const list of keyLists) {
    const keys = listAt(value, list);
    if (keys.length > 0 && !has(value, 'labelSelector'))
      demandField(site, ['labelSelector'], { expected: `required when "${list}" is set` });
    keys.forEach((entry, index) => {
      const key = entry ?? '';
      if (typeof key !== 'string') return;
      const reason = checkLabelKey(key);
      const isRepeated = keys !== matched && matched.includes(entry);
      if (reason !== undefined) refuseName(site, [list, index], { what: 'label key', text: key, reason });
      else if (selected.has(key) || isRepeated) {
        const other = selected.has(key) ? 'a key of "labelSelector"' : 'in "matchLabelKeys"';
        refuse(site, [list, index], { demand: `must not also be ${other}`, got: `"${key}"` });
      }
    });
  }
}

/** Tolerations of pods. */
export const tolerations: FieldRule = { items: { fields: {}, also: checkToleration } };

/** Tolerations of runtime classes, which must be unique. */
export const uniqueTolerations: FieldRule = {
  ...tolerations,
  also: (site) => {
    if (!isJsonArray(site.value)) return;
    const checkKey = createUniqueness(site, 'tolerations');
    site.value.forEach((entry, index) => {
      if (entry !== null && !isJsonObject(entry)) return;
      const key = ['key', 'operator', 'value', 'effect'].map((field) => textAt(entry, field) ?? '').join(' ');
      checkKey(key, [index], { what: 'toleration' });
    });
  },
};

function checkToleration(site: FieldSite): void {
  const { value: toleration } = site;
  if (!isJsonObject(toleration)) return;
  const [key = '', value = '', operator = '', effect = ''] = ['key', 'value', 'operator', 'effect'].map((field) =>
    textAt(toleration, field),
  );
  const refuseField = (field: string, demand: string, text: string): void =>
    refuse(site, [field], { demand, got: text === '' ? 'none' : quote(text) });
  const refuseLabel = (what: string, text: string, reason: string | undefined): void => {
    if (reason !== undefined) report(site, [what], ['label-invalid', { what, text, of: 'a toleration', reason }]);
  };
  if (key !== '') refuseLabel('key', key, checkLabelKey(key));
  if (operator === 'Exists' && value !== '') refuseField('value', 'must be empty when operator is Exists', value);
  if (key === '' && operator !== 'Exists') refuseField('operator', 'must be Exists when "key" is empty', operator);
  if (operator === '' || operator === 'Equal') refuseLabel('value', value, checkLabelValue(value));
  if (has(toleration, 'tolerationSeconds') && effect !== 'NoExecute')
    refuseField('effect', 'must be NoExecute when "tolerationSeconds" is set', effect);
}
