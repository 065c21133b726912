import { expect, it } from 'vitest';
import { bundledSchemas } from './index.ts';

it('reads the data of the package, decompressed', () => {
  const files = bundledSchemas();
  expect(JSON.parse(files.read('manifest.json'))).toHaveProperty('kubernetes.file', 'kubernetes');
  expect(files.read('kubernetes.jsonl')).toMatch(/^\{.*\}\n$/s);
  expect(files.read('kubernetes.words.jsonl')).toContain('Deployment enables declarative updates');
  expect(() => files.read('nothing.jsonl')).toThrow('nothing.jsonl');
});
