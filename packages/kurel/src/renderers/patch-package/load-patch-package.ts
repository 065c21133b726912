import type { Report, SourceFile } from '../../model/index.ts';
import { readValues } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { joinPath, lastPartOf } from '../paths.ts';
import { loadLocal } from './load-local.ts';
import { loadPatches } from './load-patches.ts';
import { createLoading } from '../package-loading.ts';
import type { Loading, PackageRequest } from '../package-loading.ts';
import type { PatchPackage } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { keepVersionTexts, readMetadata } from './read-metadata.ts';

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
    report(packageProblems.create('package-parameters-missing', { path }, { location: { file } }));
    return undefined;
  }
  if (name !== '.' && name !== '..' && !name.endsWith('.kurel')) {
    report(packageProblems.create('package-name-ending', { path }));
  }
  const data = readValues(parameters, loading.report);
  const values = data === undefined ? undefined : keepVersionTexts(parameters, data);
  const metadata = values === undefined ? undefined : readMetadata(parameters, values, loading.report);
  const resources = await loadResources(loading);
  if (resources.length === 0 && !loading.failed()) report(packageProblems.create('package-empty', { path }));
  const patches = await loadPatches({ owner: 'package', loading });
  const definitions = await loading.readAll('schemas/crds', /\.ya?ml$/);
  const schemaOverrides = await readOverrides(loading);
  const local = await loadLocal(request, report);
  if (!loading.failed()) warnOfSize(loading.size(), report);
  if (metadata === undefined || values === undefined || loading.failed() || local === 'failed') return undefined;
  const own: ParameterLayer = { kind: 'package', source: parameters, data: values };
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
