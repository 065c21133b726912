import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { bundledSchemas, diskFileSystem, programRunner } from '../src/host/index.ts';
import { build, createSchemaStore, createWorkspace } from '../src/index.ts';
import { describeWithProgram, toolFile } from './render-case.ts';
import { repository } from './source-tree.ts';

const schemas = bundledSchemas();
const workingDirectory = join(repository, 'examples');
const environment = { KUREL_TOOLS: join(toolFile('helm'), '..') };
const world = {
  fileSystem: diskFileSystem({ workingDirectory }),
  programs: programRunner({ workingDirectory, environment }),
};
// One for all: what an example leaves behind must not change another.
const workspace = createWorkspace({ ...world, schemas });
const store = createSchemaStore({ files: schemas });

async function expectSame(path: string): Promise<void> {
  const settings = { path, validation: { store } };
  const fresh = await build({ ...world, ...settings, store: () => store });
  for (const which of ['first', 'second']) {
    const result = await workspace.build({ path, validation: { store: workspace.store() } });
    const { files, objects, diagnostics, sources } = result;
    expect({ files, objects, diagnostics, sources }, `the ${which} build in a workspace`).toEqual({
      files: fresh.files,
      objects: fresh.objects,
      diagnostics: fresh.diagnostics,
      sources: fresh.sources,
    });
    expect(await result.reads()).toEqual(await fresh.reads());
  }
}

const packages = readdirSync(join(workingDirectory, 'packages')).map((name) => `packages/${name}`);

describe('builds in a workspace are those of new processes', () => {
  it.each(['plain', 'accepted', 'policy', 'absent', ...packages])('%s', expectSame);
});

describeWithProgram('helm', 'a chart in a workspace', () => {
  it('is rendered as in a new process, and names the version of helm', async () => {
    await expectSame('chart');
    const reads = await (await workspace.build({ path: 'chart' })).reads();
    expect(reads).toContainEqual({ type: 'program', program: 'helm', version: expect.stringMatching(/^v\d/) });
    expect(reads).toContainEqual(expect.objectContaining({ type: 'file', path: expect.stringMatching(/templates/) }));
  });
});

describeWithProgram('kustomize', 'a kustomization in a workspace', () => {
  it('is rendered as in a new process', () => expectSame('kustomize/overlays/production'));
});
