import type { Field } from '../documents/field.ts';

/** Says of kinds that nobody knows whether their objects live in a namespace. */
export const scopeOverrides = {
  type: 'array',
  description: 'where objects live whose kinds nobody knows; the definitions among the manifests are known',
  default: [],
  items: {
    type: 'object',
    properties: {
      apiVersion: { type: 'string', description: 'as the manifests have it', required: true, format: 'filled' },
      kind: { type: 'string', description: 'kind of the objects', required: true, format: 'filled' },
      scope: {
        type: 'string',
        description: 'Cluster for objects that live in no namespace',
        required: true,
        enum: ['Cluster', 'Namespaced'],
      },
    },
  },
} as const satisfies Field;
