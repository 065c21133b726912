import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, Json, SourceFile } from '../../model/index.ts';
import type { Patch, PatchValue, Step, Target } from '../patch.ts';
import { yamlPatchProblems } from './problems.ts';
import { readPatchFile } from './read-patch-file.ts';
import { readYamlPatch } from './read-patch-file.ts';

function read(text: string, path = 'a.yaml') {
  const source: SourceFile = { path, text };
  const diagnostics: Diagnostic[] = [];
  return { ...readPatchFile(source, (one) => diagnostics.push(one)), diagnostics };
}

/** A patch in few words: target, steps and value. */
function outline(patch: Patch): Json {
  if (patch.type !== 'field') return [patch.type, outlineTarget(patch.target), patch.document];
  return [outlineTarget(patch.target), patch.steps.map(outlineStep).join(' '), outlineValue(patch.value)];
}

function outlineTarget(target: Target): string {
  return target.type === 'text' ? target.text.text : target.type;
}

function outlineStep(step: Step): string {
  if (step.type === 'field') return step.quoted ? JSON.stringify(step.name.text) : step.name.text;
  if (step.type === 'match')
    return step.conditions.map(({ path, value }) => `${path.join('.')}=${value.text}`).join(',');
  if (step.type === 'insert') return `${step.where}(${outlineStep(step.at)})`;
  return step.type === 'index' ? `#${step.index}` : step.type;
}

function outlineValue(value: PatchValue): Json {
  if (value.type === 'data') return value.data;
  if (value.type !== 'item') return value.type;
  return { item: value.entries.map(({ steps, value }) => [steps.map(outlineStep).join(' '), outlineValue(value)]) };
}

it('tells keys that are the same in a part of a manifest', () => {
  const { diagnostics, patches } = read('- target: web\n  type: merge\n  patch: {data: {y: a, yes: b}}\n');
  expect(diagnostics.map(({ code }) => code)).toEqual(['yaml-duplicate-key']);
  expect(patches).toEqual([]);
});

