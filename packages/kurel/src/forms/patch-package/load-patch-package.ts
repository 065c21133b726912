import { nearest } from '../../diagnostics/index.ts';
import { createOriginTable } from '../../engine/index.ts';
import type { FileSystem, Report, SourceFile } from '../../model/index.ts';
import { readValues } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { readPatchFile } from '../../patch/index.ts';
import { findNearParameters } from '../forms.ts';
import { createLoading } from '../package-loading.ts';
import type { Loading, PackageRequest } from '../package-loading.ts';
import { ifReadable } from '../../reads/index.ts';
import { joinPath, lastPartOf, localOf } from '../paths.ts';
import { linkPatches } from './plan-patches.ts';
import type { PackagePatch, PatchPackage, Sidecar } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import {
  isPatchName,
  keepVersionTexts,
  readHeaderComments,
  readMetadata,
  readSidecar,
  withoutPatchEnding,
} from './read-metadata.ts';
import { readResources } from './read-resources.ts';

const muchText = 10 * 1024 * 1024;

/** Reads a package with its local extension; `undefined` after an error. All problems are reported. */
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
    if (loading.failed()) return undefined;
    const args = { path, near: await findNearParameters(request.fileSystem, path) };
    const location = { file: joinPath(path, 'parameters.yaml') };
    report(packageProblems.create('package-parameters-missing', args, { location }));
    return undefined;
  }
  const isNamed = name !== '.' && name !== '..' && request.fileSystem.packageAt?.(path) === undefined;
  if (isNamed && !name.endsWith('.kurel')) {
    report(packageProblems.create('package-name-ending', { path }));
  }
  const own = readLayer('package', parameters, loading);
  const metadata = own === undefined ? undefined : readMetadata(parameters, own.data, loading.report);
  await reportOutside(request, report);
  const resources = await loadResources(loading);
  if (resources.length === 0 && !loading.failed()) report(packageProblems.create('package-empty', { path }));
  const patches = await loadPatches('package', loading);
  const definitions = await loading.readAll('schemas/crds', /\.ya?ml$/);
  const schemaOverrides = await readOverrides(loading);
  const local = await loadLocal(request, report);
  if (!loading.failed() && loading.size() > muchText) {
    const size = `${Math.round(loading.size() / (1024 * 1024))} MiB`;
    report(packageProblems.create('package-large', { size }));
  }
  if (metadata === undefined || own === undefined || loading.failed() || local === 'failed') {
    // The result is discarded; this reports the remaining problems of the files.
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

/**
 * Other files and directories are ignored silently. A directory with a similar name, or a manifest or patch beside
 * parameters.yaml, is most likely a mistake.
 */
async function reportOutside({ fileSystem, path }: PackageRequest, report: Report): Promise<void> {
  // Only used for hints, which must not fail; required files are read by name.
  const entries = await ifReadable(() => fileSystem.list(path), []);
  for (const { name, kind } of entries) {
    const folder = kind === 'file' ? await folderFor(name, path, fileSystem) : undefined;
    if (folder === undefined) continue;
    const args = { name, advice: `move it to ${folder}/, or out of the package` };
    report(packageProblems.create('package-file-unread', args, { location: { file: joinPath(path, name) } }));
  }
  const names = entries.filter(({ kind }) => kind === 'directory').map(({ name }) => name);
  const missing = folders.filter((folder) => !names.includes(folder));
  for (const name of names) {
    const near = folders.includes(name) ? undefined : nearest(name, missing, { maxDistance: 2 });
    if (near === undefined) continue;
    const location = { file: joinPath(path, name) };
    report(packageProblems.create('package-folder-near', { name, near }, { location }));
  }
}

const ownDocument = /^apiVersion:[ \t]*["']?(?:launcher\.gokure\.dev|kustomize\.config\.k8s\.io)/m;

/** The directory where a file beside parameters.yaml would be read. */
async function folderFor(name: string, root: string, fileSystem: FileSystem): Promise<string | undefined> {
  if (isPatchName(name)) return 'patches';
  if (!/\.ya?ml$/.test(name)) return undefined;
  const text = await ifReadable(() => fileSystem.readText(joinPath(root, name)), '');
  const isManifest = /^apiVersion:/m.test(text) && /^kind:/m.test(text) && !ownDocument.test(text);
  return isManifest ? 'resources' : undefined;
}

async function loadResources(loading: Loading): Promise<readonly SourceFile[]> {
  const listed = await loading.list('resources');
  const names = listed.filter((name) => /\.ya?ml$/.test(name));
  for (const name of listed) if (!names.includes(name)) reportUnread('resources', name, loading);
  if (!loading.allows(names.length, 'maxResources')) return [];
  const files: SourceFile[] = [];
  for (const name of names) {
    const file = await loading.readListed(`resources/${name}`);
    if (file === undefined) continue;
    if (isKustomization(name) && !/^apiVersion:[ \t]*["']?(?!kustomize\.config\.k8s\.io)\w/m.test(file.text)) {
      reportUnread('resources', name, loading);
    } else files.push(file);
  }
  return files;
}

/** A file of kustomize; Flux has a kind with the same name, which is an object. */
function isKustomization(name: string): boolean {
  return /^kustomization(?:\.ya?ml)?$/i.test(lastPartOf(name));
}

/** Notes next to manifests and patches are ignored silently; any other file is most likely a mistake. */
function reportUnread(folder: 'resources' | 'patches', name: string, loading: Loading): void {
  const file = lastPartOf(name);
  const isNote = file.startsWith('.') || /\.(?:md|txt)$/i.test(file) || !file.includes('.');
  if (isNote && !isKustomization(name)) return;
  const args = { name: `${folder}/${name}`, advice: adviceFor(folder, file) };
  loading.report(
    packageProblems.create('package-file-unread', args, { location: { file: joinPath(loading.root, args.name) } }),
  );
}

function adviceFor(folder: 'resources' | 'patches', file: string): string {
  if (isKustomization(file)) {
    return folder === 'resources'
      ? 'remove it, or add the output of kustomize: all manifests in resources/ are read'
      : 'remove it: all .kpatch files in patches/ are applied';
  }
  if (folder === 'resources' && file.endsWith('.kpatch')) return 'move it to patches/';
  const ending = folder === 'resources' ? '.yaml' : '.kpatch';
  const stem = file.replace(/\.[^.]*$/, '');
  const name = /\.(?:ya?ml|kpatch)$/.test(stem) ? stem : `${stem}${ending}`;
  return `rename it to ${name}, or move it out of ${folder}/`;
}

async function readOverrides(loading: Loading): Promise<SourceFile | undefined> {
  const files: SourceFile[] = [];
  for (const ending of ['yaml', 'yml', 'json']) {
    const file = await loading.read(`schemas/parameters.overrides.${ending}`);
    if (file !== undefined) files.push(file);
  }
  const [first, second] = files;
  if (first !== undefined && second !== undefined) {
    const args = { first: first.path, second: second.path };
    loading.report(packageProblems.create('package-overrides-twice', args, { location: { file: second.path } }));
  }
  return first;
}

/** The local extension of a package, if it exists: parameters and patches only. */
async function loadLocal(request: PackageRequest, report: Report) {
  const { fileSystem, local, limits, budget } = request;
  if (local === false) return undefined;
  const path = local ?? localOf(request.path);
  if (path === undefined) return undefined;
  const kind = await fileSystem.kindOf(path);
  if (kind === undefined && local === undefined) return undefined;
  if (kind !== 'directory') {
    const code = kind === undefined ? 'local-missing' : 'local-not-a-directory';
    report(packageProblems.create(code, { path }, { location: { file: path } }));
    return 'failed' as const;
  }
  const loading = createLoading({ fileSystem, path, limits, budget }, report);
  for (const { name, kind: entry } of await fileSystem.list(path)) {
    if (['patches', 'parameters.yaml', 'kurel.accept.yaml'].includes(name) || name.startsWith('.')) continue;
    // Notes are ignored silently; resources, schemas and other YAML files look like content.
    if (entry === 'file' && !/\.(?:ya?ml|json|kpatch)$/.test(name)) continue;
    loading.report(
      packageProblems.create('local-content', { path, name }, { location: { file: joinPath(path, name) } }),
    );
  }
  const parameters = await loading.read('parameters.yaml');
  const layer = parameters && readLayer('local', parameters, loading);
  const patches = await loadPatches('local', loading);
  return loading.failed() ? 'failed' : { path, layer, patches };
}

function readLayer(
  kind: 'package' | 'local',
  source: SourceFile,
  { report, budget }: Loading,
): ParameterLayer | undefined {
  const data = readValues(source, report, { words: 'core', budget, file: 'parameters.yaml' });
  return data && keepVersionTexts({ kind, source, data });
}

/** Patches in `patches/`, sorted by path, each with its metadata. */
async function loadPatches(owner: PackagePatch['owner'], loading: Loading): Promise<readonly PackagePatch[]> {
  const names = await loading.list('patches');
  const ids = names.filter(isPatchName);
  if (!loading.allows(ids.length, 'maxPatches')) return [];
  const patches: PackagePatch[] = [];
  for (const id of ids) {
    const source = await loading.readListed(`patches/${id}`);
    const sidecar = await loadSidecar(id, names, loading);
    if (source === undefined) {
      // The patch exists and may be required by others, even if it cannot be read.
      const unread = { path: joinPath(loading.root, `patches/${id}`), text: '' };
      patches.push({ id, owner, file: { source: unread, format: 'kpatch', patches: [] }, sidecar });
      continue;
    }
    const file = readPatchFile(source, loading.report, loading.budget);
    const header = sidecar ?? readHeaderComments(source, sidecarNames(id)[0]!, loading.report);
    patches.push({ id, owner, file, sidecar: header });
  }
  for (const name of names) if (!isPatchFile(name)) reportUnread('patches', name, loading);
  reportSidecarsWithoutPatch(names, ids, loading);
  return patches;
}

/** A patch or a metadata file. */
function isPatchFile(name: string): boolean {
  return isPatchName(name) || (/\.ya?ml$/.test(name) && !isKustomization(name));
}

async function loadSidecar(id: string, names: readonly string[], loading: Loading): Promise<Sidecar | undefined> {
  const [name, second] = sidecarNames(id).filter((candidate) => names.includes(candidate));
  if (name !== undefined && second !== undefined) {
    const location = { file: joinPath(loading.root, `patches/${second}`) };
    loading.report(packageProblems.create('sidecar-twice', { first: name, second }, { location }));
  }
  const source = name === undefined ? undefined : await loading.readListed(`patches/${name}`);
  return source === undefined ? undefined : readSidecar(source, loading);
}

function sidecarNames(id: string): readonly string[] {
  const stem = withoutPatchEnding(id);
  return [`${stem}.yaml`, `${stem}.yml`];
}

/** A YAML file without a patch was most likely meant for one. */
function reportSidecarsWithoutPatch(names: readonly string[], ids: readonly string[], loading: Loading): void {
  const wanted = new Set(ids.flatMap(sidecarNames));
  const free = ids.filter((id) => !sidecarNames(id).some((name) => names.includes(name)));
  const stems = new Map(free.map((id) => [withoutPatchEnding(id), id]));
  for (const name of names) {
    if (!isPatchFile(name) || isPatchName(name) || wanted.has(name)) continue;
    const stem = name.replace(/\.ya?ml$/, '');
    const near = nearest(stem, stems.keys());
    const meant = near === undefined ? undefined : { name: `${near}.yaml`, patch: stems.get(near)! };
    const location = { file: joinPath(loading.root, `patches/${name}`) };
    const args = { name, expected: `${stem}.kpatch`, meant };
    loading.report(packageProblems.create('sidecar-without-patch', args, { location }));
  }
}
