import type { Json } from '../../../model/index.ts';
import { annotations, labels } from './field.ts';
import type { Field, Fields } from './field.ts';
import type { Findings, ReadingOptions } from './findings.ts';
import { readDocument } from './read-document.ts';
import type { Document } from './read-document.ts';
import { collectField } from './read-field.ts';
import { keysAt, valueAt } from './value-at.ts';

const metadata = {
  type: 'object',
  description: 'a mapping with the name of the trait',
  required: true,
  properties: {
    // The key of a capability ends its trait at the first dot, so the name of one has none.
    name: { type: 'string', description: 'the trait that it is about', required: true, format: 'dns-label' },
    namespace: { type: 'string', description: 'of no effect', format: 'dns-label' },
    labels,
    annotations,
  },
} as const satisfies Field;

const types = ['string', 'integer', 'boolean'] as const;

const property = {
  type: 'object',
  properties: {
    type: { type: 'string', description: 'what it holds; anything without it', enum: types },
    required: { type: 'boolean', description: 'whether a profile must give it', default: false },
    default: { type: 'any', description: 'what it is when a profile does not give it' },
    description: { type: 'string', description: 'what it is for' },
  },
} as const satisfies Field;

const spec = {
  type: 'object',
  default: {},
  properties: {
    description: { type: 'string', description: 'what the trait does' },
    rendering: {
      type: 'object',
      default: {},
      properties: {
        properties: { type: 'object', description: 'the keys of a rendering', default: {}, open: property },
      },
    },
  },
} as const satisfies Field;

export const capabilityTables = { kind: 'CapabilityDefinition', metadata, spec } as const;

export type CapabilityDefinition = Document<typeof metadata, typeof spec>;

/** Reads what a platform says about a trait of its own. */
export function readCapabilityDefinition(
  data: Json | undefined,
  options: ReadingOptions,
): CapabilityDefinition | undefined {
  return readDocument(data, { ...capabilityTables, check: checkDefaults }, options);
}

function checkDefaults(document: Json, findings: Findings): void {
  const path = ['spec', 'rendering', 'properties'];
  for (const key of keysAt(document, path)) {
    const type = types.find((name) => name === valueAt(document, [...path, key, 'type']));
    const value = valueAt(document, [...path, key, 'default']);
    if (type === undefined || value === undefined || value === null) continue;
    collectField({ type }, value, { path: [...path, key, 'default'], findings });
  }
}

/** The definition in the words that renderings are checked with. */
export function renderingField({ spec: { rendering } }: CapabilityDefinition): Field {
  const entries = Object.entries(rendering.properties).map(([key, { type, ...rest }]): [string, Field] => {
    const field: Field = { ...rest, type: type ?? 'any' };
    // A default satisfies the requirement.
    return [key, rest.default === undefined ? field : { ...field, required: false }];
  });
  const properties: Fields = Object.fromEntries(entries);
  return { type: 'object', properties };
}
