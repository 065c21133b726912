import type { Json } from '../../../model/index.ts';
import type { Field } from './field.ts';
import type { ReadingOptions } from './findings.ts';
import { readDocument } from './read-document.ts';
import type { Document } from './read-document.ts';

const metadata = {
  type: 'object',
  description: 'a mapping with the name of the package',
  required: true,
  properties: {
    name: { type: 'string', description: 'what the package is called', required: true, format: 'identifier' },
    version: { type: 'string', description: 'a semantic version such as 1.2.3', format: 'semantic-version' },
    description: { type: 'string', description: 'what the package is for' },
  },
} as const satisfies Field;

const spec = {
  type: 'object',
  default: {},
  // Parameters are declared in a language of their own, which has a reader of its own.
  properties: { parameters: { type: 'any', description: 'the parameters of the package, in order' } },
} as const satisfies Field;

export const packageTables = { kind: 'Package', metadata, spec } as const;

export type PackageDocument = Document<typeof metadata, typeof spec>;

/** Reads `kurel.yaml`. */
export function readPackageDocument(data: Json | undefined, options: ReadingOptions): PackageDocument | undefined {
  return readDocument(data, packageTables, options);
}
