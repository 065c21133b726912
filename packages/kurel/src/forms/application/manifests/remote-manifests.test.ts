import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../../../host/index.ts';
import { build, createSchemaStore, locateInYaml, memoryFileSystem } from '../../../index.ts';
import type { BuildResult } from '../../../index.ts';
import { sha256 } from '../../../engine/index.ts';
import { FetchError } from '../../../model/index.ts';
import type { Fetcher, FetchRequest } from '../../../model/index.ts';
import { formatPrinted } from '../../../../test/format-printed.ts';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';
const url = 'https://example.com/all.yaml';
const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  a: "1"\n';
const store = createSchemaStore({ files: bundledSchemas() });

interface Given {
  readonly components: string;
  readonly files?: Readonly<Record<string, string>>;
  /** The content of the URLs. */
  readonly texts?: Readonly<Record<string, string | Uint8Array>>;
  readonly policy?: string;
}

interface Asked {
  readonly result: BuildResult;
  readonly messages: string;
  readonly requests: readonly FetchRequest[];
}

async function render({ components, files = {}, texts = {}, policy }: Given): Promise<Asked> {
  const requests: FetchRequest[] = [];
  const fetcher: Fetcher = {
    async fetch(request) {
      requests.push(request);
      const body = Object.hasOwn(texts, request.url) ? texts[request.url]! : undefined;
      if (body === undefined) throw new FetchError('status', `${request.url} answers with 404`, { url: request.url });
      const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
      return { url: request.url, bytes, headers: {} };
    },
  };
  const application = `${head}kind: Application\nmetadata: {name: shop, namespace: shop}\nspec:\n  components:\n${components}`;
  const rules = policy === undefined ? {} : { 'policy.yaml': policy };
  const result = await build({
    path: 'shop',
    fileSystem: memoryFileSystem({ 'shop/app.yaml': application, ...rules, ...files }),
    application: { profile: false },
    ...(policy === undefined ? {} : { policy: 'policy.yaml' }),
    fetcher,
    validation: { store },
  });
  const { diagnostics, sources } = result;
  return {
    result,
    requests,
    messages: formatPrinted(diagnostics, { sources, locate: locateInYaml, color: false }),
  };
}

function component(properties: string, { name = 'more', type = 'manifests' } = {}): string {
  return `  - {name: ${name}, type: ${type}, properties: {${properties}}}\n`;
}

const codes = ({ result }: Asked): readonly string[] => result.diagnostics.map(({ code }) => code);

describe('manifests from a URL', () => {
  it('are fetched, with a warning unless they are pinned', async () => {
    const asked = await render({ components: component(`url: "${url}"`), texts: { [url]: settings } });
    expect(codes(asked)).toEqual(['source-not-pinned']);
    expect(asked.result.objects).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' }, data: { a: '1' } },
    ]);
    expect(asked.requests.map((request) => [request.url, request.maxBytes])).toEqual([[url, 5 * 1024 * 1024]]);
  });

  it('are pinned by their checksum', async () => {
    const pinned = await render({
      components: component(`url: "${url}", sha256: "${sha256(settings)}"`),
      texts: { [url]: settings },
    });
    expect(pinned.messages).toBe('');
    const changed = await render({
      components: component(`url: "${url}", sha256: "${sha256('other')}"`),
      texts: { [url]: settings },
    });
    expect(codes(changed)).toEqual(['source-changed']);
    expect(changed.result.objects).toEqual([]);
  });

  it('are fetched once for all components', async () => {
    const components = component(`url: "${url}"`) + component(`url: "${url}"`, { name: 'again' });
    const asked = await render({ components, texts: { [url]: settings } });
    expect(asked.requests).toHaveLength(1);
    expect(codes(asked)).toEqual(['source-not-pinned', 'object-twice']);
  });

  it('are the location of findings about them', async () => {
    const wrong = settings.replace('a: "1"', 'a: 1');
    const components = component(`url: "${url}", sha256: "${sha256(wrong)}"`);
    const invalid = await render({ components, texts: { [url]: wrong } });
    expect(invalid.messages).toContain(`  --> ${url}:6:6\n   |\n 6 |   a: 1\n   |      ^\n`);
    const broken = { [url]: settings.replace('metadata:', 'metadata') };
    const failed = await render({ components: component(`url: "${url}"`), texts: broken });
    expect(failed.messages).toContain(`  --> ${url}:3:1\n   |\n 3 | metadata\n`);
    expect(failed.result.ok).toBe(false);
  });

  it('are not requested if the policy forbids it, and a redirect cannot bypass it', async () => {
    const policy = `${head}kind: Policy\nmetadata: {name: p}\nspec: {enforced: {allowedRegistries: [example.com]}}\n`;
    const refused = await render({ components: component('url: "https://example.org/a.yaml"'), policy });
    expect([codes(refused), refused.requests]).toEqual([['policy-source'], []]);
    const asked = await render({ components: component(`url: "${url}"`), texts: { [url]: settings }, policy });
    const { allowHost } = asked.requests[0]!;
    expect(['example.com', 'example.org', '169.254.169.254'].map(allowHost)).toEqual([true, false, false]);
  });

  it('are rejected if they cannot be fetched or are not text', async () => {
    expect(codes(await render({ components: component(`url: "${url}"`) }))).toEqual(['source-unreachable']);
    const bytes = new Uint8Array([0xff, 0xfe, 0x00]);
    const asked = await render({ components: component(`url: "${url}"`), texts: { [url]: bytes } });
    expect(codes(asked)).toEqual(['source-not-pinned', 'source-not-text']);
  });

  it('are not requested after other errors', async () => {
    const asked = await render({ components: component(`url: "${url}"`) + component('file: 5', { name: 'wrong' }) });
    expect([codes(asked), asked.requests]).toEqual([['field-type'], []]);
  });
});

