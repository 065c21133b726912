import { isDeepStrictEqual } from 'node:util';
import { formatDiagnostics } from '../../packages/kurel/src/diagnostics/index.ts';
import { checkOutputPaths } from '../../packages/kurel/src/host/check-output-paths.ts';
import {
  build,
  checkDocument,
  createCatalog,
  decodeObjects,
  examineApplication,
  loadApplication,
  locateInYaml,
  memoryFileSystem,
  readPatchFile,
  readValues,
  readYaml,
  traceOf,
  type BuildRequest,
  type BuildResult,
  type LayoutName,
} from '../../packages/kurel/src/index.ts';
import type { Diagnostic, OutputFile, SourceFile } from '../../packages/kurel/src/model/index.ts';
import { canonicalJson } from '../../packages/kurel/src/model/index.ts';
import { joinParts, splitParts } from '../parts.ts';
import { readDirectories, readTexts } from '../read-repository.ts';
import { BrokenPromise, check, type Target } from '../target.ts';
import { kpatchTokens } from './kpatch.ts';
import { schemaStore } from './patch-apply.ts';
import { yamlTokens } from './yaml.ts';

type AnyLayout = LayoutName | 'sources';

type Request = Omit<BuildRequest, 'transformers'>;

const layoutNames: readonly LayoutName[] = ['stream', 'flat', 'by-kind', 'by-resource', 'phases', 'flux', 'argocd'];

/** What every build promises, whatever it was given. */
async function checkBuild(request: BuildRequest, layout: AnyLayout): Promise<BuildResult> {
  const result = await build({ ...request, layout });
  const { ok, files, diagnostics, sources } = result;
  check(ok === !diagnostics.some(({ severity }) => severity === 'error'), 'a build fails with a reason, or not at all');
  if (!ok) check(files.length === 0 && result.objects.length === 0, 'a build that fails gives nothing');
  if (layout !== 'stream' && layout !== 'sources') {
    const [fault] = checkOutputPaths(files);
    check(fault === undefined, `the paths of ${layout} can be written: ${fault?.code}`);
  }
  checkMessages(result, sources);
  return result;
}

