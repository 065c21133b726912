import { valueAt } from '../model/index.ts';
import type { Json } from '../model/index.ts';
import { flagField, textField } from './define-fields.ts';
import { annotations, labels } from './field.ts';
import type { Field, Fields } from './field.ts';
import type { DocumentFindings, ReadingOptions } from './document-findings.ts';
import { keysAt } from './located-data.ts';
import { typeWords } from './read-declarations.ts';
import { readDocument } from './read-document.ts';
import type { Document } from './read-document.ts';
import { collectField } from './read-field.ts';

const metadata = {
  type: 'object',
  description: 'Object with the name of the trait.',
  required: true,
  properties: {
    // A capability key is split at the first dot, so a trait name must not contain one.
    name: { ...textField('dns-label', 'Name of the trait.'), required: true },
    namespace: textField('dns-label', 'Has no effect.'),
    labels,
    annotations,
  },
} as const satisfies Field;

const types = ['string', 'integer', 'boolean'] as const;

const property = {
  type: 'object',
  properties: {
    type: {
      type: 'string',
      description: 'Type of the value. Defaults to any type.',
      enum: types,
      otherWords: typeWords,
    },
    required: { ...flagField('Whether a profile must set it.'), default: false },
    default: { type: 'any', description: 'Value if a profile does not set it.' },
    description: { type: 'string', description: 'Purpose of the property.' },
  },
} as const satisfies Field;

const spec = {
  type: 'object',
  default: {},
  properties: {
    description: { type: 'string', description: 'Purpose of the trait.' },
    rendering: {
      type: 'object',
      default: {},
      properties: {
        properties: { type: 'object', description: 'Properties of a rendering, by key.', default: {}, open: property },
      },
    },
  },
} as const satisfies Field;

export const capabilityTables = { kind: 'CapabilityDefinition', metadata, spec } as const;

export type CapabilityDefinition = Document<typeof metadata, typeof spec>;

/** Reads the definition of a custom trait. */
export function readCapabilityDefinition(
  data: Json | undefined,
  options: ReadingOptions,
): CapabilityDefinition | undefined {
  return readDocument(data, { ...capabilityTables, check: checkDefaults }, options);
}

function checkDefaults(document: Json, findings: DocumentFindings): void {
  const path = ['spec', 'rendering', 'properties'];
  for (const key of keysAt(document, path)) {
    const type = types.find((name) => name === valueAt(document, [...path, key, 'type']));
    const value = valueAt(document, [...path, key, 'default']);
    if (type === undefined || value === undefined || value === null) continue;
    collectField({ type }, value, { path: [...path, key, 'default'], findings });
  }
}

/** The definition as a field table, for checking renderings. */
export function renderingField({ spec: { rendering } }: CapabilityDefinition): Field {
  const entries = Object.entries(rendering.properties).map(([key, { type, ...rest }]): [string, Field] => {
    const field: Field = { ...rest, type: type ?? 'any' };
    // A default satisfies the requirement.
    return [key, rest.default === undefined ? field : { ...field, required: false }];
  });
  const properties: Fields = Object.fromEntries(entries);
  return { type: 'object', properties };
}
