import { describe, expect, it } from 'vitest';
import { createMemoryRegistry } from '../../test/memory-registry.ts';
import { publishedForm, publishedForms as forms } from '../../test/published-forms.ts';
import { writeArchive } from '../archive/index.ts';
import type { ArchiveFile } from '../archive/index.ts';
import type { DiagnosticError } from '../diagnostics/index.ts';
import { FetchError } from '../model/index.ts';
import type { JsonObject } from '../model/index.ts';
import { digestOf, encodeJson, openRepository } from '../registry/index.ts';
import { createPackageArtifact, createRenderedArtifact } from './create-artifact.ts';
import type { Artifact, PackageParts } from './create-artifact.ts';
import { fetchPackage } from './fetch-package.ts';
import { pushArtifact } from './push-artifact.ts';

const host = 'registry.example.com';
const url = `oci://${host}/packages/web`;
const encoder = new TextEncoder();

function file(path: string, text = `${path}\n`): ArchiveFile {
  return { path, bytes: encoder.encode(text) };
}

const files = [file('kurel.yaml'), file('app.yaml'), file('README.md', '# web\n'), file('resources/größe.yaml')];
const web: PackageParts = {
  form: publishedForm('application'),
  name: 'web',
  version: '1.2.0',
  description: 'A web server.',
  files,
  schema: '{}\n',
  annotations: { 'org.opencontainers.image.licenses': 'Apache-2.0' },
};

function parse(bytes: Uint8Array): JsonObject {
  return JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
}

async function push(
  artifact: Artifact,
  options: { tags?: readonly string[]; force?: boolean } = {},
  registry = createMemoryRegistry(),
) {
  const repository = openRepository({ host, path: 'packages/web' }, registry.access, 'pull,push');
  const states = await pushArtifact(artifact, repository, { url, tags: ['1.2.0'], force: false, ...options });
  return { registry, states };
}

describe('createPackageArtifact', () => {
  it('describes a package in its manifest and config', async () => {
    const { manifest, blobs } = await createPackageArtifact(web);
    expect(parse(manifest)).toMatchInlineSnapshot(`
      {
        "annotations": {
          "org.opencontainers.image.description": "A web server.",
          "org.opencontainers.image.licenses": "Apache-2.0",
          "org.opencontainers.image.title": "web",
          "org.opencontainers.image.version": "1.2.0",
        },
        "artifactType": "application/vnd.gokure.kurel.package.v1+json",
        "config": {
          "digest": "sha256:18caba4a8a4c7d1b7afec83cadfd1c9ae18523fba329694c533d8c8ad6214c18",
          "mediaType": "application/vnd.gokure.kurel.package.v1+json",
          "size": 550,
        },
        "layers": [
          {
            "digest": "sha256:fb79062051117c7c1d31c8b67447a16deb730f3c9daab90564ede7d68bf28fbf",
            "mediaType": "application/vnd.gokure.kurel.package.content.v1.tar+gzip",
            "size": 234,
          },
          {
            "annotations": {
              "org.opencontainers.image.title": "kurel.yaml",
            },
            "digest": "sha256:5fe919f0c1358a3a5ff53eaf87d3ff86b3a8bbf842c9ece149e4e4a0c31233bd",
            "mediaType": "application/yaml",
            "size": 11,
          },
          {
            "annotations": {
              "org.opencontainers.image.title": "app.yaml",
            },
            "digest": "sha256:64e794a4a89d299dfdb167cfa7f56346f7a8e0fe61f73c85c91c0fc724d6f6e2",
            "mediaType": "application/yaml",
            "size": 9,
          },
          {
            "annotations": {
              "org.opencontainers.image.title": "values.schema.json",
            },
            "digest": "sha256:ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356",
            "mediaType": "application/schema+json",
            "size": 3,
          },
          {
            "annotations": {
              "org.opencontainers.image.title": "README.md",
            },
            "digest": "sha256:47746b8443d68f03d1842bf9e31e731def2f11f7fc6e1c7ecefe3819714ea86f",
            "mediaType": "text/markdown",
            "size": 6,
          },
        ],
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "schemaVersion": 2,
      }
    `);
    expect(parse(blobs[0]!)).toMatchInlineSnapshot(`
      {
        "description": "A web server.",
        "files": [
          {
            "path": "README.md",
            "sha256": "47746b8443d68f03d1842bf9e31e731def2f11f7fc6e1c7ecefe3819714ea86f",
            "size": 6,
          },
          {
            "path": "app.yaml",
            "sha256": "64e794a4a89d299dfdb167cfa7f56346f7a8e0fe61f73c85c91c0fc724d6f6e2",
            "size": 9,
          },
          {
            "path": "kurel.yaml",
            "sha256": "5fe919f0c1358a3a5ff53eaf87d3ff86b3a8bbf842c9ece149e4e4a0c31233bd",
            "size": 11,
          },
          {
            "path": "resources/größe.yaml",
            "sha256": "1fd98b58d7aa808a1030f59a20ba5241438823ea722b09f5be83cf2f8e03cd59",
            "size": 23,
          },
        ],
        "form": "application",
        "formatVersion": 1,
        "name": "web",
        "version": "1.2.0",
      }
    `);
  });

  it('gives the same digest for files in any order', async () => {
    const { digest } = await createPackageArtifact(web);
    expect((await createPackageArtifact({ ...web, files: files.toReversed() })).digest).toBe(digest);
    const changed = files.map((one) => (one.path === 'app.yaml' ? file('app.yaml', 'other') : one));
    expect((await createPackageArtifact({ ...web, files: changed })).digest).not.toBe(digest);
  });

  it('has no version and no README if the package has none', async () => {
    const { manifest } = await createPackageArtifact({
      form: publishedForm('patch-package'),
      name: 'web',
      files: [file('parameters.yaml')],
      schema: '{}',
      annotations: {},
    });
    const { layers, annotations } = parse(manifest) as { layers: JsonObject[]; annotations: JsonObject };
    expect(layers).toHaveLength(3);
    expect(annotations).toEqual({ 'org.opencontainers.image.title': 'web' });
  });
});

