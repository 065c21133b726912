import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { manifest } from '../make-files.mjs';

// Bytes that no editor of ours should have to show.
export function make(directory) {
  const escape = String.fromCodePoint(0x1b);
  writeFileSync(join(directory, 'raw.yaml'), `${manifest}data: {a: "${escape}[31m"}\n`);
  writeFileSync(
    join(directory, 'comments.yaml'),
    `${manifest}data: {} # ${String.fromCodePoint(0x202e)}${String.fromCodePoint(0x9b)}31m\n`,
  );
}
