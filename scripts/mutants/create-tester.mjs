import { fork } from 'node:child_process';
import { join } from 'node:path';

/** Runs tests in a process with a warm vitest, which is replaced when it dies or is stuck. */
export function createTester(scratch, environment = {}) {
  let child;
  return { run, stop: () => child?.kill('SIGKILL') };

  function open() {
    const env = { ...process.env, ...environment };
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
    child = fork(join(scratch, 'scripts/mutants/run-tests.mjs'), { cwd: scratch, env, stdio });
    return new Promise((done) => void child.once('message', done));
  }

  /** `isStuck` is asked every second. */
  async function run(request, isStuck) {
    if (child === undefined) await open();
    const asked = child;
    return new Promise((done) => {
      const end = (answer) => {
        clearInterval(timer);
        asked.removeAllListeners();
        done(answer);
      };
      const lose = (reason) => {
        child = undefined;
        asked.kill('SIGKILL');
        end({ failed: reason });
      };
      const timer = setInterval(() => isStuck() && lose('timeout'), 1000);
      asked.once('exit', () => lose('the test process ended'));
      asked.once('message', end);
      asked.send(request);
    });
  }
}
