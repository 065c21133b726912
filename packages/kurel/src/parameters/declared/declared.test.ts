import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, Json, JsonObject, Path } from '../../model/index.ts';
import { locateInYaml, readYaml, writeYaml } from '../../yaml/index.ts';
import { readValues } from '../layers.ts';
import type { ParameterLayer } from '../layers.ts';
import { fillApplication, resolveDeclared } from '../index.ts';
import type { DeclaredValues, ParameterType } from '../index.ts';
import { readLayers, readPackage, resolvePackage } from '../../../test/declared/read-package-cases.ts';

interface Given {
  readonly parameters: string;
  readonly values?: string;
  readonly set?: readonly string[];
}

interface Resolution {
  readonly values: DeclaredValues | undefined;
  readonly codes: readonly string[];
}

function resolve({ parameters, values, set = [] }: Given): Resolution {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const declarations = readPackage({ path: 'kurel.yaml', text: `spec:\n  parameters: ${parameters}\n` }, report);
  const layers = readLayers(values === undefined ? [] : [{ path: 'values.yaml', text: values }], set);
  const resolved = found.length === 0 ? resolvePackage(declarations, layers, report) : undefined;
  return { values: resolved, codes: found.map(({ code }) => code) };
}

function valueOf(given: Given, name = 'x'): Json | undefined | readonly string[] {
  const { values, codes } = resolve(given);
  return codes.length > 0 ? codes : values?.values.get(name)?.value;
}

function fill(text: string, values: DeclaredValues): ReturnType<typeof fillApplication> {
  return fillApplication({ path: 'app.yaml', text }, values, {
    report: ({ message }) => expect.unreachable(message),
  });
}

describe('defaults', () => {
  it.each<[ParameterType, string, Json | undefined | readonly string[]]>([
    ['integer', 'null', undefined],
    ['integer', '"3"', 3],
    ['integer', '"+3"', 3],
    ['integer', '"-3"', -3],
    ['integer', '3', 3],
    ['integer', '3.0', 3],
    ['integer', '"3.0"', ['field-type']],
    ['integer', '3.5', ['field-type']],
    ['integer', 'true', ['field-type']],
    ['integer', '[]', ['field-type']],
    ['integer', '"9007199254740993"', 9007199254740993n],
    ['boolean', '"t"', true],
    ['boolean', '"F"', false],
    ['boolean', '"TRUE"', true],
    ['boolean', '"0"', false],
    ['boolean', 'false', false],
    ['boolean', '"yes"', ['field-type']],
    ['boolean', '1', ['field-type']],
    ['string', '""', ''],
    ['string', '1.10', '1.10'],
    ['string', '0755', '0755'],
    ['string', '2024-01-01', '2024-01-01'],
    ['string', 'true', 'true'],
    ['string', '{}', ['field-type']],
    ['string', '"$${x}"', '${x}'],
    ['number', '1e3', 1000],
    ['number', '"1.5"', 1.5],
    ['number', '"0x10"', ['field-type']],
    ['array', '[1, "$${a}"]', [1, '${a}']],
    ['object', '{a: 1.10}', { a: 1.1 }],
    ['string', '"${name}-tls"', 'webservice-tls'],
    ['array', '["${name}"]', ['webservice']],
  ])('%s %s', (type, text, expected) => {
    expect(valueOf({ parameters: `[{name: x, type: ${type}, default: ${text}}]` })).toEqual(expected);
  });

  it('satisfy a requirement', () => {
    expect(valueOf({ parameters: '[{name: x, type: string, required: true, default: a}]' })).toBe('a');
  });

  it('may refer to a parameter that is declared later if it was set', () => {
    const parameters = '[{name: x, type: string, default: "a${z}"}, {name: z, type: integer}]';
    expect(valueOf({ parameters, set: ['z=007'] })).toBe('a007');
    expect(valueOf({ parameters })).toEqual(['reference-unset']);
  });

  it('do not search inserted values again', () => {
    const parameters = '[{name: z, type: string}, {name: x, type: string, default: "a${z}"}]';
    expect(valueOf({ parameters, set: ['z=${name}'] })).toBe('a${name}');
  });
});

