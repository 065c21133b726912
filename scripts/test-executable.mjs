// npm run test:executable: makes the standalone executable for this machine, and runs the tests of the whole program with it.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const executable = join(root, 'dist', process.platform === 'win32' ? 'kurel.exe' : 'kurel');

run([join(root, 'scripts', 'executable.mjs')], {});
run([vitest, 'run', '--config', 'vitest.executable.config.ts', ...process.argv.slice(2)], {
  KUREL_EXECUTABLE: executable,
});

function run(args, variables) {
  const env = { ...process.env, ...variables };
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
