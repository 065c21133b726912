import { policyFields } from '../../documents/read-policy.ts';
import { definePolicy } from '../define.ts';

export const envPolicy = definePolicy({
  type: 'env-policy',
  summary: 'Rules that an application sets itself: they can be stricter than those of the platform, never looser.',
  properties: policyFields,
  apply: ({ properties }) => ({ rules: properties }),
});
