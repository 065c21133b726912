import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { build } from '../src/build.ts';
import { diagnosticsOf } from '../src/diagnostics/index.ts';
import { detectInput, memoryFileSystem } from '../src/forms/index.ts';
import { bundledSchemas } from '../src/host/index.ts';
import type { FileSystem } from '../src/model/index.ts';
import { createSchemaStore } from '../src/schema/index.ts';
import { ignoreCase } from './ignore-case.ts';
import { listFiles, repository } from './source-tree.ts';

const store = createSchemaStore({ files: bundledSchemas() });

type Files = Readonly<Record<string, string>>;

function readPackage(path: string): Files {
  const directory = join(repository, path);
  return Object.fromEntries(
    listFiles(directory, '')
      .filter((file) => /\.[a-z]+$/.test(file))
      .map((file) => [`package/${file}`, readFileSync(join(directory, file), 'utf8')]),
  );
}

const packages = {
  application: {
    'package/app.yaml': [
      'apiVersion: launcher.gokure.dev/v1alpha1',
      'kind: Application',
      'metadata: {name: shop, namespace: shops}',
      'spec: {components: [{name: web, type: webservice, properties: {image: "${image}"}}]}',
    ].join('\n'),
    'package/kurel.yaml': [
      'apiVersion: launcher.gokure.dev/v1alpha1',
      'kind: Package',
      'metadata: {name: shop, version: 1.0.0}',
      'spec: {parameters: [{name: image, type: string, default: "nginx:1"}]}',
    ].join('\n'),
    'package/patches/10.kpatch': '[deployment.web]\nreplicas: 3\n',
  },
  metrics: readPackage('examples/applications/metrics'),
  gitea: readPackage('examples/packages/gitea.kurel'),
  manifests: readPackage('examples/plain'),
  accepted: readPackage('examples/accepted'),
} as const;

/** Everything that a build says, whether it fails or not. */
async function outcomeOf(fileSystem: FileSystem): Promise<unknown> {
  try {
    const { files, diagnostics } = await build({
      path: 'package',
      fileSystem,
      application: { profile: false },
      validation: { store },
    });
    return { files, diagnostics: diagnostics.map(({ code, message, location }) => [code, message, location]) };
  } catch (error) {
    return diagnosticsOf(error)?.map(({ code, message }) => [code, message]) ?? String(error);
  }
}

function rename(files: Files, from: string, to: string): Files {
  const renamed = Object.entries(files).map(([path, text]) => [path.replace(`package/${from}`, `package/${to}`), text]);
  return Object.fromEntries(renamed) as Files;
}

describe('on a disk that ignores case', () => {
  it.each(Object.keys(packages))('%s builds as elsewhere', async (name) => {
    const fileSystem = memoryFileSystem(packages[name as keyof typeof packages]);
    const outcome = await outcomeOf(fileSystem);
    expect(outcome).toHaveProperty('files');
    expect(await outcomeOf(ignoreCase(fileSystem))).toEqual(outcome);
  });

  // Otherwise a package that builds on Windows or macOS would be another one in a pipeline on Linux.
  it.each<[keyof typeof packages, string, string]>([
    ['application', 'kurel.yaml', 'Kurel.yaml'],
    ['application', 'app.yaml', 'App.yaml'],
    ['application', 'app.yaml', 'App.yml'],
    ['application', 'patches/', 'Patches/'],
    ['application', 'patches/', 'Patch/'],
    ['metrics', 'kurel.lock', 'Kurel.lock'],
    ['metrics', 'vendor/', 'Vendor/'],
    ['gitea', 'parameters.yaml', 'Parameters.yaml'],
    ['gitea', 'resources/', 'Resources/'],
    ['gitea', 'patches/', 'Patches/'],
    ['accepted', 'kurel.accept.yaml', 'Kurel.accept.yaml'],
  ])('%s with %s as %s is what it is elsewhere', async (name, from, to) => {
    const fileSystem = memoryFileSystem(rename(packages[name], from, to));
    const outcome = await outcomeOf(fileSystem);
    expect(outcome, 'the name matters').not.toEqual(await outcomeOf(memoryFileSystem(packages[name])));
    expect(await outcomeOf(ignoreCase(fileSystem))).toEqual(outcome);
  });

  it.each([
    ['kustomization.yaml', 'kustomization'],
    ['Kustomization', 'kustomization'],
    ['Kustomization.yaml', 'manifests'],
    ['kustomization', 'manifests'],
    ['Chart.yaml', 'chart'],
    ['chart.yaml', 'manifests'],
    ['PARAMETERS.yaml', 'manifests'],
  ])('a directory with %s is of the form %s', async (file, form) => {
    const fileSystem = memoryFileSystem({ [`here/${file}`]: '' });
    const detected = [fileSystem, ignoreCase(fileSystem)].map((files) =>
      detectInput({ fileSystem: files, path: 'here' }),
    );
    expect((await Promise.all(detected)).map((one) => one.form.name)).toEqual([form, form]);
  });

  it('a path may be spelled differently', async () => {
    const fileSystem = ignoreCase(memoryFileSystem(packages.manifests));
    const { files } = await build({ path: 'Package', fileSystem });
    expect(files).toEqual((await build({ path: 'package', fileSystem })).files);
  });
});