describe('fetchPackage', () => {
  it('gives what was pushed, and fetches only what is needed', async () => {
    const artifact = await createPackageArtifact(web);
    const { registry } = await push(artifact);
    const before = registry.requests.length;
    const opened = await fetchPackage(`${url}:1.2.0`, registry.access, { forms });
    expect(registry.requests.slice(before)).toHaveLength(2);
    expect(opened).toMatchObject({ digest: artifact.digest, config: { name: 'web', form: 'application' } });
    expect([...opened.layers.documents.keys()]).toEqual(['kurel.yaml', 'app.yaml', 'README.md']);
    const readme = await opened.fetchLayer(opened.layers.documents.get('README.md')!);
    expect(new TextDecoder().decode(readme)).toBe('# web\n');
    const content = await opened.fetchContent();
    expect(content.map(({ path }) => path)).toEqual(['README.md', 'app.yaml', 'kurel.yaml', 'resources/größe.yaml']);
    const byDigest = await fetchPackage(`${url}@${artifact.digest}`, registry.access, { forms });
    expect(byDigest.config).toEqual(opened.config);
  });

  it('asks whether a manifest is accepted before it reads anything that it names', async () => {
    const { registry } = await push(await createPackageArtifact(web));
    const before = registry.requests.length;
    const refusal = new Error('not signed');
    const verify = (): Promise<void> => Promise.reject(refusal);
    await expect(fetchPackage(`${url}:1.2.0`, registry.access, { forms, verify })).rejects.toBe(refusal);
    expect(registry.requests.slice(before)).toEqual(['GET /v2/packages/web/manifests/1.2.0']);
  });
});

/** An artifact whose parts do not belong together, as a registry may return it. */
interface Change {
  readonly manifest?: (manifest: { config: JsonObject; layers: JsonObject[] } & JsonObject) => JsonObject;
  readonly config?: (config: { files: JsonObject[] } & JsonObject) => JsonObject;
  readonly content?: readonly ArchiveFile[] | Uint8Array;
  readonly readme?: string;
}

