// npm run ci:full: the tests that are too slow for every run, `*.full.test.ts`, with the programs that they compare with.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

const words = process.argv.slice(2);
// Every run of CI calls some of the tests, and programs such as the control plane of Kubernetes take minutes to build.
const directory = join(root, 'packages', 'kurel', 'test');
const files = readdirSync(directory).filter((name) => name.endsWith('.full.test.ts'));
const chosen = files.filter((name) => words.length === 0 || words.some((word) => join(directory, name).includes(word)));
const programs = chosen.flatMap((name) =>
  [...readFileSync(join(directory, name), 'utf8').matchAll(/describeWithProgram\('([^']+)'/g)].map(([, one]) => one),
);

// Without these programs the tests would be skipped, and this run is about nothing else.
const env = { ...process.env, CI: 'true' };
run([join(root, 'scripts', 'tools.mjs'), ...programs]);
run([join(root, 'scripts', 'build.mjs')]);
run([vitest, 'run', '--config', 'vitest.full.config.ts', ...words]);

function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
