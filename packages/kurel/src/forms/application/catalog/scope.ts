import type { Field } from '../documents/field.ts';

/** Selects the capability; a property of every trait. */
export const scope = {
  type: 'string',
  description:
    'Scope of the capability to use, such as internal for expose.internal. Defaults to the capability without a scope.',
  format: 'scope',
} as const satisfies Field;
