import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { build } from '../src/build.ts';
import type { BuildResult } from '../src/build-request.ts';
import { memoryFileSystem } from '../src/forms/index.ts';
import { readTexts } from './golden-case.ts';
import { repository } from './source-tree.ts';

/** Real manifests that do not come back as they are, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'cert-manager-1.0/devel/addon/bind/manifests/service.yaml': 'refused: a template that is not YAML',
  'cert-manager/make/config/bind/service.yaml': 'refused: a template that is not YAML',
  'external-secrets/docs/snippets/1password-connect-server-deployment.yaml': 'refused: a key without a colon',
  'kubernetes-1.37/hack/testdata/invalid-deployment-unknown-and-duplicate-fields.yaml': 'refused: duplicate keys',
  'flux/cmd/flux/testdata/migrate/file-system/dir.golden/some-file.yaml': 'a document without a kind is skipped',
  'flux/cmd/flux/testdata/migrate/file-system/dir/some-file.yaml': 'a document without a kind is skipped',
};

/** Files that are reproduced alone, but not before another file. */
const joinExceptions: Readonly<Record<string, string>> = {
  'argo-cd/docs/operator-manual/argocd-secret.yaml':
    'ends in a block scalar without a line break, which becomes |- so that its value stays the same',
};

function readManifests(folder: string): ReturnType<typeof readTexts> {
  return readTexts(join(repository, folder), /\.(?:ya?ml|json)$/);
}

function buildTexts(texts: readonly string[]): Promise<BuildResult> {
  const files = texts.map((text, index) => [`m/${String(index).padStart(4, '0')}.yaml`, text] as const);
  return build({ path: 'm', as: 'manifests', fileSystem: memoryFileSystem(Object.fromEntries(files)) });
}

/** The rule as the documentation states it. */
function joinTexts(texts: readonly string[]): string {
  return texts
    .map((given, index) => {
      const text = index === 0 ? given : given.replace(/^\uFEFF/, '');
      const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
      const ended = index === texts.length - 1 || text.endsWith('\n') ? text : text + lineBreak;
      return (index === 0 || /^---\s/.test(text) ? '' : '---\n') + ended;
    })
    .join('');
}

const corpus = readManifests('test/corpus/cases/manifests');

describe('a build that changes nothing', () => {
  it('reproduces every file of the corpus', async () => {
    expect(corpus.length).toBeGreaterThan(1600);
    const different: string[] = [];
    for (const { path, text } of corpus) {
      const { files } = await buildTexts([text]);
      if (files[0]?.text !== text) different.push(path);
    }
    expect(different.toSorted()).toEqual(Object.keys(exceptions).toSorted());
  });

  it('joins several of them with one line ---', async () => {
    const usable = corpus.filter(({ path }) => !Object.hasOwn({ ...exceptions, ...joinExceptions }, path));
    const different: string[] = [];
    for (let start = 0; start < usable.length; start += 7) {
      const group = usable.slice(start, start + 7);
      const texts = group.map(({ text }) => text);
      const { files, diagnostics } = await buildTexts(texts);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect(errors, group[0]?.path).toEqual([]);
      if (files[0]?.text !== joinTexts(texts)) different.push(...group.map(({ path }) => path));
    }
    expect(different).toEqual([]);
  });

  it.each(['examples', 'packages/kurel/test/cases', 'packages/kurel/src/validate/cases'])(
    'reproduces what can be built of %s',
    async (folder) => {
      for (const { path, text } of readManifests(folder)) {
        const { ok, files, diagnostics } = await buildTexts([text]);
        const isSkipped = diagnostics.some(
          ({ code }) => code === 'object-skipped' || code === 'manifests-kustomization',
        );
        if (ok && !isSkipped) expect(files[0]?.text, path).toBe(text);
      }
    },
  );
});
