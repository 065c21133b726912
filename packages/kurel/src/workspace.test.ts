import { describe, expect, it } from 'vitest';
import { createBudget, createMemory } from './budget/index.ts';
import { build } from './build.ts';
import { sha256 } from './engine/index.ts';
import { bundledSchemas } from './host/index.ts';
import type { Keepsake, Memory } from './model/index.ts';
import { readPatchFile } from './patch/index.ts';
import { memoryFileSystem } from './forms/index.ts';
import { createSchemaStore } from './schema/index.ts';
import { createWorkspace } from './workspace.ts';

const schemas = bundledSchemas();
const store = createSchemaStore({ files: schemas });

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Thing, plural: things }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: { size: { type: integer } }
              x-kubernetes-validations: [{ rule: self.size > 1, message: too small }]
`;
const thing = (size: number): string =>
  `apiVersion: example.com/v1\nkind: Thing\nmetadata: { name: t }\nspec: { size: ${size} }\n`;
const application = `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: { name: shop }
spec:
  components:
    - { name: web, type: webservice, properties: { image: "nginx:1.27", port: 8080 } }
    - { name: more, type: manifests, properties: { file: more.yaml } }
`;
const applicationFiles = {
  'app/app.yaml': application,
  'app/more.yaml': thing(2).replace('name: t', 'name: t, namespace: shop'),
};

/** Records what is created, and creates everything once. */
function countingMemory(): Memory & { readonly created: string[] } {
  const memory = createMemory();
  const created: string[] = [];
  return {
    created,
    keep<Value>(keepsake: Keepsake<Value>): Value {
      const create = (): Value => {
        created.push(keepsake.kind);
        return keepsake.create();
      };
      return memory.keep({ ...keepsake, create });
    },
  };
}

describe('a second build', () => {
  it.each([
    ['manifests', { 'a/crd.yaml': definition, 'a/thing.yaml': thing(2) }, 'a', ['yaml', 'rules']],
    // Its kinds are shipped, and so are the trees of their rules.
    ['an application', applicationFiles, 'app', ['yaml']],
  ])('of %s parses nothing again', async (_, files, path, kinds) => {
    const memory = countingMemory();
    const request = { path, fileSystem: memoryFileSystem(files), application: { profile: false as const } };
    const settings = path === 'app' ? request : { path, fileSystem: request.fileSystem };
    const run = () => build({ ...settings, validation: { store }, budget: createBudget({}, memory) });
    const first = await run();
    expect(first.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect([...new Set(memory.created)].toSorted()).toEqual(kinds.toSorted());
    memory.created.length = 0;
    const second = await run();
    expect(memory.created).toEqual([]);
    expect(second.files).toEqual(first.files);
  });

  it('reads only what has changed', async () => {
    const memory = countingMemory();
    const files = { 'a/crd.yaml': definition, 'a/thing.yaml': thing(2) };
    const run = (changed: Record<string, string>) =>
      build({
        path: 'a',
        fileSystem: memoryFileSystem({ ...files, ...changed }),
        validation: { store },
        budget: createBudget({}, memory),
      });
    await run({});
    memory.created.length = 0;
    const { diagnostics } = await run({ 'a/thing.yaml': thing(1) });
    expect(memory.created).toEqual(['yaml']);
    expect(diagnostics.map(({ code }) => code)).toEqual(['rule-failed']);
  });

  it('keeps patches with their findings', () => {
    const memory = countingMemory();
    const source = { path: 'p.kpatch', text: '[deployment.web]\nreplicas: 2\nnonsense\n' };
    const found = [1, 2].map(() => {
      const codes: string[] = [];
      readPatchFile(source, ({ code }) => codes.push(code), createBudget({}, memory));
      return codes;
    });
    expect(found[0]).not.toEqual([]);
    expect(found[1]).toEqual(found[0]);
    expect(memory.created).toEqual(['patches']);
  });

  it('spends the same budget on rules as the first', async () => {
    const memory = createMemory();
    const left = [];
    for (const _ of [1, 2, 3]) {
      const budget = createBudget({}, memory);
      const fileSystem = memoryFileSystem({ 'a/crd.yaml': definition, 'a/thing.yaml': thing(2) });
      await build({ path: 'a', fileSystem, validation: { store }, budget });
      left.push(budget.ruleSteps.left);
    }
    expect(new Set(left).size).toBe(1);
    expect(left[0]).toBeLessThan(createBudget().ruleSteps.left);
  });

  it('gives separate origins to the objects of a path that is named twice', async () => {
    const request = { path: 'a.yaml', morePaths: ['a.yaml'], fileSystem: memoryFileSystem({ 'a.yaml': thing(2) }) };
    const fresh = await build(request);
    const kept = await build({ ...request, budget: createBudget({}, createMemory()) });
    expect(kept.files).toEqual(fresh.files);
    expect(kept.diagnostics).toEqual(fresh.diagnostics);
    expect(new Set(kept.objects).size).toBe(fresh.objects.length);
  });
});

describe('createWorkspace', () => {
  it('equals build, each time with the full budget', async () => {
    const aliases = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: &a a, namespace: *a }\n';
    const fileSystem = memoryFileSystem({ 'a.yaml': aliases });
    const workspace = createWorkspace({ fileSystem, schemas });
    const fresh = await build({ path: 'a.yaml', fileSystem });
    for (const _ of [1, 2, 3]) {
      const { ok, files } = await workspace.build({ path: 'a.yaml', limits: { maxValues: 1 } });
      expect({ ok, files }).toEqual({ ok: true, files: fresh.files });
    }
  });

  it('has one store per Kubernetes version', () => {
    const workspace = createWorkspace({ fileSystem: memoryFileSystem({}), schemas });
    expect(workspace.store()).toBe(workspace.store());
    expect(workspace.store('1.36').kubernetesVersion).toBe('1.36');
    expect(() => workspace.store('1.2')).toThrow('1.2');
  });

  it('never exceeds its limit', async () => {
    const memory = createMemory(20_000);
    for (let count = 0; count < 300; count += 1) {
      const fileSystem = memoryFileSystem({ 'a.yaml': `# ${'x'.repeat(500)}\n${thing(count)}` });
      await build({ path: 'a.yaml', fileSystem, budget: createBudget({}, memory) });
      expect(memory.characters()).toBeLessThanOrEqual(20_000);
    }
    expect(memory.characters()).toBeGreaterThan(10_000);
  });
});

