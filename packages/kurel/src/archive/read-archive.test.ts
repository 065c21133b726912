import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type TarPart, writeTar } from '../../test/write-tar.ts';
import { gunzip, readChartArchive } from './read-archive.ts';
import { TarError } from './check-entry-name.ts';

async function refusalOf(result: Promise<unknown>): Promise<TarError> {
  const error: unknown = await result.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TarError);
  return error as TarError;
}

describe('gunzip', () => {
  it('decompresses up to the limit', async () => {
    expect(await gunzip(gzipSync('hello'), 5)).toEqual(new TextEncoder().encode('hello'));
    expect(await refusalOf(gunzip(gzipSync('hello!'), 5))).toMatchObject({ fault: 'size' });
  });

  it('stops a bomb', async () => {
    const bomb = gzipSync(new Uint8Array(2 ** 26), { level: 9 });
    expect(bomb.length).toBeLessThan(100_000);
    expect((await refusalOf(gunzip(bomb, 2 ** 20))).message).toBe('it has more than 1 MiB of content');
  });

  it.each([
    ['nothing', new Uint8Array(), 'it is not a gzip file'],
    ['plain text', new TextEncoder().encode('hello'), 'it is not a gzip file'],
    ['half', gzipSync('hello').subarray(0, 15), 'its gzip data is damaged or cut short'],
    [
      'a wrong checksum',
      gzipSync('hello').map((byte, index) => (index < 18 ? byte : 255 - byte)),
      'its gzip data is damaged or cut short',
    ],
  ])('refuses %s', async (_, bytes, message) => {
    expect(await refusalOf(gunzip(bytes, 100))).toMatchObject({ fault: 'encoding', message });
  });
});

/** A chart with more files, in a folder of its name. */
function pack(name: string, ...more: readonly TarPart[]): Uint8Array {
  return gzipSync(writeTar([{ name: `${name}/Chart.yaml`, content: `name: ${name}\n` }, ...more]));
}

/** A chart in a chart in a chart. */
function nest(levels: number, content: Uint8Array): Uint8Array {
  return levels === 0 ? content : pack('web', { name: 'web/charts/sub.tgz', content: nest(levels - 1, content) });
}

describe('readChartArchive', () => {
  it.each([
    ['without a schema', pack('sub')],
    ['with an empty schema', pack('sub', { name: 'sub/values.schema.json', content: ' \n' })],
    [
      'with references in its schema',
      pack('sub', {
        name: 'sub/values.schema.json',
        content: '{"$schema":"https://json-schema.org/draft-07/schema#","items":[{"$ref":"#/definitions/a"}]}',
      }),
    ],
  ])('takes a chart %s in a chart', async (_, content) => {
    const entries = await readChartArchive(nest(1, content));
    expect(entries.map(({ name }) => name)).toEqual(['web/Chart.yaml', 'web/charts/sub.tgz']);
  });

  it.each([
    ['a link', pack('sub', { name: 'sub/a', type: '2' }), 'its archive "web/charts/sub.tgz" cannot be used: the entry'],
    ['no gzip', new Uint8Array(3), 'its archive "web/charts/sub.tgz" cannot be used: it is not a gzip file'],
    [
      'a schema that refers to a file',
      pack('sub', { name: 'sub/values.schema.json', content: '{"a":{"$ref":"file:///etc/passwd"}}' }),
      'its file "web/charts/sub.tgz/sub/values.schema.json" refers to "file:///etc/passwd" in "$ref"',
    ],
    [
      'a schema that is not JSON',
      pack('sub', { name: 'sub/values.schema.json', content: '{' }),
      'its file "web/charts/sub.tgz/sub/values.schema.json" cannot be read: expected a key, but the text ends at line 1, column 2',
    ],
    ['nine levels', nest(8, pack('sub')), 'is nested in more than 8 archives'],
  ])('refuses a chart in a chart with %s', async (_, content, message) => {
    expect((await refusalOf(readChartArchive(nest(1, content)))).message).toContain(message);
  });

  it('counts the content of all charts together', async () => {
    const content = new Uint8Array(2 ** 20);
    const chart = pack(
      'web',
      ...['a', 'b'].map((name) => ({ name: `web/charts/${name}.tgz`, content: pack(name, { name: 'x', content }) })),
    );
    expect(await readChartArchive(chart, 3 * 2 ** 20)).toHaveLength(3);
    expect(await refusalOf(readChartArchive(chart, 1.5 * 2 ** 20))).toMatchObject({ fault: 'size' });
  });
});
