import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Bytes that no editor of ours should have to show.
export function make(directory) {
  const escape = String.fromCodePoint(0x1b);
  const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n';
  writeFileSync(join(directory, 'raw.yaml'), `${head}data: {a: "${escape}[31m"}\n`);
  writeFileSync(
    join(directory, 'comments.yaml'),
    `${head}data: {} # ${String.fromCodePoint(0x202e)}${String.fromCodePoint(0x9b)}31m\n`,
  );
}
