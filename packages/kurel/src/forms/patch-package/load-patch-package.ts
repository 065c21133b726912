import { nearest } from '../../diagnostics/index.ts';
import { createOriginTable } from '../../engine/index.ts';
import { FileAccessError } from '../../model/index.ts';
import type { DirectoryEntry, FileSystem, Report, SourceFile } from '../../model/index.ts';
import { readValues } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { findNearParameters } from '../find-near-parameters.ts';
import { createLoading } from '../package-loading.ts';
import type { Loading, PackageRequest } from '../package-loading.ts';
import { joinPath, lastPartOf, parentOf } from '../paths.ts';
import { linkPatches } from './link-patches.ts';
import { loadPatches } from './load-patches.ts';
import type { PackagePatch, PatchPackage } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { keepVersionTexts, readMetadata } from './read-metadata.ts';
import { readResources } from './read-resources.ts';

const muchText = 10 * 1024 * 1024;

/** Reads everything that a package and its local extension hold; `undefined` when that is not possible. All problems are told. */
export async function loadPatchPackage(request: PackageRequest, report: Report): Promise<PatchPackage | undefined> {
  const { path } = request;
  const name = lastPartOf(path);
  const base = /^(.+)\.local\.kurel$/.exec(name)?.[1];
  if (base !== undefined) {
    report(packageProblems.create('package-is-local', { path, base: `${path.slice(0, -name.length)}${base}.kurel` }));
    return undefined;
  }
  const loading = createLoading(request, report);
  const parameters = await loading.read('parameters.yaml');
  if (parameters === undefined) {
    const file = joinPath(path, 'parameters.yaml');
    if (loading.failed()) return undefined;
    const args = { path, near: await findNearParameters(request.fileSystem, path) };
    report(packageProblems.create('package-parameters-missing', args, { location: { file } }));
    return undefined;
  }
  if (name !== '.' && name !== '..' && !name.endsWith('.kurel')) {
    report(packageProblems.create('package-name-ending', { path }));
  }
  const data = readValues(parameters, loading.report, { words: 'core', budget: loading.budget });
  const own: ParameterLayer | undefined =
    data === undefined ? undefined : keepVersionTexts({ kind: 'package', source: parameters, data });
  const metadata = own === undefined ? undefined : readMetadata(parameters, own.data, loading.report);
  await reportNearNames(request, report);
  const resources = await loadResources(loading);
  if (resources.length === 0 && !loading.failed()) report(packageProblems.create('package-empty', { path }));
  const patches = await loadPatches({ owner: 'package', loading });
  const definitions = await loading.readAll('schemas/crds', /\.ya?ml$/);
  const schemaOverrides = await readOverrides(loading);
  const local = await loadLocal(request, report);
  if (!loading.failed()) warnOfSize(loading.size(), report);
  if (metadata === undefined || own === undefined || loading.failed() || local === 'failed') {
    // Nothing will be made of it; what else is wrong with its files is told all the same.
    readResources(
      { path, resources },
      { parameters: undefined, origins: createOriginTable(), report, store: undefined, budget: loading.budget },
    );
    linkPatches(patches, report);
    return undefined;
  }
  return {
    path,
    metadata,
    layers: [own, ...(local?.layer === undefined ? [] : [local.layer])],
    resources,
    patches: [...patches, ...(local?.patches ?? [])],
    definitions,
    schemaOverrides,
    localPath: local?.path,
  };
}

const folders = ['resources', 'patches', 'schemas'];

/** Everything else beside them is nobody's business; a folder of nearly that name is nothing to a package, and was meant to be something. */
async function reportNearNames({ fileSystem, path }: PackageRequest, report: Report): Promise<void> {
  const entries = await listQuietly(fileSystem, path);
  const names = entries.filter(({ kind }) => kind === 'directory').map(({ name }) => name);
  const missing = folders.filter((folder) => !names.includes(folder));
  for (const name of names) {
    const near = folders.includes(name) ? undefined : nearest(name, missing, { maxDistance: 2 });
    if (near === undefined) continue;
    const location = { file: joinPath(path, name) };
    report(packageProblems.create('package-folder-near', { name, near }, { location }));
  }
}

