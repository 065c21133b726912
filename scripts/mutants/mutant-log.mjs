// What was tried, one JSON object per line, appended as it happens:
// `{ test, milliseconds, mutants }` is a test with the mutants it reaches, `{ mutant, test, usual }` the start of a try with the time
// of the test without the mutant, `{ mutant, test }` with `milliseconds` a try that nothing noticed, with `by` one that was noticed, and
// `{ mutant, alone }` the verdict of a process of its own; `{ batch }` is a batch of tests that ended.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

export function writeLog(log, entry) {
  appendFileSync(log, `${JSON.stringify(entry)}\n`);
}

export function readLog(log) {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  const entries = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  const noticed = new Map();
  const alone = new Set();
  const tests = new Map();
  const batches = new Set();
  for (const { mutant, test, by, milliseconds, mutants, alone: isAlone, batch } of entries) {
    if (batch !== undefined) batches.add(batch);
    if (by !== undefined) noticed.set(mutant, by);
    if (isAlone) alone.add(mutant);
    if (mutants !== undefined) tests.set(test, { ...readName(test), milliseconds, mutants: new Set(mutants) });
  }
  return { noticed, alone, tests: [...tests.values()], batches, last: entries.at(-1) };
}

/** Forgets everything but the mutants that were noticed. */
export function keepNoticed(log) {
  const lines = [...readLog(log).noticed].map(([mutant, by]) => JSON.stringify({ mutant, by }));
  writeFileSync(log, lines.map((line) => `${line}\n`).join(''));
}

function readName(test) {
  const end = test.indexOf(': ');
  return { file: test.slice(0, end), name: test.slice(end + 2) };
}
