// npm runs this before it publishes a package, and publishes nothing when it fails: everything must be committed, versions and
// changelog must agree, and what is packed must be a build of what lies here that passes every check.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

import { importSource } from './import-source.mjs';
import { readReleaseState } from './release/release-state.mjs';

const root = resolve(import.meta.dirname, '..');
// Options of npm, such as one workspace or --dry-run, are meant for publishing and would change the checks.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
const { findReleaseProblems } = await importSource(join(root, 'scripts/release/find-release-problems.ts'));

refuse(findReleaseProblems(readReleaseState(root)));
// The tests begin with a build, so that nothing older is packed.
const { status } = spawnSync(process.execPath, ['scripts/check.mjs'], { cwd: root, env, stdio: 'inherit' });
refuse(status === 0 ? [] : ['npm run check fails']);
refuse(findReleaseProblems(readReleaseState(root)));

function refuse(problems) {
  if (problems.length === 0) return;
  for (const problem of problems) console.error(`not published: ${problem}`);
  process.exit(1);
}
