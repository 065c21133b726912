// Fleet files, profiles, policies and values files that multiply. Like the other shapes, each makes the files of one command.

const fill = (count, make) =>
  Array.from({ length: Math.max(0, Math.round(count)) }, (_, index) => make(index)).join(', ');
const document = (kind, spec) =>
  `apiVersion: launcher.gokure.dev/v1alpha1\nkind: ${kind}\nmetadata: {name: p}\nspec:\n${spec}`;
const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const output = "output: 'out/{cluster}/{app}'";

/** A fleet with all pairs of some clusters and applications. */
function fleet({ clusters, applications = clusters }, rest) {
  const named = `  clusters: {${fill(clusters, (at) => `c${at}: {}`)}}\n`;
  const packages = `  applications: {${fill(applications, (at) => `a${at}: {package: a.yaml}`)}}\n`;
  return { 'kurel.fleet.yaml': document('Fleet', `${named}${packages}${rest}`), 'a.yaml': manifest };
}

const component = (properties, rest = '') =>
  document(
    'Application',
    `  components:\n  - {name: web, type: webservice, properties: {image: 'i.example.com/i:1'${properties}}${rest}}\n`,
  );
const declared = (list) => document('Package', `  parameters: [${list}]\n`);

export const platformShapes = [
  {
    name: 'groups that extend groups',
    numbers: { groups: [1, 1000, 300], width: [1, 1000, 2], targets: [1, 10000, 10] },
    make: ({ groups, width, targets }) => [
      ['fleet', 'list', '--format', 'json'],
      {
        'kurel.fleet.yaml': document(
          'Fleet',
          `  groups: {${fill(groups, (at) => `g${at}: {namespace: n${at}, extends: [${fill(Math.min(at, width), (back) => `g${at - 1 - back}`)}]}`)}}\n  targets: [${fill(targets, (at) => `{name: t${at}, package: a.yaml, output: out/${at}, extends: [g${groups - 1}]}`)}]\n`,
        ),
        'a.yaml': manifest,
      },
    ],
  },
  {
    name: 'lists of a fleet',
    numbers: { clusters: [1, 316, 10], items: [1, 60000, 10000], length: [1, 1000, 10] },
    make: ({ clusters, items, length }) => [
      ['fleet', 'list', '--format', 'json'],
      fleet(
        { clusters },
        `  defaults: {${output}, optionalValues: [${fill(items, (at) => `'${'v'.repeat(length)}/{cluster}/${at}.yaml'`)}]}\n  matrix: [{}]\n`,
      ),
    ],
  },
  {
    name: 'exclusions of a matrix',
    numbers: { clusters: [1, 316, 300], excluded: [1, 40000, 8000], stars: [1, 100, 3] },
    make: ({ clusters, excluded, stars }) => [
      ['fleet', 'list', '--explain'],
      fleet(
        { clusters },
        `  defaults: {${output}}\n  matrix: [{exclude: [${fill(excluded, (at) => `{application: 'a${'*'.repeat(at % 2)}${'*0'.repeat(stars % 7)}*${at % 10}', cluster: '${'*c'.repeat(stars)}*${at}'}`)}]}]\n`,
      ),
    ],
  },
  {
    name: 'patterns and entries of a matrix',
    numbers: { clusters: [1, 316, 100], entries: [1, 50000, 100], stars: [1, 400, 20] },
    make: ({ clusters, entries, stars }) => [
      ['validate', 'kurel.fleet.yaml'],
      fleet(
        { clusters },
        `  defaults: {${output}}\n  matrix: [${fill(entries, (at) => `{applications: ['${'*a'.repeat(stars)}*${at}b'], clusters: ['*${at}'], name: '${at}/{cluster}/{app}'}`)}]\n`,
      ),
    ],
  },
  {
    name: 'placeholders of a fleet',
    numbers: { clusters: [1, 316, 100], holes: [1, 100000, 100], length: [1, 200, 10] },
    make: ({ clusters, holes, length }) => [
      ['fleet', 'list', '--format', 'json'],
      fleet(
        { clusters },
        `  defaults: {${output}, instance: '${`${'x'.repeat(length)}{app}`.repeat(holes)}'}\n  matrix: [{}]\n`,
      ),
    ],
  },
  {
    name: 'missing paths of a fleet',
    numbers: { targets: [1, 20000, 8000], files: [1, 3000, 1000] },
    make: ({ targets, files }) => [
      ['fleet', 'validate'],
      {
        'kurel.fleet.yaml': document(
          'Fleet',
          `  targets: [${fill(targets, (at) => `{name: t${at}, package: apps/application${at}, output: out/${at}}`)}]\n`,
        ),
        ...Object.fromEntries(Array.from({ length: files }, (_, at) => [`apps/aplication${at}`, ''])),
      },
    ],
  },
  {
    name: 'aliases and merges of a fleet',
    numbers: { clusters: [1, 316, 50], items: [1, 20000, 100], set: [1, 20000, 100] },
    make: ({ clusters, items, set }) => [
      ['fleet', 'list', '--format', 'json'],
      fleet(
        { clusters },
        `  defaults: &d {${output}, enable: &e [${fill(items, (at) => `e${at}`)}], set: {a: {${fill(set, (at) => `k${at}: ${at}`)}}}}\n  groups: {g: {<<: *d}, h: {enable: *e, extends: [g]}}\n  matrix: [{extends: [h]}]\n`,
      ),
    ],
  },
  {
    name: 'entries of directories',
    numbers: { entries: [1, 20000, 500], files: [1, 3000, 300] },
    make: ({ entries, files }) => [
      ['fleet', 'list'],
      {
        'kurel.fleet.yaml': document(
          'Fleet',
          `  directories: [${fill(entries, (at) => `{path: 'apps/{app}', name: '${at}/{app}', output: 'out/${at}/{app}', exclude: ['*${at % 10}*']}`)}]\n`,
        ),
        ...Object.fromEntries(Array.from({ length: files }, (_, at) => [`apps/a${at}.yaml`, manifest])),
      },
    ],
  },
  {
    name: 'capabilities of a profile',
    numbers: { capabilities: [1, 20000, 3000], renderings: [1, 5000, 3] },
    make: ({ capabilities, renderings }) => [
      ['validate', 'p', '--profile', 'cluster.yaml'],
      {
        'cluster.yaml': document(
          'ClusterProfile',
          `  capabilities: {${fill(capabilities, (at) => `capability${at}: {rendering: {${fill(renderings, (key) => `key${key}: {name: x}`)}}}`)}}\n`,
        ),
        'p/app.yaml': component(''),
      },
    ],
  },
  {
    name: 'lists of a policy',
    numbers: { items: [1, 40000, 8000], length: [1, 500, 10], pods: [1, 3000, 500] },
    make: ({ items, length, pods }) => [
      ['validate', 'a.yaml', '--policy', 'policy.yaml'],
      {
        'policy.yaml': document(
          'Policy',
          `  enforced: {allowedRegistries: [${fill(items, (at) => `${'r'.repeat(length)}${at}.example.com/*`)}]}\n`,
        ),
        'a.yaml': Array.from(
          { length: pods },
          (_, at) =>
            `apiVersion: v1\nkind: Pod\nmetadata: {name: a${at}}\nspec: {containers: [{name: a, image: 'r${at}.example.com/i:1'}]}\n`,
        ).join('---\n'),
      },
    ],
  },
  {
    name: 'values that are merged',
    numbers: { keys: [1, 40000, 5000], files: [1, 100, 3], depth: [1, 100, 3] },
    make: ({ keys, files, depth }) => {
      const values = (from) =>
        `g: ${'{a: '.repeat(depth)}{${fill(keys / files, (at) => `k${at}: v${from}`)}}${'}'.repeat(depth)}\n`;
      const names = Array.from({ length: files }, (_, at) => `v${at}.yaml`);
      return [
        ['validate', 'p.kurel', ...names.flatMap((name) => ['--values', name])],
        {
          'p.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\n${values('x')}`,
          'p.kurel/resources/a.yaml': `${manifest}data: {a: "\${g${'.a'.repeat(depth)}.k0}"}\n`,
          ...Object.fromEntries(names.map((name, at) => [name, values(at)])),
        },
      ];
    },
  },
  {
    name: 'misspelled references of parameters',
    numbers: { parameters: [1, 30000, 16000], length: [1, 100, 5] },
    make: ({ parameters, length }) => [
      ['validate', 'p.kurel'],
      {
        'p.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\n${Array.from({ length: parameters }, (_, at) => `${'p'.repeat(length)}${at}: "\${${'p'.repeat(length - 1)}q${at}}"\n`).join('')}`,
        'p.kurel/resources/a.yaml': manifest,
      },
    ],
  },
  {
    name: 'values of declared parameters',
    numbers: { parameters: [1, 20000, 5000], values: [1, 20000, 5000] },
    make: ({ parameters, values }) => [
      ['validate', 'p', '--no-profile', '--values', 'v.yaml'],
      {
        'p/kurel.yaml': declared(fill(parameters, (at) => `{name: parameter${at}, type: string, default: x}`)),
        'p/app.yaml': component(`, env: [{name: A, value: '\${parameter0}'}]`),
        'v.yaml': Array.from({ length: values }, (_, at) => `paramter${at}: x\n`).join(''),
      },
    ],
  },
  {
    name: 'long names in a table',
    numbers: { targets: [1, 20000, 10000], length: [1, 900000, 200000] },
    make: ({ targets, length }) => [
      ['fleet', 'list'],
      {
        'kurel.fleet.yaml': document(
          'Fleet',
          `  targets: [{name: ${'n'.repeat(length)}, package: a.yaml, output: out}, ${fill(targets, (at) => `{name: t${at}, package: a.yaml, output: o/${at}}`)}]\n`,
        ),
        'a.yaml': manifest,
      },
    ],
  },
  {
    name: 'long names of objects that differ',
    numbers: { objects: [1, 8000, 5000], length: [1, 900000, 200000] },
    make: ({ objects, length }) => {
      const write = (value) =>
        Array.from({ length: objects }, (_, at) => `${manifest.replace('a}', `a${at}}`)}data: {k: ${value}}\n`).join(
          '---\n',
        );
      return [
        ['diff', 'a.yaml', 'b.yaml', '--stat'],
        { 'a.yaml': write('a'), 'b.yaml': `${write('b')}---\n${manifest.replace('a}', `${'n'.repeat(length)}}`)}` },
      ];
    },
  },
  {
    name: 'patterns of directories',
    numbers: { stars: [1, 400000, 150000], directories: [1, 3000, 2000] },
    make: ({ stars, directories }) => [
      ['fleet', 'list'],
      {
        'kurel.fleet.yaml': document(
          'Fleet',
          `  directories: [{path: 'apps/{cluster}/{app}${'*a'.repeat(stars)}', output: 'out/{cluster}/{app}'}]\n`,
        ),
        ...Object.fromEntries(Array.from({ length: directories }, (_, at) => [`apps/c${at}/x`, ''])),
      },
    ],
  },
  {
    name: 'versions of a definition',
    numbers: { versions: [1, 9000, 6000], objects: [1, 12000, 6000] },
    make: ({ versions, objects }) => [
      ['validate', 'a.yaml', '--crds', 'crd.yaml'],
      {
        'crd.yaml': `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec: {group: example.com, scope: Namespaced, names: {kind: Widget, plural: widgets}, versions: [${fill(versions, (at) => `{name: v${at + 1}, served: true, storage: ${at === 0}, schema: {openAPIV3Schema: {type: object}}}`)}]}\n`,
        'a.yaml': Array.from(
          { length: objects },
          (_, at) => `apiVersion: example.com/v${at + 10000}\nkind: Widget\nmetadata: {name: a}\n`,
        ).join('---\n'),
      },
    ],
  },
  {
    name: 'values of many levels',
    numbers: { levels: [1, 1000, 900], keys: [1, 30000, 15000], set: [1, 100, 2] },
    make: ({ levels, keys, set }) => [
      ['fleet', 'explain', 't', 'a'],
      {
        'kurel.fleet.yaml': document(
          'Fleet',
          `  groups: {${fill(levels, (at) => `g${at}: {set: {m: {${fill(set, (key) => `k${at + key}: w${at}`)}}}}`)}}\n  targets: [{name: t, package: p.kurel, output: out, extends: [${fill(levels, (at) => `g${at}`)}]}]\n`,
        ),
        'p.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\nm: {${fill(keys, (at) => `k${at}: v`)}}\n`,
        'p.kurel/resources/a.yaml': `${manifest}data: {${fill(keys, (at) => `k${at}: "\${m.k${at}}"`)}}\n`,
      },
    ],
  },
  {
    name: 'values of many flags',
    numbers: { flags: [1, 4000, 3000], keys: [1, 60000, 15000], items: [1, 100000, 3000] },
    make: ({ flags, keys, items }) => [
      [
        'validate',
        'p.kurel',
        ...Array.from({ length: flags }, (_, at) => ['--set', at % 2 ? `m.k${at}=2` : `l[${at % items}].a=1`]).flat(),
      ],
      {
        'p.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\nm: {${fill(keys, (at) => `k${at}: 1`)}}\nl: [${fill(items, () => '{}')}]\n`,
        'p.kurel/resources/a.yaml': manifest,
      },
    ],
  },
  {
    name: 'acceptances of shared objects',
    numbers: { targets: [1, 300, 60], objects: [1, 10000, 3000], accepted: [1, 8000, 300] },
    make: ({ targets, objects, accepted }) => [
      ['fleet', 'validate'],
      {
        'kurel.fleet.yaml': document(
          'Fleet',
          `  clusters: {c: {}}\n  defaults: {accept: [${fill(accepted, (at) => `{code: fleet-object-shared, object: configmap/z${at}, reason: r}`)}]}\n  targets: [${fill(targets, (at) => `{name: t${at}, package: a.yaml, output: out/${at}, cluster: c}`)}]\n`,
        ),
        'a.yaml': Array.from({ length: objects }, (_, at) => manifest.replace('a}', `a${at}}`)).join('---\n'),
      },
    ],
  },
  {
    name: 'parts of declared parameters',
    numbers: { flags: [1, 4000, 3000], keys: [1, 60000, 20000] },
    make: ({ flags, keys }) => [
      ['validate', 'p', '--no-profile', ...Array.from({ length: flags }, (_, at) => ['--set', `m.k${at}=2`]).flat()],
      {
        'p/kurel.yaml': declared(`{name: m, type: object, default: {${fill(keys, (at) => `k${at}: x`)}}}`),
        'p/app.yaml': component(''),
      },
    ],
  },
];
