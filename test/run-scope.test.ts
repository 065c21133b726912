import { expect, it } from 'vitest';

import { isOfModules } from './run-scope.ts';

it.each([
  ['run packages/kurel/src/yaml', true],
  ['packages/kurel/src/yaml --reporter=dot', true],
  ['run yaml packages/jq/test/regex.test.ts', true],
  ['run', false],
  ['', false],
  ['run --shard 1/2', false],
  ['run -t reads', false],
  ['run packages/jq/test/regex.test.ts', false],
  ['run packages/jq/test/regex.test.ts:12', false],
])('vitest %s is of modules: %s', (words, expected) => {
  expect(isOfModules(words.split(' ').filter((word) => word !== ''))).toBe(expected);
});
