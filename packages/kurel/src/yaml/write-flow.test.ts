import { describe, expect, it } from 'vitest';

import { readYaml } from './read-yaml.ts';
import { writeFlow } from './write-yaml.ts';

describe('a key inside brackets', () => {
  it.each([1000, 1001, 1024, 5000])('of %i characters is read again', (length) => {
    const data = { a: [{ ['k'.repeat(length)]: 1, b: 2 }] };
    const text = `${writeFlow(data, { json: false, colon: ': ', comma: ', ' })}\n`;
    const { documents, diagnostics } = readYaml({ path: 'a.yaml', text });
    expect(diagnostics).toEqual([]);
    expect(documents[0]?.data).toEqual(data);
  });
});
