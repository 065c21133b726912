import { expect, it } from 'vitest';

import { fillTemplate } from './init.ts';

it.each([
  ['shop', 'name: shop\ntext: of shop\n', 'name: shop\n'],
  // YAML readers take it for a boolean; in a patch every value is written as it is meant.
  ['on', 'name: "on"\ntext: of on\n', 'name: on\n'],
])('a package called %s', (name, yaml, patch) => {
  const files = { 'a.yaml': '\nname: NAME\ntext: of NAME\n', 'b.kpatch': '\nname: NAME\n' };
  expect(fillTemplate({ files }, name)).toEqual([
    { path: 'a.yaml', text: yaml },
    { path: 'b.kpatch', text: patch },
  ]);
});
