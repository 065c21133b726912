import { FileAccessError } from '../../model/index.ts';
import type { FileSystem, Report, SourceFile } from '../../model/index.ts';
import type { PatchFile } from '../../patch/index.ts';
import { findNearPath } from '../find-near-path.ts';
import { createLoading } from '../package-loading.ts';
import type { Loading, PackageLimits } from '../package-loading.ts';
import { joinPath } from '../paths.ts';
import { inputProblems } from '../problems.ts';
import type { ApplicationPackage } from './application-package.ts';
import { applicationProblems } from './problems.ts';

export interface ApplicationFiles {
  readonly fileSystem: FileSystem;
  /** The directory of the package. */
  readonly path: string;
  /** The file of the profile, or `false` to build without one. */
  readonly profile?: string | false | undefined;
  readonly policy?: string | undefined;
  /** Files of CapabilityDefinitions; those in definitions/ of the package are read as well. */
  readonly definitions?: readonly string[] | undefined;
  readonly limits?: PackageLimits | undefined;
}

/** Reads the files; `undefined` when one of them is missing or cannot be read. All problems are told. */
export async function loadApplication(
  files: ApplicationFiles,
  report: Report,
): Promise<ApplicationPackage | undefined> {
  const { fileSystem, path, profile, policy, definitions = [], limits } = files;
  const loading = createLoading({ fileSystem, path, limits }, report);
  const application = await loading.read('app.yaml');
  const declaration = await loading.read('kurel.yaml');
  if (!loading.failed()) await checkNames({ application, declaration }, files, loading.report);
  if (profile === undefined) loading.report(applicationProblems.create('profile-missing', { path }));
  const outside = async (file: string | undefined): Promise<SourceFile | undefined> =>
    file === undefined ? undefined : await readOutside(file, fileSystem, loading.report);
  const loaded = {
    profile: await outside(profile === false ? undefined : profile),
    policy: await outside(policy),
    definitions: [
      ...(await readEach(definitions, outside)),
      ...(await loading.readAll('definitions', /^[^/]+\.yaml$/)),
    ],
    lock: await loading.read('kurel.lock'),
    patches: await loadPatches(loading),
  };
  if (application === undefined || loading.failed()) return undefined;
  return { path, application, declaration, ...loaded };
}

type OwnFiles = Readonly<Record<'application' | 'declaration', SourceFile | undefined>>;

/** Whoever calls a file app.yml means app.yaml, and should hear of it. */
async function checkNames(
  { application, declaration }: OwnFiles,
  { fileSystem, path }: ApplicationFiles,
  report: Report,
): Promise<void> {
  const at = async (name: string): Promise<readonly string[]> =>
    (await fileSystem.kindOf(joinPath(path, name))) === 'file' ? [name] : [];
  const ofApplication = [...(await at('app.yml')), ...(await at('application.yaml')), ...(await at('application.yml'))];
  if (application === undefined) {
    const isPackage = declaration !== undefined;
    const [found] = ofApplication;
    const location = { file: joinPath(path, isPackage ? 'kurel.yaml' : (found ?? 'app.yaml')) };
    report(applicationProblems.create('application-missing', { path, isPackage, found }, { location }));
  } else warn(ofApplication, 'app.yaml', true);
  warn(await at('kurel.yml'), 'kurel.yaml', declaration !== undefined);

  function warn(names: readonly string[], wanted: string, isThere: boolean): void {
    for (const name of names) {
      const location = { file: joinPath(path, name) };
      report(applicationProblems.create('package-file-misnamed', { name, wanted, isThere }, { location }));
    }
  }
}

async function readEach(
  files: readonly string[],
  read: (file: string) => Promise<SourceFile | undefined>,
): Promise<readonly SourceFile[]> {
  const found: SourceFile[] = [];
  for (const file of files) {
    const source = await read(file);
    if (source !== undefined) found.push(source);
  }
  return found;
}

/** Files of the platform lie wherever its operator keeps them. */
async function readOutside(path: string, fileSystem: FileSystem, report: Report): Promise<SourceFile | undefined> {
  try {
    return { path, text: await fileSystem.readText(path) };
  } catch (error) {
    if (!(error instanceof FileAccessError)) throw error;
    const near = error.reason === 'not-found' ? await findNearPath(fileSystem, path) : undefined;
    const args = { reason: error.message, near };
    report(inputProblems.create('package-file-unreadable', args, { location: { file: path } }));
    return undefined;
  }
}

async function loadPatches(loading: Loading): Promise<readonly PatchFile[]> {
  const patches: PatchFile[] = [];
  const names = await loading.list('patches');
  if (!loading.allows(names.length, 'maxPatches')) return [];
  for (const name of names) {
    if (!name.endsWith('.kpatch')) {
      const location = { file: joinPath(loading.root, `patches/${name}`) };
      loading.report(applicationProblems.create('patch-not-kpatch', { name }, { location }));
      continue;
    }
    const source = await loading.readListed(`patches/${name}`);
    const { readPatchFile } = await import('../../patch/index.ts');
    if (source !== undefined) patches.push(readPatchFile(source, loading.report));
  }
  return patches;
}
