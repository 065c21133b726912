import { describe, expect, it } from 'vitest';
import { build, defineComponent, definePolicy, defineTrait, memoryFileSystem } from '../../index.ts';
import type { BuildResult, Handlers } from '../../index.ts';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';

const job = defineComponent({
  type: 'task',
  summary: 'Something that runs once.',
  tier: 'services',
  properties: { image: { type: 'string', required: true, description: 'Image to run.' } },
  render: ({ name, properties }) => ({
    objects: [
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name, image: properties.image }] } } },
      },
    ],
  }),
});

const dashboard = defineTrait({
  type: 'dashboard',
  summary: 'A dashboard for the component.',
  properties: {
    title: { type: 'string', required: true, description: 'Title of the dashboard.' },
    folder: { type: 'string', description: 'Folder of the dashboard.' },
  },
  render: ({ component, properties }) => ({
    objects: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `${component.name}-dashboard` },
        data: { title: properties.title, folder: properties.folder ?? 'none' },
      },
    ],
  }),
});

const first = definePolicy({
  type: 'first',
  summary: 'Components that come before all others.',
  properties: { components: { type: 'array', items: { type: 'string' }, required: true } },
  apply: ({ properties }) => ({
    tiers: Object.fromEntries(properties.components.map((name) => [name, 'infra' as const])),
  }),
});

const handlers: Handlers = { components: [job], traits: [dashboard], policies: [first] };

const application = (policies = '[]'): string => `${head}kind: Application
metadata: {name: shop}
spec:
  components:
  - name: web
    type: webservice
    properties: {image: "nginx:1.25"}
    traits:
    - type: dashboard
      properties: {title: Web}
  - name: migrate
    type: task
    properties: {image: "migrate:1"}
  policies: ${policies}
`;

const profile = `${head}kind: ClusterProfile
metadata: {name: test}
spec:
  capabilities:
    dashboard:
      rendering: {folder: shops}
`;

const definition = `${head}kind: CapabilityDefinition
metadata: {name: dashboard}
spec:
  rendering:
    properties:
      folder: {type: string, required: true}
`;

async function render(files: Readonly<Record<string, string>>, own: Handlers = handlers): Promise<BuildResult> {
  return await build({
    path: 'shop',
    fileSystem: memoryFileSystem({ 'shop/app.yaml': application(), 'cluster.yaml': profile, ...files }),
    application: { profile: 'cluster.yaml', handlers: own },
  });
}

const named = ({ objects }: BuildResult): readonly string[] =>
  objects.map(({ kind, metadata }) => `${kind} ${(metadata as { name: string }).name}`);
const codes = ({ diagnostics }: BuildResult): readonly string[] => diagnostics.map(({ code }) => code);

describe('handlers of a library user', () => {
  it('create objects in addition to the built-in ones, tier by tier', async () => {
    const result = await render({ 'shop/definitions/dashboard.yaml': definition });
    expect(codes(result)).toEqual([]);
    expect(named(result)).toEqual([
      'Job migrate',
      'Deployment web',
      'Service web',
      'ServiceAccount web',
      'ConfigMap web-dashboard',
    ]);
    expect(result.objects.at(-1)).toMatchObject({ data: { title: 'Web', folder: 'shops' } });
  });

  it('have their renderings checked by their own properties without a definition', async () => {
    expect(codes(await render({}))).toEqual([]);
    const wrong = profile.replace('folder: shops', 'folder: 7, titel: a');
    expect(codes(await render({ 'cluster.yaml': wrong }))).toEqual(['field-type', 'field-unknown']);
  });

  it('have their renderings checked by the definition', async () => {
    const wrong = profile.replace('folder: shops', 'folder: 7, title: {a: 1}');
    const result = await render({ 'cluster.yaml': wrong, 'shop/definitions/dashboard.yaml': definition });
    expect(codes(result)).toContain('field-type');
    expect(result.objects).toEqual([]);
  });

  it('can have policies that order components', async () => {
    const policies = '[{name: order, type: first, properties: {components: [web]}}]';
    const result = await render({
      'shop/app.yaml': application(policies),
      'shop/definitions/dashboard.yaml': definition,
    });
    expect(named(result)[0]).toBe('Deployment web');
    const lost = policies.replace('[web]', '[wbe]');
    const failed = await render({ 'shop/app.yaml': application(lost), 'shop/definitions/dashboard.yaml': definition });
    expect(codes(failed)).toEqual(['tier-of-nothing']);
  });

  it('have their own advice, even if two of them share a table', async () => {
    const variant = (type: string) => ({ ...job, type, instead: { foo: `advice of ${type}` } });
    const components = [variant('one'), variant('two')];
    const list = components.map(({ type }) => `{name: ${type}, type: ${type}, properties: {image: a, foo: 1}}`);
    const text = `${head}kind: Application\nmetadata: {name: shop}\nspec: {components: [${list.join(', ')}]}\n`;
    const { diagnostics } = await render({ 'shop/app.yaml': text }, { components, traits: [dashboard] });
    const hints = diagnostics.flatMap(({ code, hint }) => (code === 'field-unknown' ? [hint] : []));
    expect(hints).toEqual(['advice of one', 'advice of two']);
  });

  it('cannot replace a built-in one', async () => {
    await expect(render({}, { components: [{ ...job, type: 'webservice' }] })).rejects.toThrow('duplicate handler');
  });
});
