import { describe, expect, it } from 'vitest';

import { build } from '../../build.ts';
import { bundledSchemas } from '../../host/index.ts';
import { createSchemaStore } from '../../schema/index.ts';
import { memoryFileSystem } from '../memory-file-system.ts';

const store = createSchemaStore({ files: bundledSchemas() });

const files = {
  'shop.kurel/parameters.yaml': 'kurel: {name: shop, version: 1.0.0, appVersion: "1"}\nreplicas: 2\n',
  'shop.kurel/resources/web.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n' +
    '  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "nginx:1.25"}]}}\n',
  'shop.kurel/patches/10-scale.kpatch': '[deployment.web]\nspec.replicas: ${replicas}\nspec.pausd: true\n',
};

async function codesOf(replicas: string, validation?: { readonly store: typeof store }): Promise<readonly string[]> {
  const fileSystem = memoryFileSystem(files);
  const values = { replicas };
  const { diagnostics } = await build({ path: 'shop.kurel', fileSystem, values, validation });
  return diagnostics.map(({ code, check }) => `${code} ${check ?? ''}`.trim());
}

describe('the build of a patch package', () => {
  it('validates parameters if objects are validated', async () => {
    expect(await codesOf('many')).not.toContain('field-type parameters');
    expect(await codesOf('many', { store })).toContain('field-type parameters');
  });

  it('reports a wrong parameter once, and still validates the objects', async () => {
    const codes = await codesOf('many', { store });
    expect(codes.filter((code) => code.startsWith('field-type'))).toEqual(['field-type parameters']);
    expect(codes).toContain('field-unknown');
  });
});
