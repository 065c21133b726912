import { describe, expect, it } from 'vitest';
import { findDeprecation } from './json-schema-node.ts';

describe('findDeprecation', () => {
  it.each([
    ['Deprecated: use b.', 'Deprecated: use b.'],
    ['The old way. DEPRECATED: gone soon. More words.', 'DEPRECATED: gone soon.'],
    ['The old way.\n\nDeprecated: use\nb instead.', 'Deprecated: use b instead.'],
    [
      'Deprecated: this API is deprecated in v1.33+. Use discovery.',
      'Deprecated: this API is deprecated in v1.33+. Use discovery.',
    ],
    ['Deprecated. Not all kubelets will set this field.', 'Deprecated. Not all kubelets will set this field.'],
    ['sha is deprecated: use image instead.', 'sha is deprecated: use image instead.'],
    ['This field is deprecated in favor of b.', 'This field is deprecated in favor of b.'],
    ['Deprecated', 'Deprecated'],
  ])('hears %j', (description, sentence) => {
    expect(findDeprecation(description)).toBe(sentence);
  });

  it.each([
    undefined,
    '',
    'deprecated indicates this version of the custom resource API is deprecated.',
    'deprecatedCount is the deprecated field assuring backward compatibility.',
    'Valid options are Retain, Delete and Recycle (deprecated). Recycle must be supported.',
    'The keys caFile and certFile are supported but deprecated. Use ca.crt instead.',
    '`Legacy`: Deprecated. Not supported by default.',
    "For basic auth the secret must contain 'username'.\nSupport for TLS auth using the 'caFile'\nkeys is deprecated. Please use b.",
  ])('does not treat %j as one', (description) => {
    expect(findDeprecation(description)).toBeUndefined();
  });
});
