import { putFiles } from '../make-files.mjs';

/** Half a megabyte of text for programs to work on. */
export function make(directory) {
  const data = { a: 'ab'.repeat(200_000), n: '9'.repeat(100_000), t: '2024-01-01T00:00:00Z' };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data };
  putFiles(directory, { 'b.yaml': `${JSON.stringify(object)}\n` });
}
