import type { Field } from '../documents/field.ts';

const template = ['external-secrets.io/v1', 'ExternalSecret', 'spec', 'target', 'template'] as const;

/** The Secret that an ExternalSecret makes. */
export const target = {
  type: 'object',
  description: 'how the Secret is made',
  properties: {
    creationPolicy: {
      type: 'string',
      description: 'who owns the Secret: Owner makes and removes it, Merge adds to one that is there',
      enum: ['Owner', 'Orphan', 'Merge', 'None'],
    },
    deletionPolicy: {
      type: 'string',
      description: 'what becomes of the Secret when the values are gone from the store',
      enum: ['Delete', 'Merge', 'Retain'],
    },
    immutable: { type: 'boolean', description: 'whether the Secret can never be changed' },
    template: {
      type: 'object',
      description: 'what the Secret is made to look like',
      properties: {
        type: { type: 'string', description: 'type of the Secret', format: 'filled' },
        data: {
          type: 'object',
          description:
            'texts by key, with values of the store in {{ }}; numbers and booleans become the text that was written',
          open: { type: 'scalar' },
          keys: 'data-key',
        },
        engineVersion: {
          type: 'string',
          description: 'version of the language of templates',
          kubernetes: [...template, 'engineVersion'],
        },
        mergePolicy: {
          type: 'string',
          description: 'whether the template replaces the values of the store or stands beside them',
          enum: ['Replace', 'Merge'],
        },
        metadata: {
          type: 'object',
          description: 'labels and annotations of the Secret, as External Secrets has them',
          kubernetes: [...template, 'metadata'],
        },
        templateFrom: {
          type: 'array',
          description: 'templates that are elsewhere, as External Secrets has them',
          kubernetes: [...template, 'templateFrom'],
        },
      },
    },
  },
} as const satisfies Field;
