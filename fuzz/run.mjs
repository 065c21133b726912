// npm run fuzz -- --seconds N [--target NAME]… [--seed S] [--keep] | --list: tries every target with texts that break promises, for
// N seconds each. Exits 1 with the first finding of each, made as short as it gets, in fuzz/crashes. `--keep` also writes the
// texts that reached new code to fuzz/corpus, from where the next run and the tests begin.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { build } from 'esbuild';

import { runCampaign } from './campaign.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    target: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const seconds = readNumber('seconds');
const seed = readNumber('seed');

const directory = mkdtempSync(join(tmpdir(), 'kurel-fuzz-'));
let failed = 0;
try {
  await bundle();
  const { targets } = await import(pathToFileURL(join(directory, 'targets.mjs')).href);
  const { searchSlow, slowTargets } = await import(pathToFileURL(join(directory, 'search.mjs')).href);
  const all = [...targets, ...slowTargets];
  const names = all.map(({ name }) => name);
  if (values.list) for (const { name, promise } of all) console.log(`| \`${name}\` | ${promise} |`);
  const unknown = (values.target ?? []).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`there is no target "${unknown}"; there are ${names.join(', ')}`);
  for (const name of values.list ? [] : (values.target ?? names)) {
    const slow = slowTargets.find((target) => target.name === name);
    if (slow !== undefined) {
      if (!(await runSlow(searchSlow, slow))) failed++;
      continue;
    }
    const outcome = await runCampaign({ target: name, worker: join(directory, 'worker.mjs'), seconds, seed });
    report(name, outcome);
    if (values.keep && outcome.finding === undefined) keepCorpus(name, outcome.corpus);
    if (outcome.finding !== undefined) failed++;
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;

function readNumber(name) {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 0) {
    console.error(`--${name} must be an integer of at least 0, got "${values[name]}"`);
    process.exit(2);
  }
  return number;
}

async function bundle() {
  await build({
    entryPoints: {
      worker: join(root, 'fuzz', 'worker.ts'),
      targets: join(root, 'fuzz', 'targets', 'index.ts'),
      search: join(root, 'fuzz', 'slow', 'search.ts'),
    },
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['kurel-source'],
    logLevel: 'warning',
    // For what is CommonJS among the libraries.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    define: {
      FUZZ_REPOSITORY: JSON.stringify(root),
      // From where the library looks for its schemas.
      'import.meta.dirname': JSON.stringify(join(root, 'packages', 'kurel', 'src')),
    },
  });
}

/** Whole commands in processes of their own: what a text of a few kilobytes cannot show. They need the built program. */
async function runSlow(searchSlow, target) {
  let reported = performance.now();
  const started = reported;
  const onState = ({ executions, slowest }) => {
    if (performance.now() - reported < 30_000) return;
    reported = performance.now();
    console.log(
      `  ${target.name}: ${Math.round((reported - started) / 1000)} s, ${executions} executions, slowest ${slowest}`,
    );
  };
  const { executions, slowest, finding } = await searchSlow({ target, seconds, seed, onState });
  const verdict = finding === undefined ? 'no finding' : 'FINDING';
  console.log(`${target.name}: ${executions} executions in ${seconds} s, seed ${seed}: ${verdict}`);
  for (const one of slowest.slice(0, 10)) console.log(`  ${one}`);
  if (finding !== undefined) keepFinding(target.name, 'slow', finding);
  return finding === undefined;
}

function keepFinding(name, kind, finding) {
  const folder = join(root, 'fuzz', 'crashes', name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${kind}-${Date.now().toString(36)}.json`);
  writeFileSync(file, `${JSON.stringify({ target: name, seed, ...finding }, null, 2)}\n`);
  console.log(`  kept in ${file}`);
}

function report(name, { executions, kept, covered, finding, elapsed }) {
  const rate = Math.round(executions / Math.max(elapsed, 0.001));
  console.log(
    `${name}: ${executions} executions in ${Math.round(elapsed)} s (${rate}/s), ${kept} texts reach ${covered} characters of code, seed ${seed}: ${finding === undefined ? 'no finding' : 'FINDING'}`,
  );
  if (finding === undefined) return;
  console.log(`${finding.error}\n  text: ${JSON.stringify(finding.text)}`);
  keepFinding(name, finding.kind, finding);
}

/** Those that reach something the shorter ones do not; few enough for every test run to try them all. */
function keepCorpus(name, corpus) {
  const texts = corpus.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  mkdirSync(join(root, 'fuzz', 'corpus'), { recursive: true });
  writeFileSync(join(root, 'fuzz', 'corpus', `${name}.json`), `${JSON.stringify(texts, null, 2)}\n`);
}
