// npm run release:smoke: unpacks the archive for this machine from dist/release, compares its checksum, and builds an example with it: in an
// empty environment, and outside of this repository. KUREL_RELEASE_DIRECTORY is another place for the archives.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { executableEnding, ownTarget } from './targets.mjs';

const root = join(import.meta.dirname, '..', '..');
const release = process.env.KUREL_RELEASE_DIRECTORY ?? join(root, 'dist', 'release');
const { version } = JSON.parse(readFileSync(join(root, 'packages', 'kurel', 'package.json'), 'utf8'));
const directory = `kurel-${version}-${ownTarget}`;
const archive = readFileSync(join(release, `${directory}.tar.gz`));
const sum = createHash('sha256').update(archive).digest('hex');
expect(readFileSync(join(release, 'SHA256SUMS'), 'utf8').includes(`${sum}  ${directory}.tar.gz\n`), 'checksum');

const place = mkdtempSync(join(tmpdir(), 'kurel-smoke-'));
try {
  // Without a path: tar on Windows takes the colon of one for the name of a host.
  execFileSync('tar', ['-xzf', '-'], { cwd: place, input: archive });
  cpSync(join(root, 'examples', 'applications'), join(place, 'applications'), { recursive: true });
  expect(JSON.parse(kurel('version', '--json')).version === version, 'version');
  const flags = ['--profile', 'applications/web/gateway.yaml', '--values', 'applications/shop/staging.yaml'];
  expect(kurel('build', 'applications/web/package', ...flags).includes('kind: HTTPRoute'), 'build');
} finally {
  rmSync(place, { recursive: true, force: true });
}
console.log(`${directory}: checksum, version and build as expected`);

function kurel(...words) {
  // No program starts on Windows without the directory of the system.
  const env = process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {};
  const program = join(place, directory, `kurel${executableEnding(ownTarget)}`);
  return execFileSync(program, words, { cwd: place, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function expect(isTrue, what) {
  if (isTrue) return;
  console.error(`${directory}: wrong ${what}`);
  process.exit(1);
}
