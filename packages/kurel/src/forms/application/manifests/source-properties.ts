import type { Fields } from '../documents/field.ts';
import type { ComponentInput, PropertiesOf } from '../catalog/define.ts';

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
