import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startCacheServer } from './cache-server.ts';
import { createFleetProject, readFiles } from './fleet-project.ts';
import type { FleetProject } from './fleet-project.ts';
import { programWords, spawnProgram } from './kurel-program.ts';
import { describeWithProgram } from './render-case.ts';
import { runPods } from './run-pods.ts';
import type { Node, Pod, StartedPod } from './run-pods.ts';
import type { ProgramOutcome } from './run-program.ts';
import { startControlPlane } from './start-control-plane.ts';
import type { ControlPlane } from './start-control-plane.ts';

interface Job {
  readonly status: {
    readonly completedIndexes?: string;
    readonly failedIndexes?: string;
    readonly conditions?: readonly { readonly type: string; readonly reason?: string; readonly message?: string }[];
  };
}

interface SingleBuild {
  readonly directory: string;
  readonly outcome: ProgramOutcome;
}

interface JobRun {
  readonly claims?: Node['claims'];
  readonly words: readonly string[];
  /** What happens to the first, second … pod of an index while it writes the output of a target. */
  readonly interruptions?: Readonly<Record<number, readonly ('kill' | 'evict')[]>>;
}

const user = 65_532;
const shards = [0, 1, 2, 3, 4, 5, 6];
const count = shards.length;
const isRoot = process.getuid?.() === 0;
const image = 'registry.example.com/kurel:1';
const claim = ['--image', image, '--shards', `${count}`, '--parallelism', '3', '--claim', 'repository'];
const complete = { ended: { type: 'Complete' }, completedIndexes: '0-6' };