async function fetchChanged({
  manifest = (same) => same,
  config = (same) => same,
  content,
  readme,
}: Change): Promise<unknown> {
  const artifact = await createPackageArtifact(web);
  const data = parse(artifact.manifest) as { config: JsonObject; layers: JsonObject[] } & JsonObject;
  const registry = createMemoryRegistry();
  for (const blob of artifact.blobs) registry.blobs.set(digestOf(blob), blob);
  const replace = (part: JsonObject, bytes: Uint8Array): JsonObject => {
    registry.blobs.set(digestOf(bytes), bytes);
    return { ...part, digest: digestOf(bytes), size: bytes.length };
  };
  const archive = content instanceof Uint8Array ? content : content && (await writeArchive(content));
  const changed = manifest({
    ...data,
    config: replace(data.config, encodeJson(config(parse(artifact.blobs[0]!) as { files: JsonObject[] }))),
    layers: data.layers.map((layer, index) => {
      if (index === 0 && archive !== undefined) return replace(layer, archive);
      return readme !== undefined && layer['mediaType'] === 'text/markdown'
        ? replace(layer, encoder.encode(readme))
        : layer;
    }),
  });
  registry.manifests.set('packages/web:1.2.0', encodeJson(changed));
  return await (await fetchPackage(`${url}:1.2.0`, registry.access, { forms })).fetchContent();
}

