import { policyFields } from '../../../../documents/index.ts';
import { definePolicy } from '../define.ts';

export const envPolicy = definePolicy({
  type: 'env-policy',
  summary: 'Rules that an application sets for itself. They can only tighten the policy of the platform.',
  properties: policyFields,
  apply: ({ properties }) => ({ rules: properties }),
});
