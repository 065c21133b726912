// npm run check: everything that must hold before a commit, cheapest first. --static leaves out the tests; --ci adds the slow tests,
// and the tests on a current Node LTS and with the standalone executable.
import { spawnSync } from 'node:child_process';

/** Each step is an npm script. */
const staticSteps = ['types', 'lint', 'format:check', 'unused', 'docs:check', 'workflows'];
const testSteps = ['test'];
const ciSteps = ['test:slow', 'test:lts', 'test:executable'];

const isStatic = process.argv.includes('--static');
const isCi = process.argv.includes('--ci');
const steps = [...staticSteps, ...(isStatic ? [] : testSteps), ...(isCi ? ciSteps : [])];

const failed = [];
for (const name of steps) {
  const started = performance.now();
  const { status } = runScript(name);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(', ')}`);
  process.exit(1);
}

/** Windows cannot start `npm` without a shell, but Node can run the file that npm itself names. */
function runScript(name) {
  const npm = process.env.npm_execpath;
  const [command, args] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  return spawnSync(command, [...args, 'run', '--silent', name], { stdio: 'inherit' });
}
