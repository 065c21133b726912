// npm run release:files: what a release offers for download, into dist/release: an archive with the executable that `npm run executable`
// made, licences, man pages and completion; a bill of materials; and the checksums of all of it.
// npm run release:files -- TARGET …: the same for the executables of other machines; `all` stands for every target.
// KUREL_RELEASE_DIRECTORY is another place for the files.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { importSource } from '../import-source.mjs';
import { bunVersion, executableEnding, executableName, ownTarget, readTargets } from './targets.mjs';

const root = join(import.meta.dirname, '..', '..');
const kurel = join(root, 'packages', 'kurel');
const outdir = process.env.KUREL_RELEASE_DIRECTORY ?? join(root, 'dist', 'release');
const read = (...path) => readFileSync(join(...path), 'utf8');
const { version } = JSON.parse(read(kurel, 'package.json'));
const { createCompanions, packDirectory } = await importSource(join(root, 'scripts', 'release', 'archive-files.ts'));
const { createBill } = await importSource(join(root, 'scripts', 'release', 'bill-of-materials.ts'));

const words = readTargets(process.argv.slice(2));
const executables =
  words.length === 0
    ? [{ target: ownTarget, path: join(root, 'dist', executableName()) }]
    : words.map((target) => ({ target, path: join(root, 'dist', executableName(target)) }));
checkExecutables();

const notices = read(kurel, 'dist', 'THIRD-PARTY-NOTICES.txt');
const schemaNotice = read(kurel, 'schemas', 'NOTICE.txt');
const licences = join(root, 'scripts', 'release', 'licences');
const shared = [
  { path: 'LICENSE', content: read(root, 'LICENSE') },
  { path: 'licences/NOTICE.txt', content: read(kurel, 'NOTICE') },
  { path: 'licences/THIRD-PARTY-NOTICES.txt', content: notices },
  { path: 'licences/SCHEMAS-NOTICE.txt', content: schemaNotice },
  { path: 'licences/BUN.txt', content: read(licences, 'BUN.txt') },
  { path: 'licences/LGPL-2.1.txt', content: read(licences, 'LGPL-2.1.txt') },
  ...(await createCompanions()),
];

rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
const sums = [];
for (const { target, path } of executables) {
  const executable = { path: `kurel${executableEnding(target)}`, content: readFileSync(path), isExecutable: true };
  const directory = `kurel-${version}-${target}`;
  write(`${directory}.tar.gz`, gzipSync(packDirectory(directory, [...shared, executable]), { level: 9 }));
}
write(`kurel-${version}.cdx.json`, createBill({ version, bunVersion, packages: listPackages(), schemaNotice }));
writeFileSync(join(outdir, 'SHA256SUMS'), sums.join(''));

function write(name, content) {
  writeFileSync(join(outdir, name), content);
  sums.push(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`);
  console.log(`${name}  ${(content.length / 1_000_000).toFixed(1)} MB`);
}

/** An executable of an earlier version would be packed under the name of this one. */
function checkExecutables() {
  for (const { target, path } of executables) {
    if (!existsSync(path)) refuse(`${path} does not exist: run npm run executable first`);
    if (target !== ownTarget) continue;
    const found = JSON.parse(execFileSync(path, ['version', '--json'], { encoding: 'utf8' })).version;
    if (found !== version) refuse(`${path} is version ${found}, and not ${version}: run npm run executable again`);
  }
}

function refuse(problem) {
  console.error(problem);
  process.exit(1);
}

/** The bundled packages: our own jq, and those whose licences the build collected. */
function listPackages() {
  const names = ['@kurel/jq', ...notices.split('\n----\n\n').map((notice) => notice.split('\n')[0])];
  return names.map((name) => {
    const manifest = JSON.parse(read(root, 'node_modules', name, 'package.json'));
    return { name, version: manifest.version, license: manifest.license };
  });
}
