import { describe, expect, it } from 'vitest';

import { build, formatDiagnostics, locateInYaml, memoryFileSystem } from '../src/index.ts';
import type { BuildRequest, FileSystem, KubeObject } from '../src/index.ts';

type Files = Readonly<Record<string, string>>;

/** Whatever is made of one file says twice which of its texts it was made of. */
function manifest(name: string, version: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels: {first: ${version}}\ndata:\n  second: ${version}\n`;
}

const forms: Readonly<Record<string, { readonly path: string; readonly files: (version: string) => Files }>> = {
  manifests: {
    path: 'deploy',
    files: (version) => ({
      'deploy/a.yaml': manifest('a', version),
      'deploy/b/b.yaml': manifest('b', version),
      'deploy/c.json': JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }),
    }),
  },
  'a patch package': {
    path: 'shop.kurel',
    files: (version) => ({
      'shop.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1"}\nversion: ${version}\n`,
      'shop.kurel/resources/a.yaml': manifest('a', version),
      'shop.kurel/resources/b.yaml': manifest('b', '"${version}"'),
      'shop.kurel/patches/a.kpatch': `[configmap.b]\ndata.patched: ${version}\n`,
      'shop.kurel/patches/a.yaml': `description: ${version}\n`,
      'shop.local.kurel/parameters.yaml': `extra: ${version}\n`,
      'shop.local.kurel/patches/b.kpatch': '[configmap.b]\ndata.local: ${extra}\n',
    }),
  },
  'an application package': {
    path: 'app',
    files: (version) => ({
      'app/kurel.yaml': `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: shop, version: 1.0.0}\nspec:\n  parameters:\n  - {name: version, type: string, default: ${version}}\n`,
      'app/app.yaml': `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: shop}\nspec:\n  components:\n  - name: a\n    type: passthrough\n    properties:\n      object:\n        apiVersion: v1\n        kind: ConfigMap\n        metadata: {name: a, labels: {first: ${version}}}\n        data: {second: ${version}, parameter: "\${version}"}\n  - name: b\n    type: manifests\n    properties: {file: files/b.yaml}\n`,
      'app/files/b.yaml': manifest('b', version),
      'app/patches/a.kpatch': `[configmap.a]\ndata.patched: ${version}\n`,
    }),
  },
};

const changes: Readonly<Record<string, (files: Files, later: Files) => Files>> = {
  'other texts': (_, later) => later,
  nothing: () => ({}),
  'directories in the place of files': (files) => rename(files, (path) => `${path}/inside.yaml`),
  'files in the place of directories': (files) => rename(files, (path) => path.replace(/\/[^/]*$/, '')),
  'broken texts': (files) => Object.fromEntries(Object.keys(files).map((path) => [path, 'a: [\n\tb: "'])),
};

function rename(files: Files, by: (path: string) => string): Files {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [by(path), text]));
}

/** From the nth request on, another file system answers. */
function shifting(before: FileSystem, after: FileSystem, at: number) {
  let count = 0;
  const current = (): FileSystem => (count++ < at ? before : after);
  const fileSystem: FileSystem = {
    readText: (path) => current().readText(path),
    readBytes: async (path) => new TextEncoder().encode(await current().readText(path)),
    list: (path) => current().list(path),
    kindOf: (path) => current().kindOf(path),
  };
  return { fileSystem, asked: () => count };
}

describe('input that changes while it is read', () => {
  const table = Object.keys(forms).flatMap((form) => Object.keys(changes).map((change) => [form, change] as const));
  it.each(table)('%s: %s', async (form, change) => {
    const { path, files } = forms[form]!;
    const [early, late] = [files('early'), files('late')];
    const [before, after] = [early, changes[change]!(early, late)].map((texts) => memoryFileSystem(texts));
    const request = (fileSystem: FileSystem): BuildRequest => ({ path, fileSystem, application: { profile: false } });
    const whole = shifting(before!, after!, Infinity);
    const { ok, diagnostics } = await build(request(whole.fileSystem));
    expect(ok, JSON.stringify(diagnostics)).toBe(true);
    let refused = 0;
    for (let at = 0; at <= whole.asked(); at += 1) {
      const result = await build(request(shifting(before!, after!, at).fileSystem));
      const text = formatDiagnostics(result.diagnostics, {
        sources: result.sources,
        locate: locateInYaml,
        color: false,
      });
      expect(result.ok || text !== '', `nothing is said when it changes at ${at}`).toBe(true);
      result.objects.forEach(checkOneText);
      if (!result.ok) refused += 1;
    }
    // Otherwise nothing would have changed.
    if (change !== 'other texts') expect(refused).toBeGreaterThan(0);
  });
});

/** What comes from one text is of one time. */
function checkOneText({ metadata, data }: KubeObject): void {
  const { labels } = metadata as { readonly labels?: { readonly first?: unknown } };
  const { second } = (data ?? {}) as { readonly second?: unknown };
  expect(second).toBe(labels?.first);
}
