import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, Location, Path } from '../../../model/index.ts';
import type { ComponentInput, PropertiesOf } from '../catalog/define.ts';
import type { Field, Fields } from '../documents/field.ts';

/** Sets the scope of kinds that kurel does not know. */
export const scopeOverrides = {
  type: 'array',
  description:
    'Scope of kinds that kurel does not know. Not needed for kinds whose CustomResourceDefinition is among the manifests.',
  default: [],
  items: {
    type: 'object',
    properties: {
      apiVersion: { type: 'string', description: 'API version of the objects.', required: true, format: 'filled' },
      kind: { type: 'string', description: 'Kind of the objects.', required: true, format: 'filled' },
      scope: {
        type: 'string',
        description: 'Scope of the kind.',
        required: true,
        enum: ['Cluster', 'Namespaced'],
      },
    },
  },
} as const satisfies Field;

/** Points at the key of a non-empty object or list, because its first line shows another field. */
export function aimAt(object: Json, path: Path, at?: Location['at']): Pick<Location, 'at'> {
  if (at === 'key') return { at };
  let value: Json | undefined = object;
  for (const step of path) {
    if (isJsonArray(value)) value = value[Number(step)];
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  const isFilled = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return isFilled && typeof path.at(-1) === 'string' ? { at: 'key' } : {};
}

/** Sources of manifests: exactly one of the first three. */
export const sourceProperties = {
  inline: { type: 'string', description: 'Manifests as one string with any number of YAML documents.' },
  file: { type: 'string', description: 'Path of a manifest file in the package.', format: 'package-path' },
  url: {
    type: 'string',
    description: 'URL of a manifest file, downloaded at build time.',
    format: 'manifest-url',
  },
  sha256: {
    type: 'string',
    description: 'SHA-256 digest that the file at the URL must have.',
    format: 'sha256',
  },
} as const satisfies Fields;

/** Advice for users who look for a chart here. */
export const unsupportedSources = {
  chart: 'use a component of type "helmchart", or set the objects with "inline", "file" or "url"',
};

export type SourceInput = ComponentInput<PropertiesOf<typeof sourceProperties>>;
