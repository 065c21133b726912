import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import type { Environment, WorkerProcess } from '../src/cli/environment.ts';
import { startFakeWorker } from './fake-worker.ts';
import { createFleetProject } from './fleet-project.ts';
import { runProgram } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-workers-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

it('a target that stops its process fails, and all others are built', { tags: 'slow' }, async () => {
  const { directory } = createFleetProject(join(place, 'project'));
  const environment: Partial<Environment> = { workingDirectory: directory };
  const startWorker = (): WorkerProcess => startFakeWorker(directory, { stopsAt: 'c1/api' });
  const words = ['fleet', 'build', '--jobs', '2', '*/api', '*/hello'];
  const { exitCode, stderr } = await runProgram(words, { ...environment, startWorker });
  expect(stderr).toMatch(/^error\[fleet-process-stopped\]: .*"c1\/api"/);
  expect(stderr).toMatch(/\nc1\/api {2}failed {2}1 error\n\n10 targets: 1 failed, 9 built\n$/);
  expect(exitCode).toBe(1);
  expect(existsSync(join(directory, 'rendered/c1/api'))).toBe(false);
});
