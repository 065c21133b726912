import { mappingAt, textAt } from '../../kube/index.ts';
import { FileAccessError, isJsonObject } from '../../model/index.ts';
import type { Budget, EntryKind, FileSystem, Json, Report, SourceFile } from '../../model/index.ts';
import type { PatchFile } from '../../patch/index.ts';
import type { RuleLayer } from '../../validate/index.ts';
import { createLoading } from '../package-loading.ts';
import type { Loading, PackageLimits } from '../package-loading.ts';
import { ifReadable } from '../../reads/index.ts';
import { findNearPath, joinPath, kindOfName, lastPartOf, parentOf } from '../paths.ts';
import { inputProblems } from '../problems.ts';
import { createCatalog } from './catalog/catalog.ts';
import type { Catalog, Handlers } from './catalog/catalog.ts';
import { platformRules } from './compose/read-rules.ts';
import { apiVersion, readOneDocument, readPolicy } from '../../documents/index.ts';
import { listParts } from './application-parts.ts';
import { applicationProblems } from './problems.ts';
import type { NeededCapability } from './problems.ts';

/** The files of an application package, and the files the platform provides for it. */
export interface ApplicationPackage {
  /** The directory. */
  readonly path: string;
  readonly application: SourceFile;
  /** `kurel.yaml`; optional for an application without parameters. */
  readonly declaration: SourceFile | undefined;
  readonly profile: SourceFile | undefined;
  readonly policy: SourceFile | undefined;
  readonly definitions: readonly SourceFile[];
  /** `kurel.lock`: the remote sources of the package and their checksums. */
  readonly lock: SourceFile | undefined;
  /** Sorted by name. */
  readonly patches: readonly PatchFile[];
}

export interface ApplicationFiles {
  readonly fileSystem: FileSystem;
  /** The package directory, or a file in it to build instead of its app.yaml. */
  readonly path: string;
  /** Path of the profile, or `false` to build without one. */
  readonly profile?: string | false | undefined;
  readonly policy?: string | undefined;
  /** Paths of CapabilityDefinitions, in addition to those in definitions/ of the package. */
  readonly definitions?: readonly string[] | undefined;
  readonly limits?: PackageLimits | undefined;
  readonly budget?: Budget | undefined;
}

interface LoadingOptions extends ApplicationFiles {
  /** The capabilities an application requires from the profile. */
  readonly needsOf?: ((application: SourceFile) => readonly NeededCapability[]) | undefined;
}

/** Reads the files; `undefined` if one is missing or unreadable. Reports all problems. */
export async function loadApplication(files: LoadingOptions, report: Report): Promise<ApplicationPackage | undefined> {
  const { fileSystem, profile, policy, definitions = [], limits, budget } = files;
  const isFile = (await fileSystem.kindOf(files.path)) === 'file';
  const path = isFile ? parentOf(files.path) : files.path;
  const loading = createLoading({ fileSystem, path, limits, budget }, report);
  const application = await loading.read(isFile ? lastPartOf(files.path) : 'app.yaml');
  const declaration = await loading.read('kurel.yaml');
  if (!loading.failed())
    await checkFileNames({ application, declaration }, { fileSystem, path, isNamed: isFile, report: loading.report });
  if (profile === undefined) {
    const needs = application === undefined ? [] : (files.needsOf?.(application) ?? []);
    loading.report(applicationProblems.create('profile-missing', { path: files.path, needs }));
  }
  const outside = async (file: string | undefined, what: string): Promise<SourceFile | undefined> =>
    file === undefined ? undefined : await readOutside(file, fileSystem, { report: loading.report, what });
  const ofPlatform = {
    profile: await outside(profile === false ? undefined : profile, 'profile'),
    policy: await outside(policy, 'policy'),
  };
  const passed: SourceFile[] = [];
  for (const file of definitions) {
    const source = await outside(file, 'definition');
    if (source !== undefined) passed.push(source);
  }
  const loaded = {
    ...ofPlatform,
    definitions: [...passed, ...(await loading.readAll('definitions', /^[^/]+\.yaml$/))],
    lock: await loading.read('kurel.lock'),
    patches: await loadPatches(loading),
  };
  if (application === undefined || loading.failed()) return undefined;
  return { path, application, declaration, ...loaded };
}

/** Platform files can be anywhere on disk, not only in the package. */
async function readOutside(
  path: string,
  fileSystem: FileSystem,
  { report, what }: { readonly report: Report; readonly what: string },
): Promise<SourceFile | undefined> {
  try {
    return { path, text: await fileSystem.readText(path) };
  } catch (error) {
    if (!(error instanceof FileAccessError)) throw error;
    const near = error.reason === 'not-found' ? await findNearPath(fileSystem, path) : undefined;
    const args = { reason: `the ${what} ${error.message}`, near };
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
    if (source === undefined) continue;
    const { readPatchFile } = await import('../../patch/index.ts');
    patches.push(readPatchFile(source, loading.report, loading.budget));
  }
  return patches;
}

