import { DiagnosticError } from '../../packages/kurel/src/diagnostics/index.ts';
import { readDeclarations } from '../../packages/kurel/src/documents/index.ts';
import { isJsonObject, type Diagnostic, type Location, type Values } from '../../packages/kurel/src/model/index.ts';
import {
  applyAssignment,
  createResourceSubstitution,
  fillApplication,
  formatReferencePath,
  mergeLayers,
  parseAssignment,
  parseReferencePath,
  parseTemplate,
  readValues,
  resolveDeclared,
  resolveParameters,
  type ParameterLayer,
} from '../../packages/kurel/src/parameters/index.ts';
import { readYaml } from '../../packages/kurel/src/yaml/index.ts';
import { joinParts, splitParts } from '../parts.ts';
import { readDirectories } from '../read-repository.ts';
import { attempt, check, type Target } from '../target.ts';
import { checkWriting, yamlTokens } from './yaml.ts';

const references = [
  '${a}',
  '${b.c}',
  '${a}${a}',
  '${list[0]}',
  '${b["c d"]}',
  "${b['}']}",
  '$${a}',
  '${',
  '}',
  '${ a }',
  '${self}',
  'a: ${b}\n',
  'b: ${a}\n',
  '${__proto__}',
  '${name}',
];

export const parameters: Target = {
  name: 'parameters',
  promise: 'values are resolved or refused at a bounded cost, and the substituted result can be written',
  seeds: () => [
    'a: 1\nb: ${a}\n=== doc\nx: ${b}-${a}\n${a}: 2\n',
    'a: ${b}\nb: ${c}\nc: ${a}\n=== doc\nx: ${a}\n',
    'a: {b: [1, {c: d}]}\ne: ${a.b[1].c}\nf: ${a.b}\n=== doc\nx: ${e} $${a} ${HOME}\n',
    `a: "xxxxxxxxxx"\nb: ${'${a}'.repeat(10)}\nc: ${'${b}'.repeat(10)}\nd: ${'${c}'.repeat(10)}\ne: ${'${d}'.repeat(10)}\n=== doc\n- \${e}\n`,
    'a: [1]\nb: [$${a}, "${a}"]\n=== layer\na: null\nb: {c: 1}\n=== doc\n"${a["x"]}": ${b[0]}\n',
  ],
  tokens: [...references, ...yamlTokens.slice(0, 20), '=== doc\n', '=== layer\n'],
  short: 4000,
  run(text) {
    const [first, ...rest] = splitParts(text);
    const found: Diagnostic[] = [];
    const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
    const layers = [first!, ...rest.slice(0, -1)].flatMap((part, index) => {
      const source = { path: `${index}.yaml`, text: part.text };
      const data = readValues(source, report);
      return data === undefined
        ? []
        : [{ kind: index === 0 ? ('package' as const) : ('values' as const), source, data }];
    });
    const locate = (): Location => ({ file: 'doc.yaml' });
    const merged = mergeLayers(layers, report);
    const values = attempt((): Values => resolveParameters(merged, { report, locate }), isRefusal);
    if (values === undefined || found.some(({ severity }) => severity === 'error')) return;
    checkWriting(values);
    const data = readYaml({ path: 'doc.yaml', text: rest.at(-1)?.text ?? '' }).documents[0]?.data;
    if (data === undefined) return;
    const substitution = createResourceSubstitution({ values }, { report });
    const filled = attempt(() => substitution.fillTree(data, { locate }).data, isRefusal);
    if (filled !== undefined && !found.some(({ severity }) => severity === 'error')) checkWriting(filled);
  },
};

