// Everything that must hold before a commit, in the order in which it is quickest to fail.
import { spawnSync } from 'node:child_process';

const steps = [
  ['types', 'npm', ['run', '--silent', 'types']],
  ['lint', 'npm', ['run', '--silent', 'lint']],
  ['format', 'npm', ['run', '--silent', 'format:check']],
  ['unused code', 'npm', ['run', '--silent', 'unused']],
  ['docs', process.execPath, ['scripts/docs.mjs', '--check']],
  ['tests', 'npm', ['test', '--silent']],
];

const wanted = process.argv.includes('--static') ? steps.filter(([name]) => name !== 'tests') : steps;

const failed = [];
for (const [name, command, args] of wanted) {
  const started = performance.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(', ')}`);
  process.exit(1);
}