function checkMessages({ diagnostics }: BuildResult, sources: readonly SourceFile[]): void {
  const text = formatDiagnostics(diagnostics, { sources, locate: locateInYaml, color: false });
  // oxlint-disable-next-line no-control-regex -- what must not get to a terminal
  check(!/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/.test(text), 'no message steers a terminal');
  for (const { message } of diagnostics) {
    if (
      /\bundefined\b|\[object |\bNaN\b/.test(message) &&
      !sources.some((source) => /undefined|object|NaN/.test(source.text))
    )
      throw new BrokenPromise(`a message is made of words: ${message}`);
  }
}

/** The text decides which layout, so that the same text always does the same. */
function chooseLayout(text: string): LayoutName {
  return layoutNames[text.length % layoutNames.length]!;
}

function valuesLayer(text: string | undefined): NonNullable<BuildRequest['package']>['layers'] {
  if (text === undefined) return [];
  const source = { path: 'values.yaml', text };
  const data = readValues(source, () => {});
  return data === undefined ? [] : [{ kind: 'values', source, data }];
}

const applicationTokens = [
  ...yamlTokens.slice(0, 16),
  '${a}',
  '${name}',
  '=== app.yaml\n',
  '=== kurel.yaml\n',
  '=== cluster.yaml\n',
  '=== policy.yaml\n',
  '=== values.yaml\n',
  '=== patches/a.kpatch\n',
  'apiVersion: launcher.gokure.dev/v1alpha1\n',
  'kind: Application\n',
  'kind: ClusterProfile\n',
  'kind: Policy\n',
  'kind: Package\n',
  'spec:\n  components:\n',
  '    - name: web\n      type: webservice\n      properties:\n        image: nginx:1\n',
  '      traits:\n        - type: expose\n          properties: {port: 80}\n',
  'enabled: ',
  'type: ',
  'webservice',
  'worker',
  'cronjob',
  'statefulset',
  'daemonset',
  'postgresql',
  'helmchart',
  'manifests',
  'passthrough',
  'crd',
  'oci',
  'configmap',
  'expose',
  'ingress',
  'httproute',
  'scaler',
  'pvc',
  'certificate',
  'networkpolicy',
  'cilium-networkpolicy',
  'external-secret',
  'security-context',
  'prune-protection',
  'rbac',
  'volsync',
  'env-policy',
  'image: ',
  'port: ',
  'env: ',
  'resources: ',
  'properties: {}\n',
  'replicas: ',
  '-1',
  '1e9',
  'null',
  '[]',
  '{}',
  '""',
  '../',
  '__proto__: ',
];

export const applicationPackage: Target = {
  name: 'application',
  isData: true,
  promise:
    'an application package is built or refused with printable findings, in every layout, and a second build gives the same result',
  seeds: () => {
    const folders = [
      'forms/application/cases',
      ...['components', 'traits', 'policies'].map((one) => `forms/application/catalog/${one}/cases`),
    ];
    const documents = readDirectories(['documents/cases'], { having: 'document.yaml' });
    return [
      ...readDirectories(folders, { having: 'app.yaml' }).map(joinParts),
      ...documents.flatMap((files) =>
        ['app.yaml', 'cluster.yaml', 'policy.yaml', 'kurel.yaml'].map((name) =>
          joinParts({ [name]: files['document.yaml']! }),
        ),
      ),
    ];
  },
  tokens: applicationTokens,
  batch: 24,
  maxLength: 5000,
  short: 250,
  async run(text) {
    const request = requestApplication(text);
    const layout = chooseLayout(text);
    const first = await checkBuild(request, layout);
    if (text.length % 5 !== 0) return;
    const second = await checkBuild(request, layout);
    check(JSON.stringify(second.files) === JSON.stringify(first.files), 'the same package builds to the same files');
  },
};

function requestApplication(text: string): Request {
  const files = toFiles(text);
  const has = (path: string): string | undefined => (Object.hasOwn(files, path) ? path : undefined);
  return {
    path: '.',
    fileSystem: memoryFileSystem(files),
    as: 'application',
    application: { profile: has('cluster.yaml') ?? false },
    policy: has('policy.yaml'),
    package: { layers: valuesLayer(files['values.yaml']) },
    store: schemaStore,
    ...(text.length % 3 === 0 ? { validation: { store: schemaStore() } } : {}),
  };
}

function requestPatchPackage(text: string): Request {
  const files = toFiles(text);
  return {
    path: '.',
    fileSystem: memoryFileSystem(files),
    as: 'patch-package',
    package: { layers: valuesLayer(files['values.yaml']) },
    store: schemaStore,
    ...(text.length % 3 === 0 ? { validation: { store: schemaStore() } } : {}),
  };
}

/** Both forms of packages, told apart by their files. */
export const explanation: Target = {
  name: 'explain',
  isData: true,
  promise: 'every field of every object of a package has an explanation, and the explanation is correct',
  seeds: () => [...applicationPackage.seeds(), ...patchPackage.seeds()],
  tokens: [...applicationTokens, ...kpatchTokens.slice(0, 40)],
  batch: 16,
  maxLength: 5000,
  short: 150,
  async run(text) {
    const isApplication = /^=== app\.yaml$/m.test(text);
    const request = isApplication ? requestApplication(text) : requestPatchPackage(text);
    if (isApplication) await examine(text);
    const result = await build(request);
    for (const object of result.objects) {
      for (const { path, value } of traceOf(object, result.rendering.provenance)) {
        if (value === undefined) continue;
        const found = path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], object);
        check(isDeepStrictEqual(found, value), 'a field has the value that is explained');
      }
    }
  },
};

async function examine(text: string): Promise<void> {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const files = toFiles(text);
  const settings = { fileSystem: memoryFileSystem(files), path: '.', profile: false as const };
  const pkg = await loadApplication(settings, report);
  const catalog = createCatalog();
  if (pkg !== undefined) examineApplication(pkg, { catalog, layers: valuesLayer(files['values.yaml']) ?? [], report });
  for (const [path, own] of Object.entries(files)) checkDocument({ path, text: own }, { catalog, report });
}

