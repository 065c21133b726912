import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { openWorkshop } from '../src/cli/fleet/build-target.ts';
import type { FleetJob, TargetOutcome, TargetWorkshop } from '../src/cli/fleet/build-target.ts';
import type { Environment, WorkerProcess } from '../src/cli/environment.ts';
import type { FleetTarget } from '../src/fleet/index.ts';
import { createFleetProject } from './fleet-project.ts';
import { runProgram } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-workers-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Message {
  readonly job?: FleetJob;
  readonly targets?: readonly FleetTarget[];
}

/** A process that builds targets like a real one, and stops at one of them. */
function startFake(environment: Environment, stopsAt: string): WorkerProcess {
  let workshop: TargetWorkshop | undefined;
  let onMessage: (message: unknown) => void = () => undefined;
  let onExit: (reason: string) => void = () => undefined;
  const build = async (targets: readonly FleetTarget[]): Promise<void> => {
    if (targets.some(({ name }) => name === stopsAt)) return onExit('signal SIGKILL');
    const outcomes: TargetOutcome[] = [];
    for (const target of targets) outcomes.push(await workshop!.build(target));
    onMessage(outcomes);
  };
  return {
    send(message) {
      const { job, targets } = message as Message;
      if (job !== undefined) workshop = openWorkshop(job, environment);
      if (targets !== undefined) setImmediate(() => void build(targets));
    },
    onMessage: (handler) => void (onMessage = handler),
    onExit: (handler) => void (onExit = handler),
    stop: () => setImmediate(() => onExit('stopped')),
  };
}

it('a target that stops its process fails, and all others are built', { tags: 'slow' }, async () => {
  const { directory } = createFleetProject(join(place, 'project'));
  const environment: Partial<Environment> = { workingDirectory: directory };
  const startWorker = (): WorkerProcess => startFake({ ...silent, ...environment }, 'c1/api');
  const words = ['fleet', 'build', '--jobs', '2', '*/api', '*/hello'];
  const { exitCode, stderr } = await runProgram(words, { ...environment, startWorker });
  expect(stderr).toMatch(/^error\[fleet-process-stopped\]: .*"c1\/api"/);
  expect(stderr).toMatch(/\nc1\/api {2}failed {2}1 error\n\n10 targets: 1 failed, 9 built\n$/);
  expect(exitCode).toBe(1);
  expect(existsSync(join(directory, 'rendered/c1/api'))).toBe(false);
});

const silent: Environment = {
  workingDirectory: place,
  variables: { PATH: process.env['PATH'] },
  stdoutIsTerminal: false,
  stderrIsTerminal: false,
  toolsDirectories: [],
  readStdin: async () => '',
  writeStdout: () => undefined,
  writeStderr: () => undefined,
};
