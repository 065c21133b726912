import { checkLabelKey, checkLabelValue, listAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { formatPath, missingField } from '../../schema/index.ts';
import { checkLabels } from './check-metadata.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';

/** An object of labels, such as `matchLabels`. */
export const labels: FieldRule = {
  also: ({ value, path, ...check }) => {
    if (isJsonObject(value)) checkLabels(check, value, path);
  },
};

const operators: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** A label selector with `matchLabels` and `matchExpressions`. */
export const labelSelector: FieldRule = {
  fields: {
    matchLabels: labels,
    matchExpressions: {
      items: {
        fields: {
          key: { required: 'a label key', text: checkLabelKey },
          operator: { required: operators.join(', '), words: operators },
          values: { items: { text: checkLabelValue } },
        },
        also: (site) => checkValues(site, ['In', 'NotIn']),
      },
    },
  },
};

/** Operators that compare need values; the others must not have any. */
export function checkValues({ value, path, object, findings }: FieldSite, comparing: readonly string[]): void {
  const operator = textAt(value, 'operator');
  if (operator === undefined || operator === '') return;
  const count = listAt(value, 'values').length;
  const place = { path: [...path, 'values'] };
  if (comparing.includes(operator) && count === 0) {
    const holder = formatPath(path);
    const expected = `a list, required when operator is ${operator}`;
    findings.add(object, place, ['field-required', missingField({ name: 'values', holder, expected })]);
  } else if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0) {
    const demand = `may not be set when operator is ${operator}`;
    findings.add(object, { ...place, at: 'key' }, ['field-enum', { field: 'values', demand }]);
  }
}
