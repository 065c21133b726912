import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parameters } from '../make-files.mjs';

const documents = ['a'.repeat(300), 'b'.repeat(255), 'c'.repeat(250), 'é'.repeat(130), 'd'.repeat(10_000)].map(
  (name) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: ${name}\n`,
);

export function make(directory) {
  mkdirSync(join(directory, 'shop.kurel', 'resources'), { recursive: true });
  writeFileSync(join(directory, 'shop.kurel', 'parameters.yaml'), parameters);
  writeFileSync(join(directory, 'shop.kurel', 'resources', 'a.yaml'), documents.join('---\n'));
  writeFileSync(join(directory, 'a.yaml'), documents.join('---\n'));
}