export const declaredParameters: Target = {
  name: 'declared-parameters',
  isData: true,
  promise:
    'declarations, values and the application that uses them are accepted or refused, and the substituted result can be written',
  seeds: () => readDirectories(['parameters/declared/cases'], { having: 'kurel.yaml' }).map(joinParts),
  tokens: [
    ...references,
    ...yamlTokens.slice(0, 16),
    '- name: a\n  type: string\n',
    '  default: ',
    '  required: true\n',
    '  enum: [a, b]\n',
    '  pattern: "^(a+)+$"\n',
    '  minimum: 1\n',
    '  maxLength: 3\n',
    'type: array\n',
    'type: object\n',
    'type: integer\n',
    'type: boolean\n',
    'type: number\n',
    '  items: {type: string}\n',
    '  properties: {a: {type: integer}}\n',
    '=== values.yaml\n',
    '=== app.yaml\n',
    '=== --set\n',
    'a=1\n',
    'parameters:\n',
  ],
  batch: 128,
  short: 3000,
  run(text) {
    const files = new Map(splitParts(text).map((part) => [part.path, part.text]));
    const found: Diagnostic[] = [];
    const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
    const source = { path: 'kurel.yaml', text: files.get('kurel.yaml') ?? '' };
    const document = readYaml(source).documents[0];
    const data = document?.data;
    const spec = isJsonObject(data) && Object.hasOwn(data, 'spec') ? data['spec'] : undefined;
    if (document === undefined || !isJsonObject(spec) || !Object.hasOwn(spec, 'parameters')) return;
    const location = { file: source.path, document: document.index, path: ['spec', 'parameters'] };
    const declarations = readDeclarations(spec['parameters']!, { source, location, report });
    const given = { path: 'values.yaml', text: files.get('values.yaml') ?? '' };
    const values = readValues(given, report);
    const layers: ParameterLayer[] = values === undefined ? [] : [{ kind: 'values', source: given, data: values }];
    for (const [index, words] of (files.get('--set') ?? '').split('\n').entries()) {
      if (words !== '') layers.push({ kind: 'set', source: { path: `--set[${index}]`, text: words }, data: {} });
    }
    const resolved = resolveDeclared(declarations, layers, { packageName: 'shop', packageLocation: location, report });
    if (resolved === undefined) {
      check(
        found.some(({ severity }) => severity === 'error'),
        'values are refused with a reason',
      );
      return;
    }
    const filled = fillApplication({ path: 'app.yaml', text: files.get('app.yaml') ?? '' }, resolved, { report });
    if (filled === undefined) return;
    checkWriting(filled.data);
    for (const path of [[], ['a'], ['spec', 'components', 0]]) {
      filled.locate(path);
      filled.locateWritten(path);
      filled.referencesAt(path);
    }
  },
};

const isRefusal = (error: unknown): boolean => error instanceof DiagnosticError;

export const setFlag: Target = {
  name: 'set',
  promise: 'an assignment is accepted or refused, its result can be written, and references read back the same',
  seeds: () => [
    'a=b',
    'a.b[0].c=1',
    'a\\.b=true',
    'a={1,2}',
    'a[3]=null',
    'a.b.c.d=',
    'a=b,c=d',
    'x[999999999]=y',
    'a.b[2].c=9007199254740993',
  ],
  tokens: [
    'a',
    '.',
    '[',
    ']',
    '[0]',
    '[1]',
    '[999999999]',
    '=',
    '\\',
    ',',
    '{',
    '}',
    'null',
    'true',
    '-1',
    '__proto__',
    'constructor',
    '"',
    "'",
    ' ',
    'a.b=',
    '[-1]',
  ],
  short: 12_000,
  run(text) {
    for (const type of ['typed', 'text'] as const) {
      const assignment = attempt(() => parseAssignment({ path: '--set', text }, type), isRefusal);
      if (assignment === undefined) continue;
      for (const values of [{}, { a: { b: [1, { c: 2 }] }, x: 'y' }]) {
        const result = attempt(() => applyAssignment(values, assignment), isRefusal);
        if (result !== undefined) checkWriting(result);
      }
    }
    check(Object.keys(Object.prototype).length === 0, 'prototypes stay as they are');
    const path = parseReferencePath(text);
    if (path !== undefined) {
      const again = parseReferencePath(formatReferencePath(path));
      check(JSON.stringify(again) === JSON.stringify(path), 'a path reads as it is written');
    }
    const { parts } = parseTemplate(text);
    check(
      parts.every((part) => part !== ''),
      'no part of a template is empty',
    );
  },
};
