import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diagnosticsOf } from '../../diagnostics/index.ts';
import { createOriginTable, createRenderContext } from '../../engine/index.ts';
import { diskFileSystem } from '../../host/index.ts';
import type { Diagnostic, FileSystem } from '../../model/index.ts';
import { memoryFileSystem } from '../memory-file-system.ts';
import { type ManifestsSource, manifestsRenderer } from './form.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
afterAll(() => rmSync(place, { recursive: true }));

function object(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;
}

async function render(source: ManifestsSource) {
  const reported: Diagnostic[] = [];
  const origins = createOriginTable();
  const context = createRenderContext({ origins, report: (diagnostic) => reported.push(diagnostic) });
  try {
    const { objects } = await manifestsRenderer(source).process({}, context);
    return {
      names: objects.map(({ metadata }) => (metadata as { name: string }).name),
      origins: objects.map((one) => origins.get(one)!),
      messages: reported.map(({ severity, code, message }) => `${severity}[${code}]: ${message}`),
      hints: [],
    };
  } catch (error) {
    const found = diagnosticsOf(error);
    if (found === undefined) throw error;
    const all = [...reported, ...found];
    return {
      names: [],
      origins: [],
      messages: all.map(({ severity, code, message }) => `${severity}[${code}]: ${message}`),
      hints: all.map(({ hint }) => hint),
    };
  }
}

describe('kustomizations among manifests', () => {
  it.each(['Kustomization', 'Component'])('ignores and reports a %s', async (kind) => {
    const text = `${object('a')}---\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: ${kind}\n`;
    const { names, messages } = await render({ name: 'all.yaml', text });
    expect(names).toEqual(['a']);
    expect(messages).toEqual([
      `warning[manifests-kustomization]: ${kind} in "all.yaml" is ignored: it is a kustomization, not a Kubernetes object`,
    ]);
  });

  it('keeps the objects of other groups', async () => {
    const text = 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\n';
    expect(await render({ name: 'a', text })).toMatchObject({ names: ['a'], messages: [] });
  });
});

