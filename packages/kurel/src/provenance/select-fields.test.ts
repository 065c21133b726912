import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, KubeObject } from '../model/index.ts';
import { formatField } from './format-field.ts';
import { selectFields } from './select-fields.ts';
import { traceFields } from './field-tree.ts';

const web: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web', 'app.kubernetes.io/name': 'web' } },
  spec: {
    replicas: 1,
    template: {
      metadata: { labels: { app: 'web' }, annotations: { 'a b': 'c' } },
      spec: {
        containers: [
          { name: 'web', image: 'web:1', ports: [{ containerPort: 80 }, { containerPort: 81 }], args: ['x', 'y'] },
          { name: 'log', image: 'log:1', env: [{ name: 'A=B', value: '1' }] },
        ],
        initContainers: [{ name: 'init', image: 'init:1' }],
      },
    },
  },
};

function fieldsOf(object: KubeObject) {
  return traceFields(object, { start: object, causesOf: () => [], events: [] });
}

function select(object: KubeObject, text: string): readonly string[] | string {
  const selected = selectFields(fieldsOf(object), { object, text });
  if ('problem' in selected) return [selected.problem.message, selected.problem.hint].join(' | ');
  return selected.fields.map(({ path }) => formatField(path, object));
}

const pod = 'spec.template.spec';

it('accepts or rejects any number of spaces quickly', () => {
  const blanks = ' '.repeat(5000);
  expect(select(web, `containers[${blanks}name=${blanks}log${blanks}].image`)).toEqual([
    'spec.template.spec.containers[name=log].image',
  ]);
  expect(select(web, `containers[${blanks}name${blanks}=${blanks}log${blanks}].image`)).toContain(
    'not a valid selector',
  );
  expect(select(web, `containers[${blanks}=${blanks}`)).toContain('`[` is not closed');
});

