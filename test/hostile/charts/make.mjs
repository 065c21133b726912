import { gzipSync } from 'node:zlib';

import { manifest, openDirectory, putFiles } from '../make-files.mjs';

const chartOf = (name) => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`;
const schemaTo = (reference, key = '$ref') => JSON.stringify({ properties: { a: { [key]: reference } } });

/** Charts that let helm read, or unpack, what it should not. */
export function make(directory) {
  const { put } = openDirectory(directory);
  const schemas = {
    'schema-file': schemaTo('file:///etc/passwd'),
    'schema-device': schemaTo('file:///dev/zero'),
    'schema-http': schemaTo('http://169.254.169.254/latest/meta-data'),
    'schema-relative': schemaTo('../../../etc/passwd'),
    'schema-dynamic': schemaTo('file:///etc/passwd', '$dynamicRef'),
    'schema-meta': JSON.stringify({ $schema: 'file:///etc/passwd' }),
    'schema-no-json': '{"$ref": ',
    'schema-deep': `{"properties": ${'{"a": {"properties": '.repeat(5000)}{"$ref": "file:///etc/passwd"}${'}}'.repeat(5000)}}`,
    'schema-good': JSON.stringify({
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { a: { $ref: '#/definitions/a' }, $ref: { type: 'string' } },
      definitions: { a: { type: 'string' } },
    }),
  };
  for (const [name, schema] of Object.entries(schemas)) {
    putFiles(directory, {
      [`${name}/Chart.yaml`]: chartOf(name),
      [`${name}/values.schema.json`]: schema,
      [`${name}/templates/a.yaml`]: manifest,
    });
  }
  const sub = (parts) => gzipSync(tar({ 'sub/Chart.yaml': chartOf('sub'), ...parts }));
  const foreign = sub({ 'sub/values.schema.json': schemas['schema-file'] });
  putFiles(directory, {
    'in-directory/Chart.yaml': chartOf('in-directory'),
    'in-directory/charts/sub/Chart.yaml': chartOf('sub'),
    'in-directory/charts/sub/values.schema.json': schemas['schema-file'],
    'in-archive/Chart.yaml': chartOf('in-archive'),
    'in-archive/charts/sub-1.0.0.tgz': foreign,
    'alike/Chart.yaml': chartOf('alike'),
    'alike/templates/a.yaml': manifest,
    'alike/templates/A.yaml': manifest,
    'composed/Chart.yaml': chartOf('composed'),
    'composed/templates/\u00e9.yaml': manifest,
    'composed/templates/e\u0301.yaml': manifest,
  });
  const archives = {
    good: { 'web/templates/a.yaml': manifest },
    schema: { 'web/values.schema.json': schemas['schema-file'] },
    nested: { 'web/charts/sub-1.0.0.tgz': foreign },
    'nested-twice': { 'web/charts/sub.tgz': sub({ 'sub/charts/inner.tgz': foreign }) },
    case: { 'web/templates/a.yaml': manifest, 'web/templates/A.yaml': manifest },
    'case-directory': { 'web/templates/a.yaml': manifest, 'web/Templates/b.yaml': manifest },
    'case-sharp': { 'web/templates/stra\u00dfe.yaml': manifest, 'web/templates/STRASSE.yaml': manifest },
    composed: { 'web/templates/\u00e9.yaml': manifest, 'web/templates/e\u0301.yaml': manifest },
    device: { 'web/templates/aux.yaml': manifest },
    dot: { 'web/templates/a.yaml.': manifest },
    stream: { 'web/templates/a.yaml:hidden': manifest },
    out: { 'web/../../a.yaml': manifest },
    absolute: { '/web/a.yaml': manifest },
    bomb: { 'web/a': new Uint8Array(101 * 1_048_576) },
  };
  for (const [name, parts] of Object.entries(archives)) {
    put(`archives/${name}.tgz`, gzipSync(tar({ 'web/Chart.yaml': chartOf('web'), ...parts })));
  }
  put('archives/no-gzip.tgz', 'hello');
  const doubled = '{{- $s := "aaaaaaaa" }}{{- range until 28 }}{{- $s = printf "%s%s" $s $s }}{{- end }}';
  putFiles(directory, {
    'greedy/Chart.yaml': chartOf('greedy'),
    'greedy/templates/a.yaml': `${doubled}\n${manifest}  labels: {a: "{{ len $s }}"}\n`,
  });
}

/** Files as a tar, whatever their names are. */
function tar(files) {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const bytes =
      typeof content === 'string'
        ? Buffer.from(content)
        : Buffer.from(content.buffer ?? content, content.byteOffset, content.length);
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644\0', 100);
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        0', 148);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc(-bytes.length & 511)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
