// Runs the tests once more on a current Node LTS, fetched from the package registry.
import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const node = execFileSync(process.execPath, [join(root, 'scripts', 'tools.mjs'), '--node-lts'], {
  encoding: 'utf8',
}).trim();
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
console.log(`testing on ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`);
const { status } = spawnSync(node, [vitest, 'run'], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
