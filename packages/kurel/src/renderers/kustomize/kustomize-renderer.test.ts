import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnosticsOf } from '../../diagnostics/index.ts';
import { createRenderContext } from '../../engine/index.ts';
import { type ProgramCall, ProgramError, type ProgramRunner } from '../../model/index.ts';
import { memoryFileSystem } from '../memory-file-system.ts';
import {
  type CaseWorld,
  decodeOutput,
  describeWithProgram,
  expectFindings,
  listCases,
  readCase,
  renderCase,
} from '../program-cases.ts';
import { type KustomizeSource, kustomizeRenderer } from './kustomize-renderer.ts';

const cases = join(import.meta.dirname, 'cases');

describeWithProgram('kustomize', 'kustomizations', (kustomize) => {
  it.each(listCases(cases))('%s', async (name) => {
    const directory = join(cases, name);
    const { source: given, values } = readCase(directory);
    const source = given as KustomizeSource;
    const create = (world: CaseWorld) => kustomizeRenderer(source, world);
    const { objects, origins, findings } = await renderCase(directory, { values, create });
    await expectFindings(directory, findings);
    if (objects === undefined) return;
    const text = origins.get(objects[0]!)?.text?.source.text ?? '';
    await expect(text).toMatchFileSnapshot(join(directory, 'expected.yaml'));
    expect(objects).toEqual(decodeOutput(text));
    expect(objects.map((object) => origins.get(object)?.source)).toEqual(objects.map(() => source.path));
    if (Object.keys(values).length > 0) return;
    const restrictor = source.loadRestrictions === 'none' ? ['--load-restrictor=LoadRestrictionsNone'] : [];
    const printed = execFileSync(kustomize, ['build', ...restrictor, source.path], {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(text).toBe(printed);
  });
});

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
    const programs: ProgramRunner = {
      run(call) {
        seen = call;
        return { exitCode: 0, stdout: '', stderr: '' };
      },
    };
    const renderer = kustomizeRenderer(source, { programs, fileSystem: memoryFileSystem(files) });
    await renderer.process(values, createRenderContext({}));
    return seen!;
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
    expect(Object.fromEntries(workspace!.files)).toMatchObject({
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
    expect(decodeOutput(workspace!.files.get('below/values.yaml')!)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'values' },
        data: { a: '1', b: 'render', c: '{"d":[1]}' },
      },
    ]);
  });

  it('tells when the program is missing', async () => {
    const programs: ProgramRunner = {
      run() {
        throw new ProgramError('kustomize', 'not-found', 'no kustomize', { hint: 'get it' });
      },
    };
    const renderer = kustomizeRenderer({ path: '.' }, { programs, fileSystem: memoryFileSystem(files) });
    const error: unknown = await Promise.resolve(renderer.process({}, createRenderContext({}))).catch(
      (reason: unknown) => reason,
    );
    expect(diagnosticsOf(error)).toEqual([
      { code: 'input-needs-program', severity: 'error', message: 'no kustomize', hint: 'get it' },
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
