// Runs in the scratch checkout: keeps one vitest warm, and runs the tests it is asked for after files changed.
import { createVitest } from 'vitest/node';

const vitest = await createVitest('test', {
  config: process.env.MUTANT_CONFIG ?? 'scripts/mutants/vitest.config.ts',
  root: process.cwd(),
  watch: false,
  reporters: [{}],
  bail: process.env.MUTANT_HITS === undefined ? 1 : 0,
});
const [project] = vitest.projects;

process.on('message', ({ changed, tests }) => {
  for (const path of changed) vitest.invalidateFile(path);
  run(tests).then(
    (answer) => process.send(answer),
    (error) => process.send({ failed: String(error), count: 0 }),
  );
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });

/** `tests` are `{ file, names }`; without names, all tests of the file. Without tests, every file. */
async function run(tests) {
  const specifications =
    tests === undefined
      ? await vitest.globTestSpecifications()
      : tests.map(({ file, names }) => {
          const options =
            names === undefined ? undefined : { testNamePattern: new RegExp(`^(?:${names.map(escape).join('|')})$`) };
          return project.createSpecification(file, options);
        });
  // Otherwise failures of earlier runs would count as failures of this one.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  let failed = unhandledErrors.length > 0 ? String(unhandledErrors[0]?.message ?? unhandledErrors[0]) : undefined;
  let count = 0;
  for (const module of testModules) {
    if (module.errors().length > 0) failed ??= `${module.relativeModuleId}: ${module.errors()[0].message}`;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'failed') failed ??= `${module.relativeModuleId}: ${test.fullName}`;
      if (state !== 'skipped') count += 1;
    }
  }
  return { failed, count };
}

function escape(name) {
  return name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
