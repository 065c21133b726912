import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What decides whether the repository at `root` may be released; see find-release-problems.ts. */
export function readReleaseState(root) {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`);
  const readVersion = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).version;
  return {
    changes: execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }),
    versions: Object.fromEntries(packages.map((path) => [path, readVersion(path)])),
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    benchmarks: readFileSync(join(root, 'docs', 'benchmarks.md'), 'utf8'),
  };
}