describe('the reads of a build', () => {
  const describeReads = async (files: Record<string, string>, path: string): Promise<readonly string[]> => {
    const { reads } = await build({
      path,
      fileSystem: memoryFileSystem(files),
      ...(path === 'app' ? { application: { profile: false } } : {}),
    });
    return (await reads()).map((read) => {
      const { type, path: at, kind } = { path: '', kind: '', ...read };
      return [type, at, kind].filter((word) => word !== '').join(' ');
    });
  };

  it.each([
    [
      'a file',
      { 'a.yaml': thing(1), 'b.yaml': thing(2) },
      'a.yaml',
      ['file a.yaml', 'kind a.accept.yaml absent', 'kind a.yaml file'],
    ],
    [
      'a directory',
      { 'a/one.yaml': thing(1), 'a/two.txt': 'x' },
      'a',
      [
        'directory a',
        'file a/one.yaml',
        'kind a directory',
        'kind a.local.kurel/kurel.accept.yaml absent',
        'kind a/Chart.yaml absent',
        'kind a/Kustomization absent',
        'kind a/app.yaml absent',
        'kind a/kurel.accept.yaml absent',
        'kind a/kurel.yaml absent',
        'kind a/kustomization.yaml absent',
        'kind a/kustomization.yml absent',
        'kind a/parameters.yaml absent',
        'kind a/resources absent',
      ],
    ],
    [
      'an application',
      applicationFiles,
      'app',
      [
        'directory app',
        'file app/app.yaml',
        'file app/more.yaml',
        'kind app directory',
        'kind app.local.kurel/kurel.accept.yaml absent',
        'kind app/Chart.yaml absent',
        'kind app/Kustomization absent',
        'kind app/app.yaml file',
        'kind app/app.yml absent',
        'kind app/application.yaml absent',
        'kind app/application.yml absent',
        'kind app/definition absent',
        'kind app/kurel.accept.yaml absent',
        'kind app/kurel.yaml absent',
        'kind app/kurel.yml absent',
        'kind app/kustomization.yaml absent',
        'kind app/kustomization.yml absent',
        'kind app/more.yaml file',
        'kind app/package.yaml absent',
        'kind app/package.yml absent',
        'kind app/parameters.yaml absent',
        'kind app/patch absent',
        'kind app/resources absent',
      ],
    ],
    ['nothing', { 'a.yaml': thing(1) }, 'b.yaml', ['directory .', 'kind b.yaml absent']],
  ])('of %s are exact', async (_, files, path, expected) => {
    expect(await describeReads(files, path)).toEqual(expected);
  });

  it('have the digest of the content', async () => {
    const { reads } = await build({ path: 'a.yaml', fileSystem: memoryFileSystem({ 'a.yaml': thing(1) }) });
    expect(await reads()).toContainEqual({ type: 'file', path: 'a.yaml', sha256: sha256(thing(1)) });
  });
});

describe('the schemas of a build', () => {
  const files = {
    'pkg/schemas/crds/thing.yaml': definition,
    'pkg/things/t.yaml': thing(1),
    'platform/thing.yaml': definition,
    'plain/t.yaml': 'apiVersion: example.com/v1\nkind: Thing\nmetadata: { name: t }\nspec: { size: large }\n',
  };
  const fileSystem = memoryFileSystem(files);

  it.each([
    ['schemas/crds of the input', { path: 'pkg' }, ['rule-failed']],
    ['crds', { path: 'plain', crds: ['platform'] }, ['field-type']],
    ['nothing', { path: 'plain' }, ['kinds-not-checked']],
    ['crds that do not exist', { path: 'plain', crds: ['platfrom'] }, ['manifests-not-found']],
  ])('have the CustomResourceDefinitions of %s', async (_, request, codes) => {
    const { diagnostics } = await build({ fileSystem, validation: { store }, ...request });
    expect(diagnostics.map(({ code }) => code).filter((code) => code !== 'definition-in-stream')).toEqual(codes);
  });

  it('are part of the result, and of what was read', async () => {
    const result = await build({ fileSystem, path: 'plain', crds: ['platform'], store: () => store });
    expect(result.store!().find({ group: 'example.com', version: 'v1', kind: 'Thing' })).toBeDefined();
    expect((await result.reads()).map((read) => ('path' in read ? read.path : ''))).toContain('platform/thing.yaml');
  });

  it('are those of the validation in a workspace, too', async () => {
    const workspace = createWorkspace({ schemas, fileSystem });
    const result = await workspace.build({ path: 'plain', validation: { store: workspace.store('1.34') } });
    expect(result.store!().kubernetesVersion).toBe('1.34');
  });
});