export const patchPackage: Target = {
  name: 'patch-package',
  isData: true,
  promise: 'a patch package is built or refused with printable findings, in every layout',
  seeds: () => readDirectories(['forms/patch-package/cases'], { having: 'parameters.yaml' }).map(joinParts),
  tokens: [
    ...kpatchTokens,
    ...yamlTokens.slice(0, 12),
    '=== parameters.yaml\n',
    '=== patches/a.kpatch\n',
    '=== resources/a.yaml\n',
    '=== values.yaml\n',
    '=== kurel.yaml\n',
    '# ENABLED: true\n',
    '# REQUIRES: a\n',
    '# CONFLICTS: a\n',
    'enabled: "${a}"\n',
    '${features.x}',
  ],
  batch: 24,
  maxLength: 5000,
  short: 350,
  async run(text) {
    const request = requestPatchPackage(text);
    await checkBuild(request, chooseLayout(text));
  },
};

export const sources: Target = {
  name: 'sources',
  isData: true,
  promise: 'manifests with a patch are built, and the original text with the changes spliced in has the same objects',
  seeds: () => [
    ...readTexts(['patch/pinning', 'layout/cases'], { ending: /\.ya?ml$/ }).map((text) =>
      joinParts({ 'a.yaml': text, 'x.kpatch': 'metadata.labels.env: prod\n' }),
    ),
    ...readTexts(['patch/apply/cases', 'patch/kpatch/cases'], { ending: /\.kpatch$/ }).map((text) =>
      joinParts({
        'a.yaml':
          '# top\napiVersion: apps/v1\nkind: Deployment # d\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n        - name: main # c\n          image: nginx:1\n',
        'x.kpatch': text,
      }),
    ),
    '=== a.yaml\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: &d {x: y}}\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: b}\n  data: *d\n=== x.kpatch\n[configmap.b]\ndata.x: z\n[configmap.a]\nenabled: false\n',
  ],
  tokens: [
    ...kpatchTokens,
    ...yamlTokens,
    '=== a.yaml\n',
    '=== b.json\n',
    '=== x.kpatch\n',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    '[configmap.a]\n',
    'kind: List\nitems:\n',
    'enabled: false\n',
    'data.x: y\n',
  ],
  batch: 48,
  short: 600,
  async run(text) {
    const { 'x.kpatch': patch, ...files } = toFiles(text);
    const found: Diagnostic[] = [];
    const patches =
      patch === undefined
        ? {}
        : { patches: { files: [readPatchFile({ path: 'x.kpatch', text: patch }, (one) => void found.push(one))] } };
    const request: BuildRequest = {
      path: '.',
      fileSystem: memoryFileSystem(files),
      as: 'manifests',
      ...(found.some(({ severity }) => severity === 'error') ? {} : patches),
    };
    const result = await checkBuild(request, 'sources');
    await checkBuild(request, chooseLayout(text));
    // An object that a patch makes a List is read as what the List holds.
    if (!result.ok || result.objects.some(({ kind }) => kind.endsWith('List'))) return;
    const objectsIn = (files: readonly OutputFile[]): readonly string[] =>
      files.flatMap((file) =>
        decodeObjects(readYaml(file).documents, { file: file.path, report: () => {} }).map(({ object }) =>
          canonicalJson(object),
        ),
      );
    // Ignores the order of keys: a key that a patch removes and adds again keeps its position in the text.
    const wanted = result.objects.map(canonicalJson).toSorted();
    check(objectsIn(result.files).toSorted().join('\n') === wanted.join('\n'), 'the texts hold the objects');
    if (result.objects.every((object) => !result.rendering.provenance.isTouched(object))) {
      for (const { path, text: written } of result.files)
        check(written === files[path], 'without a change a text stays');
    }
  },
};

function toFiles(text: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const part of splitParts(text)) {
    // A name that leads elsewhere is for the tests of the disk; here it would only hide the file.
    if (part.path !== '' && part.path !== '__proto__' && !/^\/|\\|\0|(?:^|\/)\.\.?(?:\/|$)|\/$|\/\//.test(part.path))
      files[part.path] = part.text;
  }
  return files;
}
