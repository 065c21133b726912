import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { createFleetProject, readFiles } from './fleet-project.ts';
import type { FleetProject } from './fleet-project.ts';
import { startServer } from './loopback-server.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-equality-'));
afterAll(() => rmSync(place, { recursive: true, force: true }), 60_000);

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\n';

function fleetOf(...targets: readonly string[]): string {
  const head = 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Fleet\nspec:\n  targets:\n';
  return `${head}${targets.map((one) => `  - ${one}\n`).join('')}`;
}

interface Situation {
  readonly fleet: string;
  readonly files?: Readonly<Record<string, string>>;
  /** What each machine does before the run that is compared. */
  readonly before?: (project: FleetProject) => Promise<void>;
  /** Targets that every later run takes from the cache. */
  readonly cached: number;
}

const situations: readonly (readonly [name: string, situation: Situation])[] = [
  [
    'a warning with a line in another file',
    {
      fleet: fleetOf('{name: web, package: apps/web, noProfile: true, values: [v.yaml], output: rendered/web}'),
      files: {
        'v.yaml': 'version: latest\ndomain: example.com\n',
        'apps/web/app.yaml':
          'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: web}\nspec:\n  components:\n' +
          '  - {name: web, type: webservice, properties: {image: "registry.example.com/web:${version}", port: 80}}\n',
      },
      cached: 1,
    },
  ],
  [
    'accepted findings, and an acceptance that nothing needs',
    {
      fleet: fleetOf(
        '{name: a, package: apps/file.yaml, output: rendered/a, accept: [{code: reference-missing, reason: later}]}',
        '{name: b, package: apps/api, output: rendered/b, accept: [{code: image-not-pinned, reason: none}]}',
      ),
      cached: 2,
    },
  ],
  [
    'a target that fails, and a strict one',
    {
      fleet: fleetOf(
        '{name: bad, package: apps/bad.yaml, output: rendered/bad}',
        '{name: strict, package: apps/file.yaml, strict: true, output: rendered/strict}',
        '{name: good, package: apps/api, output: rendered/good}',
      ),
      files: { 'apps/bad.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {prots: []}\n' },
      cached: 1,
    },
  ],
  [
    'patches that remove every object',
    {
      fleet: fleetOf('{name: none, package: apps/one, patches: [none.kpatch], output: rendered/none}'),
      files: {
        'apps/one/settings.yaml': configMap,
        'none.kpatch': '[configmap.settings]\nenabled: false\n',
      },
      cached: 0,
    },
  ],
  [
    'a file of an earlier run that was edited, and is no longer part of the output',
    {
      fleet: fleetOf('{name: one, package: apps/one, output: rendered/one}'),
      files: { 'apps/one/a.yaml': configMap, 'apps/one/b.yaml': configMap.replace('settings', 'more') },
      async before({ directory, read, write }) {
        await runProgram(['fleet', 'build'], { workingDirectory: directory });
        expect(read('rendered/one/configmap-more-shop.yaml')).toContain('more');
        write('rendered/one/configmap-more-shop.yaml', 'edited: true\n');
        rmSync(join(directory, 'apps/one/b.yaml'));
      },
      cached: 1,
    },
  ],
  [
    'another instance in the output directory',
    {
      fleet: fleetOf(
        '{name: hello, package: apps/hello.kurel, layout: flux, flux: {source: GitRepository/fleet}, output: rendered/shared}',
      ),
      async before({ directory }) {
        const words = ['build', 'apps/hello.kurel', '--layout=flux', '--instance=other', '--output=rendered/shared/'];
        await runProgram(words, { workingDirectory: directory });
      },
      cached: 1,
    },
  ],
];

let machines = 0;

/** A machine that has never built anything. */
async function createMachine({ fleet, files = {}, before }: Situation): Promise<FleetProject> {
  machines += 1;
  const project = createFleetProject(join(place, `machine-${machines}`, 'project'));
  project.write('kurel.fleet.yaml', fleet);
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  await before?.(project);
  return project;
}

interface Result extends ProgramOutcome {
  readonly files: Readonly<Record<string, string>>;
}

/** Runs on a new machine. */
async function run(situation: Situation, words: readonly string[]): Promise<Result> {
  const { directory } = await createMachine(situation);
  const { exitCode, stdout, stderr } = await runProgram(['fleet', ...words], { workingDirectory: directory });
  const rename = (text: string): string => text.replaceAll(directory, 'PROJECT');
  const rendered = join(directory, 'rendered');
  const files = existsSync(rendered) ? readFiles(rendered) : {};
  rmSync(directory, { recursive: true });
  return { exitCode, stdout: rename(stdout), stderr: rename(stderr), files };
}

/** Splits off the only words that a cache adds. */
function splitRemark(result: Result): readonly [Result, cached: number] {
  let cached = 0;
  const cut = (text: string): string =>
    text.replace(/; (\d+) from the cache/, (_, count: string) => {
      cached = Number(count);
      return '';
    });
  return [{ ...result, stdout: cut(result.stdout), stderr: cut(result.stderr) }, cached];
}

async function expectEqual(situation: Situation): Promise<void> {
  for (const words of [['build'], ['build', '--check'], ['validate', '--message-format=json']]) {
    const expected = await run(situation, words);
    machines += 1;
    const cache = ['--cache', join(place, `cache-${machines}`)];
    for (const state of ['cold', 'warm']) {
      const [result, cached] = splitRemark(await run(situation, [...words, ...cache]));
      expect(result, `${words.join(' ')}, ${state}`).toEqual(expected);
      if (state === 'warm' && words[0] === 'build') expect(cached, words.join(' ')).toBe(situation.cached);
    }
  }
}

describe('a cache gives the files, inventories, findings and exit codes of a build', () => {
  it.each(situations)('with %s', async (_, situation) => {
    await expectEqual(situation);
  });
});

describeWithProgram('kustomize', 'a cache gives nothing', () => {
  it('for an output inside a directory that the kustomization refers to', { tags: 'slow' }, async () => {
    await expectEqual({
      fleet: fleetOf('{name: over, package: apps/kustomize/overlays/production, output: apps/kustomize/base/out}'),
      cached: 0,
    });
  });

  it('for something that kustomize fetches, which nobody can compare', { tags: 'slow' }, async () => {
    let level = 'info';
    const server = await startServer({
      '/a.yaml': (_, response) => void response.end(`${configMap}data: {level: ${level}}\n`),
    });
    const project = await createMachine({
      fleet: fleetOf('{name: far, package: apps/far, output: rendered/far}'),
      files: { 'apps/far/kustomization.yaml': `resources: ["${server.url}/a.yaml"]\n` },
      cached: 0,
    });
    const variables = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(place, 'home') };
    const words = ['fleet', 'build', '--allow-network', '--cache', join(place, 'far')];
    for (level of ['info', 'debug']) {
      const { exitCode, stderr } = await runProgram(words, { workingDirectory: project.directory, variables });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '1 target: 1 built\n' });
      expect(project.read('rendered/far/configmap-settings-shop.yaml')).toContain(`level: ${level}`);
    }
    expect(existsSync(join(place, 'far'))).toBe(false);
    await server.stop();
  });
});
