import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { build as bundle } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { createHandlerFiles } from '../../../scripts/new/handler-files.ts';
import type { HandlerKind, NewFile } from '../../../scripts/new/handler-files.ts';
import { build, memoryFileSystem } from '../src/index.ts';
import type { Handlers } from '../src/index.ts';
import type { KubeObject } from '../src/model/index.ts';
import { parseArchive } from './case-archive.ts';
import { repository } from './source-tree.ts';

const source = join(repository, 'packages/kurel/src');

describe('npm run new', () => {
  it.each([
    { kind: 'component', list: 'components', made: ['ConfigMap web'], wrong: 'text' },
    { kind: 'trait', list: 'traits', made: ['ConfigMap web-my-own'], wrong: 'text' },
    { kind: 'policy', list: 'policies', made: ['Deployment web'], wrong: 'most' },
  ] as const)('$kind: the handler makes what its first case asks for, and refuses the second', async (one) => {
    const [handler, good, bad] = createHandlerFiles(one.kind, 'my-own');
    const handlers: Handlers = { [one.list]: [await load(handler!.path, handler!.text)] };
    const passing = await render(good!, handlers);
    expect(passing.found).toEqual([]);
    expect(passing.objects).toEqual(expect.arrayContaining([...one.made]));
    const failing = await render(bad!, handlers);
    expect(failing.found).toEqual([`field-type properties.${one.wrong}`]);
  });

  it.each<HandlerKind>(['component', 'trait', 'policy'])('%s: each case has a place of its own', (kind) => {
    const [handler, ...cases] = createHandlerFiles(kind, 'my-own').map(({ path }) => path);
    const folder = handler!.slice(0, handler!.lastIndexOf('/'));
    expect(cases).toEqual([`${folder}/cases/my-own/minimal.case`, `${folder}/cases/my-own/wrong-properties.case`]);
  });
});

/** The handler as it would be in its place. */
async function load(path: string, text: string): Promise<never> {
  const directory = mkdtempSync(join(tmpdir(), 'kurel-new-'));
  try {
    const outfile = join(directory, 'handler.mjs');
    const resolveDir = join(source, path, '..');
    await bundle({
      stdin: { contents: text, resolveDir, loader: 'ts' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    });
    const { myOwn } = (await import(pathToFileURL(outfile).href)) as { readonly myOwn: never };
    return myOwn;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function render({ text }: NewFile, handlers: Handlers): Promise<{ objects: string[]; found: string[] }> {
  const { objects, diagnostics } = await build({
    path: '.',
    fileSystem: memoryFileSystem(Object.fromEntries(parseArchive(text).files)),
    as: 'application',
    application: { profile: false, handlers },
  });
  return {
    objects: objects.map(describeObject),
    found: diagnostics.map(({ code, location }) => `${code} ${location?.path?.slice(-2).join('.')}`),
  };
}

function describeObject({ kind, metadata }: KubeObject): string {
  return `${kind} ${(metadata as { readonly name: string }).name}`;
}
