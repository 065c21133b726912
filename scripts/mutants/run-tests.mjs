// Runs in the scratch checkout: keeps one vitest warm, and runs the requested tests after files changed.
import { inspect } from 'node:util';
import { createVitest } from 'vitest/node';

const vitest = await createVitest('test', {
  config: 'scripts/mutants/vitest.config.ts',
  root: process.cwd(),
  watch: false,
  reporters: [{}],
});
const [project] = vitest.projects;

process.on('message', ({ changed, tests }) => {
  for (const path of changed) vitest.invalidateFile(path);
  run(tests).then(
    (answer) => process.send(answer),
    (error) => process.send({ failed: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });

/** `tests` are `{ file, names }`; without names, all tests of the file. */
async function run(tests) {
  const specifications = tests.map(({ file, names }) => {
    const pattern = names && new RegExp(`^(?:${names.map(patternOf).join('|')})`);
    return project.createSpecification(file, pattern && { testNamePattern: pattern });
  });
  // Otherwise failures of earlier runs would count as failures of this one.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  for (const module of testModules) {
    for (const test of module.children.allTests('failed'))
      return { failed: `${module.relativeModuleId} > ${test.fullName.replaceAll(' > ', ' ')}` };
    for (const error of module.errors()) return { failed: `${module.relativeModuleId}: ${error.message}` };
  }
  return { failed: unhandledErrors.length > 0 ? inspect(unhandledErrors[0]).slice(0, 1000) : undefined };
}

/** Some tests are named after hostile input, and an expression of that length would be invalid. */
const longest = 200;

function patternOf(name) {
  const start = name.slice(0, longest).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return name.length > longest ? start : `${start}$`;
}
