// Inputs that multiply: each shape makes the files of one command from a few numbers, which the search turns up until they cost
// most. What a shape makes may be up to 1 MB; everything larger is not what the goal of docs/limits.md is about.

const widget = (name, spec) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec });
const configMap = (name, rest = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${rest}`;
const deployment = (name, containers = 1) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec: {selector: {matchLabels: {a: ${name}}}, template: {metadata: {labels: {a: ${name}}}, spec: {containers: [${fill(containers, (at) => `{name: c${at}, image: 'i:1'}`).join(', ')}]}}}\n`;

export function definition(spec) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

function fill(count, make) {
  return Array.from({ length: Math.max(0, Math.round(count)) }, (_, index) => make(index));
}

/** Anchors that each hold the one before `width` times, `levels` deep. */
function bomb(width, levels, leaf = 'x') {
  const lines = [`  k0: &a0 [${fill(width, () => leaf).join(', ')}]`];
  for (let level = 1; level < levels; level += 1) {
    lines.push(`  k${level}: &a${level} [${fill(width, () => `*a${level - 1}`).join(', ')}]`);
  }
  return lines.join('\n');
}

const documents = (texts) => texts.join('---\n');
const json = (value) => JSON.stringify(value);
const packageParameters = 'kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\n';

const application = (components, rest = '') =>
  `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: shops}\nspec:\n${rest}  components:\n${components}`;

/** Numbers have a least and a greatest value; a start in between is where the search begins. */
export const shapes = [
  {
    name: 'aliases in one document',
    numbers: { width: [2, 5000, 10], levels: [1, 12, 5] },
    make: ({ width, levels }) => [
      ['build', 'a.yaml', '--label', 'a=b'],
      { 'a.yaml': configMap('a', `data:\n${bomb(width, levels)}\n`) },
    ],
  },
  {
    name: 'aliases in many documents',
    numbers: { count: [1, 8000, 1600], width: [2, 100, 20], levels: [1, 8, 4] },
    make: ({ count, width, levels }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': documents(
          fill(
            count,
            (at) =>
              `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a${at}}\nspec:\n${bomb(width, levels)}\n`,
          ),
        ),
      },
    ],
  },
  {
    name: 'aliases in many files',
    numbers: { count: [1, 1000, 400], width: [2, 400, 200], levels: [1, 4, 2] },
    make: ({ count, width, levels }) => [
      ['build', 'in', '--label', 'a=b'],
      Object.fromEntries(
        fill(count, (at) => [
          `in/${at}.yaml`,
          `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a${at}}\nspec:\n${bomb(width, levels)}\n`,
        ]),
      ),
    ],
  },
  {
    name: 'aliases of long texts',
    numbers: { length: [100, 900000, 400000], count: [1, 20000, 6000] },
    make: ({ length, count }) => [
      ['build', 'a.yaml', '--label', 'a=b'],
      {
        'a.yaml': configMap(
          'a',
          `data:\n  k: &a ${'x'.repeat(length)}\n${fill(count, (at) => `  l${at}: *a\n`).join('')}`,
        ),
      },
    ],
  },
  {
    name: 'merge keys',
    numbers: { keys: [1, 50000, 5000], merges: [1, 20000, 2000] },
    make: ({ keys, merges }) => [
      ['build', 'a.yaml', '--label', 'a=b'],
      {
        'a.yaml': `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n  base: &a {${fill(keys, (at) => `k${at}: 1`).join(', ')}}\n  items:\n${fill(merges, () => '  - <<: *a\n').join('')}`,
      },
    ],
  },
  {
    name: 'patterns of definitions',
    numbers: { repeat: [1, 999, 900], length: [1, 800000, 8000], count: [1, 20000, 400] },
    make: ({ repeat, length, count }) => {
      const spec = {
        type: 'object',
        properties: {
          list: { type: 'array', items: { type: 'string', pattern: `^(a?){${repeat}}b` } },
          text: { type: 'string' },
        },
      };
      return [
        ['validate', 'a.yaml', '--crds', 'crd.yaml'],
        {
          'crd.yaml': json(definition(spec)),
          'a.yaml': `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {text: &a ${'a'.repeat(length)}, list: [${fill(count, () => '*a').join(', ')}]}\n`,
        },
      ];
    },
  },
  {
    name: 'patterns of parameters',
    numbers: { repeat: [1, 999, 900], length: [1, 400000, 8000], count: [1, 5000, 400] },
    make: ({ repeat, length, count }) => [
      ['build', 'p', '--no-profile'],
      {
        'p/app.yaml': application(`  - {name: web, type: webservice, properties: {image: 'i.example.com/i:1'}}\n`),
        'p/kurel.yaml': `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: shop}\nspec:\n  parameters:\n  - {name: t, type: array, items: {type: string, pattern: '^(a?){${repeat}}b'}, default: [&a ${'a'.repeat(length)}${', *a'.repeat(count)}]}\n`,
      },
    ],
  },
  {
    name: 'schemas of definitions',
    numbers: { alternatives: [1, 5000, 300], count: [1, 20000, 1000] },
    make: ({ alternatives, count }) => {
      const spec = {
        type: 'object',
        properties: {
          list: {
            type: 'array',
            items: {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': true,
              anyOf: fill(alternatives, (at) => ({ required: [`f${at}`] })),
            },
          },
        },
      };
      return [
        ['validate', 'a.yaml', '--crds', 'crd.yaml'],
        { 'crd.yaml': json(definition(spec)), 'a.yaml': json(widget('a', { list: fill(count, () => ({ z: 1 })) })) },
      ];
    },
  },
  {
    name: 'rules',
    numbers: { count: [1, 3000, 100], items: [1, 100000, 3000], objects: [1, 2000, 4] },
    make: ({ count, items, objects }) => {
      const spec = {
        type: 'object',
        properties: { list: { type: 'array', items: { type: 'integer' } } },
        'x-kubernetes-validations': fill(count, (at) => ({
          rule: `self.list.all(a, self.list.all(b, a + b >= -${at}))`,
        })),
      };
      return [
        ['validate', 'a.yaml', '--crds', 'crd.yaml'],
        {
          'crd.yaml': json(definition(spec)),
          'a.yaml': fill(
            objects,
            (at) => `${json(widget(`a${at}`, { list: fill(items, (index) => index % 10) }))}\n`,
          ).join('---\n'),
        },
      ];
    },
  },
  {
    name: 'rules on every item',
    numbers: { items: [1, 300000, 50000], length: [1, 18000, 100] },
    make: ({ items, length }) => {
      const rule = fill(length / 12, () => 'self.a >= 0').join(' && ') || 'true';
      const spec = {
        type: 'object',
        properties: {
          list: {
            type: 'array',
            items: { type: 'object', properties: { a: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule }] },
          },
        },
      };
      return [
        ['validate', 'a.yaml', '--crds', 'crd.yaml'],
        { 'crd.yaml': json(definition(spec)), 'a.yaml': json(widget('a', { list: fill(items, () => ({ a: 1 })) })) },
      ];
    },
  },
  {
    name: 'wildcard patches',
    numbers: { objects: [1, 6000, 1000], containers: [1, 5000, 2], patches: [1, 20000, 3000] },
    make: ({ objects, containers, patches }) => [
      ['build', 'a.yaml', '--patch', 'p.kpatch'],
      {
        'a.yaml': documents(fill(objects, (at) => deployment(`d${at}`, containers))),
        'p.kpatch': `[deployment.*]\n${fill(patches, (at) => `spec.template.spec.containers.*.env${at}: x\n`).join('')}`,
      },
    ],
  },
  {
    name: 'wildcard patches that set labels',
    numbers: { objects: [1, 10000, 2500], patches: [1, 20000, 5000] },
    make: ({ objects, patches }) => [
      ['build', 'a.yaml', '--patch', 'p.kpatch'],
      {
        'a.yaml': documents(fill(objects, (at) => configMap(`d${at}`))),
        'p.kpatch': `[configmap.*]\n${fill(patches, (at) => `metadata.labels.l${at}: x\n`).join('')}`,
      },
    ],
  },
  {
    name: 'patches of names with wildcards',
    numbers: { objects: [1, 10000, 4000], patches: [1, 20000, 4000], stars: [1, 30, 5] },
    make: ({ objects, patches, stars }) => [
      ['build', 'a.yaml', '--patch', 'p.kpatch'],
      {
        'a.yaml': documents(fill(objects, (at) => configMap(`${'a'.repeat(30)}${at}`))),
        'p.kpatch': fill(patches, (at) => `[configmap.${'a*'.repeat(stars)}b${at}]\ndata.k: x\n`).join(''),
      },
    ],
  },
  {
    name: 'appends',
    numbers: { count: [1, 60000, 40000], objects: [1, 100, 1] },
    make: ({ count, objects }) => [
      ['build', 'a.yaml', '--patch', 'p.kpatch'],
      {
        'a.yaml': documents(fill(objects, (at) => deployment(`d${at}`))),
        'p.kpatch': `[deployment.*.spec.template.spec.containers.0]\n${fill(count, (at) => `args[-]: x${at}\n`).join('')}`,
      },
    ],
  },
  {
    name: 'appends in YAML',
    numbers: { count: [1, 60000, 20000], objects: [1, 100, 1] },
    make: ({ count, objects }) => [
      ['build', 'a.yaml', '--patch', 'p.yaml'],
      {
        'a.yaml': documents(fill(objects, (at) => deployment(`d${at}`))),
        'p.yaml': `- target: deployment.d0\n  patch:\n${fill(
          count,
          (at) => `    "spec.template.spec.containers[0].args[-]": x${at}\n`,
        )
          .slice(0, 1)
          .join(
            '',
          )}${fill(count, () => `- target: deployment.d0\n  patch: {"spec.template.spec.containers[0].args[-]": x}\n`).join('')}`,
      },
    ],
  },
  {
    name: 'deep paths',
    numbers: { depth: [1, 99, 90], count: [1, 10000, 4000] },
    make: ({ depth, count }) => [
      ['build', 'a.yaml', '--patch', 'p.kpatch'],
      {
        'a.yaml': 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n',
        'p.kpatch': `[widget.a]\n${fill(count, (at) => `${'s.'.repeat(depth)}k${at}: x\n`).join('')}`,
      },
    ],
  },
  {
    name: 'strategic patches of one object',
    numbers: { patches: [1, 4000, 800], items: [1, 2000, 20] },
    make: ({ patches, items }) => [
      ['validate', 'a.yaml', '--patch', 'p.yaml'],
      {
        'a.yaml': deployment('d', items),
        'p.yaml': fill(
          patches,
          (at) =>
            `- target: deployment.d\n  type: strategic\n  patch: {spec: {template: {spec: {containers: [${fill(items, (item) => `{name: c${item}, image: 'i:${at}'}`).join(', ')}]}}}}\n`,
        ).join(''),
      },
    ],
  },
  {
    name: 'operations of JSON Patches',
    numbers: { patches: [1, 5000, 1000], items: [1, 50000, 4000] },
    make: ({ patches, items }) => [
      ['build', 'a.yaml', '--patch', 'p.yaml'],
      {
        'a.yaml': `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {a: [${fill(items, () => 1).join(', ')}]}\n`,
        'p.yaml': fill(
          patches,
          (at) => `- target: widget.a\n  type: json\n  patch: [{op: copy, from: /spec/a, path: /spec/b${at}}]\n`,
        ).join(''),
      },
    ],
  },
  {
    name: 'insertions of JSON Patches',
    numbers: { operations: [1, 20000, 15000], items: [1, 200000, 50000] },
    make: ({ operations, items }) => [
      ['build', 'a.yaml', '--patch', 'p.yaml'],
      {
        'a.yaml': `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {a: [${fill(items, () => 1).join(', ')}]}\n`,
        'p.yaml': `- target: widget.a\n  type: json\n  patch:\n${fill(operations, () => `  - {op: add, path: /spec/a/0, value: 2}\n`).join('')}`,
      },
    ],
  },
  {
    name: 'documents that cannot be read',
    numbers: { count: [1, 250000, 160000] },
    make: ({ count }) => [['validate', 'a.yaml'], { 'a.yaml': '---\n{\n'.repeat(count) }],
  },
  {
    name: 'documents that cannot be read, for machines',
    numbers: { count: [1, 250000, 160000] },
    make: ({ count }) => [['validate', 'a.yaml', '--format', 'sarif'], { 'a.yaml': '---\n{\n'.repeat(count) }],
  },
  {
    name: 'documents that are not objects',
    numbers: { count: [1, 250000, 150000] },
    make: ({ count }) => [['build', 'a.yaml'], { 'a.yaml': '---\na: 1\n'.repeat(count) }],
  },
  {
    name: 'unknown fields',
    numbers: { objects: [1, 6000, 1000], fields: [1, 100000, 80] },
    make: ({ objects, fields }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': documents(
          fill(objects, (at) => configMap(`a${at}`, fill(fields, (field) => `field${field}: 1\n`).join(''))),
        ),
      },
    ],
  },
  {
    name: 'unknown fields in one line',
    numbers: { fields: [1, 100000, 60000] },
    make: ({ fields }) => [
      ['validate', 'a.json', '--format', 'junit'],
      {
        'a.json': json({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'a' },
          ...Object.fromEntries(fill(fields, (at) => [`field${at}`, at])),
        }),
      },
    ],
  },
  {
    name: 'one key again and again',
    numbers: { count: [1, 300000, 180000] },
    make: ({ count }) => [['validate', 'a.yaml'], { 'a.yaml': configMap('a', `data:\n${'  a: 1\n'.repeat(count)}`) }],
  },
  {
    name: 'one object again and again',
    numbers: { count: [1, 25000, 17000] },
    make: ({ count }) => [['validate', 'a.yaml'], { 'a.yaml': documents(fill(count, () => configMap('a'))) }],
  },
  {
    name: 'names like one another',
    numbers: { count: [1, 50000, 8000] },
    make: ({ count }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': documents([
          ...fill(count / 2, (at) => configMap(`a${at}`)),
          ...fill(
            count / 2,
            (at) =>
              `apiVersion: v1\nkind: Pod\nmetadata: {name: p${at}}\nspec: {containers: [{name: a, image: 'i:1', envFrom: [{configMapRef: {name: b${at}}}]}]}\n`,
          ),
        ]),
      },
    ],
  },
  {
    name: 'aliases that do not exist',
    numbers: { anchors: [1, 60000, 30000], count: [1, 60000, 30000], length: [1, 300, 5] },
    make: ({ anchors, count, length }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': documents([
          configMap(
            'a',
            `data:\n  k: [${fill(anchors, (at) => `&${'a'.repeat(length)}${at} x`).join(', ')}]\n  l: [${fill(count, (at) => `*${'a'.repeat(length)}y${at}`).join(', ')}]\n`,
          ),
        ]),
      },
    ],
  },
  {
    name: 'services and pods',
    numbers: { services: [1, 8000, 2500], pods: [1, 8000, 2500], labels: [1, 200, 2] },
    make: ({ services, pods, labels }) => {
      const set = fill(labels, (at) => `l${at}: x`).join(', ');
      return [
        ['validate', 'a.yaml'],
        {
          'a.yaml': documents([
            ...fill(
              services,
              (at) =>
                `apiVersion: v1\nkind: Service\nmetadata: {name: s${at}}\nspec: {selector: {${set}, n: z${at}}, ports: [{port: 80, targetPort: http}]}\n`,
            ),
            ...fill(
              pods,
              (at) =>
                `apiVersion: v1\nkind: Pod\nmetadata: {name: p${at}, labels: {${set}}}\nspec: {containers: [{name: a, image: 'i:1'}]}\n`,
            ),
          ]),
        },
      ];
    },
  },
  {
    name: 'services that select every pod',
    numbers: { services: [1, 8000, 2500], pods: [1, 8000, 2500] },
    make: ({ services, pods }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': documents([
          ...fill(
            services,
            (at) =>
              `apiVersion: v1\nkind: Service\nmetadata: {name: s${at}}\nspec: {selector: {a: b}, ports: [{port: 80, targetPort: http}]}\n`,
          ),
          ...fill(
            pods,
            (at) =>
              `apiVersion: v1\nkind: Pod\nmetadata: {name: p${at}, labels: {a: b}}\nspec: {containers: [{name: a, image: 'i:1', ports: [{name: x, containerPort: 1}]}]}\n`,
          ),
        ]),
      },
    ],
  },
  {
    name: 'routes and services',
    numbers: { routes: [1, 4000, 1500], services: [1, 8000, 2500], ports: [1, 1000, 2] },
    make: ({ routes, services, ports }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': documents([
          ...fill(
            services,
            (at) =>
              `apiVersion: v1\nkind: Service\nmetadata: {name: s${at}}\nspec: {ports: [${fill(ports, (port) => `{name: p${port}, port: ${port + 1}}`).join(', ')}]}\n`,
          ),
          ...fill(
            routes,
            (at) =>
              `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i${at}}\nspec: {rules: [{http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: t${at}, port: {name: q}}}}]}}]}\n`,
          ),
        ]),
      },
    ],
  },
  {
    name: 'collections inside one another',
    numbers: { depth: [1, 255, 250], items: [1, 300000, 100000] },
    make: ({ depth, items }) => [
      ['build', 'a.yaml', '--jq', '.x = 1', '--format', 'yaml'],
      {
        'a.yaml': `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: ${'['.repeat(depth)}${fill(items, () => '1').join(',')}${']'.repeat(depth)}\n`,
      },
    ],
  },
  {
    name: 'collections inside one another, printed anew',
    numbers: { depth: [1, 255, 250], items: [1, 300000, 300000] },
    make: ({ depth, items }) => [
      ['build', 'a.yaml', '--format', 'json'],
      {
        'a.yaml': `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: ${'['.repeat(depth)}${fill(items, () => '1').join(',')}${']'.repeat(depth)}\n`,
      },
    ],
  },
  {
    name: 'edits of one document',
    numbers: { keys: [1, 60000, 30000] },
    make: ({ keys }) => [
      ['build', 'a.yaml', '--patch', 'p.kpatch'],
      {
        'a.yaml': configMap('a', `data:\n${fill(keys, (at) => `  k${at}: a\n`).join('')}`),
        'p.kpatch': `[configmap.a]\n${fill(keys, (at) => `data.k${at}: b\n`).join('')}`,
      },
    ],
  },
  {
    name: 'deletions from one document',
    numbers: { keys: [1, 60000, 15000] },
    make: ({ keys }) => [
      ['build', 'a.yaml', '--patch', 'p.kpatch'],
      {
        'a.yaml': `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {list: [${fill(keys, (at) => `a${at}`).join(', ')}]}\n`,
        'p.kpatch': fill(keys, () => `[widget.a.spec]\nlist[delete=0]:\n`).join(''),
      },
    ],
  },
  {
    name: 'edits in one line',
    numbers: { keys: [1, 60000, 20000] },
    make: ({ keys }) => [
      ['build', 'a.json', '--patch', 'p.kpatch'],
      {
        'a.json': json({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'a' },
          data: Object.fromEntries(fill(keys, (at) => [`k${at}`, 'a'])),
        }),
        'p.kpatch': `[configmap.a]\n${fill(keys, (at) => `data.k${at}: b\n`).join('')}`,
      },
    ],
  },
  {
    name: 'explained changes',
    numbers: { keys: [1, 60000, 25000] },
    make: ({ keys }) => [
      ['explain', 'a.yaml', 'configmap.a', '--patch', 'p.kpatch'],
      {
        'a.yaml': configMap('a'),
        'p.kpatch': `[configmap.a]\n${fill(keys, (at) => `data.k${at}: b\n`).join('')}`,
      },
    ],
  },
  {
    name: 'changes explained again and again',
    numbers: { count: [1, 60000, 50000] },
    make: ({ count }) => [
      ['explain', 'a.yaml', 'configmap.a', '--patch', 'p.kpatch'],
      { 'a.yaml': configMap('a'), 'p.kpatch': `[configmap.a]\n${fill(count, (at) => `data.k: b${at}\n`).join('')}` },
    ],
  },
  {
    name: 'lists that differ',
    numbers: { items: [1, 60000, 30000] },
    make: ({ items }) => [
      ['diff', 'a.yaml', 'b.yaml'],
      {
        'a.yaml': json(widget('a', { list: fill(items, (at) => `a${at}`) })),
        'b.yaml': json(widget('a', { list: fill(items, (at) => `b${at}`) })),
      },
    ],
  },
  {
    name: 'lists of objects that differ',
    numbers: { items: [1, 30000, 10000] },
    make: ({ items }) => [
      ['diff', 'a.yaml', 'b.yaml'],
      {
        'a.yaml': json(widget('a', { list: fill(items, (at) => ({ x: at, y: at % 7 })) })),
        'b.yaml': json(widget('a', { list: fill(items, (at) => ({ x: at + 1, y: at % 11 })) })),
      },
    ],
  },
  {
    name: 'texts that differ',
    numbers: { lines: [1, 100000, 60000] },
    make: ({ lines }) => [
      ['diff', 'a.yaml', 'b.yaml'],
      {
        'a.yaml': configMap('a', `data:\n  k: |\n${fill(lines, (at) => `    a${at}\n`).join('')}`),
        'b.yaml': configMap('a', `data:\n  k: |\n${fill(lines, (at) => `    b${at}\n`).join('')}`),
      },
    ],
  },
  {
    name: 'objects that differ',
    numbers: { objects: [1, 10000, 5000] },
    make: ({ objects }) => [
      ['diff', 'a.yaml', 'b.yaml'],
      {
        'a.yaml': documents(fill(objects, (at) => configMap(`a${at}`))),
        'b.yaml': documents(fill(objects, (at) => configMap(`b${at}`))),
      },
    ],
  },
  {
    name: 'references of parameters',
    numbers: { count: [1, 20000, 3000], references: [1, 20000, 10] },
    make: ({ count, references }) => [
      ['build', 'p.kurel'],
      {
        'p.kurel/parameters.yaml': `${packageParameters}base: x\n${fill(count, (at) => `p${at}: "${'${base}'.repeat(references)}"\n`).join('')}`,
        'p.kurel/resources/a.yaml': configMap('a', 'data: {k: "${p0}"}\n'),
      },
    ],
  },
  {
    name: 'parameters in resources',
    numbers: { items: [1, 100000, 20000], uses: [1, 50000, 10000] },
    make: ({ items, uses }) => [
      ['build', 'p.kurel'],
      {
        'p.kurel/parameters.yaml': `${packageParameters}list: [${fill(items, () => '1').join(', ')}]\n`,
        'p.kurel/resources/a.yaml': `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n${fill(uses, (at) => `  k${at}: \${list}\n`).join('')}`,
      },
    ],
  },
  {
    name: 'parameters in patches',
    numbers: { items: [1, 100000, 20000], uses: [1, 30000, 10000] },
    make: ({ items, uses }) => [
      ['build', 'p.kurel'],
      {
        'p.kurel/parameters.yaml': `${packageParameters}list: [${fill(items, () => '1').join(', ')}]\n`,
        'p.kurel/resources/a.yaml': 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n',
        'p.kurel/patches/a.kpatch': `[widget.a]\n${fill(uses, (at) => `spec.k${at}: \${list}\n`).join('')}`,
      },
    ],
  },
  {
    name: 'parameters in applications',
    numbers: { items: [1, 100000, 20000], uses: [1, 20000, 5000] },
    make: ({ items, uses }) => [
      ['build', 'p', '--no-profile'],
      {
        'p/kurel.yaml': `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: shop}\nspec:\n  parameters:\n  - {name: t, type: array, items: {type: string}, default: [${fill(items, () => 'a').join(', ')}]}\n`,
        'p/app.yaml': application(
          `  - name: web\n    type: passthrough\n    properties:\n      object:\n        apiVersion: example.com/v1\n        kind: Widget\n        metadata: {name: a}\n        spec:\n${fill(uses, (at) => `          k${at}: \${t}\n`).join('')}`,
        ),
      },
    ],
  },
  {
    name: 'components',
    numbers: { count: [1, 8000, 4000] },
    make: ({ count }) => [
      ['build', 'p', '--no-profile'],
      {
        'p/app.yaml': application(
          fill(
            count,
            (at) => `  - {name: web${at}, type: webservice, properties: {image: 'i.example.com/i:1', port: 80}}\n`,
          ).join(''),
        ),
      },
    ],
  },
  {
    name: 'traits of a component',
    numbers: { count: [1, 20000, 10000] },
    make: ({ count }) => [
      ['build', 'p', '--no-profile'],
      {
        'p/app.yaml': application(
          `  - name: web\n    type: webservice\n    properties: {image: 'i.example.com/i:1', port: 80}\n    traits:\n${fill(count, (at) => `    - {type: pvc, properties: {name: v${at}, size: 1Gi, mountPath: /m${at}}}\n`).join('')}`,
        ),
      },
    ],
  },
  {
    name: 'properties that are not known',
    numbers: { count: [1, 60000, 30000] },
    make: ({ count }) => [
      ['validate', 'p', '--no-profile'],
      {
        'p/app.yaml': application(
          `  - name: web\n    type: webservice\n    properties:\n      image: 'i.example.com/i:1'\n${fill(count, (at) => `      portt${at}: 1\n`).join('')}`,
        ),
      },
    ],
  },
  {
    name: 'network policies of applications',
    numbers: { count: [1, 4000, 1500] },
    make: ({ count }) => [
      ['validate', 'p', '--no-profile'],
      {
        'p/app.yaml': application(
          fill(
            count,
            (at) =>
              `  - {name: w${at}, type: webservice, properties: {image: 'i.example.com/i:1', port: 80}, traits: [{type: networkpolicy, properties: {}}]}\n`,
          ).join(''),
        ),
      },
    ],
  },
  {
    name: 'images',
    numbers: { objects: [1, 6000, 3000], containers: [1, 2000, 2] },
    make: ({ objects, containers }) => [
      ['images', 'a.yaml'],
      { 'a.yaml': documents(fill(objects, (at) => deployment(`d${at}`, containers))) },
    ],
  },
  {
    name: 'flux tree',
    numbers: { objects: [1, 10000, 5000] },
    make: ({ objects }) => [
      ['build', 'a.yaml', '-o', 'out', '--layout', 'flux'],
      { 'a.yaml': documents(fill(objects, (at) => configMap(`d${at}`))) },
    ],
  },
  {
    name: 'names of files that collide',
    numbers: { objects: [1, 10000, 6000] },
    make: ({ objects }) => [
      ['build', 'a.yaml', '-o', 'out', '--layout', 'flat'],
      {
        'a.yaml': documents(
          fill(objects, (at) => configMap('d', `# ${at}\n`).replace('name: d', `name: d, namespace: n${at}`)),
        ),
      },
    ],
  },
  {
    name: 'List of many',
    numbers: { objects: [1, 40000, 12000] },
    make: ({ objects }) => [
      ['build', 'a.yaml', '--label', 'a=b'],
      {
        'a.yaml': `apiVersion: v1\nkind: List\nitems:\n${fill(objects, (at) => `- {apiVersion: v1, kind: ConfigMap, metadata: {name: a${at}}}\n`).join('')}`,
      },
    ],
  },
  {
    name: 'Lists of aliases',
    numbers: { objects: [1, 200000, 100000], size: [1, 500, 5] },
    make: ({ objects, size }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': `apiVersion: v1\nkind: List\nx: &a {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {${fill(size, (at) => `k${at}: v`).join(', ')}}}\nitems:\n${fill(objects, () => `- *a\n`).join('')}`,
      },
    ],
  },
  {
    name: 'quantities',
    numbers: { digits: [1, 400000, 100000], exponent: [1, 999999999, 100] },
    make: ({ digits, exponent }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': `apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: a}\nspec: {hard: {cpu: '${'9'.repeat(digits)}e${Math.round(exponent)}', memory: '0.${'1'.repeat(digits)}'}}\n`,
      },
    ],
  },
  {
    name: 'numbers',
    numbers: { digits: [1, 900000, 400000] },
    make: ({ digits }) => [
      ['build', 'a.yaml', '--jq', '.x = 1'],
      {
        'a.yaml': `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {a: ${'9'.repeat(digits)}, b: 0x${'f'.repeat(digits)}}\n`,
      },
    ],
  },
  {
    name: 'comments',
    numbers: { lines: [1, 200000, 90000] },
    make: ({ lines }) => [
      ['build', 'a.yaml', '--label', 'a=b'],
      { 'a.yaml': configMap('a', `data:\n${fill(lines / 2, (at) => `  # c\n  k${at}: v # d\n`).join('')}`) },
    ],
  },
  {
    name: 'empty documents',
    numbers: { count: [1, 240000, 200000] },
    make: ({ count }) => [
      ['build', 'a.yaml', '--label', 'a=b'],
      { 'a.yaml': `${configMap('a')}---\n${'# c\n---\n'.repeat(count / 2)}` },
    ],
  },
  {
    name: 'blanks',
    numbers: { count: [1, 900000, 900000] },
    make: ({ count }) => [
      ['build', 'a.yaml', '--label', 'a=b'],
      { 'a.yaml': configMap('a', `data:\n  k: |\n    a${' '.repeat(count)}\n`) },
    ],
  },
  {
    name: 'bytes of nothing',
    numbers: { count: [1, 1000000, 1000000] },
    make: ({ count }) => [['validate', 'a.yaml'], { 'a.yaml': '\0'.repeat(count) }],
  },
  {
    name: 'control characters in documents',
    numbers: { count: [1, 200000, 160000] },
    make: ({ count }) => [['validate', 'a.yaml'], { 'a.yaml': '---\n\u0001\n'.repeat(count) }],
  },
  {
    name: 'patches of a package',
    numbers: { count: [1, 200, 200], requires: [1, 200, 150] },
    make: ({ count, requires }) => [
      ['validate', 'p.kurel'],
      {
        'p.kurel/parameters.yaml': packageParameters,
        'p.kurel/resources/a.yaml': configMap('a'),
        ...Object.fromEntries(
          fill(count, (at) => [`p.kurel/patches/p${at}.kpatch`, `[configmap.a]\ndata.k${at}: v\n`]),
        ),
        ...Object.fromEntries(
          fill(count, (at) => [
            `p.kurel/patches/p${at}.yaml`,
            `requires: [${fill(Math.min(at, requires), (other) => `p${other}`).join(', ')}]\n`,
          ]),
        ),
      },
    ],
  },
  {
    name: 'schema of values',
    numbers: { alternatives: [1, 3000, 500], items: [1, 100000, 5000] },
    make: ({ alternatives, items }) => [
      ['validate', 'p.kurel', '--schema', 's.json'],
      {
        's.json': json({
          type: 'object',
          properties: { list: { type: 'array', items: { anyOf: fill(alternatives, (at) => ({ const: `c${at}` })) } } },
        }),
        'p.kurel/parameters.yaml': `${packageParameters}list: [${fill(items, () => 'a').join(', ')}]\n`,
        'p.kurel/resources/a.yaml': configMap('a'),
      },
    ],
  },
  {
    name: 'values',
    numbers: { keys: [1, 60000, 40000] },
    make: ({ keys }) => [
      ['build', 'p.kurel', '--values', 'v.yaml'],
      {
        'v.yaml': fill(keys, (at) => `keyy${at}: 1\n`).join(''),
        'p.kurel/parameters.yaml': `${packageParameters}${fill(keys / 2, (at) => `key${at}: 1\n`).join('')}`,
        'p.kurel/resources/a.yaml': configMap('a'),
      },
    ],
  },
  {
    name: 'assignments',
    numbers: { count: [1, 20000, 2000], index: [0, 999999999, 999999] },
    make: ({ count, index }) => [
      [
        'build',
        'p.kurel',
        ...fill(Math.min(count, 4000), (at) => ['--set', `a.b${at}=1`]).flat(),
        '--set',
        `c[${Math.round(index)}]=1`,
      ],
      { 'p.kurel/parameters.yaml': packageParameters, 'p.kurel/resources/a.yaml': configMap('a') },
    ],
  },
  {
    name: 'format of patches',
    numbers: { count: [1, 60000, 40000] },
    make: ({ count }) => [
      ['fmt', 'p.kpatch', '--check'],
      { 'p.kpatch': `[configmap.a]\n${fill(count, (at) => `data.k${at}:   v\n`).join('')}` },
    ],
  },
  {
    name: 'patches that cannot be read',
    numbers: { count: [1, 100000, 80000] },
    make: ({ count }) => [
      ['build', 'a.yaml', '--patch', 'p.kpatch'],
      { 'a.yaml': configMap('a'), 'p.kpatch': '[configmap.a\n'.repeat(count) },
    ],
  },
  {
    name: 'patches without a target',
    numbers: { count: [1, 50000, 20000], objects: [1, 15000, 7000] },
    make: ({ count, objects }) => [
      ['build', 'a.yaml', '--patch', 'p.kpatch'],
      {
        'a.yaml': documents(fill(objects, (at) => configMap(`a${at}`))),
        'p.kpatch': fill(count, (at) => `[configmap.b${at}]\ndata.k: v\n`).join(''),
      },
    ],
  },
  {
    name: 'names of roles',
    numbers: { count: [1, 10000, 4000] },
    make: ({ count }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': documents(
          fill(
            count,
            (at) =>
              `apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: b${at}}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r${at}}\nsubjects: []\n`,
          ),
        ),
      },
    ],
  },
  {
    name: 'environment of a container',
    numbers: { count: [1, 50000, 25000] },
    make: ({ count }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: 'i:1', env: [${fill(count, (at) => `{name: E${at}, value: '$(E${at + 1})'}`).join(', ')}]}]}\n`,
      },
    ],
  },
  {
    name: 'volumes of a pod',
    numbers: { count: [1, 20000, 9000] },
    make: ({ count }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {volumes: [${fill(count, (at) => `{name: v${at}, emptyDir: {}}`).join(', ')}], containers: [{name: a, image: 'i:1', volumeMounts: [${fill(count, (at) => `{name: w${at}, mountPath: /m${at}}`).join(', ')}]}]}\n`,
      },
    ],
  },
  {
    name: 'selectors in a long list',
    numbers: { items: [1, 60000, 20000], patches: [1, 30000, 12000] },
    make: ({ items, patches }) => [
      ['build', 'a.yaml', '--patch', 'p.kpatch'],
      {
        'a.yaml': json(widget('a', { list: fill(items, (at) => ({ name: `n${at}` })) })),
        'p.kpatch': `[widget.a]\n${fill(patches, () => `spec.list[name=n${Math.round(items) - 1}].x: 1\n`).join('')}`,
      },
    ],
  },
  {
    name: 'budgets and pods',
    numbers: { budgets: [1, 6000, 2500], pods: [1, 8000, 2500], values: [1, 2000, 1] },
    make: ({ budgets, pods, values }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': documents([
          ...fill(
            budgets,
            (at) =>
              `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: s${at}}\nspec: {minAvailable: 1, selector: {matchExpressions: [{key: b, operator: In, values: [${fill(values, (value) => `v${value}`).join(', ')}]}]}}\n`,
          ),
          ...fill(
            pods,
            (at) =>
              `apiVersion: v1\nkind: Pod\nmetadata: {name: p${at}, labels: {a: b}}\nspec: {containers: [{name: a, image: 'i:1'}]}\n`,
          ),
        ]),
      },
    ],
  },
  {
    name: 'kinds that are not known',
    numbers: { definitions: [0, 3000, 1200], objects: [1, 15000, 5000] },
    make: ({ definitions, objects }) => [
      ['validate', 'a.yaml', '--crds', 'crd.yaml'],
      {
        'crd.yaml':
          fill(
            definitions,
            (at) =>
              `${json({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: `widgets${at}.example.com` }, spec: { group: 'example.com', scope: 'Namespaced', names: { kind: `Widget${at}`, plural: `widgets${at}` }, versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }] } })}\n`,
          ).join('---\n') || configMap('a'),
        'a.yaml': documents(
          fill(objects, (at) => `apiVersion: example.com/v1\nkind: Wigdet${at}\nmetadata: {name: a}\n`),
        ),
      },
    ],
  },
  {
    name: 'fields of a large schema',
    numbers: { properties: [1, 40000, 12000], fields: [1, 60000, 15000] },
    make: ({ properties, fields }) => [
      ['validate', 'a.yaml', '--crds', 'crd.yaml'],
      {
        'crd.yaml': json(
          definition({
            type: 'object',
            properties: Object.fromEntries(fill(properties, (at) => [`property${at}`, { type: 'string' }])),
          }),
        ),
        'a.yaml': json(widget('a', Object.fromEntries(fill(fields, (at) => [`propretty${at}`, 'x'])))),
      },
    ],
  },
  {
    name: 'values of a large enumeration',
    numbers: { allowed: [1, 60000, 25000], items: [1, 60000, 25000] },
    make: ({ allowed, items }) => [
      ['validate', 'a.yaml', '--crds', 'crd.yaml'],
      {
        'crd.yaml': json(
          definition({
            type: 'object',
            properties: {
              list: { type: 'array', items: { type: 'string', enum: fill(allowed, (at) => `allowed${at}`) } },
            },
          }),
        ),
        'a.yaml': json(widget('a', { list: fill(items, (at) => `alowed${at}`) })),
      },
    ],
  },
  {
    name: 'findings in patched fields',
    numbers: { keys: [1, 40000, 12000] },
    make: ({ keys }) => [
      ['validate', 'a.yaml', '--patch', 'p.kpatch'],
      {
        'a.yaml': configMap('a'),
        'p.kpatch': `[configmap.a]\n${fill(keys, (at) => `data.k${at}: [${at}]\nfield${at}: 1\n`).join('')}`,
      },
    ],
  },
  {
    name: 'findings in many patched objects',
    numbers: { objects: [1, 10000, 3000], patches: [1, 2000, 60] },
    make: ({ objects, patches }) => [
      ['validate', 'a.yaml', '--patch', 'p.kpatch'],
      {
        'a.yaml': documents(fill(objects, (at) => configMap(`a${at}`, 'wrong: 1\n'))),
        'p.kpatch': `[configmap.*]\n${fill(patches, (at) => `data.k${at}: v\n`).join('')}`,
      },
    ],
  },
  {
    name: 'long keys and texts in findings',
    numbers: { length: [1, 400000, 9000], count: [1, 5000, 100] },
    make: ({ length, count }) => [
      ['validate', 'a.yaml'],
      { 'a.yaml': configMap('a', fill(count, (at) => `"${'k'.repeat(length)}${at}": 1\n`).join('')) },
    ],
  },
  {
    name: 'lines of a folded text',
    numbers: { lines: [1, 400000, 240000] },
    make: ({ lines }) => [
      ['build', 'a.yaml', '--jq', '.data.x = "1"'],
      {
        'a.yaml': configMap(
          'a',
          `data:\n  k: >\n${'    a\n\n'.repeat(lines / 2)}  l: "a\n${'    b\n'.repeat(lines / 3)}    c"\n`,
        ),
      },
    ],
  },
  {
    name: 'lines of a plain text',
    numbers: { lines: [1, 400000, 160000] },
    make: ({ lines }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': configMap(
          'a',
          `data:\n  k: a\n${'    a b\n'.repeat(lines / 2)}  l: 'a\n${"    b ''\n".repeat(lines / 3)}    c'\n`,
        ),
      },
    ],
  },
  {
    name: 'brackets in one line',
    numbers: { depth: [1, 250, 200], count: [1, 100000, 1500] },
    make: ({ depth, count }) => [
      ['build', 'a.yaml', '--label', 'a=b'],
      {
        'a.yaml': `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {l: [${fill(count, () => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`).join(', ')}]}\n`,
      },
    ],
  },
  {
    name: 'complex keys',
    numbers: { count: [1, 100000, 50000] },
    make: ({ count }) => [
      ['validate', 'a.yaml'],
      { 'a.yaml': configMap('a', `data:\n${fill(count, (at) => `  ? k${at}\n  : v\n`).join('')}`) },
    ],
  },
  {
    name: 'objects that are left out',
    numbers: { objects: [1, 10000, 5000] },
    make: ({ objects }) => [
      ['patch', 'a.yaml', '--patch', 'p.kpatch'],
      {
        'a.yaml': `apiVersion: v1\nkind: List\nitems:\n${fill(objects, (at) => `# c\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a${at}}\n`).join('')}`,
        'p.kpatch': fill(objects, (at) => `[configmap.a${at}]\nenabled: ${at % 2 === 0}\n`).join(''),
      },
    ],
  },
  {
    name: 'changes in a List',
    numbers: { objects: [1, 10000, 5000] },
    make: ({ objects }) => [
      ['patch', 'a.yaml', '--patch', 'p.kpatch', '--diff'],
      {
        'a.yaml': `apiVersion: v1\nkind: List\nitems:\n${fill(objects, (at) => `# c\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a${at}}\n`).join('')}`,
        'p.kpatch': fill(objects, (at) => `[configmap.a${at}]\ndata.k: ${at}\n`).join(''),
      },
    ],
  },
  {
    name: 'changes of many documents',
    numbers: { objects: [1, 10000, 5000] },
    make: ({ objects }) => [
      ['patch', 'a.yaml', '--patch', 'p.kpatch', '--diff'],
      {
        'a.yaml': documents(fill(objects, (at) => configMap(`a${at}`))),
        'p.kpatch': fill(objects, (at) => `[configmap.a${at}]\ndata.k: ${at}\n`).join(''),
      },
    ],
  },
  {
    name: 'keys of ConfigMaps',
    numbers: { keys: [1, 40000, 12000], uses: [1, 20000, 7000] },
    make: ({ keys, uses }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': documents([
          configMap('c', `data: {${fill(keys, (at) => `key${at}: v`).join(', ')}}\n`),
          `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: 'i:1', env: [${fill(uses, (at) => `{name: E${at}, valueFrom: {configMapKeyRef: {name: c, key: kye${at}}}}`).join(', ')}]}]}\n`,
        ]),
      },
    ],
  },
  {
    name: 'secrets and findings',
    numbers: { secrets: [1, 30000, 9000], fields: [1, 30000, 5000] },
    make: ({ secrets, fields }) => [
      ['validate', 'a.yaml'],
      {
        'a.yaml': `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n${fill(secrets, (at) => `  password${at}: secret-number-${at}\n`).join('')}${fill(fields, (at) => `field${at}: secret-number-${at}\n`).join('')}`,
      },
    ],
  },
  {
    name: 'environment from a parameter',
    numbers: { items: [1, 40000, 12000] },
    make: ({ items }) => [
      ['build', 'p', '--no-profile'],
      {
        'p/kurel.yaml': `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: shop}\nspec:\n  parameters:\n  - {name: e, type: array, items: {type: object}, default: [${fill(items, (at) => `{name: E${at}, value: ${at}}`).join(', ')}]}\n`,
        'p/app.yaml': application(
          `  - {name: web, type: webservice, properties: {image: 'i.example.com/i:1', env: '\${e}'}}\n`,
        ),
      },
    ],
  },
  {
    name: 'environment of a component',
    numbers: { items: [1, 40000, 12000] },
    make: ({ items }) => [
      ['validate', 'p', '--no-profile'],
      {
        'p/app.yaml': application(
          `  - name: web\n    type: webservice\n    properties:\n      image: i.example.com/i:1\n      env:\n${fill(items, (at) => `      - {name: E${at}, value: x}\n`).join('')}`,
        ),
      },
    ],
  },
  {
    name: 'containers of a component',
    numbers: { items: [1, 10000, 6000] },
    make: ({ items }) => [
      ['validate', 'p', '--no-profile'],
      {
        'p/app.yaml': application(
          `  - name: web\n    type: webservice\n    properties:\n      image: i.example.com/i:1\n      sidecars:\n${fill(items, (at) => `      - {name: s${at}, image: 'i.example.com/i:1', ports: [{containerPort: ${(at % 60000) + 1}}]}\n`).join('')}`,
        ),
      },
    ],
  },
  {
    name: 'manifests in a component',
    numbers: { objects: [1, 12000, 5000] },
    make: ({ objects }) => [
      ['validate', 'p', '--no-profile'],
      {
        'p/app.yaml': application(
          `  - name: web\n    type: manifests\n    properties:\n      inline: |\n${documents(fill(objects, (at) => configMap(`a${at}`))).replaceAll(/^/gm, '        ')}\n`,
        ),
      },
    ],
  },
  {
    name: 'patches of an application',
    numbers: { components: [1, 2000, 500], patches: [1, 10000, 1500] },
    make: ({ components, patches }) => [
      ['validate', 'p', '--no-profile'],
      {
        'p/app.yaml': application(
          fill(components, (at) => `  - {name: w${at}, type: worker, properties: {image: 'i.example.com/i:1'}}\n`).join(
            '',
          ),
        ),
        'p/patches/a.kpatch': `[deployment.*]\n${fill(patches, (at) => `metadata.annotations.a${at}: x\n`).join('')}`,
      },
    ],
  },
  {
    name: 'images of a policy',
    numbers: { registries: [1, 30000, 8000], components: [1, 5000, 2500] },
    make: ({ registries, components }) => [
      ['validate', 'p', '--no-profile', '--policy', 'policy.yaml'],
      {
        'policy.yaml': `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Policy\nmetadata: {name: p}\nspec: {enforced: {allowedRegistries: [${fill(registries, (at) => `registry${at}.example.com`).join(', ')}]}}\n`,
        'p/app.yaml': application(
          fill(components, (at) => `  - {name: w${at}, type: worker, properties: {image: 'i.example.com/i:1'}}\n`).join(
            '',
          ),
        ),
      },
    ],
  },
  {
    name: 'references deep into parameters',
    numbers: { depth: [1, 250, 100], count: [1, 20000, 1500] },
    make: ({ depth, count }) => [
      ['validate', 'p.kurel'],
      {
        'p.kurel/parameters.yaml': `${packageParameters}a: ${'{a: '.repeat(depth)}1${'}'.repeat(depth)}\n${fill(count, (at) => `b${at}: "\${a${'.a'.repeat(depth)}}"\n`).join('')}`,
        'p.kurel/resources/a.yaml': configMap(
          'a',
          `data: {${fill(count, (at) => `k${at}: "\${b${at}}"`).join(', ')}}\n`,
        ),
      },
    ],
  },
  {
    name: 'variables that do not exist',
    numbers: { parameters: [1, 40000, 15000], uses: [1, 40000, 15000] },
    make: ({ parameters, uses }) => [
      ['validate', 'p.kurel'],
      {
        'p.kurel/parameters.yaml': `${packageParameters}${fill(parameters, (at) => `parameter${at}: 1\n`).join('')}`,
        'p.kurel/resources/a.yaml': configMap(
          'a',
          `data: {${fill(uses, (at) => `k${at}: "\${paramter${at}}"`).join(', ')}}\n`,
        ),
      },
    ],
  },
  {
    name: 'paths in YAML patches',
    numbers: { objects: [1, 8000, 3000], paths: [1, 20000, 8000] },
    make: ({ objects, paths }) => [
      ['build', 'a.yaml', '--patch', 'p.yaml'],
      {
        'a.yaml': documents(fill(objects, (at) => configMap(`a${at}`))),
        'p.yaml': fill(paths, (at) => `data.k${at}: x\n`).join(''),
      },
    ],
  },
  {
    name: 'directories of files',
    numbers: { files: [1, 5000, 2500] },
    make: ({ files }) => [
      ['build', 'in', '--label', 'a=b'],
      Object.fromEntries(fill(files, (at) => [`in/d${at % 50}/f${at}.yaml`, configMap(`a${at}`)])),
    ],
  },
];
