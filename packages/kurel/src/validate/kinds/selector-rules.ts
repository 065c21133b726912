import { checkLabelKey, checkLabelValue, listAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { formatPath, missingField } from '../../schema/index.ts';
import { checkLabels } from './check-metadata.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';

/** Labels that an author chooses, as those of `matchLabels`. */
export const labels: FieldRule = {
  also: ({ value, path, ...check }) => {
    if (isJsonObject(value)) checkLabels(check, value, path);
  },
};

const operators: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** `matchLabels` and `matchExpressions`, wherever they are. */
export const labelSelector: FieldRule = {
  fields: {
    matchLabels: labels,
    matchExpressions: {
      items: {
        fields: {
          key: { required: 'the key of a label', text: checkLabelKey },
          operator: { required: operators.join(', '), words: operators },
          values: { items: { text: checkLabelValue } },
        },
        also: (site) => checkValues(site, ['In', 'NotIn']),
      },
    },
  },
};

/** Operators that compare need values, and the others have none. */
export function checkValues({ value, path, object, findings }: FieldSite, comparing: readonly string[]): void {
  const operator = textAt(value, 'operator');
  if (operator === undefined || operator === '') return;
  const count = listAt(value, 'values').length;
  const place = { path: [...path, 'values'] };
  if (comparing.includes(operator) && count === 0) {
    const holder = formatPath(path);
    const expected = `a list, which the operator ${operator} needs`;
    findings.add(object, place, ['field-required', missingField({ name: 'values', holder, expected })]);
  } else if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0) {
    const demand = `must be left out when the operator is ${operator}`;
    findings.add(object, { ...place, at: 'key' }, ['field-enum', { field: 'values', demand }]);
  }
}
