import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { application, manifest, parameters } from '../make-files.mjs';

const piece = 'x'.repeat(1_000_000);

/** Forty megabytes between two texts. */
function write(directory, path, before, after) {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  const file = openSync(join(directory, path), 'w');
  writeSync(file, before);
  for (let count = 0; count < 40; count += 1) writeSync(file, piece);
  writeSync(file, after);
  closeSync(file);
}

const kinds = {
  'manifest.yaml': [`${manifest}data:\n  a: `, '\n'],
  'quoted.yaml': [`${manifest}data:\n  a: "`, '"\n'],
  'literal.yaml': [`${manifest}data:\n  a: |\n    `, '\n'],
  'json.json': ['{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web"},"data":{"a":"', '"}}\n'],
  'comment.yaml': [`${manifest}# `, '\n'],
  'broken.yaml': [`${manifest}data:\n  a: "`, '\n'],
  'key.yaml': [`${manifest}data:\n  ? `, '\n  : a\n'],
  'name.yaml': ['apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ', '\n'],
  'values.yaml': ['a: ', '\n'],
  'patch.kpatch': ['[configmap.web]\ndata.a: ', '\n'],
  'shop.kurel/parameters.yaml': [`${parameters}a: `, '\n'],
  'app/app.yaml': [`${application}# `, '\n'],
  stdin: [`${manifest}data:\n  a: `, '\n'],
};
const small = {
  'shop.kurel/resources/web.yaml': manifest,
  'good.kurel/resources/web.yaml': manifest,
  'good.kurel/parameters.yaml': `${parameters}a: 1\n`,
  'web.yaml': manifest,
};

export function make(directory, words) {
  for (const [path, text] of Object.entries(small)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    const file = openSync(join(directory, path), 'w');
    writeSync(file, text);
    closeSync(file);
  }
  // Only what the command names: forty megabytes are quick to write, hundreds are not.
  for (const [path, [before, after]] of Object.entries(kinds)) {
    const isNamed =
      words.some((word) => word !== '.' && path.startsWith(word)) || (path === 'stdin' && words.includes('-'));
    if (isNamed) write(directory, path, before, after);
  }
}