describe('given values', () => {
  it.each<[ParameterType, string, Json | undefined | readonly string[]]>([
    ['integer', '3', 3],
    ['integer', '3.0', ['field-type']],
    ['integer', '+3', 3],
    ['integer', '0755', 755],
    ['integer', '', ['field-type']],
    ['integer', '123456789012345678901', 123456789012345678901n],
    ['boolean', 'T', true],
    ['boolean', 'no', ['field-type']],
    ['string', '1.10', '1.10'],
    ['string', '', ''],
    ['string', 'a=b=c', 'a=b=c'],
    ['string', 'null', undefined],
    ['string', 'Null', 'Null'],
    ['integer', 'null', undefined],
    ['array', 'null', undefined],
    ['number', '-.5e1', -5],
    ['number', '12345678901234567890', 12345678901234567890n],
    ['number', '1e999', ['field-type']],
    ['array', '[]', ['value-set-structure']],
    ['object', '{}', ['value-set-structure']],
  ])('--set of %s: %j', (type, text, expected) => {
    expect(valueOf({ parameters: `[{name: x, type: ${type}}]`, set: [`x=${text}`] })).toEqual(expected);
  });

  it.each<[ParameterType, string, Json | undefined | readonly string[]]>([
    ['integer', '3.0', 3],
    ['integer', '"3"', 3],
    ['integer', '"3.0"', ['field-type']],
    ['integer', '1e30', ['field-format']],
    ['integer', 'null', undefined],
    ['boolean', '"True"', true],
    ['string', '!!str 5', '5'],
    ['string', '&a 5.0', '5.0'],
    ['string', '0x1F # hex', '0x1F'],
    ['string', '1_000', '1_000'],
    ['string', '+1', '+1'],
    ['string', '[1]', ['field-type']],
    ['array', '{}', ['field-type']],
    ['object', '[]', ['field-type']],
    ['array', '[{a: 1}]', [{ a: 1 }]],
    ['object', '{__proto: 1, constructor: 2}', { __proto: 1, constructor: 2 }],
  ])('a values file for %s: %s', (type, text, expected) => {
    expect(valueOf({ parameters: `[{name: x, type: ${type}}]`, values: `x: ${text}\n` })).toEqual(expected);
  });

  it.each<[string, string, Json | readonly string[]]>([
    ['type: integer, enum: [1, 2]', '2.0', 2],
    ['type: integer, enum: [12345678901234567890]', '12345678901234567890', 12345678901234567890n],
    ['type: string, enum: [1.10, b]', '"1.10"', '1.10'],
    ['type: string, enum: [1.10, b]', '1.1', ['field-enum']],
    ['type: array, enum: [[1], [{a: 1, b: 2}]]', '[{b: 2, a: 1}]', [{ a: 1, b: 2 }]],
    ['type: array, enum: [[1], [{a: 1}]]', '[{a: 2}]', ['field-enum']],
    ['type: number, minimum: 0.5, maximum: 1', '0.5', 0.5],
    ['type: number, minimum: 0.5', '0.4', ['field-range']],
    ['type: integer, maximum: 12345678901234567890', '12345678901234567891', ['field-range']],
    ['type: string, pattern: b', 'abc', 'abc'],
    ['type: string, pattern: ^b', 'abc', ['field-format']],
    ['type: string, pattern: "^(a+)+$"', `${'a'.repeat(100)}b`, ['field-format']],
    ['type: array, items: {type: string}', '[1.10, yes]', ['1.10', 'yes']],
    ['type: array, items: {type: array, items: {type: integer}}', '[[1], [x]]', ['field-type']],
    ['type: object, properties: {a: {type: boolean}}', '{a: "t", b: 1}', { a: true, b: 1 }],
    ['type: array, items: {type: object, required: [a]}', '[{}]', ['field-required']],
    ['type: array, items: {enum: [1, a]}', '[1, a, b]', ['field-enum']],
  ])('{%s}: %s', (rules, text, expected) => {
    expect(valueOf({ parameters: `[{name: x, ${rules}}]`, values: `x: ${text}\n` })).toEqual(expected);
  });

  it('come before defaults: a missing one is reported although a default needs it', () => {
    const parameters = '[{name: x, type: string, default: "${z}"}, {name: z, type: string, required: true}]';
    expect(valueOf({ parameters })).toEqual(['field-required']);
  });

  it('are not required if they are unused', () => {
    const report = (): never => expect.unreachable('nothing is missing');
    const text = 'spec:\n  parameters: [{name: x, type: string, required: true}]\n';
    const options = { packageName: 'p', packageLocation: { file: 'kurel.yaml' }, report, isUsed: () => false };
    const values = resolveDeclared(readPackage({ path: 'kurel.yaml', text }, report), [], options)!;
    const isLeftOut = (path: Path): boolean => path[0] === 'hidden';
    const app = { path: 'app.yaml', text: 'hidden: {a: "${x}"}\nshown: ${name}\n' };
    expect(fillApplication(app, values, { report, isLeftOut })?.data).toEqual({ hidden: { a: '${x}' }, shown: 'p' });
  });

  it('of several files merge, and each keeps its own text', () => {
    const text =
      'spec:\n  parameters: [{name: v, type: string}, {name: m, type: object}, {name: d, type: string, default: e}]\n';
    const report = ({ message }: Diagnostic): never => expect.unreachable(message);
    const first = { path: 'a.yaml', text: 'v: 1.5\nm: {a: 1, b: null, c: {d: 1}}\nd: x\n' };
    const second = { path: 'b.yaml', text: 'v: "2.50"\nm: {a: null, c: {e: 2}}\nd: null\n' };
    const declarations = readPackage({ path: 'kurel.yaml', text }, report);
    const values = resolvePackage(declarations, readLayers([first, second], []), report);
    const given = Array.from(values!.values.values(), ({ name, value }) => [name, value]);
    expect(Object.fromEntries(given)).toEqual({
      name: 'webservice',
      v: '2.50',
      m: { b: null, c: { d: 1, e: 2 } },
      d: 'e',
    });
    expect(values!.values.get('m')!.originAt(['c', 'd']).location.file).toBe('a.yaml');
    expect(values!.values.get('m')!.originAt(['c', 'e']).location.file).toBe('b.yaml');
  });

  it('from a program have no text', () => {
    const layer: ParameterLayer = { kind: 'set', source: { path: 'program', text: '' }, data: { x: 1.5, z: [1] } };
    const text = 'spec:\n  parameters: [{name: x, type: string}, {name: z, type: array}]\n';
    const report = (): never => expect.unreachable('all is well');
    const values = resolvePackage(readPackage({ path: 'kurel.yaml', text }, report), [layer], report);
    expect(values?.values.get('x')?.value).toBe('1.5');
    expect(values?.values.get('z')?.value).toEqual([1]);
  });
});

