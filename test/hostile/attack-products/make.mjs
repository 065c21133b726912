import { manifest, parameters, putFiles } from '../make-files.mjs';

const fill = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const keys = (count, name, value) => Object.fromEntries(fill(count, (at) => [`${name}${at}`, value]));
const object = (apiVersion, kind, rest) =>
  `${JSON.stringify({ apiVersion, kind, metadata: { name: 'w' }, ...rest })}\n`;
const widget = (l) => object('example.com/v1', 'Widget', { spec: { l } });
const data = (make) => object('v1', 'ConfigMap', { data: Object.fromEntries(fill(50, (at) => [`k${at}`, make(at)])) });
const deployment = (containers) => {
  const labels = { a: 'b' };
  const template = { metadata: { labels }, spec: { containers } };
  return object('apps/v1', 'Deployment', { spec: { selector: { matchLabels: labels }, template } });
};
const container = (at) => ({ name: `c${at}`, image: 'a:1' });
const patch = (target, type, one) => JSON.stringify([{ target, type, patch: one }]);
const strategic = (spec) => patch('deployment.w', 'strategic', { spec: { template: { spec } } });
const operations = (count, make) => patch('widget.w', 'json', fill(count, make));
const withSchema = (l, overrides) => ({
  'p.kurel/parameters.yaml': `${parameters}l: ${JSON.stringify(l)}\n`,
  'p.kurel/resources/a.yaml': manifest,
  'p.kurel/schemas/parameters.overrides.yaml': JSON.stringify({ properties: { l: overrides } }),
});

/** One input times another, for each directory. */
const shapes = {
  texts: () => ({
    'a.yaml': data(() => fill(2400, (at) => at % 7).join('\n')),
    'b.yaml': data(() => fill(2400, (at) => 7 + (at % 5)).join('\n')),
  }),
  lists: () => ({
    'a.yaml': widget(fill(100, () => fill(990, (at) => 1 + (at % 9)))),
    'b.yaml': widget(fill(100, () => fill(990, (at) => 1 + ((at * 7 + 3) % 8)))),
  }),
  order: () => ({
    'a.yaml': deployment(fill(10_000, container)),
    'p.yaml': strategic({
      '$setElementOrder/containers': fill(10_000, (at) => ({ name: `c${9999 - at}` })),
      containers: fill(5000, (at) => ({ name: `c${9999 - at}`, image: 'b:2' })),
    }),
  }),
  deletions: () => ({
    'a.yaml': deployment(fill(10_000, container)),
    'p.yaml': strategic({ containers: fill(9000, (at) => ({ name: `c${at + 1}`, $patch: 'delete' })) }),
  }),
  replacements: () => ({
    'a.yaml': widget(fill(100_000, (at) => at % 10)),
    'p.yaml': operations(12_000, (at) => ({ op: 'replace', path: `/spec/l/${at}`, value: 11 })),
  }),
  moves: () => ({
    'a.yaml': widget(fill(100_000, (at) => at % 10)),
    'p.yaml': operations(12_000, () => ({ op: 'move', from: '/spec/l/0', path: '/spec/l/-' })),
  }),
  enum: () =>
    withSchema(
      fill(60_000, (at) => `a${at}`),
      { items: { enum: fill(30_000, (at) => `b${at}`) } },
    ),
  patterns: () =>
    withSchema(keys(40_000, 'a', 1), {
      additionalProperties: false,
      patternProperties: Object.fromEntries(fill(20_000, (at) => [`^b${at}$`, { type: 'integer' }])),
    }),
  required: () =>
    withSchema(
      fill(60_000, () => ({})),
      { items: { required: fill(30_000, (at) => `b${at}`) } },
    ),
  unique: () =>
    withSchema(
      fill(40_000, (a) => ({ a })),
      { uniqueItems: true },
    ),
};

export function make(directory, [, path]) {
  const [shape] = path.split('/');
  const files = Object.entries(shapes[shape]()).map(([name, text]) => [`${shape}/${name}`, text]);
  putFiles(directory, Object.fromEntries(files));
}