describe('a package that is not what it says', () => {
  const type = 'application/vnd.gokure.kurel.package.v1+json';
  const config = (mediaType: string): Change => ({
    manifest: (data) => ({ ...data, artifactType: mediaType, config: { ...data.config, mediaType } }),
  });
  const [first, ...rest] = files;

  it.each<[string, Change, string]>([
    ['a chart', config('application/vnd.cncf.helm.config.v1+json'), 'it is a Helm chart, not a package of kurel'],
    ['an image', config('application/vnd.oci.image.config.v1+json'), 'it is a container image, not a package of kurel'],
    [
      'rendered output',
      config('application/vnd.cncf.flux.config.v1+json'),
      'it is a set of rendered manifests, not a package of kurel',
    ],
    ['another type', config('application/json'), 'it is of the type "application/json", not a package of kurel'],
    [
      'an artifact type of something else',
      { manifest: (data) => ({ ...data, artifactType: 'x/y' }) },
      `it is of the type "${type}", not a package of kurel`,
    ],
    [
      'an index',
      { manifest: () => ({ schemaVersion: 2, manifests: [] }) },
      'it is an index of several artifacts, not a package',
    ],
    [
      'no config',
      { manifest: (data) => ({ ...data, config: null }) },
      'the layer has no media type, size or SHA-256 digest',
    ],
    ['no layers', { manifest: (data) => ({ ...data, layers: [] }) }, 'it has no layer with its content'],
    [
      'no schema',
      {
        manifest: (data) => ({
          ...data,
          layers: data.layers.filter(({ mediaType }) => mediaType !== 'application/schema+json'),
        }),
      },
      'it has no layer with its schema',
    ],
    [
      'two contents',
      { manifest: (data) => ({ ...data, layers: [data.layers[0]!, ...data.layers] }) },
      'it has more than one layer with its content',
    ],
    [
      'two documents',
      { manifest: (data) => ({ ...data, layers: [...data.layers, data.layers[1]!] }) },
      'it has two layers "kurel.yaml"',
    ],
    [
      'an unknown layer',
      {
        manifest: (data) => ({
          ...data,
          layers: [...data.layers, { ...data.layers[1]!, mediaType: 'text/x-shellscript' }],
        }),
      },
      'it has a layer "kurel.yaml" of the unknown type "text/x-shellscript"',
    ],
    [
      'a layer without a title',
      { manifest: (data) => ({ ...data, layers: [...data.layers, { ...data.layers[1]!, annotations: {} }] }) },
      'it has a layer of the unknown type "application/yaml"',
    ],
    [
      'a wrong size',
      { manifest: (data) => ({ ...data, config: { ...data.config, size: 3 } }) },
      expect.stringMatching(/^the content has \d+ bytes, but its manifest says 3$/) as string,
    ],
    [
      'a size over the limit',
      { manifest: (data) => ({ ...data, config: { ...data.config, size: 2 ** 40 } }) },
      'the content has 1099511627776 bytes, more than the limit of 16777216',
    ],
    ['a config that is not one', { config: () => ({ files: [] }) }, 'its config is not valid'],
    [
      'a later format',
      { config: (data) => ({ ...data, formatVersion: 2 }) },
      'its format version is 2, and this version of kurel reads only 1',
    ],
    ['an unknown form', { config: (data) => ({ ...data, form: 'chart' }) }, 'its config is not valid'],
    ['a name that is not a string', { config: (data) => ({ ...data, name: 1 }) }, 'its config is not valid'],
    [
      'files that are not files',
      { config: (data) => ({ ...data, files: [{ path: 'app.yaml' }] }) },
      'its config is not valid',
    ],
    [
      'a file twice',
      { config: (data) => ({ ...data, files: [...data.files, data.files[0]!] }) },
      'its config is not valid',
    ],
    ...['.git/config', 'resources/.envrc', 'x.local.kurel/parameters.yaml'].map((path): [string, Change, string] => [
      path,
      {
        config: (data) => ({ ...data, files: [...data.files, { ...data.files[0]!, path }] }),
        content: [...files, file(path, '')],
      },
      `it has "${path}", and ${path.endsWith('parameters.yaml') ? 'local extensions' : 'hidden files'} cannot be part of a package`,
    ]),
    [
      'no application',
      { config: (data) => ({ ...data, files: [] }) },
      'it is an application package without "app.yaml"',
    ],
    [
      'another form',
      { config: (data) => ({ ...data, form: 'patch-package' }) },
      'it is a patch package without "parameters.yaml"',
    ],
    [
      'another README beside the content',
      { readme: '# other\n' },
      'its layer "README.md" is not the file of that name in its content',
    ],
    [
      'a document that is missing beside the content',
      { manifest: (data) => ({ ...data, layers: data.layers.filter((_, index) => index !== 2) }) },
      'its layer "app.yaml" is not the file of that name in its content',
    ],
    [
      'a document that only the layer has',
      { config: (data) => ({ ...data, files: data.files.filter(({ path }) => path !== 'README.md') }) },
      'its layer "README.md" is not the file of that name in its content',
    ],
    [
      'other content',
      { content: [file('kurel.yaml', 'other'), ...rest] },
      '"kurel.yaml" in its content is not the one in its list of files',
    ],
    ['content that lacks a file', { content: rest }, 'its content has no "kurel.yaml", which is in its list of files'],
    [
      'content with another file',
      { content: [first!, ...rest, file('b')] },
      'its content has "b", which is not in its list of files',
    ],
    ['content that is not an archive', { content: encoder.encode('hello') }, 'it is not a gzip file'],
  ])('is refused: %s', async (_, change, reason) => {
    const error: unknown = await fetchChanged(change).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(FetchError);
    const words = /^cannot use "(?:oci|https):[^"]*": (.*)$/s.exec((error as FetchError).message)?.[1];
    expect(words).toEqual(reason);
  });

  it('is fine without a change', async () => {
    expect(await fetchChanged({})).toHaveLength(files.length);
  });
});