describe('the spelling of a value', () => {
  const parameters =
    '[{name: i, type: integer, default: +007}, {name: b, type: boolean}, {name: n, type: number, default: "1.50"}, ' +
    '{name: s, type: string, default: "${i}"}, {name: chain, type: integer, default: "${i}"}]';
  const text =
    'i: "x-${i}"\nb: "x-${b}"\nn: "x-${n}"\ns: "x-${s}"\nchain: "x-${chain}"\nwhole: ["${i}", "${b}", "${n}"]\n';

  it.each<[string, Partial<Given>, Json]>([
    [
      'defaults and files',
      { values: 'b: True\n' },
      { i: 'x-+007', b: 'x-True', n: 'x-1.50', s: 'x-+007', chain: 'x-+007', whole: [7, true, 1.5] },
    ],
    [
      'assignments',
      { set: ['i=010', 'b=T', 'n=2.50'] },
      { i: 'x-010', b: 'x-T', n: 'x-2.50', s: 'x-010', chain: 'x-010', whole: [10, true, 2.5] },
    ],
    [
      'strings in files',
      { values: 'i: "+01"\nb: "1"\nn: 0x10\n' },
      { i: 'x-+01', b: 'x-1', n: 'x-0x10', s: 'x-+01', chain: 'x-+01', whole: [1, true, 16] },
    ],
  ])('is kept in a longer string: %s', (_, given, expected) => {
    expect(fill(text, resolve({ parameters, ...given }).values!)?.data).toEqual(expected);
  });
});

describe('places', () => {
  const kurel = {
    path: 'kurel.yaml',
    text: `spec:
  parameters:
  - {name: env, type: array}
  - {name: host, type: string}
  - {name: ports, type: array, default: [{port: 80, host: "\${host}", env: "\${env}"}]}
  - {name: again, type: array, default: "\${ports}"}
`,
  };
  const file = { path: 'values.yaml', text: 'env:\n- name: A\n  value: one\n' };
  const app = {
    path: 'app.yaml',
    text: 'a: x-${host}\nenv: ${env}\nports: ${again}\nplain: {b: 1, "$${k}": {c: 2}}\n',
  };
  const report = ({ message }: Diagnostic): never => expect.unreachable(message);
  const layers = readLayers([file], ['host=example.org']);
  const values = resolvePackage(readPackage(kurel, report), layers, report)!;
  const filled = fillApplication(app, values, { report })!;

  it.each<[Path, string, string, readonly string[]]>([
    [['a'], 'app.yaml', 'x-${host}', ['host']],
    [['env'], 'app.yaml', '${env}', ['env']],
    [['env', 0, 'value'], 'values.yaml', 'one', ['env']],
    [['env', 0, 'missing'], 'values.yaml', '-', ['env']],
    [['env', 7], 'values.yaml', 'env', ['env']],
    [['ports'], 'app.yaml', '${again}', ['again']],
    [['ports', 0, 'port'], 'kurel.yaml', '80', ['again']],
    [['ports', 0, 'host'], 'kurel.yaml', '"${host}"', ['again']],
    [['ports', 0, 'env'], 'kurel.yaml', '"${env}"', ['again']],
    [['ports', 0, 'env', 0, 'name'], 'values.yaml', 'A', ['again']],
    [['plain', 'b'], 'app.yaml', '1', []],
    [['plain', '${k}', 'c'], 'app.yaml', '2', []],
  ])('%j', (path, name, text, references) => {
    const location = filled.locate(path);
    expect(location.file).toBe(name);
    const source = [kurel, file, app].find((one) => one.path === name)!;
    const range = locateInYaml(source, location)!;
    expect(source.text.slice(range.start, range.end)).toBe(text);
    expect(filled.referencesAt(path)).toEqual(references);
  });

  it('report where a value came from', () => {
    const { host, ports, env, name } = Object.fromEntries(values.values);
    expect(host?.originAt([])).toEqual({
      from: 'layer',
      layer: layers[1],
      location: { file: '--set[0]', range: { start: 0, end: 16 } },
    });
    expect(env?.originAt([0])).toMatchObject({ from: 'layer', layer: layers[0] });
    expect(ports?.originAt([0])).toMatchObject({ from: 'default', location: { file: 'kurel.yaml' } });
    expect(ports?.refersTo).toEqual(['host', 'env']);
    expect(name?.originAt([])).toMatchObject({ from: 'package', location: { path: ['metadata', 'name'] } });
  });
});

