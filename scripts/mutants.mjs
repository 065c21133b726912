// Makes small random mistakes in a copy of the sources, one at a time, and prints those that no test notices.
//
//   npm run mutants -- --seed 1 --count 100 [--module packages/kurel/src/yaml] [--scratch DIRECTORY] [--seconds 60]
//
// All tests run once with recorders, so that each mutant is tried with the tests that run the mutated statement: the cheapest of its
// module first, then `--seconds` of the others. Everything is kept in `.mutants`: a run that was stopped goes on where it was.
// `--again` tries survivors again; `--record [TEST FILES]` records again, after tests were added.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { chooseMutants, listThoseThatDoNotCompile, mutate } from './mutants/choose-mutants.mjs';
import { createTester } from './mutants/create-tester.mjs';
import { printTable } from './mutants/print-table.mjs';
import { planSteps, readRecordedTests, recordTests, timeOf } from './mutants/recorded-tests.mjs';
import { copyCheckout, listFiles } from './mutants/scratch.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    module: { type: 'string', default: 'packages' },
    scratch: { type: 'string', default: join(tmpdir(), 'kurel-mutants') },
    seconds: { type: 'string', default: '60' },
    record: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
  },
});
const root = resolve(import.meta.dirname, '..');
const scratch = resolve(flags.scratch);
const state = join(root, '.mutants');
const chosenFile = join(state, `seed-${flags.seed}-mutants.json`);
const resultsFile = join(state, `seed-${flags.seed}.jsonl`);

// Messages are prose, and the index of a module only exports.
const sources = listFiles(root, 'packages/*/src/*.ts').filter(
  (path) => !/\.test\.ts$|\/(?:index|problems)\.ts$/.test(path),
);
mkdirSync(state, { recursive: true });
copyCheckout(root, scratch);
if (flags.record || !existsSync(join(state, 'hits.jsonl'))) {
  await recordTests({ root, scratch, state, sources, files: positionals });
}
const recorded = readRecordedTests(state);
const tester = createTester(scratch);
await tryAll(chooseAll());
tester.stop();
const equivalent = JSON.parse(readFileSync(join(root, 'scripts/mutants/equivalent.json'), 'utf8'));
printTable([...readResults().values()], { equivalent, seed: flags.seed });

function chooseAll() {
  const count = Number(flags.count);
  if (existsSync(chosenFile)) return JSON.parse(readFileSync(chosenFile, 'utf8')).slice(0, count);
  const paths = sources.filter((path) => path.startsWith(flags.module));
  const candidates = chooseMutants(scratch, paths, { seed: Number(flags.seed), count: Math.ceil(count * 1.5) });
  const refused = listThoseThatDoNotCompile(scratch, candidates);
  console.log(`${candidates.length} mutants, ${refused.size} of them refused by the compiler`);
  const chosen = candidates.filter(({ id }) => !refused.has(id));
  writeFileSync(chosenFile, JSON.stringify(chosen, null, 1));
  return chosen.slice(0, count);
}

function readResults() {
  const lines = existsSync(resultsFile) ? readFileSync(resultsFile, 'utf8').split('\n') : [];
  const results = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  return new Map(results.map((result) => [result.id, result]));
}

async function tryAll(mutants) {
  const done = readResults();
  for (const mutant of mutants) {
    const before = done.get(mutant.id);
    if (before !== undefined && !(flags.again && before.by === undefined)) continue;
    const source = readFileSync(join(scratch, mutant.path), 'utf8');
    if (source.slice(mutant.start, mutant.end) !== mutant.before) {
      console.log(`the source of ${mutant.id} has changed: choose again with another seed`);
      continue;
    }
    const result = await tryOne(mutant, source);
    appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
    const { path, line, kind, by, seconds, ran, known } = result;
    const verdict = by === undefined ? 'SURVIVED' : 'noticed ';
    console.log(`${verdict} ${seconds.toFixed(1).padStart(6)} s ${ran}/${known} ${path}:${line} ${kind} ${by ?? ''}`);
  }
}

async function tryOne(mutant, source) {
  const target = join(scratch, mutant.path);
  const tests = recorded.of(mutant, source);
  const started = performance.now();
  let by;
  let ran = 0;
  writeFileSync(target, mutate(source, mutant));
  for (const step of planSteps(tests, { path: mutant.path, seconds: Number(flags.seconds) })) {
    const answer = await tester.run({ changed: [target], tests: groupByFile(step) }, 60 + timeOf(step) * 6);
    ran += answer.count;
    by = answer.failed;
    if (by !== undefined) break;
  }
  writeFileSync(target, source);
  await tester.run({ changed: [target], tests: [] }, 60);
  const { id, path, line, kind, before, text } = mutant;
  return {
    id,
    path,
    line,
    kind,
    before,
    text,
    by,
    ran,
    known: tests.length,
    seconds: (performance.now() - started) / 1000,
  };
}

function groupByFile(tests) {
  const files = new Map();
  for (const { file, name } of tests) files.set(file, [...(files.get(file) ?? []), name]);
  return [...files].map(([file, names]) => ({ file: join(scratch, file), names }));
}
