import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { groupByPath, mutate } from './choose-mutants.mjs';
import { createTester } from './create-tester.mjs';
import { embedMutants } from './embed-mutants.mjs';
import { readLog, writeLog } from './mutant-log.mjs';

/** All mutants in one copy: every test tries those that it reaches, in two passes. What cannot go on is noticed too. */
export async function tryTogether({ scratch, mutants, log, batches, seconds }) {
  const { noticed: before } = readLog(log);
  const sources = new Map();
  for (const [path, own] of groupByPath(mutants.filter(({ number }) => !before.has(number)))) {
    sources.set(path, readFileSync(join(scratch, path), 'utf8'));
    writeFileSync(join(scratch, path), embedMutants(sources.get(path), own));
  }
  const paths = [];
  for (const { number, path } of mutants) paths[number] = path;
  await runBatches(
    'first',
    batches.map((files) => files.map((file) => ({ file: join(scratch, file) }))),
  );
  const { noticed, tests } = readLog(log);
  const again = tests.filter((test) => [...test.mutants].some((number) => paths[number] && !noticed.has(number)));
  await runBatches('second', [
    groupByFile(
      again.filter(({ file }) => file.startsWith('packages/kurel/src/')),
      scratch,
    ),
  ]);
  for (const [path, source] of sources) writeFileSync(join(scratch, path), source);

  async function runBatches(pass, all) {
    const { batches: done } = readLog(log);
    for (const [index, files] of all.entries()) {
      const batch = `${pass} ${index + 1}`;
      if (done.has(batch)) continue;
      while (await isCutShort(pass, files)) {
        const { mutant, test } = readLog(log).last;
        writeLog(log, { mutant, test, by: test, failure: 'it does not end' });
      }
      writeLog(log, { batch });
      const { size } = readLog(log).noticed;
      console.log(`${pass} pass, ${index + 1} of ${all.length} batches of tests: ${size} of ${mutants.length} noticed`);
    }
  }

  async function isCutShort(pass, requested) {
    const tester = createTester(scratch, {
      MUTANT_PASS: pass,
      MUTANT_LOG: log,
      MUTANT_SECONDS: String(seconds),
      MUTANT_PATHS: JSON.stringify(paths),
    });
    const started = Date.now();
    const isStuck = () => {
      const changed = Math.max(started, statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      const quiet = Date.now() - changed;
      // A test that only waits is ended by its own timeout.
      if (quiet < 25_000) return false;
      const { last } = readLog(log);
      return quiet > 600_000 || (isOpen(last) && quiet > 25_000 + 20 * last.usual);
    };
    await tester.run({ changed: [], tests: requested }, isStuck);
    tester.stop();
    return isOpen(readLog(log).last);
  }
}

/** A try without a result. */
function isOpen(entry) {
  return entry?.mutant !== undefined && entry.by === undefined && entry.milliseconds === undefined && !entry.alone;
}

/** One mutant at a time, in a fresh worker: for those that have an effect only once per process, when a module is imported or a cache filled. */
export async function tryAlone({ scratch, mutants, log, seconds }) {
  const { noticed, alone, tests } = readLog(log);
  const tester = createTester(scratch);
  for (const mutant of mutants.filter(({ number }) => !noticed.has(number) && !alone.has(number))) {
    const target = join(scratch, mutant.path);
    const source = readFileSync(target, 'utf8');
    const mutated = mutate(source, mutant);
    let by;
    for (const step of planSteps(tests, mutant, seconds)) {
      by ??= await findNoticing(step, { target, source, mutated });
    }
    writeLog(log, { mutant: mutant.number, alone: true, by });
    console.log(`${by === undefined ? 'SURVIVED' : 'noticed '} ${mutant.path}:${mutant.line} ${by ?? ''}`);
  }
  tester.stop();

  /** Tests that fail without the mutant, too, need others that are not run here, and are left out. */
  async function findNoticing(step, { target, source, mutated }) {
    for (let left = step; left.length > 0;) {
      const failed = await runOver(mutated, target, left);
      const before = await runOver(source, target, failed === undefined ? [] : left);
      if (before === undefined) return failed;
      const rest = left.filter((test) => !before.endsWith(test.name));
      if (rest.length === left.length) return undefined;
      left = rest;
    }
    return undefined;
  }

  async function runOver(text, target, step) {
    writeFileSync(target, text);
    const limit = Date.now() + 60_000 + timeOf(step) * 6;
    const request = { changed: [target], tests: groupByFile(step, scratch) };
    const { failed } = await tester.run(request, () => Date.now() > limit);
    return failed;
  }
}

/**
 * Tests that reach the mutant, those of its module first. What runs when a module is imported is reached by whichever test came first:
 * then also tests and golden cases that have the name of the file in theirs, or are near.
 */
function planSteps(tests, { number, path }, seconds) {
  const module = path.split('/').slice(0, 4).join('/');
  const subject = basename(path, '.ts');
  const isNear = ({ file }) => file.startsWith(`${module}/`) || file.startsWith(`${dirname(path)}/`);
  const isCase = ({ file }) => /\/test\/(?:program-|application-)?cases\.test\.ts$/.test(file);
  const isNamed = ({ file, name }) => file.includes(subject) || name.includes(subject);
  const reaching = tests.filter(({ mutants }) => mutants.has(number));
  const others = reaching.length === 0 ? tests.filter((test) => isNear(test) || isCase(test)) : [];
  const steps = [
    reaching.filter(isNear),
    reaching.filter((test) => !isNear(test)),
    others.filter(isNamed),
    others.filter((test) => !isNamed(test)),
  ];
  return steps.map((step) => sample(step, seconds * 1000)).filter((step) => step.length > 0);
}

/** The tests if there is time for them, or an even sample of those that fit. */
function sample(tests, limit) {
  const fitting = tests.filter(({ milliseconds }) => milliseconds <= limit);
  const stride = Math.ceil(timeOf(fitting) / limit);
  const sorted = fitting.toSorted((a, b) => a.milliseconds - b.milliseconds);
  return sorted.filter((_, index) => index % stride === 0);
}

function timeOf(tests) {
  return tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
}

function groupByFile(tests, scratch) {
  const files = new Map();
  for (const { file, name } of tests) files.set(file, [...(files.get(file) ?? []), name]);
  return [...files].map(([file, names]) => ({ file: join(scratch, file), names }));
}
