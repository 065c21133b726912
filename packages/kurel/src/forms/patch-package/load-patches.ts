import { nearest } from '../../diagnostics/index.ts';
import type { Report, SourceFile } from '../../model/index.ts';
import { readPatchFile } from '../../patch/index.ts';
import type { PatchFile } from '../../patch/index.ts';
import type { Loading } from '../package-loading.ts';
import { joinPath } from '../paths.ts';
import type { PackagePatch, Sidecar } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { completeIdentity, readSidecar } from './read-sidecar.ts';

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
    const sidecar = await loadSidecar(id, names, loading);
    if (source === undefined) {
      // It is there, though, and may be what others require.
      patches.push({ id, owner, file: unread(joinPath(loading.root, `patches/${id}`)), sidecar });
      continue;
    }
    const file = readPatchFile(source, loading.report, loading.budget);
    patches.push({ id, owner, file, sidecar: sidecar ?? headerOf(id, source, loading) });
  }
  reportLonely(names, ids, loading);
  return patches;
}

function unread(path: string): PatchFile {
  return { source: { path, text: '' }, format: 'kpatch', patches: [] };
}

async function loadSidecar(id: string, names: readonly string[], loading: Loading): Promise<Sidecar | undefined> {
  const [name, second] = sidecarNames(id).filter((one) => names.includes(one));
  if (name !== undefined && second !== undefined) {
    const location = { file: joinPath(loading.root, `patches/${second}`) };
    loading.report(packageProblems.create('sidecar-twice', { first: name, second }, { location }));
  }
  const source = name === undefined ? undefined : await loading.readListed(`patches/${name}`);
  return source === undefined ? undefined : readSidecar(source, loading);
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
  const free = ids.filter((id) => !sidecarNames(id).some((name) => names.includes(name)));
  const stems = new Map(free.map((id) => [id.replace(patchName, ''), id]));
  for (const name of names) {
    if (!/\.ya?ml$/.test(name) || patchName.test(name) || wanted.has(name)) continue;
    const stem = name.replace(/\.ya?ml$/, '');
    const near = nearest(stem, stems.keys());
    const meant = near === undefined ? undefined : { name: `${near}.yaml`, patch: stems.get(near)! };
    const location = { file: joinPath(loading.root, `patches/${name}`) };
    const args = { name, expected: `${stem}.kpatch`, meant };
    loading.report(packageProblems.create('sidecar-without-patch', args, { location }));
  }
}

const line = /^#[ \t]*kurel:(enabled|description|requires|conflicts):[ \t]*(.*?)[ \t]*\r?$/;

/** The old form: `# kurel:enabled: ${a.b}` in the comments at the very top of a patch. */
function readHeaderComments(
  source: SourceFile,
  { report, sidecarName }: { readonly report: Report; readonly sidecarName: string },
): Sidecar | undefined {
  const parsed = new Map<string, string>();
  let offset = 0;
  for (const text of source.text.split('\n')) {
    if (!/^[ \t]*(?:#|\r?$)/.test(text)) break;
    const [, name, value] = line.exec(text) ?? [];
    if (name !== undefined && value !== undefined) {
      parsed.set(name, value);
      const location = { file: source.path, range: { start: offset, end: offset + text.trimEnd().length } };
      const args = { name: `kurel:${name}`, sidecar: sidecarName };
      report(packageProblems.create('patch-header-comment', args, { location }));
    }
    offset += text.length + 1;
  }
  if (parsed.size === 0) return undefined;
  const whole = { file: source.path, range: { start: 0, end: Math.max(0, offset - 1) } };
  const references = (name: string) =>
    (parsed.get(name) ?? '')
      .split(/[\s,]+/)
      .filter((word) => word !== '')
      .map((word) => ({ id: completeIdentity(word), location: whole }));
  return {
    source,
    enabled: parsed.get('enabled'),
    description: parsed.get('description'),
    requires: references('requires'),
    conflicts: references('conflicts'),
  };
}
