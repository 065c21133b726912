import { manifest, parameters, putFiles } from '../make-files.mjs';

const fill = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const widget = (spec) =>
  `${JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec })}\n`;

function nest(levels, leaf) {
  let inner = leaf;
  for (let level = 0; level < levels; level += 1) inner = { a: inner };
  return inner;
}

/** Many values, each at the end of a long path. */
export function make(directory, words) {
  const path = words.find((word) => /[/.]/.test(word));
  const ones = (count) => fill(count, () => 1);
  const files = {
    deep: () => ({ 'deep/a.yaml': widget(nest(240, ones(240_000))) }),
    aliased: () => ({
      'aliased/a.yaml': `${manifest.replace('ConfigMap', 'Widget').replace('v1', 'example.com/v1')}spec: {l: &l [${ones(90_000).join(',')}], d: ${'{a: '.repeat(200)}*l${'}'.repeat(200)}}\n`,
    }),
    long: () => ({ 'long/a.yaml': widget({ l: ones(400_000) }) }),
    middle: () => ({
      'middle/a.yaml': widget(nest(36, ones(100_000))),
      'middle/b.yaml': widget(
        nest(
          36,
          fill(100_000, () => 2),
        ),
      ),
    }),
    items: () => ({ 'items/a.yaml': widget({ l: ones(20_000) }) }),
    'deep.kurel': () => ({
      'deep.kurel/parameters.yaml': `${parameters}l: ${JSON.stringify(nest(240, ones(240_000)))}\n`,
      'deep.kurel/resources/a.yaml': manifest,
    }),
    'middle.kurel': () => ({
      'middle.kurel/parameters.yaml': `${parameters}l: ${JSON.stringify(nest(36, ones(100_000)))}\n`,
      'middle.kurel/resources/a.yaml': manifest,
    }),
  };
  putFiles(directory, files[path.split('/')[0]]());
}
