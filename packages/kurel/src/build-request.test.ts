import { describe, expect, it } from 'vitest';
import { build, memoryFileSystem } from './index.ts';
import type { BuildRequest } from './index.ts';

const fileSystem = memoryFileSystem({ 'web.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n' });

const layouts = '"stream", "flat", "by-kind", "by-resource", "phases", "flux", "argocd" or "sources"';

describe('a build with a setting that does not exist', () => {
  it.each<readonly [setting: string, value: unknown, message: string, hint?: string]>([
    ['layout', 'nope', `layout of the build must be ${layouts}, got "nope"`],
    ['layout', 'flatt', `layout of the build must be ${layouts}, got "flatt"`, 'did you mean "flat"?'],
    ['layout', 'constructor', `layout of the build must be ${layouts}, got "constructor"`],
    ['layout', 3, `layout of the build must be ${layouts}, got number`],
    ['format', 'toml', 'format of the build must be "yaml" or "json", got "toml"'],
    ['format', null, 'format of the build must be "yaml" or "json", got null'],
    ['order', 'reverse', 'order of the build must be "source" or "apply", got "reverse"'],
    ['path', undefined, 'path of the build must be a string, got undefined'],
    ['filters', [undefined], 'filters[0] of the build must be a function, got undefined'],
    ['transformers', [() => ({}), null], 'transformers[1] of the build must be a function, got null'],
    ['transformers', [{ words: '--x' }], 'transformers[0] of the build must be a function, got object'],
    ['transformers', null, 'transformers of the build must be a list, got null'],
    ['fileSystem', null, 'fileSystem of the build must be an object, got null'],
    ['path', 5, 'path of the build must be a string, got number'],
    ['strict', 'yes', 'strict of the build must be a boolean, got "yes"'],
    ['namespace', 5, 'namespace of the build must be a string, got number'],
    ['crds', 'crds.yaml', 'crds of the build must be a list, got "crds.yaml"'],
    ['values', [], 'values of the build must be an object, got a list'],
    ['chart', null, 'chart of the build must be an object, got null'],
    ['policy', 5, 'policy of the build must be a string, got number'],
    ['validation', {}, 'validation.store of the build must be an object, got undefined'],
    ['patches', {}, 'patches.files of the build must be a list, got undefined'],
    ['patches', ['[configmap.a]'], 'patches of the build must be an object, got a list'],
    ['layot', 'flux', 'unknown setting "layot" of the build', 'did you mean "layout"?'],
    ['kubernetesVersion', '1.33', 'unknown setting "kubernetesVersion" of the build'],
    ['postRenderers', ['sort'], 'postRenderers[0] of the build must be a function, got "sort"'],
  ])('%s: %j', async (setting, value, message, hint) => {
    const request = { path: 'web.yaml', fileSystem, [String(setting)]: value } as unknown as BuildRequest;
    const { ok, files, diagnostics } = await build(request);
    expect(diagnostics.map((finding) => [finding.code, finding.message, finding.hint])).toEqual([
      ['request-invalid', message, hint],
    ]);
    expect({ ok, files }).toEqual({ ok: false, files: [] });
  });

  it('reports all of them', async () => {
    const request = {
      path: 'web.yaml',
      fileSystem,
      as: 'chrat',
      format: 'toml',
      layout: 'nope',
    } as unknown as BuildRequest;
    const { diagnostics } = await build(request);
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ['request-invalid', 'did you mean "chart"?'],
      ['request-invalid', undefined],
      ['request-invalid', undefined],
    ]);
  });

  it.each([[undefined], [null], [{}], ['web.yaml']])('refuses %j, which is not a request', async (request) => {
    const { ok, diagnostics } = await build(request as unknown as BuildRequest);
    expect(ok).toBe(false);
    expect(diagnostics.map(({ message }) => message)).toContain(
      'fileSystem of the build must be an object, got undefined',
    );
  });

  it('refuses a file system that cannot read', async () => {
    const { diagnostics } = await build({ path: 'web.yaml', fileSystem: {} } as unknown as BuildRequest);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'fileSystem.kindOf of the build must be a function, got undefined',
      'fileSystem.readText of the build must be a function, got undefined',
    ]);
  });

  it.each([[() => 3], [() => [{}]], [() => Promise.reject(new Error('no idea'))]])(
    'reports a post-renderer that fails: %s',
    async (fails) => {
      const { ok, diagnostics } = await build({ path: 'web.yaml', fileSystem, postRenderers: [fails as never] });
      expect({ ok, codes: diagnostics.map(({ code }) => code) }).toEqual({
        ok: false,
        codes: ['post-renderer-failed'],
      });
    },
  );
});
