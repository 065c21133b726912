import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { decodeObjects, identityOf } from '../src/kube/index.ts';
import type { KubeObject } from '../src/model/index.ts';
import { readYaml } from '../src/yaml/index.ts';
import { createFleetProject } from './fleet-project.ts';
import { programWords } from './kurel-program.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';

const directory = mkdtempSync(join(tmpdir(), 'kurel-krm-'));
const project = createFleetProject(directory);
afterAll(() => rmSync(directory, { recursive: true }));

function objectsIn(text: string): ReadonlyMap<string, KubeObject> {
  const found = decodeObjects(readYaml({ path: 'output', text }).documents, { file: 'output', report: () => {} });
  return new Map(found.map(({ object }) => [identityOf(object), object]));
}

/** A function that kustomize runs, two levels below the project. */
function functionOf(kind: string, spec: string): string {
  const [path, ...args] = [...programWords, 'krm'];
  return `apiVersion: launcher.gokure.dev/v1alpha1
kind: ${kind}
metadata:
  name: ${kind.toLowerCase()}
  annotations:
    config.kubernetes.io/function: |
      exec: ${JSON.stringify({ path, args })}
spec: ${spec}
`;
}

function writeKustomization(files: Readonly<Record<string, string>>): string {
  const folder = join(directory, 'deploy', 'one');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const words = ['build', '--enable-alpha-plugins', '--enable-exec'];

const configMap = `apiVersion: v1
kind: ConfigMap
metadata: {name: other, namespace: shop, annotations: {team: shop}}
data: {large: "9007199254740993"}
`;

describeWithProgram('kustomize', 'kurel krm as a function of kustomize', (kustomize) => {
  const inputs: readonly (readonly [name: string, spec: string, flags: readonly string[]])[] = [
    [
      'an application package',
      '{package: ../../apps/web, profile: ../../clusters/c1/profile.yaml, values: [../../clusters/c1/values.yaml], set: {replicas: 3}}',
      ['apps/web', '--profile=clusters/c1/profile.yaml', '--values=clusters/c1/values.yaml', '--set=replicas=3'],
    ],
    [
      'a patch package',
      '{package: ../../apps/hello.kurel, set: {replicas: 3}}',
      ['apps/hello.kurel', '--set=replicas=3'],
    ],
    ['manifests', '{package: ../../apps/file.yaml, namespace: berlin}', ['apps/file.yaml', '--namespace=berlin']],
  ];

  it.each(inputs)('generates what kurel build gives for %s', { tags: 'slow' }, async (_, spec, flags) => {
    const folder = writeKustomization({
      'kustomization.yaml': 'resources: [other.yaml]\ngenerators: [build.yaml]\n',
      'other.yaml': configMap,
      'build.yaml': functionOf('KurelBuild', spec),
    });
    const actual = execFileSync(kustomize, [...words, folder], { encoding: 'utf8', stdio: 'pipe' });
    const built = await runProgram(['build', ...flags], { workingDirectory: directory });
    expect(built.exitCode).toBe(0);
    expect(objectsIn(actual)).toEqual(new Map([...objectsIn(built.stdout), ...objectsIn(configMap)]));
  });

  it('builds the example of the documentation', { tags: 'slow' }, async () => {
    const folder = join(directory, 'bin');
    mkdirSync(folder);
    const program = join(folder, 'kurel');
    writeFileSync(program, `#!/bin/sh\nexec ${programWords.map((word) => `'${word}'`).join(' ')} "$@"\n`, {
      mode: 0o755,
    });
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };
    const example = join(repository, 'examples', 'krm');
    const actual = execFileSync(kustomize, [...words, example], { encoding: 'utf8', stdio: 'pipe', env });
    const built = await runProgram(['build', 'examples/packages/hello.kurel', '--set=replicas=3']);
    const other = readFileSync(join(example, 'configmap.yaml'), 'utf8');
    expect(objectsIn(actual)).toEqual(new Map([...objectsIn(built.stdout), ...objectsIn(other)]));
  });

  it('adds objects as a transformer, and later transformers change them', { tags: 'slow' }, async () => {
    const folder = writeKustomization({
      'kustomization.yaml': 'resources: [other.yaml]\ntransformers: [build.yaml, label.yaml, validate.yaml]\n',
      'other.yaml': configMap,
      'build.yaml': functionOf('KurelBuild', '{package: ../../apps/hello.kurel}'),
      'label.yaml':
        'apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: l}\nlabels: {team: a}\nfieldSpecs: [{path: metadata/labels, create: true}]\n',
      'validate.yaml': functionOf('KurelValidate', '{}'),
    });
    const actual = execFileSync(kustomize, [...words, folder], { encoding: 'utf8', stdio: 'pipe' });
    const flags = ['apps/hello.kurel', '--label=team=a'];
    const built = await runProgram(['build', ...flags], { workingDirectory: directory });
    const other = await runProgram(['build', '-', '--label=team=a'], { stdin: configMap });
    expect(objectsIn(actual)).toEqual(new Map([...objectsIn(built.stdout), ...objectsIn(other.stdout)]));
  });

  it('stops kustomize with the findings about the items', { tags: 'slow' }, () => {
    const folder = writeKustomization({
      'kustomization.yaml': 'resources: [pod.yaml]\ntransformers: [validate.yaml]\n',
      'pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec: {containers: [{name: web, image: "ghcr.io/web:1", port: 80}]}\n',
      'validate.yaml': functionOf('KurelValidate', '{}'),
    });
    const { status, stdout, stderr } = spawnSync(kustomize, [...words, folder], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(
      'error[field-unknown]: unknown field "port" in spec.containers[0]\n   --> shop/pod.web:10:5',
    );
  });

  it('stops kustomize with the findings about the package', { tags: 'slow' }, () => {
    project.write('apps/broken.yaml', 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {prots: []}\n');
    const folder = writeKustomization({
      'kustomization.yaml': 'generators: [build.yaml]\n',
      'build.yaml': functionOf('KurelBuild', '{package: ../../apps/broken.yaml}'),
    });
    const { status, stdout, stderr } = spawnSync(kustomize, [...words, folder], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('unknown field "prots" in spec\n  --> ../../apps/broken.yaml:4:8');
  });
});
