// Which tests run which statements: recorded once, then asked for each mutant.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { createTester } from './create-tester.mjs';
import { findSites, insertRecorders } from './find-sites.mjs';

/** Runs the test files, or all of them, over sources with recorders. */
export async function recordTests({ root, scratch, state, sources, files }) {
  const hits = join(state, 'hits.jsonl');
  const numbers = join(state, 'recorders.json');
  const recorders = {};
  let first = 0;
  for (const path of sources) {
    const source = readFileSync(join(root, path), 'utf8');
    const own = findSites(path, source).recorders;
    recorders[path] = { first, count: own.length, hash: hashOf(source) };
    writeFileSync(join(scratch, path), insertRecorders(source, own, first));
    first += own.length;
  }
  const written = JSON.stringify(recorders);
  if (files.length === 0) {
    rmSync(hits, { force: true });
    writeFileSync(numbers, written);
  } else if (!existsSync(numbers) || written !== readFileSync(numbers, 'utf8')) {
    throw new Error('the sources changed since the tests were recorded: record all of them');
  }
  const tester = createTester(scratch, { MUTANT_HITS: hits });
  const tests = files.length === 0 ? undefined : files.map((file) => ({ file: join(scratch, file) }));
  const { failed } = await tester.run({ changed: [], tests }, 7200);
  tester.stop();
  if (failed !== undefined) console.log(`fails without a mutant: ${failed}`);
  for (const path of sources) copyFileSync(join(root, path), join(scratch, path));
}

export function readRecordedTests(state) {
  const recorders = JSON.parse(readFileSync(join(state, 'recorders.json'), 'utf8'));
  const testsOfRecorder = readHits(join(state, 'hits.jsonl'));
  return { of: testsOf };

  /** Tests that run the statement, or anything in its file when it runs at import or the file has changed since. */
  function testsOf({ path, recorder }, source) {
    const { first, count, hash } = recorders[path] ?? { first: 0, count: 0 };
    const own = recorder >= 0 && hash === hashOf(source) ? (testsOfRecorder.get(first + recorder) ?? []) : [];
    if (own.length > 0) return own;
    const all = new Set();
    for (let each = first; each < first + count; each += 1) {
      for (const test of testsOfRecorder.get(each) ?? []) all.add(test);
    }
    return [...all];
  }
}

/** What is recorded later about a test replaces what was recorded before; tests that fail without a mutant are left out. */
function readHits(file) {
  const tests = new Map();
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const test = JSON.parse(line);
    tests.set(`${test.file}\0${test.name}`, test);
  }
  const found = new Map();
  for (const { hits, failed, ...test } of tests.values()) {
    if (failed) continue;
    for (const run of hits.split(' ').filter((each) => each !== '')) {
      const [from, to = from] = run.split('-').map((digits) => Number.parseInt(digits, 36));
      for (let each = from; each <= to; each += 1) {
        if (!found.has(each)) found.set(each, []);
        found.get(each).push(test);
      }
    }
  }
  return found;
}

/** Tests in the mutant's directory or module, golden cases, then everything else, each step up to a time. */
export function planSteps(tests, { path, seconds }) {
  const module = path.split('/').slice(0, 4).join('/');
  const places = [
    ({ file }) => file.startsWith(`${dirname(path)}/`) || file.startsWith(`${module}/`),
    ({ file }) => /\/test\/(?:program-|application-)?cases\.test\.ts$/.test(file),
    () => true,
  ];
  const steps = [];
  let rest = tests;
  for (const [index, isHere] of places.entries()) {
    const here = rest.filter((test) => isHere(test));
    const step = sample(index < 2 ? fromFewFiles(here) : here, index < 2 ? 4 : seconds);
    if (step.length > 0) steps.push(step);
    rest = rest.filter((test) => !step.includes(test));
  }
  return steps;
}

/** To import a test file takes longer than most tests. */
function fromFewFiles(tests) {
  const counts = new Map();
  for (const { file } of tests) counts.set(file, (counts.get(file) ?? 0) + 1);
  const most = new Set(
    [...counts]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 3)
      .map(([file]) => file),
  );
  return tests.filter(({ file }) => most.has(file));
}

/** The tests if there is time for them, or an even sample of those that fit. */
function sample(tests, seconds) {
  const fitting = tests.filter(({ milliseconds }) => milliseconds <= seconds * 1000);
  const stride = Math.ceil(timeOf(fitting) / seconds);
  const sorted = fitting.toSorted((a, b) => a.milliseconds - b.milliseconds);
  return sorted.filter((_, index) => index % stride === 0);
}

/** Seconds that the tests took when they were recorded. */
export function timeOf(tests) {
  return tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
