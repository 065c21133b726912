// npm run workflows: checks .github/workflows with actionlint, and that every command in them is an npm script that `npm run ci` runs too.
// The release workflow may also run .ci/run, the scripts of a release, docker and gh.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.github', 'workflows');
const actionlint = join(root, '.tools', 'bin', process.platform === 'win32' ? 'actionlint.exe' : 'actionlint');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const checks = readFileSync(join(root, 'scripts', 'check.mjs'), 'utf8');
const setUp = ['npm ci', 'npm run tools'];

const problems = readdirSync(folder).flatMap((file) =>
  commandsOf(file).flatMap((command) =>
    isKnown(command) || (file === 'release.yml' && isOfRelease(command))
      ? []
      : [`${file}: "${command}" is not a step of npm run ci`],
  ),
);
for (const problem of problems) console.error(problem);
if (!existsSync(actionlint)) {
  console.error('SKIPPED: .tools/bin/actionlint does not exist; run npm run tools');
  process.exit(problems.length > 0 || process.env.CI === 'true' ? 1 : 0);
}
const { status } = spawnSync(actionlint, ['-shellcheck=', '-pyflakes='], { cwd: root, stdio: 'inherit' });
process.exit(status === 0 && problems.length === 0 ? 0 : 1);

function commandsOf(file) {
  const { jobs } = parse(readFileSync(join(folder, file), 'utf8'));
  return Object.values(jobs).flatMap(({ steps = [] }) =>
    steps.flatMap(({ run }) => (run === undefined ? [] : run.trim().split('\n'))),
  );
}

function isKnown(command) {
  if (setUp.includes(command) || command === 'npm test') return true;
  const [, script] = /^npm run ([\w:]+)$/.exec(command) ?? [];
  if (script === undefined || scripts[script] === undefined) return false;
  return script === 'check:static' || checks.includes(`'${script}'`);
}

function isOfRelease(command) {
  if (command === '.ci/run' || /^(?:docker|gh) /.test(command)) return true;
  const [, script = ''] = /^npm run (?:--silent )?([\w:]+)(?: -- [^&|;]+)?$/.exec(command) ?? [];
  return scripts[script] !== undefined && (script === 'executable' || script.startsWith('release:'));
}
