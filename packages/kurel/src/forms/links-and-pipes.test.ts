import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { diagnosticsOf } from '../diagnostics/index.ts';
import { createRenderContext } from '../engine/index.ts';
import { diskFileSystem } from '../host/index.ts';
import type { ProgramCall, Renderer, Values } from '../model/index.ts';
import { helmRenderer } from './chart/form.ts';
import { kustomizeRenderer } from './kustomization/form.ts';
import { type CaseWorld, describeWithProgram, renderCase } from '../../test/render-case.ts';

const places: string[] = [];

afterEach(() => {
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true });
});

interface Tree {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** What they lead to, by path. */
  readonly links?: Readonly<Record<string, string>>;
  readonly pipes?: readonly string[];
}

function plant({ files, links = {}, pipes = [] }: Tree): string {
  const place = mkdtempSync(join(tmpdir(), 'kurel-links-'));
  places.push(place);
  const below = (path: string): string => {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    return join(place, path);
  };
  for (const [path, content] of Object.entries(files)) writeFileSync(below(path), content);
  for (const [path, target] of Object.entries(links)) symlinkSync(target, below(path));
  for (const path of pipes) execFileSync('mkfifo', [below(path)]);
  return place;
}

/** Findings, or `ran` when the program was called. */
async function outcomeOf(
  tree: Tree,
  options: { readonly create: (world: CaseWorld) => Renderer; readonly values?: Values },
): Promise<readonly string[]> {
  const fileSystem = diskFileSystem({ workingDirectory: plant(tree) });
  const calls: ProgramCall[] = [];
  const run = (call: ProgramCall) => (calls.push(call), { exitCode: 0, stdout: '', stderr: '' });
  try {
    await options.create({ fileSystem, programs: { run } }).process(options.values ?? {}, createRenderContext({}));
  } catch (error) {
    expect(calls).toEqual([]);
    return diagnosticsOf(error)!.map(({ code, message }) => `${code}: ${message}`);
  }
  return calls.map(() => 'ran');
}

describe('a kustomization with values', () => {
  const secret = { 'secret/f.txt': 'secret', 'secret/kustomization.yaml': '' };
  const generator = (file: string): string => `configMapGenerator: [{name: a, files: [${file}]}]\n`;

  it.each<[string, Tree, readonly string[]]>([
    [
      'a link to a file',
      { files: { ...secret, 'kv/kustomization.yaml': generator('f.txt') }, links: { 'kv/f.txt': '../secret/f.txt' } },
      ['kustomization-link-out: link "kv/f.txt" points outside "kv"'],
    ],
    [
      'a link to a directory of files',
      { files: { ...secret, 'kv/kustomization.yaml': generator('d/f.txt') }, links: { 'kv/d': '../secret' } },
      ['kustomization-link-out: link "kv/d" points outside "kv"'],
    ],
    [
      'a link to a kustomization',
      { files: { ...secret, 'kv/kustomization.yaml': 'resources: [d]\n' }, links: { 'kv/d': '../secret' } },
      ['kustomization-link-out: link "kv/d" points outside "kv"'],
    ],
    [
      'a link for the kustomization file',
      { files: { ...secret, 'kv/a': '' }, links: { 'kv/kustomization.yaml': '../secret/kustomization.yaml' } },
      ['kustomization-link-out: link "kv/kustomization.yaml" points outside "kv"'],
    ],
    [
      'a link in a base',
      {
        files: {
          ...secret,
          'kv/kustomization.yaml': 'resources: [../base]\n',
          'base/kustomization.yaml': generator('f.txt'),
        },
        links: { 'base/f.txt': '../secret/f.txt' },
      },
      ['kustomization-link-out: link "base/f.txt" points outside "base"'],
    ],
    [
      'a link that stays',
      { files: { 'kv/x/f.txt': 'f', 'kv/kustomization.yaml': generator('f.txt') }, links: { 'kv/f.txt': 'x/f.txt' } },
      ['ran'],
    ],
  ])('%s', async (_, tree, expected) => {
    const create = (world: CaseWorld) => kustomizeRenderer({ path: 'kv' }, world);
    expect(await outcomeOf(tree, { create, values: { a: 1 } })).toEqual(expected);
    const lax = (world: CaseWorld) => kustomizeRenderer({ path: 'kv', loadRestrictions: 'none' }, world);
    expect(await outcomeOf(tree, { create: lax, values: { a: 1 } })).toEqual(['ran']);
  });

  it('does not copy what a text happens to lead to', async () => {
    const files = { ...secret, 'kv/kustomization.yaml': 'commonAnnotations: {a: f.txt}\n' };
    const place = plant({ files, links: { 'kv/f.txt': '../secret/f.txt' } });
    let copied: readonly string[] = [];
    const run = ({ workspace }: ProgramCall) => {
      copied = [...workspace!.files.keys()];
      return { exitCode: 0, stdout: '', stderr: '' };
    };
    const world = { fileSystem: diskFileSystem({ workingDirectory: place }), programs: { run } };
    await kustomizeRenderer({ path: 'kv' }, world).process({ a: 1 }, createRenderContext({}));
    expect(copied).toEqual(['kv/kustomization.yaml', 'kv/values.yaml']);
  });
});