describeWithProgram('control-plane', 'the Job of a fleet in a real cluster', () => {
  const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-job-'));
  const [programs, halts] = [join(place, 'bin'), join(place, 'halts')];
  let plane: ControlPlane;
  let made = 0;

  beforeAll(async () => {
    for (const directory of [programs, halts]) mkdirSync(directory);
    // Pods have another user.
    chmodSync(place, 0o755);
    chmodSync(halts, 0o777);
    const words = programWords.map((word) => `'${word}'`).join(' ');
    writeFileSync(join(programs, 'kurel'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    writeFileSync(join(programs, 'halt.cjs'), halting);
    plane = await startControlPlane(join(place, 'cluster'), { controllers: ['job-controller'] });
  });
  afterAll(async () => {
    await plane?.stop();
    rmSync(place, { recursive: true, force: true });
  });

  function createProject(edit: (project: FleetProject) => void = () => undefined): FleetProject {
    made += 1;
    const project = createFleetProject(join(place, `project-${made}`));
    edit(project);
    return project;
  }

  /** The built program, on a machine that has never built anything. */
  function kurel(directory: string, words: readonly string[], variables = {}): Promise<ProgramOutcome> {
    const all = { PATH: process.env['PATH'], ...variables };
    return spawnProgram(words, { workingDirectory: directory, variables: all, stdin: '' });
  }

  async function buildOnOneMachine(edit?: (project: FleetProject) => void): Promise<SingleBuild> {
    const { directory } = createProject(edit);
    return { directory, outcome: await kurel(directory, ['fleet', 'build']) };
  }

  /** A namespace that admits only pods of the restricted Pod Security Standard. */
  async function createNamespace(): Promise<string> {
    made += 1;
    const labels = Object.fromEntries(
      ['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
    );
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `fleet-${made}`, labels } };
    await plane.cluster.get('/api/v1/namespaces', { method: 'POST', body });
    return body.metadata.name;
  }

  async function printJob(words: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await kurel(place, ['fleet', 'job', ...words]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout;
  }

  /** Prints a Job, creates it, and runs its pods until it has ended. */
  async function runJob({ words, interruptions = {}, claims = {} }: JobRun, namespace?: string) {
    const into = namespace ?? (await createNamespace());
    const jobs = `/apis/batch/v1/namespaces/${into}/jobs`;
    const pods = `/api/v1/namespaces/${into}/pods`;
    const interruptionOf = (pod: Pod) => {
      const others = runner.started.filter((one) => one.pod.metadata.uid !== pod.metadata.uid);
      const attempt = others.filter((one) => indexOf(one.pod) === indexOf(pod)).length;
      return { what: interruptions[indexOf(pod)]?.[attempt], halt: join(halts, pod.metadata.name) };
    };
    const runner = runPods(plane.cluster, {
      namespace: into,
      claims,
      unpack: createOwnProject,
      variablesOf: (pod) => {
        const { what, halt } = interruptionOf(pod);
        // A user without a home directory, as in a container of a user that the image does not know.
        const usual = { PATH: `${programs}${delimiter}${process.env['PATH']}`, HOME: '/' };
        return what === undefined ? usual : { ...usual, HALT: halt, NODE_OPTIONS: `--require=${programs}/halt.cjs` };
      },
      onStart: async (pod, container) => {
        const { what, halt } = interruptionOf(pod);
        if (what === undefined) return;
        while (!existsSync(halt)) {
          if (container.hasEnded()) throw new Error(`${pod.metadata.name} ended before it was to ${what}`);
          await pause(20);
        }
        if (what === 'kill') return container.kill('SIGKILL');
        const { name } = pod.metadata;
        const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: into } };
        await plane.cluster.get(`${pods}/${name}/eviction`, { method: 'POST', body });
      },
      onTerminate: (pod) => rmSync(join(halts, pod.metadata.name), { force: true }),
    });
    try {
      const { status, warnings } = await plane.cluster.ask(jobs, { method: 'POST', body: await printJob(words) });
      expect({ status, warnings }).toEqual({ status: 201, warnings: [] });
      for (let attempt = 0; attempt < 1200; attempt += 1) {
        runner.check();
        const job = await plane.cluster.get<Job>(`${jobs}/kurel-fleet`);
        const ended = job.status.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed');
        if (ended !== undefined) return { ...job.status, ended, started: runner.started, most: runner.most() };
        await pause(100);
      }
      throw new Error('the Job does not end');
    } finally {
      await runner.stop();
      runner.check();
    }
  }

  /** A volume with a checkout of somebody else, which Kubernetes makes writable for the group of the pods. */
  function createVolume(project: FleetProject): string {
    const script = 'chgrp -R "$1" "$0" && chmod -R g+rwX "$0" && find "$0" -type d -exec chmod g+s {} +';
    if (isRoot) {
      expect(spawnSync('sh', ['-c', script, project.directory, `${user}`])).toMatchObject({ status: 0 });
    }
    return project.directory;
  }

  /** The repository in the image, in a container of its own. */
  function createOwnProject(): string {
    const { directory } = createProject();
    if (isRoot) expect(spawnSync('chown', ['-R', `${user}`, directory])).toMatchObject({ status: 0 });
    return directory;
  }

  /** The reports of the shards, merged. */
  function report(directory: string): Promise<ProgramOutcome> {
    const files = readdirSync(join(directory, 'reports')).map((name) => `reports/${name}`);
    return kurel(directory, ['fleet', 'report', ...files]);
  }

  /** Everything but the reports, also what nobody may leave behind. */
  function filesIn(directory: string): Readonly<Record<string, string>> {
    const files = Object.entries(readFiles(directory)).filter(([path]) => !path.startsWith('reports/'));
    return Object.fromEntries(files);
  }

  async function expectSame(volume: string, single: SingleBuild): Promise<void> {
    const { stderr, ...rest } = await report(volume);
    // A shard that is repeated finds what it has written before.
    const all = stderr.replace(
      /(\d+) built, (\d+) built without changes/,
      (_, a, b) => `${Number(a) + Number(b)} built`,
    );
    expect({ ...rest, stderr: all }).toEqual(single.outcome);
    expect(filesIn(volume)).toEqual(filesIn(single.directory));
  }

  it('is accepted without warnings, and its pods meet the restricted Pod Security Standard', async () => {
    const jobs = `/apis/batch/v1/namespaces/${await createNamespace()}/jobs`;
    const cache = ['--cache', 'https://cache.example.com', '--secret-name', 'cache'];
    for (const more of [[], cache, ['--cpu', '500m', '--memory', '1Gi', '--strict', '*/web']]) {
      const body = await printJob([...claim, ...more]);
      const query = 'dryRun=All&fieldValidation=Strict';
      const created = await plane.cluster.ask(`${jobs}?${query}`, { method: 'POST', body });
      expect(created).toMatchObject({ status: 201, warnings: [] });
      const type = 'application/apply-patch+yaml';
      const path = `${jobs}/kurel-fleet?${query}&fieldManager=test`;
      const applied = await plane.cluster.ask(path, { method: 'PATCH', type, body });
      expect(applied).toMatchObject({ status: 201, warnings: [] });
    }
  });

  it('builds what one machine builds', async () => {
    const [single, volume] = [await buildOnOneMachine(), createVolume(createProject())];
    const { ended, completedIndexes, started, most } = await runJob({ words: claim, claims: { repository: volume } });
    expect({ ended, completedIndexes, most }).toMatchObject({ ...complete, most: 3 });
    expect(started.map(describePod).toSorted()).toEqual(shards.map((index) => `${index}: exit 0`));
    await expectSame(volume, single);
  });

  it('repeats shards that are killed or evicted', async () => {
    const [single, volume] = [await buildOnOneMachine(), createVolume(createProject())];
    const { ended, completedIndexes, started } = await runJob({
      words: claim,
      claims: { repository: volume },
      interruptions: { 1: ['kill'], 2: ['evict'], 4: ['evict', 'kill'] },
    });
    expect({ ended, completedIndexes }).toMatchObject(complete);
    expect(started.map(describePod).toSorted()).toEqual([
      '0: exit 0',
      '1: exit 0, 1 failed',
      '1: exit 137',
      '2: exit 0, 1 ignored',
      '2: exit 143',
      '3: exit 0',
      '4: exit 0, 1 failed, 1 ignored',
      '4: exit 137, 1 ignored',
      '4: exit 143',
      '5: exit 0',
      '6: exit 0',
    ]);
    await expectSame(volume, single);
  });

  it('gives up a shard that is killed three times, and the next Job builds it', async () => {
    const [single, volume] = [await buildOnOneMachine(), createVolume(createProject())];
    const [claims, namespace] = [{ repository: volume }, await createNamespace()];
    const interruptions = { 3: ['kill', 'kill', 'kill'] } as const;
    const first = await runJob({ words: claim, claims, interruptions }, namespace);
    const { ended, completedIndexes, failedIndexes, started } = first;
    expect({ ended, completedIndexes, failedIndexes }).toMatchObject({
      ended: { type: 'Failed', reason: 'FailedIndexes' },
      completedIndexes: '0-2,4-6',
      failedIndexes: '3',
    });
    expect(started.map(describePod)).toContain('3: exit 137, 2 failed');
    const { exitCode, stderr } = await report(volume);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`error[fleet-report-missing]: no report of shard 3/${count}\n`);
    const job = `/apis/batch/v1/namespaces/${namespace}/jobs/kurel-fleet`;
    await plane.cluster.get(`${job}?propagationPolicy=Background`, { method: 'DELETE' });
    expect((await runJob({ words: claim, claims }, namespace)).ended).toMatchObject(complete.ended);
    await expectSame(volume, single);
  });

  it('does not repeat a shard with findings, and builds the others', async () => {
    const edit = ({ write }: FleetProject): void => write('clusters/c2/values.yaml', 'domain: [c2]\n');
    const [single, volume] = [await buildOnOneMachine(edit), createVolume(createProject(edit))];
    expect(single.outcome.exitCode).toBe(1);
    const { ended, completedIndexes, failedIndexes, started } = await runJob({
      words: claim,
      claims: { repository: volume },
    });
    expect({ ended, completedIndexes, failedIndexes }).toMatchObject({
      ended: { type: 'Failed', reason: 'FailedIndexes' },
      completedIndexes: '0,2-6',
      failedIndexes: '1',
    });
    expect(started.map(describePod).toSorted()).toEqual(shards.map((index) => `${index}: exit ${index === 1 ? 1 : 0}`));
    await expectSame(volume, single);
  });

  it('stops after wrong usage', async () => {
    const volume = createVolume(createProject());
    const words = [...claim, 'no/such/target'];
    const { ended, completedIndexes, started } = await runJob({ words, claims: { repository: volume } });
    expect(ended).toMatchObject({ type: 'Failed', reason: 'PodFailurePolicy' });
    expect(ended.message).toContain('failed with exit code 2');
    expect(completedIndexes ?? '').toBe('');
    expect(started.length).toBeLessThanOrEqual(3);
    expect(existsSync(join(volume, 'rendered'))).toBe(false);
  });

  it('leaves what it has built in a cache', async () => {
    const single = await buildOnOneMachine();
    const variables = { KUREL_CACHE_KEY: 'a key that all machines share' };
    const namespace = await createNamespace();
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'cache' }, stringData: variables };
    await plane.cluster.get(`/api/v1/namespaces/${namespace}/secrets`, { method: 'POST', body });
    const server = await startCacheServer();
    try {
      const words = ['--image', image, '--shards', `${count}`, '--cache', server.url, '--secret-name', 'cache'];
      const { ended, completedIndexes } = await runJob({ words, interruptions: { 2: ['kill'] } }, namespace);
      expect({ ended, completedIndexes }).toMatchObject(complete);
      const { directory } = createProject();
      const { exitCode, stderr } = await kurel(directory, ['fleet', 'build', '--cache', server.url], variables);
      expect(exitCode).toBe(0);
      expect(stderr).toMatch(/24 targets: 24 built; 24 from the cache\n$/);
      expect(filesIn(directory)).toEqual(filesIn(single.directory));
    } finally {
      await server.stop();
    }
  });
});

// The program stops while it holds its second lock of an output directory, until a file is removed.
const halting = `
const fs = require('node:fs');
const { linkSync } = fs;
let locks = 0;
fs.linkSync = (from, to) => {
  linkSync(from, to);
  if (!to.includes('.kurel-lock') || (locks += 1) !== 2) return;
  fs.writeFileSync(process.env.HALT, '');
  while (fs.existsSync(process.env.HALT)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
};
require('node:module').syncBuiltinESMExports();
`;

function indexOf({ metadata }: Pod): number {
  return Number(metadata.annotations['batch.kubernetes.io/job-completion-index']);
}

/** With the pods of the same index before it, as the controller counts them. */
function describePod({ pod, exitCode }: StartedPod): string {
  const countOf = (name: string): string =>
    pod.metadata.annotations[`batch.kubernetes.io/job-index-${name}failure-count`] ?? '0';
  const [failed, ignored] = [countOf(''), countOf('ignored-')];
  const before = [...(failed === '0' ? [] : [`${failed} failed`]), ...(ignored === '0' ? [] : [`${ignored} ignored`])];
  return [`${indexOf(pod)}: exit ${exitCode}`, ...before].join(', ');
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
