// npm run cases pack: turns every case that is a directory into an archive, where an archive can hold it, with the fixtures that
// fit. npm run cases unpack PATH: makes an archive a directory again, to work on its files.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { importSource } from './import-source.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { packCases, unpackCase } = await importSource(join(root, 'scripts', 'pack-cases.ts'));
const [action, path] = process.argv.slice(2);
if (action === 'pack') packCases(root, (line) => console.log(line));
else if (action === 'unpack' && path !== undefined) unpackCase(path.replace(/\.case$/, ''));
else {
  console.error('usage: npm run cases pack, or npm run cases unpack PATH');
  process.exit(2);
}