/** A hint must not fail: what is needed of the directory is read by its name. */
async function listQuietly(fileSystem: FileSystem, path: string): Promise<readonly DirectoryEntry[]> {
  try {
    return await fileSystem.list(path);
  } catch (error) {
    if (error instanceof FileAccessError) return [];
    throw error;
  }
}

async function loadResources(loading: Loading): Promise<readonly SourceFile[]> {
  const names = (await loading.list('resources')).filter((name) => /\.ya?ml$/.test(name));
  if (!loading.allows(names.length, 'maxResources')) return [];
  const files: SourceFile[] = [];
  for (const name of names) {
    const file = await loading.readListed(`resources/${name}`);
    if (file !== undefined) files.push(file);
  }
  return files;
}

function warnOfSize(size: number, report: Report): void {
  if (size <= muchText) return;
  report(packageProblems.create('package-large', { size: `${Math.round(size / (1024 * 1024))} MiB` }));
}

async function readOverrides(loading: Loading): Promise<SourceFile | undefined> {
  const found: SourceFile[] = [];
  for (const ending of ['yaml', 'yml', 'json']) {
    const file = await loading.read(`schemas/parameters.overrides.${ending}`);
    if (file !== undefined) found.push(file);
  }
  const [first, second] = found;
  if (first !== undefined && second !== undefined) {
    const args = { first: first.path, second: second.path };
    loading.report(packageProblems.create('package-overrides-twice', args, { location: { file: second.path } }));
  }
  return first;
}

interface LocalExtension {
  readonly path: string;
  readonly layer?: ParameterLayer | undefined;
  readonly patches: readonly PackagePatch[];
}

/** The local extension of a package, when there is one: parameters and patches, and nothing else. */
async function loadLocal(request: PackageRequest, report: Report): Promise<LocalExtension | 'failed' | undefined> {
  const { fileSystem, local, limits, budget } = request;
  if (local === false) return undefined;
  const path = local ?? besidePackage(request.path);
  if (path === undefined) return undefined;
  const kind = await fileSystem.kindOf(path);
  if (kind === undefined && local === undefined) return undefined;
  if (kind !== 'directory') {
    const code = kind === undefined ? 'local-missing' : 'local-not-a-directory';
    report(packageProblems.create(code, { path }, { location: { file: path } }));
    return 'failed';
  }
  const loading = createLoading({ fileSystem, path, limits, budget }, report);
  for (const { name, kind: entry } of await fileSystem.list(path)) {
    if (isAllowed(name, entry)) continue;
    loading.report(
      packageProblems.create('local-content', { path, name }, { location: { file: joinPath(path, name) } }),
    );
  }
  const layer = await loadParameters(loading);
  const patches = await loadPatches({ owner: 'local', loading });
  return loading.failed() ? 'failed' : { path, layer, patches };
}

/** Notes beside it are nobody's business; resources, schemas and YAML of any other name would be taken for content. */
function isAllowed(name: string, kind: string): boolean {
  if (name === 'patches' || name === 'parameters.yaml' || name.startsWith('.')) return true;
  return kind === 'file' && !/\.(?:ya?ml|json|kpatch)$/.test(name);
}

function besidePackage(path: string): string | undefined {
  const name = lastPartOf(path);
  if (name === '.' || name === '..' || name === '') return undefined;
  return joinPath(parentOf(path), `${name.replace(/\.kurel$/, '')}.local.kurel`);
}

async function loadParameters(loading: Loading): Promise<ParameterLayer | undefined> {
  const source = await loading.read('parameters.yaml');
  const data =
    source === undefined ? undefined : readValues(source, loading.report, { words: 'core', budget: loading.budget });
  return source === undefined || data === undefined ? undefined : keepVersionTexts({ kind: 'local', source, data });
}