const foldersNear: readonly (readonly [name: string, wanted: string])[] = [
  ['patch', 'patches'],
  ['definition', 'definitions'],
];

type OwnFiles = Readonly<Record<'application' | 'declaration', SourceFile | undefined>>;

interface PackagePlace {
  readonly fileSystem: FileSystem;
  /** The package directory. */
  readonly path: string;
  /** The user named the application file explicitly. */
  readonly isNamed: boolean;
  readonly report: Report;
}

/** A file called app.yml was probably meant to be app.yaml. */
async function checkFileNames(
  { application, declaration }: OwnFiles,
  { fileSystem, path, isNamed, report }: PackagePlace,
): Promise<void> {
  const ofApplication = await filesOf('app.yml', 'application.yaml', 'application.yml');
  if (application === undefined) {
    const isPackage = declaration !== undefined;
    const [other] = ofApplication;
    const location = { file: joinPath(path, isPackage ? 'kurel.yaml' : (other ?? 'app.yaml')) };
    report(applicationProblems.create('application-missing', { path, isPackage, found: other }, { location }));
  } else if (!isNamed) warn(ofApplication, 'app.yaml', true);
  const ofPackage = await filesOf('kurel.yml');
  for (const name of await filesOf('package.yaml', 'package.yml')) if (await isDeclaration(name)) ofPackage.push(name);
  warn(ofPackage, 'kurel.yaml', declaration !== undefined);
  for (const [name, wanted] of foldersNear) {
    if (await isUnread(name)) warn([`${name}/`], `${wanted}/`, (await kindOf(wanted)) === 'directory');
  }
  if (await isUnread('resources')) {
    const location = { file: joinPath(path, 'resources/') };
    report(applicationProblems.create('package-resources-unread', {}, { location }));
  }

  async function kindOf(name: string): Promise<EntryKind | undefined> {
    return await kindOfName(fileSystem, path, name);
  }

  async function filesOf(...names: readonly string[]): Promise<string[]> {
    const files: string[] = [];
    for (const name of names) if ((await kindOf(name)) === 'file') files.push(name);
    return files;
  }

  /** Only files with our apiVersion and kind count: many tools use a package.yaml. */
  async function isDeclaration(name: string): Promise<boolean> {
    // An unreadable file is not part of the package.
    const text = await ifReadable(() => fileSystem.readText(joinPath(path, name)), '');
    return /^kind: *["']?Package["']?\s*$/m.test(text) && text.includes(apiVersion);
  }

  /** A directory that app.yaml does not mention. */
  async function isUnread(name: string): Promise<boolean> {
    return (await kindOf(name)) === 'directory' && application?.text.includes(`${name}/`) === false;
  }

  function warn(names: readonly string[], wanted: string, isThere: boolean): void {
    // An application with references cannot be built without its parameters, so the warning becomes an error.
    const isLost = wanted === 'kurel.yaml' && !isThere && application?.text.includes('${') === true;
    for (const name of names) {
      const place = { location: { file: joinPath(path, name) }, ...(isLost ? { severity: 'error' as const } : {}) };
      report(applicationProblems.create('package-file-misnamed', { name, wanted, isThere }, place));
    }
  }
}

export interface PolicyRequest {
  readonly fileSystem: FileSystem;
  /** Path of the Policy. */
  readonly path: string;
  /** Custom traits, which a policy may name. */
  readonly handlers?: Handlers | undefined;
  readonly budget?: Budget | undefined;
}

/** Reads the policy for a form other than an application; `undefined` if it is unusable, which is reported. */
export async function loadPolicy(
  { fileSystem, path, handlers, budget }: PolicyRequest,
  report: Report,
): Promise<RuleLayer | undefined> {
  const file = await readOutside(path, fileSystem, { report, what: 'policy' });
  const source = file === undefined ? undefined : readOneDocument(file, report, budget?.memory);
  if (source === undefined) return undefined;
  const catalog = createCatalog(handlers);
  const types = { components: [...catalog.components.keys()], traits: [...catalog.traits.keys()] };
  const document = readPolicy(source.data, { ...source, report, known: types });
  return document === undefined ? undefined : platformRules({ document, source });
}

/** The capabilities that an application requires as written, enabled or not; sorted by name. */
export function findNeeded(application: Json, catalog: Catalog): readonly NeededCapability[] {
  const needed = new Map<string, NeededCapability>();
  for (const { part, isTrait, component } of listParts(application)) {
    const type = textAt(part, 'type') ?? '';
    const capability = isTrait ? catalog.traits.get(type)?.capability : undefined;
    if (capability?.isNeeded(mappingAt(part, 'properties') ?? {}) !== true) continue;
    const isOptional = isSwitched(component) || isSwitched(part);
    needed.set(type, {
      type,
      example: capability.example,
      isOptional: isOptional && needed.get(type)?.isOptional !== false,
    });
  }
  return [...needed.keys()].toSorted().map((type) => needed.get(type)!);
}

function isSwitched(part: Json): boolean {
  return isJsonObject(part) && Object.hasOwn(part, 'enabled') && part['enabled'] !== true;
}
