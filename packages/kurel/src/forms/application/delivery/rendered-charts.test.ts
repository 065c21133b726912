import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { applicationCases, requestOfCase } from '../../../../test/application-case.ts';
import { describeWithProgram } from '../../../../test/render-case.ts';
import { writeTar } from '../../../../test/write-tar.ts';
import { programRunner } from '../../../host/index.ts';
import { build, memoryFileSystem } from '../../../index.ts';
import type { BuildResult } from '../../../index.ts';
import { FetchError } from '../../../model/index.ts';
import type { Fetcher, ProgramCall, ProgramRunner } from '../../../model/index.ts';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';
const archive = gzipSync(
  writeTar([
    { name: 'web/Chart.yaml', content: 'apiVersion: v2\nname: web\nversion: 1.2.3\n' },
    { name: 'web/templates/a.yaml', content: '' },
  ]),
);
const sha256 = createHash('sha256').update(archive).digest('hex');
const printed = `---
# Source: web/templates/a.yaml
apiVersion: v1
kind: Pod
metadata:
  name: store-web
spec:
  containers:
  - name: web
    image: ghcr.io/example/web:1.0.0
`;

/** The content of the network. */
function createSites(): Readonly<Record<string, string | Uint8Array>> {
  const mediaType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
  const manifest = JSON.stringify({
    schemaVersion: 2,
    layers: [{ mediaType, digest: `sha256:${sha256}`, size: archive.length }],
  });
  const entries =
    'web: [{version: 1.2.3, urls: [web-1.2.3.tgz]}, {version: 2.0.0, urls: ["https://cdn.example.net/web-2.0.0.tgz"]}]';
  return {
    'https://charts.example.com/index.yaml': `apiVersion: v1\nentries: {${entries}}\n`,
    'https://charts.example.com/web-1.2.3.tgz': archive,
    'https://cdn.example.net/web-2.0.0.tgz': archive,
    'https://ghcr.io/v2/example/web/manifests/1.2.3': manifest,
    [`https://ghcr.io/v2/example/web/blobs/sha256:${sha256}`]: archive,
  };
}

const sites = createSites();

const fetcher: Fetcher = {
  fetch: async ({ url, allowHost }) => {
    const { host } = new URL(url);
    if (!allowHost(host)) throw new FetchError('host', `"${url}" is on a host that is not allowed`, { url });
    const body = sites[url];
    if (body === undefined) throw new FetchError('status', `"${url}" does not exist`, { url, status: 404 });
    return { url, headers: {}, bytes: typeof body === 'string' ? new TextEncoder().encode(body) : body };
  },
};

const application = (components: string): string =>
  `${head}kind: Application\nmetadata: {name: shop, namespace: shop}\nspec:\n  components:\n${components}`;

interface Asked {
  readonly components: string;
  readonly policy?: string;
  readonly offline?: boolean;
  readonly run?: ProgramRunner['run'];
}

async function render(asked: Asked): Promise<BuildResult & { readonly calls: readonly ProgramCall[] }> {
  const { components, policy, offline = false, run = () => ({ exitCode: 0, stdout: printed, stderr: '' }) } = asked;
  const calls: ProgramCall[] = [];
  const files = {
    'shop/app.yaml': application(components),
    ...(policy === undefined ? {} : { 'policy.yaml': policy }),
  };
  const result = await build({
    path: 'shop',
    fileSystem: memoryFileSystem(files),
    application: { profile: false },
    policy: policy === undefined ? undefined : 'policy.yaml',
    fetcher: offline ? undefined : fetcher,
    programs: {
      run(call) {
        calls.push(call);
        return run(call);
      },
    },
  });
  return { ...result, calls };
}

const component = (properties: string, name = 'store'): string =>
  `  - name: ${name}\n    type: helmchart\n    properties: {delivery: template, ${properties}}\n`;
const repository = 'chart: web, source: {url: "https://charts.example.com"}';
const codes = ({ diagnostics }: BuildResult): readonly string[] => diagnostics.map(({ code }) => code);