describe('selectFields', () => {
  it.each<[text: string, fields: readonly string[]]>([
    ['replicas', ['spec.replicas']],
    ['spec.replicas', ['spec.replicas']],
    ['.spec.replicas', ['spec.replicas']],
    ['labels', ['metadata.labels.app', 'metadata.labels["app.kubernetes.io/name"]']],
    ['labels.app', ['metadata.labels.app']],
    ['labels.app.kubernetes.io/name', ['metadata.labels["app.kubernetes.io/name"]']],
    ['metadata.labels["app.kubernetes.io/name"]', ['metadata.labels["app.kubernetes.io/name"]']],
    ["labels['app.kubernetes.io/name']", ['metadata.labels["app.kubernetes.io/name"]']],
    ['template.labels', ['spec.template.metadata.labels.app']],
    ['template.metadata.labels', ['spec.template.metadata.labels.app']],
    ['annotations["a b"]', ['spec.template.metadata.annotations["a b"]']],
    ['name', ['metadata.name']],
    [
      'image',
      [
        `${pod}.containers[name=web].image`,
        `${pod}.containers[name=log].image`,
        `${pod}.initContainers[name=init].image`,
      ],
    ],
    ['containers.image', [`${pod}.containers[name=web].image`, `${pod}.containers[name=log].image`]],
    ['containers.*.image', [`${pod}.containers[name=web].image`, `${pod}.containers[name=log].image`]],
    ['containers[*].image', [`${pod}.containers[name=web].image`, `${pod}.containers[name=log].image`]],
    ['containers.name=log.image', [`${pod}.containers[name=log].image`]],
    ['containers[name=log].image', [`${pod}.containers[name=log].image`]],
    ['containers[name="log"].image', [`${pod}.containers[name=log].image`]],
    ['containers.1.image', [`${pod}.containers[name=log].image`]],
    ['containers[1].image', [`${pod}.containers[name=log].image`]],
    ['containers.ports.containerPort=81', [`${pod}.containers[name=web].ports[containerPort=81].containerPort`]],
    ['containers.args[1]', [`${pod}.containers[name=web].args[1]`]],
    ['containers.env[name="A=B"].value', [`${pod}.containers[name=log].env[0].value`]],
    ['containers[name=log,image=log:1].image', [`${pod}.containers[name=log].image`]],
    ['*.replicas', ['spec.replicas']],
    ['[*].replicas', ['spec.replicas']],
    ['["spec"].replicas.', ['spec.replicas']],
    [
      'spec.template.spec.initContainers',
      [`${pod}.initContainers[name=init].name`, `${pod}.initContainers[name=init].image`],
    ],
  ])('takes %s for %j', (text, fields) => {
    expect(select(web, text)).toEqual(fields);
  });

  it.each<[text: string, message: string]>([
    ['', '"" is not a valid field path: the key is empty'],
    ['.', '"." is not a valid field path: the key is empty'],
    ['spec..replicas', '"spec..replicas" is not a valid field path: a name is missing after `.`'],
    ['spec[replicas', '"spec[replicas" is not a valid field path: `[` is not closed'],
    ['spec[]', '"spec[]" is not a valid field path: the brackets are empty'],
    ['spec]', '"spec]" is not a valid field path: `]` has no opening `[`'],
    ['replicas = 3', '"replicas = 3" is not a valid field path: the key "replicas = 3" contains a space'],
    [
      'containers.name="web"',
      '"containers.name=\\"web\\"" is not a valid field path: the value of the selector "name=" needs brackets and quotes',
    ],
    ['args[-]', '"args[-]" is not a valid field path: "[-]" is a change, not a field'],
    ['args[+0]', '"args[+0]" is not a valid field path: "[+0]" is a change, not a field'],
    ['replicas[delete]', '"replicas[delete]" is not a valid field path: "[delete]" is a change, not a field'],
    ['spec.replcas', 'field "spec.replcas" does not exist in deployment.web | did you mean spec.replicas?'],
    [
      'containers.name=web.imgae',
      'field "containers.name=web.imgae" does not exist in deployment.web | did you mean containers.name=web.image?',
    ],
    [
      'containers.name=nobody',
      'field "containers.name=nobody" does not exist in deployment.web | omit FIELD to show all fields',
    ],
    [
      'containers[name=log,image=web:1]',
      'field "containers[name=log,image=web:1]" does not exist in deployment.web | omit FIELD to show all fields',
    ],
    ['[0].image', 'field "[0].image" does not exist in deployment.web | '],
    ['name=log.image', 'field "name=log.image" does not exist in deployment.web | '],
    ['containers[7]', 'field "containers[7]" does not exist in deployment.web | omit FIELD to show all fields'],
    ['spec.replicas.x', 'field "spec.replicas.x" does not exist in deployment.web | did you mean spec.replicas?'],
  ])('says of %j: %s', (text, message) => {
    const parsed = select(web, text);
    expect(String(parsed).slice(0, message.length)).toBe(message);
  });

  it('takes variables literally', () => {
    const shell: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data: { '${HOME}': 'a', '${': 'b', '$${x.y}': 'c' },
    };
    expect(select(shell, 'data.${HOME}')).toEqual(['data["${HOME}"]']);
    expect(select(shell, 'data["${"]')).toEqual(['data["${"]']);
    expect(select(shell, 'data.$${x.y}')).toEqual(['data["$${x.y}"]']);
  });

  it('finds every field by the name that it is given', () => {
    const key = fc.oneof(
      fc.constantFrom('name', 'metadata', 'labels', 'a.b', 'a', 'b', '0', '', 'x y', '"', "'", '=', '__proto__', '*'),
      fc.string({ maxLength: 4 }),
    );
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<Json>('web', 'a.b', 1, true, ''),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (spec) => {
        const object: KubeObject = { apiVersion: 'v1', kind: 'Thing', spec };
        const traces = fieldsOf(object);
        for (const trace of traces) {
          const text = formatField(trace.path, object);
          // What cannot be shown as it is cannot be typed either.
          if (!/^[\x20-\x7e]*$/.test(trace.path.join(''))) continue;
          const selected = selectFields(traces, { object, text });
          expect(selected).toMatchObject({ fields: expect.arrayContaining([trace]) });
        }
      }),
    );
  });

  it('reads or refuses whatever is typed', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', 'b', '.', '[', ']', '=', '"', "'", '*', '0', ' ', '\\'),
          maxLength: 12,
        }),
        (text) => {
          expect(Object.keys(selectFields(fieldsOf(web), { object: web, text }))).toHaveLength(1);
        },
      ),
    );
  });
});
