import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { application, manifest, parameters } from '../make-files.mjs';

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join('');

const kinds = {
  'documents.yaml': () => '---\n'.repeat(1_200_000),
  'objects.yaml': () => times(10_000, (index) => `${manifest.replace('web', `web-${index}`)}---\n`),
  'keys.yaml': () => `${manifest}data:\n${times(100_000, (index) => `  key-${index}: a\n`)}`,
  'items.yaml': () => `${manifest}x: [${'a, '.repeat(300_000)}a]\n`,
  'lines.yaml': () => `${manifest}data:\n  a: |\n${'    line\n'.repeat(300_000)}`,
  'wrong.yaml': () =>
    times(
      1000,
      (index) => `apiVersion: v1\nkind: Service\nmetadata: {name: Web-${index}}\nspec: {prots: [], x: 1}\n---\n`,
    ),
  'same.yaml': () => times(1000, () => `${manifest}---\n`),
  'duplicates.yaml': () => `${manifest}data:\n${'  a: b\n'.repeat(100_000)}`,
  'digits.yaml': () =>
    `${manifest}data:\n  a: "${'9'.repeat(300_000)}Ki"\n  b: "${'1,'.repeat(500_000)}x"\n  c: "${'- '.repeat(500_000)}"\nx: ${'9'.repeat(100_000)}\ny: 1e${'9'.repeat(100_000)}\nz: 0x${'f'.repeat(100_000)}\n`,
  'blanks.yaml': () =>
    `${manifest}data: {a: b,${' '.repeat(300_000)}c: d}${' '.repeat(300_000)}# a\n${'\n'.repeat(300_000)}x:${' '.repeat(300_000)}- a\n`,
  'comments.yaml': () =>
    `${manifest}${'# a\n'.repeat(300_000)}data:\n${times(50_000, (index) => `  # ${index}\n  key-${index}: a # b\n`)}`,
  'all.kpatch': () => times(20, (index) => `[configmap.*]\ndata.key-${index}: ${'x'.repeat(100)}\n\n`),
  'blanks.kpatch': () =>
    `[configmap.web]${' '.repeat(500_000)}\n${' '.repeat(500_000)}data.a:${' '.repeat(500_000)}b${' '.repeat(500_000)}# c\n${'\n'.repeat(500_000)}`,
  'shop.kurel/resources/web.yaml': () => times(1500, (index) => `${manifest.replace('web', `web-${index}`)}---\n`),
  'shop.kurel/parameters.yaml': () => parameters + times(100_000, (index) => `key-${index}: a\n`),
  'patches.kurel/resources/web.yaml': () => manifest,
  'patches.kurel/parameters.yaml': () => parameters,
  'app/app.yaml': () =>
    application + times(1000, (index) => `  - {name: web-${index}, type: worker, properties: {image: "x:1"}}\n`),
};

export function make(directory, words) {
  for (const [path, text] of Object.entries(kinds)) {
    if (!words.some((word) => path.startsWith(word))) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text());
  }
  if (!words.includes('patches.kurel')) return;
  mkdirSync(join(directory, 'patches.kurel', 'patches'));
  for (let index = 0; index < 250; index += 1) {
    writeFileSync(join(directory, 'patches.kurel', 'patches', `${index}.kpatch`), '[configmap.web]\ndata.a: b\n');
  }
}