describe('a chart that is rendered', () => {
  it('comes from a repository, as a release named after the component', async () => {
    const result = await render({ components: component(`${repository}, version: ^1, values: {size: 3}`) });
    expect(codes(result)).toEqual(['source-not-pinned']);
    expect(result.calls).toHaveLength(1);
    const [{ args, stdin, workspace, network }] = result.calls as [ProgramCall];
    expect(args.slice(-2)).toEqual(['store', '{workspace}/chart.tgz']);
    expect(args).toContain('--namespace=shop');
    expect(args).toContain('--include-crds');
    expect(args).toContain('--skip-tests');
    expect({ stdin, network }).toEqual({ stdin: 'size: 3\n', network: false });
    expect(workspace?.files.get('chart.tgz')).toEqual(archive);
    expect(result.objects).toMatchObject([{ kind: 'Pod', metadata: { name: 'store-web', namespace: 'shop' } }]);
  });

  it('comes from a registry', async () => {
    const components = component(`version: 1.2.3, sha256: "${sha256}", source: {url: "oci://ghcr.io/example/web"}`);
    const result = await render({ components });
    expect(codes(result)).toEqual([]);
    expect(result.objects).toHaveLength(1);
  });

  it('is rendered separately for each component', async () => {
    const pinned = `${repository}, version: 1.2.3, sha256: "${sha256}"`;
    const run: ProgramRunner['run'] = ({ args }) => ({
      exitCode: 0,
      stdout: printed.replace('store', args.at(-2)!),
      stderr: '',
    });
    const result = await render({ components: component(pinned) + component(pinned, 'depot'), run });
    expect(codes(result)).toEqual([]);
    expect(result.objects).toMatchObject([{ metadata: { name: 'store-web' } }, { metadata: { name: 'depot-web' } }]);
  });

  const refused: readonly (readonly [what: string, asked: Asked, code: string, words: string])[] = [
    [
      'does not match its checksum',
      { components: component(`${repository}, version: 1.2.3, sha256: "${'0'.repeat(64)}"`) },
      'source-changed',
      sha256,
    ],
    [
      'is not in the package and the network is disabled',
      { components: component(`${repository}, version: 1.2.3`), offline: true },
      'source-offline',
      'chart "web" of "https://charts.example.com", version "1.2.3"',
    ],
    ['does not exist', { components: component(`${repository}, version: ^3`) }, 'source-unreachable', '^3'],
    [
      'is on a host that the policy does not allow',
      {
        components: component(`${repository}, version: ^2`),
        policy: `${head}kind: Policy\nmetadata: {name: p}\nspec: {enforced: {allowedRegistries: [charts.example.com]}}\n`,
      },
      'source-unreachable',
      'cdn.example.net',
    ],
    [
      'cannot be rendered',
      {
        components: component(`${repository}, version: 1.2.3, sha256: "${sha256}"`),
        run: () => ({
          exitCode: 1,
          stdout: '',
          stderr: 'Error: execution error at (web/templates/a.yaml:1:3): no size\n',
        }),
      },
      'source-chart-failed',
      'no size',
    ],
  ];

  it.each(refused)('is rejected if it %s', async (_, asked, code, words) => {
    const result = await render(asked);
    expect(codes(result)).toEqual([code]);
    const [{ message, location }] = result.diagnostics as [BuildResult['diagnostics'][number]];
    expect(message).toContain(words);
    expect(location).toMatchObject({
      file: 'shop/app.yaml',
      path: ['spec', 'components', 0, 'properties', 'source', 'url'],
    });
    expect(result.objects).toEqual([]);
  });

  it('is validated against the policy', async () => {
    const policy = `${head}kind: Policy\nmetadata: {name: p}\nspec: {enforced: {allowedRegistries: [charts.example.com]}}\n`;
    const components = component(`${repository}, version: ^1, sha256: "${sha256}"`);
    const result = await render({ components, policy });
    expect(codes(result)).toEqual(['policy-registry']);
    expect(result.diagnostics[0]!.location).toMatchObject({ path: expect.arrayContaining(['source', 'url']) });
  });

  it('requires helm', async () => {
    const app = application(component(`${repository}, sha256: "${sha256}"`));
    const fileSystem = memoryFileSystem({ 'shop/app.yaml': app });
    const result = await build({ path: 'shop', fileSystem, application: { profile: false }, fetcher });
    expect(codes(result)).toEqual(['input-needs-program']);
  });
});

describeWithProgram('helm', 'what helm is recorded to have printed', (file) => {
  const recorded = applicationCases.filter(({ files }) => files.has('helm-output.yaml'));
  const programs = programRunner({ environment: { KUREL_TOOLS: dirname(file) } });

  it.each(recorded)('is what it prints in $name', { tags: 'slow' }, async ({ files, isBuilt }) => {
    let text = '';
    const result = await build({
      ...requestOfCase(files),
      programs: {
        async run(call) {
          const printed = await programs.run(call);
          text = printed.stdout;
          return printed;
        },
      },
    });
    expect(text).toBe(files.read('helm-output.yaml'));
    expect(result.ok).toBe(isBuilt);
  });

  it('is there', () => {
    expect(recorded.length).toBeGreaterThan(0);
  });
});
