import { expect, it } from 'vitest';
import { resolvePackageParameters } from '../examine-package.ts';
import { planPatches } from '../plan-patches.ts';
import { schemaCacheKey } from './generate-schema.ts';
import { loadFiles } from '../../../../test/patch-package/schema-cases.ts';

const files = {
  'parameters.yaml': 'replicas: 2\nactive: true\n',
  'patches/a.kpatch': '[deployment.my-app]\nreplicas: ${replicas}\n',
  'patches/a.yaml': 'enabled: "${active}"\n',
};
const versions = { toolVersion: '1.0.0', kubernetesVersion: '1.37' };

it('is the same for the same package, wherever it is', async () => {
  const [one, other] = [await loadFiles(files), await loadFiles(files)];
  const key = schemaCacheKey(one, versions);
  expect(key).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(schemaCacheKey({ ...other, path: 'elsewhere/app.kurel' }, versions)).toBe(key);
});

it.each<readonly [string, Readonly<Record<string, string>>]>([
  ['parameters', { 'parameters.yaml': 'replicas: 3\nactive: true\n' }],
  ['a comment', { 'parameters.yaml': '# More.\nreplicas: 2\nactive: true\n' }],
  ['a patch', { 'patches/a.kpatch': '[deployment.my-app]\npaused: ${replicas}\n' }],
  ['the name of a patch', { 'patches/b.kpatch': '[deployment.my-app]\nreplicas: ${replicas}\n' }],
  ['patch metadata', { 'patches/a.yaml': 'enabled: false\n' }],
  ['a resource', { 'resources/service.yaml': 'apiVersion: v1\nkind: Service\nmetadata: { name: a }\n' }],
  ['a definition', { 'schemas/crds/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n' }],
  ['overrides', { 'schemas/parameters.overrides.yaml': 'properties: {}\n' }],
  ['a local extension', { '../app.local.kurel/parameters.yaml': 'replicas: 3\n' }],
])('is another with another: %s', async (_, changed) => {
  const key = schemaCacheKey(await loadFiles(files), versions);
  expect(schemaCacheKey(await loadFiles({ ...files, ...changed }), versions)).not.toBe(key);
});

it('is another with other versions, values and enabled patches', async () => {
  const pkg = await loadFiles(files);
  const report = () => undefined;
  const source = { path: 'values.yaml', text: 'active: false\n' };
  const given = [[], [{ kind: 'values', source, data: { active: false } } as const]];
  const resolved = given.map((layers) => resolvePackageParameters(pkg, layers, { report })!);
  const keys = [
    schemaCacheKey(pkg, versions),
    schemaCacheKey(pkg, { ...versions, toolVersion: '1.0.1' }),
    schemaCacheKey(pkg, { ...versions, kubernetesVersion: '1.36' }),
    ...resolved.map((parameters) =>
      schemaCacheKey(pkg, { ...versions, plan: planPatches(pkg, parameters, { report }) }),
    ),
    schemaCacheKey(pkg, { ...versions, parameters: resolved[1] }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});
