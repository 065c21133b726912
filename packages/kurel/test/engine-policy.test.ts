import { describe, expect, it, vi } from 'vitest';

import { build, Engine, kpatch, memoryFileSystem, readPatchFile, renderers, transformers } from '../src/index.ts';

const fileSystem = memoryFileSystem({
  'shop/app.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: {name: shop, namespace: shop}
spec:
  components:
  - {name: web, type: webservice, properties: {image: "ghcr.io/example/web:1.4.0", port: 8080}}
`,
  'policy.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Policy
metadata: {name: registries}
spec: {enforced: {allowedRegistries: [ghcr.io/example]}}
`,
});
const application = { profile: false } as const;
const toForeign = transformers.jq(
  'if .kind == "Deployment" then .spec.template.spec.containers[0].image = "evil.example.com/x:1" else . end',
);

describe('a transformer that changes an image to a registry that the policy forbids', () => {
  it('is refused by a build', async () => {
    const request = { path: 'shop', fileSystem, application, policy: 'policy.yaml', transformers: [toForeign] };
    const { ok, diagnostics } = await build(request);
    expect(ok).toBe(false);
    expect(diagnostics.map(({ code }) => code)).toContain('policy-registry');
  });

  // Invariant: a policy holds for the objects that leave the pipeline, regardless of who constructed it.
  it('is refused by an engine', async () => {
    const source = { fileSystem, path: 'shop', profile: false, policy: 'policy.yaml' } as const;
    const engine = new Engine({ renderers: [renderers.application(source)], transformers: [toForeign] });
    await expect(engine.render()).rejects.toThrow(/evil\.example\.com/);
  });
});

describe('an engine with patches', () => {
  const patch = { path: 'more.kpatch', text: '[deployment.web]\nreplicas: ${values.count}\n' };
  const source = { fileSystem, path: 'shop', profile: false } as const;

  it('gives what a build gives', async () => {
    const variables = { scope: 'alone', values: { count: 4 } } as const;
    const engine = new Engine({
      renderers: [renderers.application(source)],
      postRenderers: [kpatch(patch, { variables })],
    });
    const patches = { files: [readPatchFile(patch, () => {})], variables };
    const { objects } = await build({ path: 'shop', fileSystem, application, patches });
    expect(await engine.render()).toEqual(objects);
    expect(objects).toContainEqual(
      expect.objectContaining({ kind: 'Deployment', spec: expect.objectContaining({ replicas: 4 }) }),
    );
  });

  it('refuses what a build refuses', async () => {
    const engine = new Engine({ renderers: [renderers.application(source)], postRenderers: [kpatch(patch)] });
    const wrong = { ...patch, text: '[deployment.web\nreplicas: 2\n' };
    const broken = new Engine({ renderers: [renderers.application(source)], postRenderers: [kpatch([patch, wrong])] });
    await expect(broken.render()).rejects.toThrow(/post-renderer/);
    // Without variables, a reference is left as it is.
    expect(JSON.stringify(await engine.render())).toContain('${values.count}');
  });

  it('checks the policy of a source for its own objects, and for those that nothing is known about', async () => {
    const guarded = renderers.application({ ...source, policy: 'policy.yaml' });
    const foreign = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x' },
      spec: { containers: [{ name: 'x', image: 'evil.example.com/x:1' }] },
    };
    const beside = new Engine({ renderers: [guarded, renderers.memory({ objects: [foreign] })] });
    expect(await beside.render()).toContainEqual(foreign);
    const added = new Engine({ renderers: [guarded], postRenderers: [(objects) => [...objects, foreign]] });
    await expect(added.render()).rejects.toThrow(/evil\.example\.com/);
  });
});

describe('a build', () => {
  it('runs the engine once', async () => {
    const run = vi.spyOn(Engine.prototype, 'run');
    for (const request of [
      { path: 'shop' },
      { path: 'shop', morePaths: ['shop'] },
      { path: 'shop', transformers: [toForeign] },
    ]) {
      run.mockClear();
      await build({ ...request, fileSystem, application });
      expect(run).toHaveBeenCalledTimes(1);
    }
    run.mockRestore();
  });
});
