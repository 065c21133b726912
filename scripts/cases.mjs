// npm run cases pack: turns every case that is a directory into an archive, where an archive can hold it, with the fixtures that
// fit. npm run cases unpack PATH: makes a case of an archive a directory again, to work on its files. npm run cases fold PATH NAME …: puts
// cases of the same folder into the archive PATH, which has their common files once.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { importSource } from './import-source.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { foldCases, packCases, unpackCase } = await importSource(join(root, 'scripts', 'pack-cases.ts'));
const [action, path, ...names] = process.argv.slice(2);
if (action === 'pack') packCases(root, (line) => console.log(line));
else if (action === 'unpack' && path !== undefined) unpackCase(path.replace(/\.case$/, ''));
else if (action === 'fold' && names.length > 0) foldCases(path.replace(/\.case$/, ''), names);
else {
  console.error('usage: npm run cases pack, npm run cases unpack PATH, or npm run cases fold PATH NAME …');
  process.exit(2);
}
