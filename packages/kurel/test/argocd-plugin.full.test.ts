import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { parseJson } from '@kurel/jq';

import { identityOf } from '../src/kube/index.ts';
import type { KubeObject } from '../src/model/index.ts';
import { createFleetProject } from './fleet-project.ts';
import { programWords } from './kurel-program.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';

describeWithProgram('argocd-cmp', 'the plugin in the plugin server of Argo CD', (file) => {
  const scratch = mkdtempSync(join(tmpdir(), 'kurel-argocd-'));
  const project = join(scratch, 'repository');
  const socket = join(scratch, 'sockets', 'kurel.sock');
  let server: ChildProcess | undefined;
  let log = '';

  beforeAll(async () => {
    for (const name of ['bin', 'config', 'sockets', 'work', 'repository']) mkdirSync(join(scratch, name));
    createFleetProject(project).write(
      'apps/broken/kurel.yaml',
      'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: broken}\nspec: {parametres: []}\n',
    );
    writeFileSync(
      join(project, 'apps', 'broken', 'app.yaml'),
      'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: {name: broken}\nspec: {components: []}\n',
    );
    cpSync(join(repository, 'examples', 'argocd', 'plugin.yaml'), join(scratch, 'config', 'plugin.yaml'));
    const words = programWords.map((word) => `'${word}'`).join(' ');
    writeFileSync(join(scratch, 'bin', 'kurel'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    server = spawn(file, ['server', '--config-dir-path', join(scratch, 'config')], {
      env: {
        PATH: `${join(scratch, 'bin')}${delimiter}${process.env['PATH']}`,
        HOME: scratch,
        ARGOCD_PLUGINSOCKFILEPATH: join(scratch, 'sockets'),
        ARGOCD_CMP_WORKDIR: join(scratch, 'work'),
        KUREL_POLICY: join(project, 'policy.yaml'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (part) => (log += String(part)));
    for (let tries = 0; !existsSync(socket) && tries < 300; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(existsSync(socket), log).toBe(true);
  });

  afterAll(() => {
    // It may ignore SIGTERM.
    server?.kill('SIGKILL');
    rmSync(scratch, { recursive: true });
  });

  /** What the repo server would get for an Application. */
  function ask(question: 'match' | 'generate' | 'parameters', path: string, variables: readonly string[] = []) {
    const words = [socket, question, project, path, `ARGOCD_APP_SOURCE_PATH=${path}`, ...variables];
    const { status, stdout, stderr } = spawnSync(file, words, { encoding: 'utf8' });
    return { status, stderr, answer: status === 0 ? JSON.parse(stdout) : undefined };
  }

  it.each([
    ['apps/web', true],
    ['apps/hello.kurel', true],
    ['apps/broken', true],
    ['apps/api', false],
    ['apps/chart', false],
    ['apps/kustomize/overlays/production', false],
    ['clusters', false],
  ])('discovers %s: %s', (path, isSupported) => {
    const { answer, stderr } = ask('match', path);
    expect(stderr).toBe('');
    expect(answer.isSupported ?? false).toBe(isSupported);
    expect(answer.isDiscoveryEnabled).toBe(true);
  });

  function objectsIn(manifests: readonly string[]): ReadonlyMap<string, KubeObject> {
    const objects = manifests.map((text) => parseJson(text) as KubeObject);
    return new Map(objects.map((object) => [identityOf(object), object]));
  }

  async function build(words: readonly string[]): Promise<ReadonlyMap<string, KubeObject>> {
    const flags = ['--layout=argocd', '--format=json', '--policy=policy.yaml'];
    const { exitCode, stdout, stderr } = await runProgram(['build', ...words, ...flags], { workingDirectory: project });
    expect(exitCode, stderr).toBe(0);
    return new Map((parseJson(stdout) as unknown as readonly KubeObject[]).map((one) => [identityOf(one), one]));
  }

  it('generates what kurel build gives for an application package', async () => {
    const { answer, stderr } = ask('generate', 'apps/web', [
      'ARGOCD_APP_PARAMETERS=[{"name":"replicas","string":"3"},{"name":"version","string":"1.10"}]',
      'ARGOCD_ENV_KUREL_PROFILE=../../clusters/c1/profile.yaml',
      'ARGOCD_ENV_KUREL_VALUES=../../clusters/c1/values.yaml',
    ]);
    expect(stderr).toBe('');
    const flags = ['--profile=clusters/c1/profile.yaml', '--values=clusters/c1/values.yaml'];
    expect(objectsIn(answer.manifests)).toEqual(
      await build(['apps/web', ...flags, '--set=replicas=3', '--set=version=1.10']),
    );
  });

  it('generates what kurel build gives for a patch package', async () => {
    const { answer, stderr } = ask('generate', 'apps/hello.kurel', [
      'ARGOCD_APP_PARAMETERS=[{"name":"image.tag","string":"v1.10.3"}]',
    ]);
    expect(stderr).toBe('');
    expect(objectsIn(answer.manifests)).toEqual(await build(['apps/hello.kurel', '--set=image.tag=v1.10.3']));
  });

  it('announces the parameters of a package', () => {
    const { answer } = ask('parameters', 'apps/web');
    expect(answer.parameterAnnouncements).toEqual([
      { name: 'version', title: 'version', itemType: 'string', collectionType: 'string', string: '1.4.0' },
      { name: 'domain', title: 'domain', required: true, itemType: 'string', collectionType: 'string' },
      { name: 'replicas', title: 'replicas', itemType: 'number', collectionType: 'string', string: '2' },
    ]);
  });

  it.each([
    ['a broken package', 'apps/broken', [], 'unknown field "parametres" in spec'],
    [
      'a wrong value',
      'apps/web',
      ['ARGOCD_APP_PARAMETERS=[{"name":"replicas","string":"many"}]'],
      'replicas must be an integer, got "many"',
    ],
    [
      'a policy of the Application',
      'apps/web',
      ['ARGOCD_ENV_KUREL_POLICY=mine.yaml'],
      'the Application sets KUREL_POLICY, which the sidecar sets already',
    ],
    [
      'a file outside of the repository',
      'apps/web',
      ['ARGOCD_ENV_KUREL_VALUES=../../../config/plugin.yaml'],
      'KUREL_VALUES of the Application must name a file of its repository',
    ],
  ])('refuses %s with the finding', (_, path, variables, expected) => {
    const { status, stderr } = ask('generate', path, ['ARGOCD_ENV_KUREL_NO_PROFILE=true', ...variables]);
    expect(status).toBe(1);
    expect(stderr).toContain(expected);
  });
});
