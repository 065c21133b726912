import { nearest } from '../diagnostics/index.ts';
import type { FileSystem, Report } from '../model/index.ts';
import type { RuleLayer } from '../validate/index.ts';
import type { PolicyRequest } from './application/load-application.ts';
import type { Form } from './form-types.ts';
import { render as renderManifests } from './manifests/form.ts';
import { ifReadable } from '../reads/index.ts';
import { deepestDirectory, joinPath, kindOfName, lastPartOf } from './paths.ts';
import { inputProblems } from './problems.ts';

export const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** All forms that kurel can build. The last row is the fallback, and the last package that of commands that need one. */
export const forms: readonly Form[] = [
  {
    name: 'application',
    marks: [
      { file: 'kurel.yaml', kind: 'Package' },
      { file: 'app.yaml', kind: 'Application' },
    ],
    recognise: async (path, { kind, holdsKind }) =>
      kind === 'file' && /\.ya?ml$/.test(path) && (await holdsKind(path, 'Application')),
    settings: ['application'],
    values: 'declared',
    fetches: true,
    makesFluxObjects: true,
    package: {
      noun: 'an application package',
      documents: ['kurel.yaml', 'app.yaml'],
      requires: 'app.yaml',
      load: () => import('./application/describe-application.ts'),
      loadTemplate: () => import('./application/template.ts'),
    },
    load: () => import('./application/form.ts'),
  },
  {
    name: 'patch-package',
    marks: [{ file: 'parameters.yaml' }],
    recognise: async (path, { fileSystem, kind }) => kind === 'directory' && (await isPatchPackage(path, fileSystem)),
    settings: ['package'],
    values: 'layered',
    hasParameterSchema: true,
    layout: 'phases',
    package: {
      noun: 'a patch package',
      documents: ['parameters.yaml'],
      requires: 'parameters.yaml',
      ending: '.kurel',
      load: () => import('./patch-package/describe-package.ts'),
      loadTemplate: () => import('./patch-package/template.ts'),
    },
    load: () => import('./patch-package/form.ts'),
  },
  {
    name: 'kustomization',
    marks: kustomizationNames.map((file) => ({ file })),
    settings: ['kustomization', 'network'],
    values: 'plain',
    load: () => import('./kustomization/form.ts'),
  },
  {
    name: 'chart',
    marks: [{ file: 'Chart.yaml' }],
    recognise: async (path, { kind }) => kind === 'file' && path.endsWith('.tgz'),
    settings: ['chart', 'network'],
    values: 'plain',
    publishedWith: 'helm push',
    load: () => import('./chart/form.ts'),
  },
  {
    name: 'manifests',
    marks: [],
    settings: [],
    values: 'plain',
    holdsObjects: true,
    // Nearly every build reads manifests, so the code is not loaded on demand.
    load: async () => ({ render: renderManifests }),
  },
];

/** Loads the rules of a policy file, together with the application catalog that they may refer to. */
export async function loadPolicy(request: PolicyRequest, report: Report): Promise<RuleLayer | undefined> {
  const { loadPolicy: load } = await import('./application/form.ts');
  return load(request, report);
}

/** Manifests next to patches are not plain manifests, because a patch may disable some of them. */
async function isPatchPackage(path: string, fileSystem: FileSystem): Promise<boolean> {
  // The loader reports that the path is only a local extension.
  if (lastPartOf(path).endsWith('.local.kurel')) return true;
  if (!lastPartOf(path).endsWith('.kurel') && !(await holdsPatches(fileSystem, path))) return false;
  throw inputProblems.error('input-package-unmarked', { path, near: await findNearParameters(fileSystem, path) });
}

async function holdsPatches(fileSystem: FileSystem, path: string): Promise<boolean> {
  for (const name of ['resources', 'patches']) {
    if ((await kindOfName(fileSystem, path, name)) !== 'directory') return false;
  }
  return await holdsKpatch(fileSystem, joinPath(path, 'patches'));
}

/** Looks at all files of a directory before its subdirectories, so that one that cannot be read does not hide a patch. */
async function holdsKpatch(fileSystem: FileSystem, directory: string, depth = 0): Promise<boolean> {
  if (depth > deepestDirectory) return false;
  const entries = await fileSystem.list(directory);
  if (entries.some(({ name, kind }) => kind !== 'directory' && name.endsWith('.kpatch'))) return true;
  for (const { name, kind, target } of entries) {
    // A link may form a cycle.
    if (kind !== 'directory' || target !== undefined) continue;
    if (await holdsKpatch(fileSystem, joinPath(directory, name), depth + 1)) return true;
  }
  return false;
}

/** A file that was most likely meant to be parameters.yaml. A hint must not fail, so unreadable directories are ignored. */
export async function findNearParameters(fileSystem: FileSystem, directory: string): Promise<string | undefined> {
  const entries = await ifReadable(() => fileSystem.list(directory), []);
  const files = entries.filter(({ name, kind }) => kind === 'file' && /\.ya?ml$/i.test(name));
  return nearest(
    'parameters.yaml',
    files.map(({ name }) => name),
  );
}