const scalar = fc.oneof(
  fc.integer(),
  fc.bigInt({ min: 2n ** 60n, max: 2n ** 80n }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  fc.boolean(),
  fc.constantFrom('$', '$$', '{x}', '${', '${}', '}', '1.10', 'yes', ''),
  fc.string().filter((text) => !text.includes('${')),
  fc.constant(null),
);
const tree: fc.Arbitrary<Json> = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '$x', 'constructor', '${}'), tie('tree'), { maxKeys: 3 }),
  ),
})).tree;

describe('filling', () => {
  const none = resolve({ parameters: '[]' }).values!;

  it('keeps everything without references', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b'), tree, { minKeys: 1 }), (data) => {
        const text = writeYaml(data);
        const read = readYaml({ path: 'app.yaml', text }).documents[0]?.data;
        expect(fill(text, none)?.data).toEqual(read);
      }),
    );
  });

  it('keeps the type of every value', () => {
    const parameters = '[{name: list, type: array}, {name: mapping, type: object}, {name: text, type: string}]';
    fc.assert(
      fc.property(
        fc.array(tree),
        fc.dictionary(fc.constantFrom('a', 'b'), tree),
        fc.string(),
        (list, mapping, text) => {
          const given: JsonObject = { list, mapping, text };
          const { values, codes } = resolve({ parameters, values: writeYaml(given) });
          expect(codes).toEqual([]);
          const filled = fill('{list: "${list}", mapping: "${mapping}", text: "${text}", inline: "${text}."}', values!);
          expect(filled?.data).toEqual({ ...given, inline: `${text}.` });
        },
      ),
    );
  });

  it('stops at too much text', () => {
    const declarations = Array.from({ length: 30 }, (_, index) =>
      index === 0
        ? '{name: a0, type: string, default: 0123456789abcdef}'
        : `{name: a${index}, type: string, default: "\${a${index - 1}}\${a${index - 1}}"}`,
    );
    expect(resolve({ parameters: `[${declarations.join(', ')}]` }).codes).toEqual(['budget-exhausted']);
  });

  it('stops at too much depth', () => {
    const declarations = Array.from({ length: 400 }, (_, index) =>
      index === 0
        ? '{name: a0, type: array, default: []}'
        : `{name: a${index}, type: array, default: ["\${a${index - 1}}"]}`,
    );
    expect(resolve({ parameters: `[${declarations.join(', ')}]` }).codes).toEqual(['parameter-too-deep']);
  });

  it('reports each mistake, and returns nothing', () => {
    const codes: string[] = [];
    const report = ({ code }: Diagnostic): void => void codes.push(code);
    const app = { path: 'app.yaml', text: 'a: ${x}\nb: ["1${z}${w}"]\n${k}: 1\n' };
    expect(fillApplication(app, none, { report })).toBeUndefined();
    expect(codes).toEqual([...Array.from({ length: 3 }, () => 'reference-undefined'), 'reference-in-key']);
  });
});

describe('values that were read with the booleans of YAML 1.1', () => {
  it('explain why the key of a parameter is missing', () => {
    const found: Diagnostic[] = [];
    const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
    const text = 'spec:\n  parameters: [{name: n, type: integer}]\n';
    const declarations = readPackage({ path: 'kurel.yaml', text }, report);
    const source = { path: 'values.yaml', text: 'n: 3\n' };
    resolvePackage(declarations, [{ kind: 'values', source, data: readValues(source, report)! }], report);
    expect(found.map(({ code, hint }) => [code, hint])).toEqual([
      ['field-unknown', 'quote the key: "n"; YAML reads n as false'],
    ]);
  });
});