describe('pushArtifact', () => {
  it('uploads blobs before the manifest, and the manifest before its tag', async () => {
    const artifact = await createPackageArtifact(web);
    const { registry, states } = await push(artifact, { tags: ['1.2.0', 'latest'] });
    expect(states).toEqual([
      { tag: '1.2.0', state: 'added' },
      { tag: 'latest', state: 'added' },
    ]);
    const written = registry.requests.filter((request) => request.startsWith('PUT'));
    expect(written.slice(-3)).toEqual([
      `PUT /v2/packages/web/manifests/${artifact.digest}`,
      'PUT /v2/packages/web/manifests/1.2.0',
      'PUT /v2/packages/web/manifests/latest',
    ]);
    expect(written.slice(0, -3).every((request) => request.includes('/blobs/uploads/'))).toBe(true);
    expect(registry.blobs.size).toBe(new Set(artifact.blobs.map(digestOf)).size);
  });

  it('does nothing if the tag has the same content', async () => {
    const artifact = await createPackageArtifact(web);
    const { registry } = await push(artifact);
    const before = registry.requests.length;
    expect((await push(artifact, {}, registry)).states).toEqual([{ tag: '1.2.0', state: 'unchanged' }]);
    expect(registry.requests.slice(before)).toEqual(['GET /v2/packages/web/manifests/1.2.0']);
  });

  it('uploads without a tag, too', async () => {
    const artifact = await createPackageArtifact(web);
    const { registry, states } = await push(artifact, { tags: [] });
    expect(states).toEqual([]);
    expect([...registry.manifests.keys()]).toEqual([`packages/web@${artifact.digest}`]);
  });

  it('moves a tag only with force', async () => {
    const { registry } = await push(await createPackageArtifact(web), { tags: ['1.2.0', 'latest'] });
    const other = await createPackageArtifact({ ...web, description: 'Another one.' });
    const before = registry.requests.length;
    const error: unknown = await push(other, { tags: ['1.2.0', 'latest', '1.3.0'] }, registry).catch(
      (cause: unknown) => cause,
    );
    expect((error as DiagnosticError).diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `registry-tag-exists: tag "1.2.0" of "${url}" already has other content`,
      `registry-tag-exists: tag "latest" of "${url}" already has other content`,
    ]);
    expect(registry.requests.slice(before).filter((request) => !request.startsWith('GET'))).toEqual([]);
    const forced = await push(other, { tags: ['latest'], force: true }, registry);
    expect(forced.states).toEqual([{ tag: 'latest', state: 'moved' }]);
    expect(registry.manifests.get('packages/web:latest')).toEqual(other.manifest);
  });

  it.each([
    'POST',
    'PUT /v2/packages/web/blobs',
    'PUT /v2/packages/web/manifests/sha256',
    'PUT /v2/packages/web/manifests/1.2.0',
  ])('leaves no tag behind if %s fails', async (words) => {
    const registry = createMemoryRegistry();
    registry.fail(words);
    await expect(push(await createPackageArtifact(web), {}, registry)).rejects.toThrow('500');
    expect([...registry.manifests.keys()].filter((name) => !name.includes('@'))).toEqual([]);
  });
});

describe('createRenderedArtifact', () => {
  it('is what Flux and Argo CD expect', async () => {
    const { manifest, blobs } = await createRenderedArtifact([file('web.yaml'), file('apps/kustomization.yaml')], {
      'org.opencontainers.image.revision': 'main@sha1:1234',
    });
    expect(parse(manifest)).toMatchInlineSnapshot(`
      {
        "annotations": {
          "org.opencontainers.image.revision": "main@sha1:1234",
        },
        "config": {
          "digest": "sha256:4b80ac9698c8ea141e23d5c3c8d19e25d20dbf49d1ead86f032c3e34115804bf",
          "mediaType": "application/vnd.cncf.flux.config.v1+json",
          "size": 153,
        },
        "layers": [
          {
            "digest": "sha256:6f034b647333660f6e0b99266bd88639f77913bc6fe9b906ceab7bd3bc81dd97",
            "mediaType": "application/vnd.oci.image.layer.v1.tar+gzip",
            "size": 131,
          },
        ],
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "schemaVersion": 2,
      }
    `);
    expect(parse(blobs[0]!)).toMatchInlineSnapshot(`
      {
        "architecture": "",
        "config": {},
        "os": "",
        "rootfs": {
          "diff_ids": [
            "sha256:dd6e5bdf35e858cc69d06d4a41873c2a5dbb383c473ba90f5d27bbcd5c1417d3",
          ],
          "type": "layers",
        },
      }
    `);
  });
});
