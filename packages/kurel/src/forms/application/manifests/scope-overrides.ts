import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, Location, Path } from '../../../model/index.ts';
import type { ComponentInput, PropertiesOf } from '../catalog/define.ts';
import type { Field, Fields } from '../documents/field.ts';

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

/** What is shown of a field: of a mapping or list with something in it the key, for its first line speaks of another field. */
export function aimAt(object: Json, path: Path): Pick<Location, 'at'> {
  let value: Json | undefined = object;
  for (const step of path) {
    if (isJsonArray(value)) value = value[Number(step)];
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  const isFilled = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return isFilled && typeof path.at(-1) === 'string' ? { at: 'key' } : {};
}

/** Where manifests are; exactly one of the first three. */
export const sourceProperties = {
  inline: { type: 'string', description: 'the manifests themselves, as one text with any number of documents' },
  file: { type: 'string', description: 'path of a file with manifests in the package', format: 'package-path' },
  url: {
    type: 'string',
    description: 'where a file with manifests is taken from when the package is built',
    format: 'manifest-url',
  },
  sha256: {
    type: 'string',
    description: 'what the file at the URL must have, so that it is always the same',
    format: 'sha256',
  },
} as const satisfies Fields;

/** What is told to those who look for a chart here. */
export const unsupportedSources = {
  chart: 'give the objects as "inline", "file" or "url", or the chart to a component of type "helmchart"',
};

export type SourceInput = ComponentInput<PropertiesOf<typeof sourceProperties>>;
