// npm run release:image: unpacks the archives of dist/release into dist/image, as the Dockerfile copies them: a directory per architecture.
// KUREL_RELEASE_DIRECTORY and KUREL_IMAGE_DIRECTORY are other places.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const release = process.env.KUREL_RELEASE_DIRECTORY ?? join(dist, 'release');
const image = process.env.KUREL_IMAGE_DIRECTORY ?? join(dist, 'image');

/** The base image has glibc, so it takes these and not those for musl. */
const architectures = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };

rmSync(image, { recursive: true, force: true });
const archives = readdirSync(release).filter((name) => name.endsWith('.tar.gz'));
for (const [target, architecture] of Object.entries(architectures)) {
  const archive = archives.find((name) => name.endsWith(`-${target}.tar.gz`));
  if (archive === undefined) continue;
  const documents = join(image, architecture, 'usr', 'share', 'doc', 'kurel');
  const programs = join(image, architecture, 'usr', 'local', 'bin');
  for (const directory of [documents, programs]) mkdirSync(directory, { recursive: true });
  const wanted = ['kurel', 'LICENSE', 'licences'].map((name) => `${archive.replace('.tar.gz', '')}/${name}`);
  execFileSync('tar', ['-xzf', join(release, archive), '-C', documents, '--strip-components=1', ...wanted]);
  renameSync(join(documents, 'kurel'), join(programs, 'kurel'));
  console.log(`${architecture}: ${archive}`);
}