describe('patches', () => {
  const rows: readonly (readonly [name: string, text: string, patches: readonly Json[]])[] = [
    ['nothing', '', []],
    ['comments', '# none\n', []],
    ['null', '~\n', []],
    ['an empty mapping', '{}\n', []],
    [
      'words that are texts in values, as in .kpatch files',
      'spec.y: yes\nspec.b: {off: No, on: true}\n',
      [
        ['derived', 'spec y', 'yes'],
        ['derived', 'spec b', { off: 'No', on: true }],
      ],
    ],
    [
      'words that are booleans in parts of manifests',
      '- target: web\n  patch: {spec.a: yes}\n- target: web\n  type: strategic\n  patch: {spec: {tty: yes}}\n',
      [
        ['web', 'spec a', 'yes'],
        ['strategic', 'web', { spec: { tty: true } }],
      ],
    ],
    ['an empty list', '[]\n', []],
    ['an empty wrapper', 'patches: []\n', []],
    ['a wrapper of nothing', 'patches:\n', []],
    ['an entry that asks for nothing', '- target: web\n  patch: {}\n', []],
    ['empty documents around the one', '---\n# a\n---\nspec.replicas: 3\n---\n', [['derived', 'spec replicas', 3]]],
    [
      'a map, in order',
      'spec.replicas: 3\nweb.metadata.labels.tier: fe\ndeployment.web.spec.paused: true\n',
      [
        ['derived', 'spec replicas', 3],
        ['derived', 'web metadata labels tier', 'fe'],
        ['derived', 'deployment web spec paused', true],
      ],
    ],
    [
      'values of all kinds',
      'a: null\nb: {x: [1, {z: 2}]}\nc: 12345678901234567890\nd: 1.50\ne: "1"\nf:\n',
      [
        ['derived', 'a', null],
        ['derived', 'b', { x: [1, { z: 2 }] }],
        ['derived', 'c', 12345678901234567890n],
        ['derived', 'd', 1.5],
        ['derived', 'e', '1'],
        ['derived', 'f', null],
      ],
    ],
    [
      'entries, in their order',
      '- target: deployment.web\n  patch:\n    spec.replicas: 3\n    spec.paused: true\n- patch: {spec.type: NodePort}\n- target: shop/deployment.web\n  type: ""\n  patch: {a: 1}\n',
      [
        ['deployment.web', 'spec replicas', 3],
        ['deployment.web', 'spec paused', true],
        ['derived', 'spec type', 'NodePort'],
        ['shop/deployment.web', 'a', 1],
      ],
    ],
    [
      'documents',
      '- {target: web, type: strategic, patch: {spec: {replicas: 3}}}\n- {target: web, type: merge, patch: {a: null}}\n- {target: web, type: json, patch: [{op: remove, path: /a}]}\n',
      [
        ['strategic', 'web', { spec: { replicas: 3 } }],
        ['merge', 'web', { a: null }],
        ['json', 'web', [{ op: 'remove', path: '/a' }]],
      ],
    ],
    ['the wrapper', 'patches:\n  - target: web\n    patch: {a.b: 1}\n', [['web', 'a b', 1]]],
    ['JSON', '[{"target": "web", "patch": {"a.b": 1}}]', [['web', 'a b', 1]]],
    [
      'aliases',
      '- target: &t web\n  patch: &p {a: 1}\n- target: *t\n  patch: *p\n',
      [
        ['web', 'a', 1],
        ['web', 'a', 1],
      ],
    ],
    [
      'steps of all kinds',
      'a[0].b: 1\na.0: 2\na[name=x].b: 3\na.name=x.b: 4\na[*].b: 5\na["b.c"]: 6\n"a.\'b.c\'": 7\n"a[-]": 8\na[+name=x]: 9\na[-0]: 10\n',
      [
        ['derived', 'a #0 b', 1],
        ['derived', 'a 0', 2],
        ['derived', 'a name=x b', 3],
        ['derived', 'a name=x b', 4],
        ['derived', 'a all b', 5],
        ['derived', 'a "b.c"', 6],
        ['derived', 'a "b.c"', 7],
        ['derived', 'a append', 8],
        ['derived', 'a after(name=x)', 9],
        ['derived', 'a before(#0)', 10],
      ],
    ],
    [
      'deletions',
      'metadata.labels.tier[delete]:\nmetadata.labels[delete=tier]: ""\nspec.containers[delete=name=b]: null\n',
      [
        ['derived', 'metadata labels tier delete', 'none'],
        ['derived', 'metadata labels delete', 'none'],
        ['derived', 'spec containers delete', 'none'],
      ],
    ],
    [
      'paths into one new item',
      '- target: web\n  patch:\n    spec.containers[+name=web].name: z\n    spec.containers[+name=web].env.a: {b: 1}\n    spec.replicas: 3\n    spec.containers[+name=web].image: x\n',
      [
        [
          'web',
          'spec containers after(name=web)',
          {
            item: [
              ['name', 'z'],
              ['env a', { b: 1 }],
            ],
          },
        ],
        ['web', 'spec replicas', 3],
        ['web', 'spec containers after(name=web)', { item: [['image', 'x']] }],
      ],
    ],
    [
      'variables',
      '- target: "deployment.${values.name}"\n  patch: {"metadata.labels.${values.key}": "${values.n}"}\n',
      [['deployment.${values.name}', 'metadata labels ${values.key}', '${values.n}']],
    ],
    [
      'keys of the prototype',
      'constructor: 1\ntoString.valueOf: 2\n',
      [
        ['derived', 'constructor', 1],
        ['derived', 'toString valueOf', 2],
      ],
    ],
  ];

  it.each(rows)('%s', (_name, text, expected) => {
    const { patches, diagnostics, format } = read(text);
    expect(diagnostics).toEqual([]);
    expect(format).toBe('yaml');
    expect(patches.map(outline)).toEqual(expected);
  });

  it('takes variables of targets and keys apart', () => {
    const [patch] = read('- target: "${a.b}"\n  patch: {"x.${c}": 1}\n').patches;
    expect(patch).toMatchObject({
      target: { text: { parts: [{ path: ['a', 'b'] }] } },
      steps: [{ name: { parts: ['x'] } }, { name: { parts: [{ path: ['c'] }] } }],
    });
  });

  it('says where everything stands', () => {
    const { patches } = read(
      '---\n# a\n---\n- target: web\n  patch: {a.b: 1}\n- target: web\n  type: merge\n  patch: {a: 1}\n',
    );
    const file = 'a.yaml';
    const document = 1;
    expect(patches).toMatchObject([
      {
        text: '[web] a.b',
        location: { file, document, path: [0, 'patch', 'a.b'], at: 'key' },
        target: { location: { file, document, path: [0, 'target'] } },
        value: { location: { file, document, path: [0, 'patch', 'a.b'] } },
      },
      {
        location: { file, document, path: [1, 'patch'] },
        target: { location: { file, document, path: [1, 'target'] } },
      },
    ]);
    const wrapped = read('patches: [{patch: {a.b: 1}}]').patches;
    expect(wrapped).toMatchObject([{ text: 'a.b', location: { document: 0, path: ['patches', 0, 'patch', 'a.b'] } }]);
  });

  it('gives none for what it reports, and all others', () => {
    const { patches, diagnostics } = read(
      '- target: web\n  patch: {a..b: 1, c: 2}\n- target: 3\n  patch: {d: 4}\n- {patch: {e: 5}}\n',
    );
    expect(patches.map(outline)).toEqual([
      ['web', 'c', 2],
      ['derived', 'e', 5],
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['patch-path-syntax', 'patch-entry-invalid']);
  });

  it('reads many paths', { tags: 'slow' }, () => {
    const text = Array.from({ length: 200_000 }, (_, index) => `a.b${index}: ${index}\n`).join('');
    expect(read(text).patches).toHaveLength(200_000);
  });
});

describe('whichever format', () => {
  it.each([
    ['-', '[deployment.web]\nreplicas: 3\n', 'kpatch'],
    ['a.kpatch', 'replicas: 3\n', 'kpatch'],
    ['-', 'spec.replicas: 3\n', 'yaml'],
  ])('%s %j', (path, text, format) => {
    const file = read(text, path);
    expect(file.diagnostics).toEqual([]);
    expect(file.format).toBe(format);
    expect(file.patches).toHaveLength(1);
  });

  it('an empty one has no patches', () => {
    expect(read('# nothing\n', '-')).toMatchObject({ patches: [], diagnostics: [] });
    expect(read('', 'a.kpatch')).toMatchObject({ patches: [], diagnostics: [] });
  });
});

describe('any YAML', () => {
  const words =
    'target type patch patches op path kind apiVersion metadata name spec.replicas a[-].b a[-].c a[delete] a..b';
  const word = fc.constantFrom(...words.split(' '), '', '[', '${', '${a}', 'constructor', '0');
  const text = fc.oneof(
    word,
    fc.constantFrom('strategic', 'merge', 'json', 'deployment.web', 'kustomize.config.k8s.io/v1'),
    fc.string(),
  );
  const node: fc.Arbitrary<Json> = fc.letrec<{ readonly node: Json }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(word, tie('node'), { maxKeys: 5, noNullPrototype: true }),
    ),
  })).node;

  it('is read or refused, never thrown at', { tags: 'slow' }, () => {
    const codes = new Set<string>();
    let accepted = 0;
    fc.assert(
      fc.property(node, (data) => {
        const { patches, diagnostics } = read(JSON.stringify(data));
        for (const { code, location } of diagnostics) {
          codes.add(code);
          expect(location).toBeDefined();
        }
        if (patches.length > 0 && diagnostics.length === 0) accepted += 1;
      }),
      { numRuns: 5000 },
    );
    expect(accepted).toBeGreaterThan(50);
    const others = ['patch-format-unrecognized', 'yaml-multiple-documents'];
    expect([...codes, ...others]).toEqual(expect.arrayContaining(Object.keys(yamlPatchProblems.definitions)));
  });

  it('even if it is not valid YAML', () => {
    const pieces = fc.constantFrom(
      '- ',
      'target: ',
      'patch:',
      '\n',
      '  ',
      'a.b: ',
      '{',
      '}',
      '[',
      ']',
      '"',
      '|',
      '---\n',
      '&a ',
      '*a',
      'x',
      '!t ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (words) => {
        const diagnostics: Diagnostic[] = [];
        readYamlPatch({ path: 'a', text: words.join('') }, (one) => diagnostics.push(one));
        for (const { severity } of diagnostics) expect(severity).toBe('error');
      }),
      { numRuns: 3000 },
    );
  });
});