describe('files', () => {
  const fileSystem = memoryFileSystem({
    'deploy/b.yaml': object('b'),
    'deploy/a/z.yml': object('z'),
    'deploy/a.yaml': object('a'),
    'deploy/a/c.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}',
    'deploy/README.md': '# not a manifest',
    'deploy/.hidden.yaml': object('hidden'),
    'deploy/.git/x.yaml': object('hidden'),
    'deploy/Z.yaml': object('Z'),
    'notes.txt': object('notes'),
    'odd[1].yaml': object('odd'),
    'empty/README.md': '',
  });

  it.each<[string, readonly string[]]>([
    ['deploy', ['Z', 'a', 'c', 'z', 'b']],
    ['deploy/', ['Z', 'a', 'c', 'z', 'b']],
    ['./deploy', ['Z', 'a', 'c', 'z', 'b']],
    ['deploy/a.yaml', ['a']],
    ['notes.txt', ['notes']],
    ['odd[1].yaml', ['odd']],
    ['deploy/*.yaml', ['Z', 'a', 'b']],
    ['deploy/**/*.yaml', ['Z', 'a', 'b']],
    ['**/*.{yml,json}', ['c', 'z']],
    ['deploy/{b,a}.yaml', ['a', 'b']],
    ['deploy/.hidden.yaml', ['hidden']],
    ['deploy/.*.yaml', ['hidden']],
  ])('%s are %j', async (path, names) => {
    expect(await render({ fileSystem, path })).toMatchObject({ names, messages: [] });
  });

  it.each<[string, readonly string[], string | undefined]>([
    ['deplyo', ['error[manifests-not-found]: "deplyo" does not exist'], 'did you mean "deploy"?'],
    [
      'deploy/bb.yaml',
      ['error[manifests-not-found]: "deploy/bb.yaml" does not exist'],
      'did you mean "deploy/b.yaml"?',
    ],
    ['nowhere', ['error[manifests-not-found]: "nowhere" does not exist'], undefined],
    [
      'empty',
      ['error[manifests-none]: directory "empty" contains no manifests'],
      'add files that end in .yaml, .yml or .json; hidden files are skipped',
    ],
    [
      'deploy/*.yaaml',
      ['error[manifests-none]: no file matches the pattern "deploy/*.yaaml"'],
      'match one of the files in "deploy": README.md, Z.yaml, a, a.yaml, b.yaml',
    ],
    [
      'deplyo/*.yaml',
      ['error[manifests-none]: no file matches the pattern "deplyo/*.yaml"'],
      'directory "deplyo" does not exist; did you mean "deploy"?',
    ],
    [
      'deploy/[',
      ['error[manifests-bad-pattern]: pattern "deploy/[" has an unclosed ['],
      'use \\[ or \\{ for the literal character',
    ],
  ])('%s is refused', async (path, messages, hint) => {
    expect(await render({ fileSystem, path })).toMatchObject({ messages, hints: [hint] });
  });

  it('reports ignored matches of a pattern', async () => {
    expect(await render({ fileSystem, path: 'deploy/*' })).toMatchObject({
      names: ['Z', 'a', 'b'],
      messages: [
        'note[manifests-file-skipped]: "deploy/README.md" is ignored: it matches pattern "deploy/*", but does not end in .yaml, .yml or .json',
        'warning[manifests-directory-skipped]: directory "deploy/a" is ignored: pattern "deploy/*" matches it, but not its files',
      ],
    });
  });

  it('gives every object its origin', async () => {
    const text = `# first\n${object('a')}---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: b}}\n`;
    const { origins } = await render({ fileSystem: memoryFileSystem({ 'x.yaml': text }), path: 'x.yaml' });
    expect(origins).toMatchObject([
      {
        renderer: 'manifests',
        source: 'x.yaml',
        file: 'x.yaml',
        text: { source: { path: 'x.yaml', text }, document: 0 },
      },
      { file: 'x.yaml', text: { document: 1, path: ['items', 0], parsed: { kind: 'Secret' } } },
    ]);
    const { range } = origins[0]!.text!;
    expect(text.slice(range.start, range.end)).toBe(`# first\n${object('a')}`);
    expect(origins[0]!.text).not.toHaveProperty('path');
  });

  it('reads a text', async () => {
    const { names, origins } = await render({ name: 'stdin', text: `${object('a')}---\n${object('b')}` });
    expect(names).toEqual(['a', 'b']);
    expect(origins[1]).toMatchObject({ source: 'stdin', file: 'stdin', text: { document: 1 } });
  });

  it('reports the problems of all files at once', async () => {
    const files = { 'd/a.yaml': 'a: 1\na: 2\n', 'd/b.yaml': '- x\n', 'd/c.yaml': '[', 'd/d.yaml': object('fine') };
    const { messages } = await render({ fileSystem: memoryFileSystem(files), path: 'd' });
    expect(messages.filter((message) => message.startsWith('error')).length).toBeGreaterThanOrEqual(3);
  });

  it('can be given up', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const slow: FileSystem = {
      ...fileSystem,
      readText(path) {
        controller.abort(reason);
        return fileSystem.readText(path);
      },
    };
    const context = createRenderContext({ signal: controller.signal });
    await expect(manifestsRenderer({ fileSystem: slow, path: 'deploy' }).process({}, context)).rejects.toBe(reason);
  });
});

describe('a source that cannot be used', () => {
  const fileSystem = memoryFileSystem({});
  it.each<[string, unknown]>([
    ['source 0: path must not be blank', { fileSystem, path: ' ' }],
    ['source 0: path must not be blank', { fileSystem }],
    ['source 0: fileSystem is missing', { path: 'x' }],
    ['source 0: name must not be blank', { name: '', text: '' }],
  ])('%s', (message, source) => {
    expect(() => manifestsRenderer(source as ManifestsSource)).toThrow(message);
  });
});