describe('manifests from a file', () => {
  it('have the path that the user would open', async () => {
    const asked = await render({
      components: component('file: more/all.yaml'),
      files: { 'shop/more/all.yaml': settings.replace('a: "1"', 'a: 1') },
    });
    expect(asked.messages).toContain('  --> shop/more/all.yaml:6:6\n');
  });

  const hostile: readonly [title: string, text: string][] = [
    ['ten thousand levels', `${settings}  b: ${'['.repeat(10_000)}${']'.repeat(10_000)}\n`],
    ['a key that is a prototype', `${settings}  __proto__: {a: 1}\n`],
    [
      'aliases of aliases',
      `${settings}x: &a [1, 1]\n${Array.from({ length: 40 }, (_, i) => `y${i}: &a${i} [*a${i === 0 ? '' : i - 1}, *a${i === 0 ? '' : i - 1}]\n`).join('')}`,
    ],
    ['lists in lists', `${'{apiVersion: v1, kind: List, items: ['.repeat(100)}${']}'.repeat(100)}`],
    ['a name that is a prototype', settings.replace('name: settings', 'name: __proto__')],
    ['a type that is a prototype', settings.replace('ConfigMap', '__proto__').replace('v1', 'constructor/v1')],
    ['a thousand documents that are not objects', 'a: 1\n---\n'.repeat(1000)],
  ];

  it.each(hostile)('are rejected with %s', { tags: 'slow' }, async (_, text) => {
    const asked = await render({ components: component('file: all.yaml'), files: { 'shop/all.yaml': text } });
    expect(asked.result.ok).toBe(false);
    const kept = asked.result.diagnostics.filter(({ omitted }) => omitted === undefined);
    expect(kept.every(({ location }) => location?.file === 'shop/all.yaml')).toBe(true);
  });
});

describe('definitions among the manifests', () => {
  const definition = (scope: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: ${scope}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`;
  const widget = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: large}\n';

  it('validate objects of other components', async () => {
    const components =
      component('file: crds.yaml', { name: 'crds', type: 'crd' }) +
      component('file: all.yaml, scopeOverrides: [{apiVersion: example.com/v1, kind: Widget, scope: Namespaced}]');
    const files = { 'shop/crds.yaml': definition('Namespaced'), 'shop/all.yaml': widget };
    const asked = await render({ components, files });
    expect(codes(asked)).toEqual(['field-type']);
    expect(asked.messages).toContain('  --> shop/all.yaml:4:14\n');
  });

  it.each(['Namespaced', 'Cluster'])(
    'set the scope of objects, even if it differs from the known one: %s',
    async (scope) => {
      const text = `${definition(scope)}---\n${widget.replace('large', '3')}`
        .replaceAll('example.com', 'cert-manager.io')
        .replaceAll('Widget', 'ClusterIssuer')
        .replaceAll('widgets', 'clusterissuers');
      const files = { 'shop/all.yaml': text };
      const rendered = await render({ components: component('file: all.yaml'), files });
      expect(codes(rendered)).toEqual(['definition-in-stream']);
      expect(rendered.result.objects.map(({ metadata }) => metadata)).toEqual([
        { name: 'clusterissuers.cert-manager.io' },
        scope === 'Cluster' ? { name: 'a' } : { name: 'a', namespace: 'shop' },
      ]);
    },
  );
});
