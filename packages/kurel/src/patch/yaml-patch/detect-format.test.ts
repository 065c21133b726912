import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectPatchFormat } from './detect-format.ts';

describe('by name', () => {
  it.each([
    ['a.kpatch', 'x: 1', 'kpatch'],
    ['dir/a.KPATCH', '- target: x', 'yaml'],
    ['a.kpatch', '\uFEFF# note\r\n\r\n---\r\n- target: x', 'yaml'],
    ['a.kpatch', '-\n  target: x', 'yaml'],
    ['a.kpatch', '-x: 1', 'kpatch'],
    ['a.kpatch', '{spec.replicas: 3}', 'kpatch'],
    ['a.kpatch', '[deployment.web]\n- target: x', 'kpatch'],
    ['a.kpatch', '', 'kpatch'],
    ['a.yaml', '[deployment.web]', 'yaml'],
    ['a.yml', '', 'yaml'],
    ['a.json', '[deployment.web]', 'yaml'],
    ['a.yaml.kpatch', 'x: 1', 'kpatch'],
    ['a.txt', '[deployment.web]', 'kpatch'],
    ['kpatch', 'x: 1', 'yaml'],
    ['-', 'x: 1', 'yaml'],
    ['https://example.com/a.yaml', 'x', 'yaml'],
  ])('%s with %j is %s', (path, text, format) => {
    expect(detectPatchFormat({ path, text })).toBe(format);
  });
});

