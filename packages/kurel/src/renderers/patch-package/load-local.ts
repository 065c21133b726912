import type { Report } from '../../model/index.ts';
import { readValues } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { joinPath, lastPartOf, parentOf } from '../paths.ts';
import { loadPatches } from './load-patches.ts';
import { createLoading } from '../package-loading.ts';
import type { Loading, PackageRequest } from '../package-loading.ts';
import type { PackagePatch } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { keepVersionTexts } from './read-metadata.ts';

export interface LocalExtension {
  readonly path: string;
  readonly layer?: ParameterLayer | undefined;
  readonly patches: readonly PackagePatch[];
}

/** The local extension of a package, when there is one: parameters and patches, and nothing else. */
export async function loadLocal(
  request: PackageRequest,
  report: Report,
): Promise<LocalExtension | 'failed' | undefined> {
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
