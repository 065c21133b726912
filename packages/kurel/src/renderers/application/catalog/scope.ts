import type { Field } from '../documents/field.ts';

/** The property that every trait with a capability may have. */
export const scope = {
  type: 'string',
  description:
    'which of several capabilities of the platform is meant: that which has this behind a dot in its key; none when it is empty',
  format: 'scope',
} as const satisfies Field;
