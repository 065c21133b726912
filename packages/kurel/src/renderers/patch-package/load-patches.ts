import { readPatchFile } from '../../patch/index.ts';
import { joinPath } from '../paths.ts';
import type { Loading } from '../package-loading.ts';
import type { PackagePatch, Sidecar } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { readHeaderComments } from './read-header-comments.ts';
import { readSidecar } from './read-sidecar.ts';

const patchName = /\.(?:kpatch|patch\.ya?ml)$/;

/** The patches below `patches/`, in the order of their paths, each with what the file beside it says. */
export async function loadPatches({
  owner,
  loading,
}: {
  readonly owner: PackagePatch['owner'];
  readonly loading: Loading;
}): Promise<readonly PackagePatch[]> {
  const names = await loading.list('patches');
  const ids = names.filter((name) => patchName.test(name));
  if (!loading.allows(ids.length, 'maxPatches')) return [];
  const patches: PackagePatch[] = [];
  for (const id of ids) {
    const source = await loading.readListed(`patches/${id}`);
    if (source === undefined) continue;
    const file = readPatchFile(source, loading.report);
    const sidecar = (await loadSidecar(id, names, loading)) ?? headerOf(id, source, loading);
    patches.push({ id, owner, file, sidecar });
  }
  reportLonely(names, ids, loading);
  return patches;
}

async function loadSidecar(id: string, names: readonly string[], loading: Loading): Promise<Sidecar | undefined> {
  const name = sidecarNames(id).find((one) => names.includes(one));
  const source = name === undefined ? undefined : await loading.readListed(`patches/${name}`);
  return source === undefined ? undefined : readSidecar(source, loading.report);
}

function headerOf(id: string, source: { readonly path: string; readonly text: string }, loading: Loading) {
  const [sidecarName] = sidecarNames(id);
  return readHeaderComments(source, { report: loading.report, sidecarName: sidecarName! });
}

function sidecarNames(id: string): readonly string[] {
  const stem = id.replace(patchName, '');
  return [`${stem}.yaml`, `${stem}.yml`];
}

/** YAML that belongs to no patch was most likely meant for one. */
function reportLonely(names: readonly string[], ids: readonly string[], loading: Loading): void {
  const wanted = new Set(ids.flatMap(sidecarNames));
  for (const name of names) {
    if (!/\.ya?ml$/.test(name) || patchName.test(name) || wanted.has(name)) continue;
    const expected = name.replace(/\.ya?ml$/, '.kpatch');
    const location = { file: joinPath(loading.root, `patches/${name}`) };
    loading.report(packageProblems.create('sidecar-without-patch', { name, expected }, { location }));
  }
}
