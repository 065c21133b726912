import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../../test/check-case.ts';
import { listCases, openCase } from '../../../test/golden-case.ts';
import { diagnosticsOf } from '../../diagnostics/index.ts';
import { createRenderContext } from '../../engine/index.ts';
import { annotationsOf, nameOf, withoutAnnotations } from '../../kube/index.ts';
import { type KubeObject, type ProgramCall, ProgramError, type ProgramRunner, type Values } from '../../model/index.ts';
import { memoryFileSystem } from '../memory-file-system.ts';
import {
  type CaseWorld,
  copyCases,
  decodeOutput,
  describeWithProgram,
  readCase,
  renderCase,
} from '../../../test/render-case.ts';
import { type KustomizeSource, kustomizeRenderer } from './form.ts';

const cases = join(import.meta.dirname, 'cases');

describeWithProgram('kustomize', 'kustomizations', (kustomize) => {
  let copies = '';
  beforeAll(() => void (copies = copyCases(cases)));
  afterAll(() => rmSync(copies, { recursive: true, force: true }));

  it.each(listCases(cases))('%s', async (name) => {
    const one = openCase(join(cases, name));
    const directory = join(copies, name);
    const { source: given, values } = readCase(one);
    const source = given as KustomizeSource;
    const create = (world: CaseWorld) => kustomizeRenderer(source, world);
    const { objects, origins, findings } = await renderCase(directory, { values, create });
    expectCaseFile(one, 'expected.txt', findings === '' ? undefined : findings);
    if (objects === undefined) return;
    const text = origins.get(objects[0]!)?.text?.source.text ?? '';
    expectCaseFile(one, 'expected.yaml', text);
    expect(objects).toEqual(decodeOutput(text));
    expect(objects.map((object) => origins.get(object)?.source)).toEqual(objects.map(() => source.path));
    const annotated = await renderCase(directory, {
      values,
      create: (world) => kustomizeRenderer(source, { ...world, sourceAnnotations: true }),
    });
    const isOurs = (key: string): boolean => key.startsWith('kurel.dev/');
    expect(annotated.objects!.map((object) => withoutAnnotations(object, isOurs))).toEqual(objects);
    const files = annotated.objects!.map((object) => `${object.kind} ${nameOf(object)}: ${fileOf(object)}\n`);
    expectCaseFile(one, 'expected-sources.txt', files.join(''));
    if (Object.keys(values).length > 0) return;
    const restrictor = source.loadRestrictions === 'none' ? ['--load-restrictor=LoadRestrictionsNone'] : [];
    const printed = execFileSync(kustomize, ['build', ...restrictor, `./${source.path}`], {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(text).toBe(printed);
  });
});

function fileOf(object: KubeObject): string | undefined {
  return annotationsOf(object)['kurel.dev/source.file'];
}

describe('the call', () => {
  const files = {
    'kustomization.yaml': 'resources: [../base, a.yaml]\n',
    'a.yaml': 'a',
    '../base/kustomization.yaml': 'resources: [b.yaml]\n',
    '../base/b.yaml': 'b',
    '../base/unused.yaml': 'c',
  };

  async function callOf(source: KustomizeSource, values = {}): Promise<ProgramCall> {
    let seen: ProgramCall | undefined;
    await render(source, { values, run: (call) => ((seen = call), { exitCode: 0, stdout: '', stderr: '' }) });
    return seen!;
  }

  async function render(
    source: KustomizeSource,
    options: { readonly run: ProgramRunner['run']; readonly values?: Values; readonly files?: Record<string, string> },
  ): Promise<void> {
    const fileSystem = memoryFileSystem(options.files ?? files);
    const renderer = kustomizeRenderer(source, { programs: { run: options.run }, fileSystem });
    await renderer.process(options.values ?? {}, createRenderContext({}));
  }

  async function findingsOf(rendering: Promise<void>): Promise<unknown> {
    return diagnosticsOf(await rendering.catch((reason: unknown) => reason));
  }

  function textsOf(copied: ReadonlyMap<string, string | Uint8Array>): Readonly<Record<string, string>> {
    return Object.fromEntries(Array.from(copied, ([path, content]) => [path, Buffer.from(content).toString()]));
  }

  it('runs in place without values', async () => {
    const call = await callOf({ path: '.' });
    expect(call.args).toEqual(['build', '--load-restrictor=LoadRestrictionsRootOnly', '--', '.']);
    expect(call.workspace).toBeUndefined();
    expect(call.network).toBe(false);
  });

  it('copies what is named, at the same distances, when there are values', async () => {
    const { args, workspace } = await callOf({ path: '.', values: { a: 1, b: 2 } }, { b: 'render', c: { d: [1n] } });
    expect(args.at(-1)).toBe(`${workspace!.token}/below`);
    expect(textsOf(workspace!.files)).toMatchObject({
      'below/kustomization.yaml': files['kustomization.yaml'],
      'below/a.yaml': 'a',
      'base/kustomization.yaml': files['../base/kustomization.yaml'],
      'base/b.yaml': 'b',
    });
    expect([...workspace!.files.keys()].toSorted()).toEqual([
      'base/b.yaml',
      'base/kustomization.yaml',
      'below/a.yaml',
      'below/kustomization.yaml',
      'below/values.yaml',
    ]);
    expect(decodeOutput(String(workspace!.files.get('below/values.yaml')))).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'values' },
        data: { a: '1', b: 'render', c: '{"d":[1]}' },
      },
    ]);
  });

  it('uses the kustomize inside kubectl when there is no other', async () => {
    const calls: ProgramCall[] = [];
    const run: ProgramRunner['run'] = (call) => {
      calls.push(call);
      if (call.program === 'kustomize') throw new ProgramError('kustomize', 'not-found', 'no kustomize', {});
      return { exitCode: 0, stdout: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n', stderr: '' };
    };
    await render({ path: '.' }, { run });
    expect(calls.map(({ program, args }) => [program, args[0]])).toEqual([
      ['kustomize', 'build'],
      ['kubectl', 'kustomize'],
    ]);
  });

  it('tells when the program is missing', async () => {
    const run = (): never => {
      throw new ProgramError('kustomize', 'not-found', 'no kustomize', { hint: 'get it' });
    };
    expect(await findingsOf(render({ path: '.' }, { run }))).toEqual([
      { code: 'input-needs-program', severity: 'error', message: 'no kustomize', hint: 'get it' },
    ]);
  });

  it.each([['kustomize'], ['kubectl']] as const)('runs %s once when it does not end, and tells', async (program) => {
    const calls: ProgramCall[] = [];
    const run: ProgramRunner['run'] = (call) => {
      calls.push(call);
      const reason = call.program === program ? 'timeout' : 'not-found';
      throw new ProgramError(call.program, reason, `${call.program}: ${reason}`);
    };
    expect(await findingsOf(render({ path: '.' }, { run }))).toMatchObject([
      { code: 'input-needs-program', message: `${program}: timeout` },
    ]);
    expect(calls.filter((call) => call.program === program)).toHaveLength(1);
  });

  it.each([
    ['.', '{}/below/a.yaml and {}/base', 'a.yaml and ../base'],
    ['.', "in '{}/below': no good", "in '.': no good"],
    ['.', '{}/below-zero/x', '../below-zero/x'],
    ['../base', '{}/base/b.yaml', '../base/b.yaml'],
    ['/etc/app', '{}/etc/app/a.yaml', '/etc/app/a.yaml'],
  ])('names the files of %s by their original paths', async (path, parsed, shown) => {
    const elsewhere = { ...files, '/etc/app/kustomization.yaml': 'resources: [a.yaml]\n', '/etc/app/a.yaml': 'a' };
    const run = ({ workspace }: ProgramCall) => {
      const stderr = `Error: ${parsed.replaceAll('{}', workspace!.token)}`;
      return { exitCode: 1, stdout: '', stderr };
    };
    expect(await findingsOf(render({ path }, { run, values: { a: 1 }, files: elsewhere }))).toMatchObject([
      { code: 'kustomization-build-failed', message: `kustomize cannot build "${path}": ${shown}` },
    ]);
  });

  it('copies what is named through more ".." than there are directories', async () => {
    const above = {
      '/etc/app/kustomization.yaml': 'resources: [../../../../a.yaml, ../../..]\n',
      '/a.yaml': 'a',
      '/kustomization.yaml': 'resources: [a.yaml]\n',
    };
    let copied: readonly string[] = [];
    const run = ({ workspace }: ProgramCall) => {
      copied = [...workspace!.files.keys()];
      return { exitCode: 0, stdout: '', stderr: '' };
    };
    await render({ path: '/etc/app' }, { run, values: { a: 1 }, files: above });
    expect(copied.toSorted()).toEqual([
      'a.yaml',
      'etc/app/kustomization.yaml',
      'etc/app/values.yaml',
      'kustomization.yaml',
    ]);
  });

  it('keeps apart what is called like the directories that it invents', async () => {
    const named = {
      'kustomization.yaml': 'resources: [../below/a.yaml, a.yaml, /abs.yaml]\n',
      'a.yaml': 'here',
      '../below/a.yaml': 'there',
      '/abs.yaml': 'absolute',
    };
    let copied: ReadonlyMap<string, string | Uint8Array> = new Map();
    const run = ({ workspace }: ProgramCall) => {
      copied = workspace!.files;
      return { exitCode: 0, stdout: '', stderr: '' };
    };
    await render({ path: '.' }, { run, values: { a: 1 }, files: named });
    expect(textsOf(copied)).toMatchObject({ 'below-1/a.yaml': 'here', 'below/a.yaml': 'there' });
    expect([...copied.keys()].filter((path) => path.endsWith('abs.yaml'))).toEqual([]);
  });

  it('does not copy what is too large', async () => {
    const names = Array.from({ length: 10_001 }, (_, index) => `${index}.yaml`);
    const large = {
      'kustomization.yaml': `resources: [${names.join(', ')}]\n`,
      ...Object.fromEntries(names.map((name) => [name, ''])),
    };
    const run = (): never => expect.unreachable('run');
    expect(await findingsOf(render({ path: '.' }, { run, values: { a: 1 }, files: large }))).toMatchObject([
      {
        code: 'kustomization-too-large',
        message: 'kustomization "." has more than 10000 files, the limit for a build with values or source annotations',
      },
    ]);
  });

  it('refuses a blank path', () => {
    const options = {
      programs: { run: () => ({ exitCode: 0, stdout: '', stderr: '' }) },
      fileSystem: memoryFileSystem({}),
    };
    expect(() => kustomizeRenderer({ path: '' }, options)).toThrow('source 0: path must not be blank');
  });
});
