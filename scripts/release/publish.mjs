// npm run release:publish: publishes both packages to npm with provenance, in the release workflow. Flags such as --dry-run go to npm.
// A run that failed halfway can be repeated: a version that npm has already is left out.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const repository = process.env.GITHUB_REPOSITORY;
if (repository === undefined) {
  console.error('GITHUB_REPOSITORY is not set: npm links a package with provenance to its repository');
  process.exit(2);
}

// After `npm ci` there are no man pages.
run(['run', '--silent', 'build']);
// jq first, which the sources of kurel name.
for (const directory of ['packages/jq', 'packages/kurel']) {
  const { name, version } = JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8'));
  const known = npm(['view', `${name}@${version}`, 'version'], 'pipe');
  if (known.stdout?.trim() === version) {
    console.log(`${name} ${version}: already published`);
    continue;
  }
  // npm refuses provenance of a package that does not name the repository of the workflow.
  const url = `git+https://github.com/${repository}.git`;
  run([
    'pkg',
    'set',
    'repository.type=git',
    `repository.url=${url}`,
    `repository.directory=${directory}`,
    '-w',
    directory,
  ]);
  const channel = version.includes('-') ? ['--tag', 'next'] : [];
  // The workflow has run all checks on this commit before.
  run(['publish', '--provenance', '--ignore-scripts', ...channel, ...process.argv.slice(2), '-w', directory]);
}

function run(args) {
  const { status } = npm(args, 'inherit');
  if (status !== 0) process.exit(status ?? 1);
}

function npm(args, stdout) {
  return spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', stdout, stdout === 'pipe' ? 'ignore' : 'inherit'],
  });
}
