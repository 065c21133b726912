// npm run bench: every claim about speed, as ratios measured in one run on inputs made here.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { measureBuild } from './build.mjs';
import { measureJq } from './jq.mjs';
import { measurePackage } from './package.mjs';
import { measurePatch } from './patch.mjs';
import { measureStartUp } from './start-up.mjs';
import { measureValidate } from './validate.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'bench', 'out');
mkdirSync(out, { recursive: true });
const context = {
  root,
  out,
  kurel: join(root, 'packages', 'kurel', 'bin', 'kurel.cjs'),
  require: createRequire(import.meta.url),
};

const only = process.argv.slice(2);
const suites = {
  'start-up': measureStartUp,
  jq: measureJq,
  build: measureBuild,
  patch: measurePatch,
  package: measurePackage,
  validate: measureValidate,
};
const rows = [];
for (const [name, suite] of Object.entries(suites)) {
  if (only.length > 0 && !only.includes(name)) continue;
  console.error(`measuring ${name} …`);
  rows.push(...(await suite(context)));
}

printTable(rows);
writeFileSync(
  join(out, 'results.json'),
  `${JSON.stringify({ node: process.version, cores: cpus().length, rows }, null, 2)}\n`,
);

function printTable(all) {
  const table = [['what', 'subject', 'seconds', 'MB', 'ratio']];
  for (const { what, subject, seconds, megabytes, ratio } of all) {
    table.push([what, subject, seconds.toFixed(3), megabytes === undefined ? '' : String(megabytes), ratio ?? '']);
  }
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}
