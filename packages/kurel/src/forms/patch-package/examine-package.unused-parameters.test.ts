import { describe, expect, it } from 'vitest';
import type { Diagnostic, Values } from '../../model/index.ts';
import { readPatchFile } from '../../patch/index.ts';
import { memoryFileSystem } from '../memory-file-system.ts';
import { checkUnusedParameters } from './examine-package.ts';
import { loadPatchPackage } from './load-patch-package.ts';

const metadata = 'kurel: {name: app, version: 1.0.0, appVersion: "1"}\n';
const resource = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app}\n';

interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly values?: Values;
  readonly patch?: string;
}

/** The parameters that are reported for a package with these parameters. */
async function unusedOf(
  parameters: string,
  { files = {}, values = {}, patch = '' }: Given,
): Promise<readonly string[]> {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const fileSystem = memoryFileSystem({
    'app.kurel/parameters.yaml': metadata + parameters,
    'app.kurel/resources/app.yaml': resource,
    ...files,
  });
  const pkg = await loadPatchPackage({ fileSystem, path: 'app.kurel' }, report);
  expect(found).toEqual([]);
  const layers = [{ kind: 'values' as const, source: { path: 'values', text: '' }, data: values }];
  const patches = [readPatchFile({ path: 'more.kpatch', text: patch }, report)];
  await checkUnusedParameters(pkg!, { layers, patches, report });
  expect(found.every(({ code, severity }) => code === 'parameter-unused' && severity === 'warning')).toBe(true);
  expect(found.every(({ location }) => location?.file === 'app.kurel/parameters.yaml')).toBe(true);
  return found.map(({ message }) => JSON.parse(/".*"/.exec(message)![0]) as string);
}

const data = (line: string) => ({ 'app.kurel/resources/app.yaml': `${resource}data:\n${line}` });
const kpatch = (line: string) => ({ 'app.kurel/patches/10-a.kpatch': `[configmap.app]\n${line}\n` });

describe('a parameter is used', () => {
  it.each<readonly [where: string, parameters: string, given: Given]>([
    ['in a resource', 'a: 1\n', { files: data('  a: "${a}"\n') }],
    ['in a key', 'a: b\n', { files: data('  "${a}": x\n') }],
    ['in a line that looks like a comment', 'a: 1\n', { files: data('  script: |\n    # ${a}\n') }],
    ['after an escape', 'a: 1\n', { files: data(String.raw`  a: "\x24{a}"`) }],
    ['in a patch', 'a: {b: 1}\n', { files: kpatch('data.a: "${a.b}"') }],
    ['as a whole', 'a: {b: 1, c: {d: 2}}\n', { files: kpatch('metadata.labels: ${a}') }],
    ['by its other name', 'a: 1\nb: 2\n', { files: kpatch('data.a: "${values.a}"\ndata.b: "${features.b}"') }],
    ['by an item', 'a: [{b: 1}, 2]\n', { files: kpatch('data.a: "${a[0].b}"') }],
    ['by a quoted name', 'a: {"b.c": 1}\n', { files: kpatch('data.a: ${a["b.c"]}') }],
    ['in a header', 'a: app\n', { files: { 'app.kurel/patches/10-a.kpatch': '[configmap.${a}]\ndata.a: b\n' } }],
    [
      'by a patch that is disabled',
      'a: 1\n',
      { files: { ...kpatch('data.a: "${a}"'), 'app.kurel/patches/10-a.yaml': 'enabled: false\n' } },
    ],
    [
      'as a condition',
      'a: {enabled: false}\n',
      { files: { ...kpatch('data.a: b'), 'app.kurel/patches/10-a.yaml': 'enabled: ${a.enabled}\n' } },
    ],
    [
      'in an expression that is refused',
      'a: {b: 1}\nc: 2\n',
      { files: { ...kpatch('data.a: b'), 'app.kurel/patches/10-a.yaml': 'enabled: ${a.b == "x" && !c}\n' } },
    ],
    ['where a reference is misspelled', 'image: {tag: 1}\n', { files: kpatch('data.a: "${imge.tga}"') }],
    ['by another parameter', 'a: {b: 1}\nc: ${a.b}\n', { files: kpatch('data.a: "${c}"') }],
    ['by a given value', 'a: 1\nb: 2\n', { files: kpatch('data.a: "${a}"'), values: { a: '${b}' } }],
    ['by a patch that is laid over', 'a: 1\n', { patch: '[configmap.app]\ndata.a: "${a}"\n' }],
    [
      'by the local extension',
      'a: 1\n',
      { files: { 'app.local.kurel/patches/10-b.kpatch': '[configmap.app]\ndata.a: "${a}"\n' } },
    ],
    ['by kurel, or by a team', 'global: {labels: {a: b}, anything: 1}\n', {}],
  ])('%s', async (_, parameters, given) => {
    expect(await unusedOf(parameters, given)).toEqual([]);
  });
});

it('a package without resources and patches has other problems', async () => {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const fileSystem = memoryFileSystem({ 'app.kurel/parameters.yaml': `${metadata}a: 1\n` });
  const pkg = await loadPatchPackage({ fileSystem, path: 'app.kurel' }, report);
  await checkUnusedParameters(pkg!, { layers: [], report });
  expect(found.map(({ code }) => code)).not.toContain('parameter-unused');
});

describe('a parameter is not used', () => {
  it.each<readonly [why: string, parameters: string, given: Given, unused: readonly string[]]>([
    ['when nothing refers to it', 'a: 1\nb: null\nc: []\n', {}, ['a', 'b', 'c']],
    ['once for all that is in it', 'a: {b: {c: 1, d: 2}}\n', {}, ['a']],
    ['beside one that is', 'a: {b: 1, c: {d: 1, e: 2}}\n', { files: kpatch('data.a: "${a.b}"') }, ['a.c']],
    ['under a quoted name', 'a: {"b.c": 1, d: 2}\n', { files: kpatch('data.a: "${a.d}"') }, ['a["b.c"]']],
    ['by a comment', 'a: 1\n', { files: kpatch('# ${a}\ndata.a: b # as in ${a}') }, ['a']],
    ['by a literal', 'a: 1\n', { files: kpatch('data.a: "$${a}"') }, ['a']],
    ['by a value that overrides it', 'a: 1\n', { values: { a: 2 } }, ['a']],
    [
      'by the local extension that overrides it',
      'a: 1\n',
      { files: { 'app.local.kurel/parameters.yaml': 'a: 2\n' } },
      ['a'],
    ],
  ])('%s', async (_, parameters, given, unused) => {
    expect(await unusedOf(parameters, given)).toEqual(unused);
  });
});

it('a great many cost little', async () => {
  const parameters = Array.from({ length: 5000 }, (_, index) => `name${index}: 1\n`).join('');
  const lines = Array.from({ length: 5000 }, (_, index) => `data.a${index}: "\${mane${index}}"`).join('\n');
  expect((await unusedOf(parameters, { files: kpatch(lines) })).length).toBeGreaterThan(4000);
});