describe('by content', () => {
  const rows: readonly (readonly [format: string | undefined, name: string, text: string])[] = [
    ['yaml', 'an equals sign in a value', 'x: a = b'],
    ['yaml', 'a list in brackets', '[{target: deployment.web, patch: {spec.replicas: 3}}]'],
    ['kpatch', 'a byte order mark before a header', '\uFEFF[deployment.web]\nreplicas: 3'],
    ['yaml', 'a byte order mark before a map', '\uFEFFspec.replicas: 3'],
    ['yaml', 'a document marker before a list', '---\n- target: web\n  patch: {}'],
    ['yaml', 'a document marker before a map', '--- # patches\nspec.replicas: 3'],
    [
      'kpatch',
      'an entry before the first header',
      'metadata.labels: "${global.labels}"\n\n[deployment.web]\nreplicas: 3',
    ],

    ['empty', 'nothing', ''],
    ['empty', 'a byte order mark', '\uFEFF'],
    ['empty', 'blanks', ' \n\t\r\n'],
    ['empty', 'comments', '# a\n  # b: c\r\n'],
    ['empty', 'markers', '---\n# a\n---\n'],
    ['empty', 'a directive', '%YAML 1.2\n---\n'],

    ['yaml', 'a list', '- target: web'],
    ['yaml', 'a lone dash', '-\n  target: web'],
    ['yaml', 'a list that holds a header', '- x\n[deployment.web]'],
    ['yaml', 'a map in braces', '{spec.replicas: 3}'],
    ['yaml', 'a map in braces over lines', '{\n"a.b": 1 }'],
    ['yaml', 'JSON', '[\n  {\n    "target": "deployment.web"\n  }\n]\n'],
    ['yaml', 'content after the marker', '--- {a.b: 1}'],
    ['yaml', 'a directive', '%YAML 1.2\n---\na.b: 1'],
    ['yaml', 'a map', '# note\nspec.replicas: 3'],
    ['yaml', 'a key with quotes', '"spec.replicas": 3'],
    ['yaml', 'a key whose value follows', 'metadata.labels:\n  a: b'],
    ['yaml', 'an entry without a header, which could be either', 'image.tag: "1.2"\nreplicas: 2'],

    ['kpatch', 'a header', '[deployment.web]'],
    ['kpatch', 'a header with a comment', '  [deployment.web]   # note: this'],
    ['kpatch', 'blanks in the brackets', '[ deployment.web ]'],
    ['kpatch', 'carriage returns', '\r\n[deployment.web]\r\nx: 1\r\n'],
    ['kpatch', 'a namespace', '[shop/deployment.web]'],
    ['kpatch', 'wildcards', '[*.*]'],
    ['kpatch', 'an API group', 'a: 1\n[deployment@apps/web]'],
    ['kpatch', 'an API group with dots', 'a: 1\n[service@serving.knative.dev/web]'],
    ['kpatch', 'a glob', '[deployment.web-?*]'],
    ['kpatch', 'a variable as kind', '[${values.kind}.web]'],
    ['kpatch', 'a variable with brackets and quotes', '[deployment.${a["x]"]}]'],
    ['kpatch', 'a quoted namespace', '["my shop"/deployment.web]'],
    ['kpatch', 'a quoted name', '[configmap."a, b"]'],
    ['kpatch', 'a name in brackets', '[configmap["a, b"]]'],
    ['kpatch', 'a selector', '[deployment.web.containers.name=main]'],
    ['kpatch', 'a selector with a comma in its value', '[deployment.web.containers.image=a:1,b]'],
    ['kpatch', 'selectors in brackets', '[deployment.web.containers[name=main, image=nginx:1].env[-]]'],
    ['kpatch', 'a quoted value with brackets', '[deployment.web.args[name="]"]]'],
    ['kpatch', 'names that are not English', '[größe.ñandú.𝒳]'],
    ['kpatch', 'a header without a name', '[deployment]\nreplicas: 3'],
    ['kpatch', 'a header far below', `${'a.b: 1\n'.repeat(1000)}[deployment.web]`],
    ['kpatch', 'a header after a block', 'a: |\n  text\n[deployment.web]'],
    ['kpatch', 'a header behind brackets', 'a: [1,\n  2]\n[deployment.web]'],
    ['kpatch', 'a header behind brackets in a key', 'a[name="x: [y"].b: c\n[deployment.web]'],
    ['kpatch', 'a header after a variable in a key', 'a.${x: [}: c\n[deployment.web]'],
    ['kpatch', 'a header after a bracket in a string', 'a: see [b\n[deployment.web]'],
    ['kpatch', 'a header after a comment', 'a: b # [\n[deployment.web]'],
    ['kpatch', 'a header after an invalid block', 'a: |x\n  [deployment.web]'],
    ['kpatch', 'a header after the end of a quoted bracket', 'a: ["]", \'[\']\n[deployment.web]'],

    ['yaml', 'a header in a block', 'data.toml: |\n  [deployment.web]\n  replicas: 3\n'],
    ['yaml', 'a header in a folded block with indicators', 'data.toml: >2-  # note\n    [deployment.web]\n'],
    ['yaml', 'a header in a block behind blank lines', 'a: |\n\n\n  x\n\n  [deployment.web]'],
    ['yaml', 'a header in a tagged block', 'a: !!str &x |\n  [deployment.web]'],
    ['yaml', 'a header in a block of an item', 'a:\n  - |\n   [deployment.web]\n  - x'],
    [
      'yaml',
      'a header in a block of a key of an item',
      'a:\n  - b: |\n      [deployment.web]\n    c: |\n      [deployment.web]',
    ],
    ['kpatch', 'a header below a block of a key of an item', 'a:\n  - b: |\n      x\n    [deployment.web]'],
    ['yaml', 'a header in brackets', 'a: [\n  [deployment.web]\n]'],
    [
      'yaml',
      'a header in nested brackets',
      'a: {b: [\n[deployment.web]\n], "c]}": "\n[deployment.web]\n", # ]}\n[deployment.web]: x\n}',
    ],
    ['yaml', 'an apostrophe in brackets', "a: [it's,\n[deployment.web]\n]"],
    ['yaml', 'a list on its own line', 'a:\n  [x, y.z]'],
    ['yaml', 'a list with one path', 'a:\n  [shop/web]'],
    ['yaml', 'a list with one address', 'a:\n  [web@shop]'],
    ['yaml', 'quoted texts on their own line', 'a:\n  ["x.y", \'z\']'],
    ['yaml', 'a number on its own line', 'a:\n  [1.5]'],
    ['yaml', 'a list with something after it', 'a:\n  [x.y] z'],

    [undefined, 'an assignment', 'spec.replicas = 3'],
    [undefined, 'a word', 'hello'],
    [undefined, 'a text in quotes', '"hello'],
    [undefined, 'two dashes', '--'],
    ['yaml', 'an unclosed header', '[deployment.web'],
  ];

  it.each(rows)('%s: %s', (format, _name, text) => {
    expect(detectPatchFormat({ path: '-', text })).toBe(format);
  });

  describe('of odd pieces', () => {
    const pieces = [
      '[',
      ']',
      '{',
      '"',
      "'",
      '$',
      '${',
      '}',
      '\\',
      ' ',
      '\n',
      '\r\n',
      '#',
      ' #',
      ':',
      ': ',
      '- ',
      '|',
      '> ',
      'a',
      'a.b',
      '&x ',
      '=',
      ',',
    ];

    it('takes any text', () => {
      fc.assert(
        fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (words) => {
          const format = detectPatchFormat({ path: '-', text: words.join('') });
          expect(['kpatch', 'yaml', 'empty', undefined]).toContain(format);
        }),
        { numRuns: 3000 },
      );
    });

    it('takes lines of any length in one pass', { tags: 'slow' }, () => {
      for (const piece of pieces) {
        for (const start of ['', '[a.', '[', 'a: ', 'a[']) {
          detectPatchFormat({ path: '-', text: start + piece.repeat(200_000) });
        }
      }
    });
  });
});
