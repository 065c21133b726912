import { describe, expect, it } from 'vitest';

import { build, Engine, memoryFileSystem, renderers, transformers } from '../src/index.ts';

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

  // Invariant: a policy holds for the objects that leave the pipeline, regardless of the caller; an Engine checks what its renderers give.
  it.fails('is refused by an engine', async () => {
    const source = { fileSystem, path: 'shop', profile: false, policy: 'policy.yaml' } as const;
    const engine = new Engine({ renderers: [renderers.application(source)], transformers: [toForeign] });
    await expect(engine.render()).rejects.toThrow(/evil\.example\.com/);
  });
});
