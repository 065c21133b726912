import { describe, expect, it } from 'vitest';
import type { Diagnostic, Values } from '../../model/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { readPatchFile } from '../../patch/index.ts';
import { memoryFileSystem } from '../memory-file-system.ts';
import { checkGivenValues } from './examine-package.ts';
import { loadPatchPackage } from './load-patch-package.ts';

const files = {
  'app.kurel/parameters.yaml': `kurel: {name: app, version: 1.0.0, appVersion: "1"}
global:
  labels: {}
ingress:
  enabled: false
  host: app.example.com
image:
  tag: "1"
open: {}
copy: \${copied}
free: null
size: \${limits.size}
limits: {size: 1}
`,
  'app.kurel/resources/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: app}
data:
  script: echo \${HOME}
  zone: \${zone}
  "\${key}": x
`,
  'app.kurel/patches/10-on.kpatch': `[configmap.\${target}]
data.\${field}: \${text}
data.all: a \${part.one} b
metadata.labels: \${global.labels}
data.first: \${hosts[0].name}
data.alias: \${values.aliased}
`,
  'app.kurel/patches/20-off.kpatch': '[configmap.app]\ndata.off: ${only.when.on}\n',
  'app.kurel/patches/20-off.yaml': 'enabled: ${extra.enabled}\n',
  'app.kurel/schemas/parameters.overrides.yaml': 'properties: {described: {type: string}}\n',
};

async function check(data: Values, layer: Partial<ParameterLayer> = {}, patch = ''): Promise<readonly string[]> {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const pkg = await loadPatchPackage({ fileSystem: memoryFileSystem(files), path: 'app.kurel' }, report);
  const source = { path: 'values', text: '' };
  const patches = [readPatchFile({ path: 'more.kpatch', text: patch }, report)];
  await checkGivenValues(pkg!, { layers: [{ kind: 'values', source, data, ...layer }], patches, report });
  expect(found.every(({ code, severity }) => code === 'value-without-effect' && severity === 'warning')).toBe(true);
  return found.map(({ message, hint }) => `${/"(.*)"/.exec(message)![1]} | ${hint}`);
}

it('reports unused values that only the local extension has', async () => {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const local = {
    'app.local.kurel/parameters.yaml': 'ingres: {enabled: true}\nzone: a\nmine: 1\nimage: {tga: "2"}\n',
    'app.local.kurel/patches/90-mine.kpatch': '[configmap.app]\ndata.mine: ${mine}\n',
  };
  const pkg = await loadPatchPackage(
    { fileSystem: memoryFileSystem({ ...files, ...local }), path: 'app.kurel' },
    report,
  );
  await checkGivenValues(pkg!, { layers: [], report });
  expect(found.map(({ message, hint, location }) => [message, hint, location?.file])).toEqual([
    [
      'value "ingres.enabled" has no effect: no such parameter is declared or used',
      'did you mean ingress.enabled?',
      'app.local.kurel/parameters.yaml',
    ],
    [
      'value "image.tga" has no effect: no such parameter is declared or used',
      'did you mean image.tag?',
      'app.local.kurel/parameters.yaml',
    ],
  ]);
});

const list = 'run kurel info app.kurel to list the parameters';

describe('values that a package does not declare', () => {
  it.each<[name: string, data: Values]>([
    ['a declared one', { ingress: { enabled: true, host: 'x' }, image: { tag: '2' } }],
    ['one that takes a declared one away', { ingress: null }],
    ['one inside an object that is used as a whole', { global: { labels: { team: 'x' } } }],
    ['one below a parameter without a value', { free: { a: { b: 1 } } }],
    ['one that another parameter is', { copied: { a: { b: 1 } } }],
    ['one in a resource', { zone: 'a', HOME: '/' }],
    ['one in a key of a resource', { key: 'a' }],
    ['those in headers, keys and values of patches', { target: 'app', field: 'a', text: 'b', part: { one: 1 } }],
    ['an item of a list', { hosts: [{ name: 'a', more: 1 }] }],
    ['one by the other name of parameters', { aliased: 1 }],
    ['those of a patch that is off', { only: { when: { on: 1 } }, extra: { enabled: false } }],
    ['one that the schema of the package describes', { described: 'x' }],
    ['one that another one uses', { image: { tag: '${base}-x' }, base: 1 }],
    ['what says what the package is', { kurel: { appVersion: '2', description: 'x' } }],
    ['namespaces', { global: { namespaces: { create: true, exclude: ['a'] } } }],
    ['what a file for many packages has', { global: { imagePullPolicy: 'Always', tolerations: [{ key: 'a' }] } }],
  ])('%s is of use', async (_, data) => {
    expect(await check(data)).toEqual([]);
  });

  it.each<[data: Values, reported: readonly string[]]>([
    [{ ingres: { enabled: true } }, ['ingres.enabled | did you mean ingress.enabled?']],
    [{ ingres: { enabeld: true } }, ['ingres.enabeld | did you mean ingress.enabled?']],
    [{ ingres: { enabled: true, host: 'x' } }, ['ingres | did you mean ingress?']],
    [{ ingress: { hots: 'x' } }, ['ingress.hots | did you mean ingress.host?']],
    [{ tag: '2' }, ['tag | did you mean image.tag?']],
    [{ zoen: 'a' }, [`zoen | ${list}`]],
    [{ part: { one: 1, two: 2 } }, [`part.two | ${list}`]],
    [{ only: { wehn: { on: 1 } } }, ['only.wehn.on | did you mean only.when.on?']],
    [{ open: { a: 1 } }, [`open.a | ${list}`]],
    [{ kurel: { appVersoin: '2' } }, ['kurel.appVersoin | did you mean kurel.appVersion?']],
    [{ global: { labls: {} } }, ['global.labls | did you mean global.labels?']],
    [JSON.parse('{"__proto__": {"a": 1}, "toString": 1}'), [`__proto__.a | ${list}`, `toString | ${list}`]],
  ])('%j is reported', async (data, reported) => {
    expect(await check(data)).toEqual(reported);
  });

  it('reports a single assignment of a common parameter', async () => {
    const data = { global: { imagePullPolicy: 'Always' } };
    expect(await check(data, { kind: 'set' })).toEqual([`global.imagePullPolicy | ${list}`]);
  });

  it('patches that are laid over the package may use them', async () => {
    const patch = '[configmap.app]\ndata.a: ${mine}\n';
    expect(await check({ mine: 1, other: 2 }, {}, patch)).toEqual([`other | ${list}`]);
  });

  it('a great many cost little', async () => {
    const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`name${index}`, index]));
    expect(await check(data)).toHaveLength(20_000);
  });
});