describe('the disk', () => {
  let count = 0;
  function makeTree(files: Readonly<Record<string, string>>): string {
    const directory = join(place, String(count++));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    return directory;
  }

  async function renderTree(directory: string, path = 'd') {
    const { names, messages } = await render({ fileSystem: diskFileSystem({ workingDirectory: directory }), path });
    return { names, messages };
  }

  it('follows links inside of the directory', async () => {
    const directory = makeTree({ 'd/a.yaml': object('a'), 'd/real/b.yaml': object('b') });
    symlinkSync('a.yaml', join(directory, 'd/c.yaml'));
    symlinkSync('real', join(directory, 'd/linked'));
    expect(await renderTree(directory)).toEqual({ names: ['a', 'a', 'b', 'b'], messages: [] });
  });

  it('rejects all links that point outside', async () => {
    const directory = makeTree({ 'd/a.yaml': object('a'), 'secret.yaml': object('s'), 'other/b.yaml': object('b') });
    symlinkSync('../secret.yaml', join(directory, 'd/b.yaml'));
    symlinkSync('../other', join(directory, 'd/sub'));
    symlinkSync('../secret.yaml', join(directory, 'd/readme'));
    expect(await renderTree(directory)).toEqual({
      names: [],
      messages: [
        'error[manifests-link-out]: link "d/b.yaml" points outside "d"',
        'error[manifests-link-out]: link "d/sub" points outside "d"',
      ],
    });
    expect((await renderTree(directory, 'd/*.yaml')).messages).toEqual([
      'error[manifests-link-out]: link "d/b.yaml" points outside "d"',
    ]);
    expect((await renderTree(directory, 'd/a.yaml')).names).toEqual(['a']);
  });

  it('reports cycles', async () => {
    const directory = makeTree({ 'd/a.yaml': object('a'), 'd/x/b.yaml': object('b'), 'd/y/c.yaml': object('c') });
    symlinkSync('..', join(directory, 'd/x/up'));
    symlinkSync('../y', join(directory, 'd/x/toY'));
    symlinkSync('../x', join(directory, 'd/y/toX'));
    expect((await renderTree(directory)).messages.toSorted()).toEqual([
      'error[manifests-link-circle]: link "d/x/toY/toX" forms a cycle',
      'error[manifests-link-circle]: link "d/x/up" forms a cycle',
      'error[manifests-link-circle]: link "d/y/toX/toY" forms a cycle',
      'error[manifests-link-circle]: link "d/y/toX/up" forms a cycle',
    ]);
  });

  it('gives up on links that multiply without end', async () => {
    const directory = makeTree({ 'd/0/a.yaml': object('a') });
    for (let level = 1; level <= 20; level += 1) {
      mkdirSync(join(directory, `d/${level}`));
      for (const name of ['a', 'b']) symlinkSync(`../${level - 1}`, join(directory, `d/${level}/${name}`));
    }
    expect((await renderTree(directory)).messages).toEqual([
      'error[manifests-too-many]: "d" has more than 1000 linked directories',
    ]);
  });

  it('never opens pipes and reports unreadable files', async () => {
    const directory = makeTree({ 'd/a.yaml': object('a') });
    execFileSync('/usr/bin/mkfifo', [join(directory, 'd/pipe.yaml'), join(directory, 'd/pipe')]);
    symlinkSync('nowhere', join(directory, 'd/dangling.yaml'));
    writeFileSync(join(directory, 'd/latin.yaml'), Buffer.from([0xe9]));
    expect((await renderTree(directory)).messages).toEqual([
      'error[manifests-not-a-file]: "d/dangling.yaml" is a device, a pipe, a socket or a broken link',
      'error[manifests-not-a-file]: "d/pipe.yaml" is a device, a pipe, a socket or a broken link',
      'error[manifests-unreadable]: cannot read d/latin.yaml: is not UTF-8 text',
    ]);
    expect((await renderTree(directory, 'd/pipe')).messages).toEqual([
      'error[manifests-not-a-file]: "d/pipe" is a device, a pipe, a socket or a broken link',
    ]);
  });
});

it('reads more than a thousand directories that are not behind links', async () => {
  const names = Array.from({ length: 1100 }, (_, index) => `c${index}`);
  const fileSystem = memoryFileSystem(Object.fromEntries(names.map((name) => [`in/${name}/a.yaml`, object(name)])));
  const { names: found, messages } = await render({ fileSystem, path: 'in' });
  expect(messages).toEqual([]);
  expect(found.length).toBe(names.length);
});
