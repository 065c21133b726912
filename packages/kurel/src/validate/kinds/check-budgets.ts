import { mappingAt, presentOf } from '../../kube/index.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import type { KindCheck } from './kind-check.ts';
import { checkPart } from './check-workloads.ts';
import { labelSelector } from './selector-rules.ts';

const budget: FieldRule = {
  fields: {
    spec: {
      fields: {
        minAvailable: { also: checkPart },
        maxUnavailable: { also: checkPart },
        unhealthyPodEvictionPolicy: { words: ['IfHealthyBudget', 'AlwaysAllow'], emptyIsValue: true },
        selector: labelSelector,
      },
    },
  },
};

/** PodDisruptionBudgets. */
export function checkDisruptionBudget(check: KindCheck): void {
  const { object, findings } = check;
  checkFieldRules(check, object, { rule: budget, path: [] });
  const spec = mappingAt(object, 'spec');
  const present = spec === undefined ? [] : presentOf(spec, ['minAvailable', 'maxUnavailable']);
  if (present.length < 2) return;
  findings.add(object, { path: ['spec', present[1]!], at: 'key' }, [
    'fields-exclusive',
    { holder: '"spec"', fields: present },
  ]);
}
