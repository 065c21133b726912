import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

// More than a call can have arguments.
const many = 150_000;
const lines = (line) => Array.from({ length: many }, (_, index) => line(index)).join('');
const head = (kind, name) => `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n`;

const files = {
  'keys.yaml': () => `${head('ConfigMap', 'web')}data:\n${lines((index) => `  k${index}: v\n`)}`,
  'secret.yaml': () => `${head('Secret', 'db')}data:\n${lines((index) => `  k${index}: "?"\n`)}`,
  'same.yaml': () => lines((index) => `---\n${head('ConfigMap', 'web')}  namespace: n${index}\n`),
  'wrong.yaml': () => lines(() => '---\na: [\n'),
  'ticks.yaml': () => `${head('ConfigMap', 'web')}data:\n  a: '${'`\u0020'.repeat(many)}'\n`,
  'web.yaml': () => head('ConfigMap', 'web'),
  'a.kpatch': () => '[ConfigMap.Web]\ndata.a: b\n',
};

/** Only what the command names is made. */
export function make(directory, words) {
  for (const [file, text] of Object.entries(files)) {
    if (words.includes(file)) writeFileSync(join(directory, file), text());
  }
}
