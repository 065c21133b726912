import type { Field } from '../documents/field.ts';

/** The property that every trait may have: it chooses the capability, and most do nothing else with it. */
export const scope = {
  type: 'string',
  description:
    'which of several capabilities of the platform is meant: that which has this behind a dot in its key; none when it is empty',
  format: 'scope',
} as const satisfies Field;
