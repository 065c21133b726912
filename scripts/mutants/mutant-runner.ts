import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { TestRunner } from 'vitest';
import type { RunnerTaskBase, RunnerTestCase, RunnerTestSuite } from 'vitest';
import { getFn } from 'vitest/suite';

// Each test runs as it is, which shows the mutants it reaches; then again with each of those that no test has noticed yet.
declare global {
  var isMutant: (number: number) => boolean;
}
let active = -1;
const reached = new Set<number>();
globalThis.isMutant = (number) => {
  reached.add(number);
  return number === active;
};

const log = process.env['MUTANT_LOG']!;
/** The files of the mutants, by number. */
const paths: readonly string[] = JSON.parse(process.env['MUTANT_PATHS']!);
const budget = Number(process.env['MUTANT_SECONDS']) * 1000;
const write = (entry: object): void => appendFileSync(log, `${JSON.stringify(entry)}\n`);
const noticed = new Set<number>();
const finished = new Set<string>();
const spent = new Map<number, number>();
for (const line of existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []) {
  if (line === '') continue;
  const { mutant, test, by, milliseconds } = JSON.parse(line);
  if (by !== undefined) noticed.add(mutant);
  else if (mutant === undefined) finished.add(test);
  else if (milliseconds !== undefined) spent.set(mutant, (spent.get(mutant) ?? 0) + milliseconds);
}

export default class MutantRunner extends TestRunner {
  async runTask(task: RunnerTestCase): Promise<void> {
    const test = `${relative(process.cwd(), task.file.filepath)}: ${namesOf(task).join(' ')}`;
    if (finished.has(test)) return;
    const run = getFn(task);
    active = -1;
    reached.clear();
    const milliseconds = await time(run);
    const mutants = [...reached];
    const isOpen = (each: number): boolean => !noticed.has(each) && (spent.get(each) ?? 0) + milliseconds < budget;
    for (const mutant of mutants.filter((each) => isOpen(each) && isNear(task.file.filepath, paths[each]!))) {
      write({ mutant, test, usual: milliseconds });
      active = mutant;
      const failure = await time(run).then(
        () => undefined,
        (error: unknown) => String(error).slice(0, 200),
      );
      active = -1;
      spent.set(mutant, (spent.get(mutant) ?? 0) + milliseconds);
      if (failure === undefined) write({ mutant, test, milliseconds });
      else if (
        await time(run).then(
          () => true,
          () => false,
        )
      ) {
        noticed.add(mutant);
        write({ mutant, test, by: test, failure });
      } else {
        // The test cannot be repeated, or the mutant left something behind: another process decides.
        write({ mutant, test, milliseconds, unsure: true });
        break;
      }
    }
    finished.add(test);
    write({ test, milliseconds, mutants });
  }
}

/** Tests of a module try its own mutants only: others have tests that notice them sooner. */
function isNear(test: string, mutant: string): boolean {
  const module = mutant.split('/').slice(0, 4).join('/');
  return !test.includes('/kurel/src/') || test.includes(`/${module}`);
}

/** As vitest joins them to compare them with a pattern. */
function namesOf({ name, suite }: RunnerTaskBase & { readonly suite?: RunnerTestSuite }): readonly string[] {
  return suite === undefined ? [name] : [...namesOf(suite), name];
}

async function time(run: () => unknown): Promise<number> {
  const started = performance.now();
  await run();
  return Math.ceil(performance.now() - started);
}
