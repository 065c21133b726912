import { FileAccessError } from '../../model/index.ts';
import type { EntryKind, FileSystem, Report, SourceFile } from '../../model/index.ts';
import { joinPath } from '../paths.ts';
import { apiVersion } from './documents/read-document.ts';
import { applicationProblems } from './problems.ts';

const foldersNear: readonly (readonly [name: string, wanted: string])[] = [
  ['patch', 'patches'],
  ['definition', 'definitions'],
];

type OwnFiles = Readonly<Record<'application' | 'declaration', SourceFile | undefined>>;

interface PackagePlace {
  readonly fileSystem: FileSystem;
  /** The directory of the package. */
  readonly path: string;
  /** The file of the application was named, whatever else is there. */
  readonly isNamed: boolean;
  readonly report: Report;
}

/** Whoever calls a file app.yml means app.yaml, and should hear of it. */
export async function checkFileNames(
  { application, declaration }: OwnFiles,
  { fileSystem, path, isNamed, report }: PackagePlace,
): Promise<void> {
  const at = async (name: string): Promise<readonly string[]> => ((await kindOf(name)) === 'file' ? [name] : []);
  const ofApplication = [...(await at('app.yml')), ...(await at('application.yaml')), ...(await at('application.yml'))];
  if (application === undefined) {
    const isPackage = declaration !== undefined;
    const [found] = ofApplication;
    const location = { file: joinPath(path, isPackage ? 'kurel.yaml' : (found ?? 'app.yaml')) };
    report(applicationProblems.create('application-missing', { path, isPackage, found }, { location }));
  } else if (!isNamed) warn(ofApplication, 'app.yaml', true);
  const ofPackage = [
    ...(await at('kurel.yml')),
    ...(await declarationsAt('package.yaml')),
    ...(await declarationsAt('package.yml')),
  ];
  warn(ofPackage, 'kurel.yaml', declaration !== undefined);
  for (const [name, wanted] of foldersNear) {
    if (await isUnread(name)) warn([`${name}/`], `${wanted}/`, (await kindOf(wanted)) === 'directory');
  }
  if (await isUnread('resources')) {
    const location = { file: joinPath(path, 'resources/') };
    report(applicationProblems.create('package-resources-unread', {}, { location }));
  }

  async function kindOf(name: string): Promise<EntryKind | undefined> {
    return await fileSystem.kindOf(joinPath(path, name));
  }

  /** Of another name, and of the kind; many tools have a package.yaml. */
  async function declarationsAt(name: string): Promise<readonly string[]> {
    if ((await kindOf(name)) !== 'file') return [];
    const text = await readWhole(name);
    return /^kind: *["']?Package["']?\s*$/m.test(text) && text.includes(apiVersion) ? [name] : [];
  }

  /** What cannot be read is none of ours. */
  async function readWhole(name: string): Promise<string> {
    try {
      return await fileSystem.readText(joinPath(path, name));
    } catch (error) {
      if (error instanceof FileAccessError) return '';
      throw error;
    }
  }

  /** A directory that app.yaml does not name either. */
  async function isUnread(name: string): Promise<boolean> {
    return (await kindOf(name)) === 'directory' && application?.text.includes(`${name}/`) === false;
  }

  function warn(names: readonly string[], wanted: string, isThere: boolean): void {
    // Without its parameters an application that refers to some is not what it is meant to be.
    const isLost = wanted === 'kurel.yaml' && !isThere && application?.text.includes('${') === true;
    for (const name of names) {
      const place = { location: { file: joinPath(path, name) }, ...(isLost ? { severity: 'error' as const } : {}) };
      report(applicationProblems.create('package-file-misnamed', { name, wanted, isThere }, place));
    }
  }
}