describe.skipIf(process.platform === 'win32')('pipes', () => {
  const kustomize = (world: CaseWorld) => kustomizeRenderer({ path: 'a' }, world);
  const helm = (world: CaseWorld) => helmRenderer({ chart: 'a', releaseName: 'r' }, world);
  const remark = 'is a device, a pipe, a socket or a broken link';

  it.each<[Tree, (world: CaseWorld) => Renderer, string]>([
    [
      { files: { 'a/kustomization.yaml': 'resources: [p.yaml]\n' }, pipes: ['a/p.yaml'] },
      kustomize,
      'kustomization-not-a-file: "a/p.yaml"',
    ],
    [
      { files: { 'a/kustomization.yaml': '' }, pipes: ['a/Kustomization'] },
      kustomize,
      'kustomization-not-a-file: "a/Kustomization"',
    ],
    [
      {
        files: { 'a/kustomization.yaml': 'transformers: [t.yaml]\n', 'a/t.yaml': 'path: p.yaml\n' },
        pipes: ['a/p.yaml'],
      },
      kustomize,
      'kustomization-not-a-file: "a/p.yaml"',
    ],
    [{ files: { 'a/Chart.yaml': '' }, pipes: ['a/files/p'] }, helm, 'chart-not-a-file: "a/files/p"'],
    [{ files: { 'b/Chart.yaml': '' }, pipes: ['a'] }, helm, 'chart-not-a-file: "a"'],
  ])('%j', async (tree, create, expected) => {
    expect(await outcomeOf(tree, { create })).toEqual([`${expected} ${remark}`]);
  });
});

describe('a chart', () => {
  const chart = { 'hs/Chart.yaml': '', 'hs/templates/a.yaml': '', 'secret/f.txt': 'secret' };

  it.each<[string, Tree, readonly string[]]>([
    [
      'a link to a file',
      { files: chart, links: { 'hs/link.txt': '../secret/f.txt' } },
      ['chart-link-out: link "hs/link.txt" points outside the chart "hs"'],
    ],
    [
      'a link to a directory',
      { files: chart, links: { 'hs/templates/d': '../../secret' } },
      ['chart-link-out: link "hs/templates/d" points outside the chart "hs"'],
    ],
    [
      'a link whose name is ignored',
      { files: { ...chart, 'hs/.helmignore': 'link.txt\n' }, links: { 'hs/link.txt': '../secret/f.txt' } },
      ['chart-link-out: link "hs/link.txt" points outside the chart "hs"'],
    ],
    [
      'a cycle',
      { files: chart, links: { 'hs/templates/d': '..' } },
      ['chart-link-circle: link "hs/templates/d" forms a cycle'],
    ],
    [
      'a link in an ignored directory',
      {
        files: { ...chart, 'hs/.helmignore': '# none\n.git/\n', 'hs/.git/x': '' },
        links: { 'hs/.git/f': '../../secret' },
      },
      ['ran'],
    ],
    [
      'a link in a directory that is included again',
      {
        files: { ...chart, 'hs/.helmignore': '.git/\n!.git/\n', 'hs/.git/x': '' },
        links: { 'hs/.git/f': '../../secret' },
      },
      ['chart-link-out: link "hs/.git/f" points outside the chart "hs"'],
    ],
    ['a link that stays', { files: chart, links: { 'hs/a.txt': 'templates/a.yaml' } }, ['ran']],
  ])('%s', async (_, tree, expected) => {
    const create = (world: CaseWorld) => helmRenderer({ chart: 'hs', releaseName: 'r' }, world);
    expect(await outcomeOf(tree, { create })).toEqual(expected);
  });

  it('may be full of links to one another, which are not followed for ever', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `d${index}`);
    const files = Object.fromEntries(names.map((name) => [`hs/${name}/x`, '']));
    const links = Object.fromEntries(
      names.flatMap((from) => names.filter((to) => to !== from).map((to) => [`hs/${from}/to-${to}`, `../${to}`])),
    );
    const create = (world: CaseWorld) => helmRenderer({ chart: 'hs', releaseName: 'r' }, world);
    const findings = await outcomeOf({ files: { ...chart, ...files }, links }, { create });
    expect(findings[0]).toContain('chart-link-circle');
  });
});

describeWithProgram('kustomize', 'bytes', () => {
  it('reach kustomize as they are, with values too', async () => {
    const bytes = Uint8Array.from([0xff, 0xfe, 0x00, 0x80]);
    const directory = plant({
      files: { 'a/kustomization.yaml': 'configMapGenerator: [{name: a, files: [b.bin]}]\n', 'a/b.bin': bytes },
    });
    const create = (world: CaseWorld) => kustomizeRenderer({ path: 'a' }, world);
    const { objects, findings } = await renderCase(directory, { values: { a: 1 }, create });
    expect(findings).toBe('');
    expect(objects).toMatchObject([{ binaryData: { 'b.bin': '//4AgA==' } }]);
  });
});
