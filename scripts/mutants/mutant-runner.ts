import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { TestRunner } from 'vitest';
import type { RunnerTaskBase, RunnerTestCase, RunnerTestSuite } from 'vitest';
import { getFn } from 'vitest/suite';

// Each test runs as it is, which shows the mutants it reaches; then again with each of those that no test has noticed yet. In the first
// pass, tests of a module try its own mutants only, because most are noticed there; in the second pass, they try the others.
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
const isSecond = process.env['MUTANT_PASS'] === 'second';
const write = (entry: object): void => appendFileSync(log, `${JSON.stringify({ ...entry, isSecond })}\n`);
const noticed = new Set<number>();
const finished = new Set<string>();
const spent = new Map<number, number>();
for (const line of existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []) {
  if (line === '') continue;
  const { mutant, test, by, milliseconds, ...entry } = JSON.parse(line);
  if (by !== undefined) noticed.add(mutant);
  else if ((entry.isSecond ?? false) !== isSecond) continue;
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
    const started = performance.now();
    const milliseconds = await time(run);
    const usual = performance.now() - started;
    const mutants = [...reached];
    const isOpen = (each: number): boolean => !noticed.has(each) && (spent.get(each) ?? 0) + milliseconds < budget;
    for (const mutant of mutants.filter(
      (each) => isOpen(each) && isNear(task.file.filepath, paths[each]!) !== isSecond,
    )) {
      write({ mutant, test, usual });
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

function isNear(test: string, mutant: string): boolean {
  const module = mutant.split('/').slice(0, 4).join('/');
  return !test.includes('/kurel/src/') || test.includes(`/${module}`);
}

/** As vitest joins them to compare them with a pattern. */
function namesOf({ name, suite }: RunnerTaskBase & { readonly suite?: RunnerTestSuite }): readonly string[] {
  return suite === undefined ? [name] : [...namesOf(suite), name];
}

/** Processor time, so that other programs on the machine do not use up the budget; waiting counts an eighth. */
async function time(run: () => unknown): Promise<number> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(before);
  return Math.ceil(Math.max((user + system) / 1000, (performance.now() - started) / 8));
}
