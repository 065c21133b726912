// npm runs this before it publishes a package, and publishes nothing when it fails: everything must be committed, versions and
// changelog must agree, and what is packed must be a build of what lies here that passes every check.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { importSource } from './import-source.mjs';

const root = resolve(import.meta.dirname, '..');
// Options of npm, such as one workspace or --dry-run, are meant for publishing and would change the checks.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
const { findReleaseProblems } = await importSource(join(root, 'scripts/release/find-release-problems.ts'));

refuse(findReleaseProblems(readState()));
// The tests begin with a build, so that nothing older is packed.
const { status } = spawnSync(process.execPath, ['scripts/check.mjs'], { cwd: root, env, stdio: 'inherit' });
refuse(status === 0 ? [] : ['npm run check fails']);
refuse(findReleaseProblems(readState()));

function refuse(problems) {
  if (problems.length === 0) return;
  for (const problem of problems) console.error(`not published: ${problem}`);
  process.exit(1);
}

function readState() {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`);
  const readVersion = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).version;
  return {
    changes: execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }),
    versions: Object.fromEntries(packages.map((path) => [path, readVersion(path)])),
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
  };
}
