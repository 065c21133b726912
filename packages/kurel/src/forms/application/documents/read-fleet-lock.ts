import type { Json } from '../../../model/index.ts';
import type { Field, ValueOf } from './field.ts';
import type { ReadingOptions } from './findings.ts';
import { readDocument } from './read-document.ts';

const metadata = {
  type: 'object',
  default: {},
  properties: { name: { type: 'string', description: 'Name of the lock.' } },
} as const satisfies Field;

const entry = {
  type: 'object',
  properties: {
    url: {
      type: 'string',
      description: 'Repository of the package, without a tag or digest.',
      required: true,
      format: 'registry-url',
    },
    range: { type: 'scalar', description: 'Version or range as in the fleet file.', format: 'filled' },
    tag: { type: 'scalar', description: 'Tag that was resolved.', required: true, format: 'registry-tag' },
    version: { type: 'scalar', description: 'Version of the package.', format: 'semantic-version' },
    digest: {
      type: 'string',
      description: 'Digest of the manifest of the package.',
      required: true,
      format: 'registry-digest',
    },
  },
} as const satisfies Field;

const spec = {
  type: 'object',
  required: true,
  properties: { packages: { type: 'array', description: 'Packages of the fleet.', required: true, items: entry } },
} as const satisfies Field;

/** A package of a fleet and what it was resolved to. */
export type FleetLockEntry = ValueOf<typeof entry>;

/** Reads `kurel.fleet.lock`; what its entries are for is decided in the module `fleet`. */
export function readFleetLockDocument(
  data: Json | undefined,
  options: ReadingOptions,
): readonly FleetLockEntry[] | undefined {
  return readDocument(data, { kind: 'Lock', metadata, spec }, options)?.spec.packages;
}
