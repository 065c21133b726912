import { DiagnosticError, nearest } from '../diagnostics/index.ts';
import { FileAccessError, type FileSystem, isJsonObject } from '../model/index.ts';
import { readYaml } from '../yaml/index.ts';
import { findNearParameters } from './find-near-parameters.ts';
import { findNearPath } from './find-near-path.ts';
import { kustomizationNames } from './kustomize/scan-kustomization.ts';
import { isGlob } from './manifests/compile-glob.ts';
import { deepestDirectory, joinPath, lastPartOf, parentOf } from './paths.ts';
import { inputProblems } from './problems.ts';

/** What kurel can build, as `--as` names it. */
export type InputForm = 'manifests' | 'kustomization' | 'chart' | 'patch-package' | 'application';

export interface DetectedInput {
  readonly form: InputForm;
  /** The directory where a file was given that only marks what its directory is; an Application of another name is one itself. */
  readonly path: string;
}

interface Mark {
  readonly form: InputForm;
  /** A directory with one of these files is of the form. */
  readonly files: readonly string[];
  /** Where the name of the file alone does not tell. */
  readonly kind?: string;
}

export interface DetectionOptions {
  /** Something was given that only applications have a use for: one of another tool is then no plain manifest. */
  readonly isForApplications?: boolean | undefined;
}

interface Looking {
  readonly fileSystem: FileSystem;
  /** That documents of kurel are of, or are meant to be. */
  readonly groups: readonly string[];
}

const packageGroup = 'launcher.gokure.dev/';
const oamGroup = 'core.oam.dev/';

const application: Mark = { form: 'application', files: ['app.yaml'], kind: 'Application' };

const marks: readonly Mark[] = [
  { form: 'application', files: ['kurel.yaml'], kind: 'Package' },
  application,
  { form: 'patch-package', files: ['parameters.yaml'] },
  { form: 'kustomization', files: kustomizationNames },
  { form: 'chart', files: ['Chart.yaml'] },
];

/** Looks at what a path is; whatever has no mark of another form is plain manifests. */
export async function detectInput(
  fileSystem: FileSystem,
  path: string,
  options: DetectionOptions = {},
): Promise<DetectedInput> {
  const kind = await fileSystem.kindOf(path);
  const looking = {
    fileSystem,
    groups: options.isForApplications === true ? [packageGroup, oamGroup] : [packageGroup],
  };
  if (kind === 'directory') return await detectDirectory(path, looking);
  if (kind === 'file') return await detectFile(path, looking);
  if (kind === 'other') throw new DiagnosticError([inputProblems.create('input-not-a-file', { path })]);
  if (isGlob(path)) return { form: 'manifests', path };
  const near = await findNearPath(fileSystem, path);
  throw new DiagnosticError([inputProblems.create('input-not-found', { path, near })]);
}

async function detectDirectory(path: string, looking: Looking): Promise<DetectedInput> {
  const { fileSystem } = looking;
  const found: { readonly form: Mark['form']; readonly file: string }[] = [];
  for (const mark of marks) {
    for (const file of mark.files) {
      const isMarked = await bearsMark(joinPath(path, file), mark, looking);
      if (isMarked && !found.some(({ form }) => form === mark.form)) found.push({ form: mark.form, file });
    }
  }
  const [first, second] = found;
  if (second !== undefined) throw new DiagnosticError([inputProblems.create('input-ambiguous', { path, found })]);
  if (first !== undefined) return { form: first.form, path };
  // Whoever loads packages says what a local extension is.
  if (lastPartOf(path).endsWith('.local.kurel')) return { form: 'patch-package', path };
  if (lastPartOf(path).endsWith('.kurel') || (await holdsPatches(fileSystem, path))) {
    const near = await findNearParameters(fileSystem, path);
    throw new DiagnosticError([inputProblems.create('input-package-unmarked', { path, near })]);
  }
  return { form: 'manifests', path };
}

/** Manifests beside patches for them are no plain manifests: some of them may be there only if a patch says so. */
async function holdsPatches(fileSystem: FileSystem, path: string): Promise<boolean> {
  const [resources, patches] = [joinPath(path, 'resources'), joinPath(path, 'patches')];
  if ((await fileSystem.kindOf(resources)) !== 'directory') return false;
  return (await fileSystem.kindOf(patches)) === 'directory' && (await holdsKpatch(fileSystem, patches));
}

async function holdsKpatch(fileSystem: FileSystem, directory: string, depth = 0): Promise<boolean> {
  if (depth > deepestDirectory) return false;
  const entries = await fileSystem.list(directory);
  if (entries.some(({ name, kind }) => kind !== 'directory' && name.endsWith('.kpatch'))) return true;
  for (const { name, kind, target } of entries) {
    // A link may lead in a circle.
    if (kind !== 'directory' || target !== undefined) continue;
    if (await holdsKpatch(fileSystem, joinPath(directory, name), depth + 1)) return true;
  }
  return false;
}

/** A file that marks its directory stands for the directory; a packed chart is a chart. */
async function detectFile(path: string, looking: Looking): Promise<DetectedInput> {
  if (path.endsWith('.tgz')) return { form: 'chart', path };
  const file = lastPartOf(path);
  for (const mark of marks) {
    if (!mark.files.includes(file) || !(await bearsMark(path, mark, looking))) continue;
    return { form: mark.form, path: parentOf(path) };
  }
  return { form: /\.ya?ml$/.test(file) && (await holdsApplication(path, looking)) ? 'application' : 'manifests', path };
}

async function holdsApplication(path: string, looking: Looking): Promise<boolean> {
  try {
    return await bearsMark(path, application, looking);
  } catch (error) {
    // Whoever reads the manifests says why they cannot be read.
    if (error instanceof FileAccessError) return false;
    throw error;
  }
}

async function bearsMark(path: string, { kind }: Mark, { fileSystem, groups }: Looking): Promise<boolean> {
  const entry = await fileSystem.kindOf(path);
  if (entry === undefined) return false;
  if (entry !== 'file') {
    const detail =
      entry === 'directory' ? 'is a directory' : 'is a device, a pipe, a socket or a link that leads nowhere';
    throw new FileAccessError(path, 'not-a-file', { detail });
  }
  if (kind === undefined) return true;
  const text = await fileSystem.readText(path);
  if (!groups.some((group) => text.includes(group))) return false;
  const { documents, diagnostics } = readYaml({ path, text });
  const isMarked = documents.some(({ data }) => {
    if (!isJsonObject(data) || typeof data.kind !== 'string' || nearest(data.kind, [kind]) !== kind) return false;
    const { apiVersion } = data;
    return typeof apiVersion === 'string' && groups.some((group) => apiVersion.startsWith(group));
  });
  // What is broken is still meant to be what it says, and as that its faults are told.
  return isMarked || (diagnostics.some(({ severity }) => severity === 'error') && saysKind(text, kind));
}

function saysKind(text: string, kind: string): boolean {
  const line = /^["']?kind["']?:[ \t]*["']?(\w+)/gm;
  return text.includes(packageGroup) && Array.from(text.matchAll(line), ([, said]) => said).includes(kind);
}

/** The files that mark an application package stand for its directory. */
export function applicationDirectory(path: string): string {
  const isMark = marks.some(({ form, files }) => form === 'application' && files.includes(lastPartOf(path)));
  return isMark ? parentOf(path) : path;
}

/** A file that only marks what its directory is stands for the directory; everything else stands for itself. */
export function markedDirectory(path: string): string {
  return marks.some(({ files }) => files.includes(lastPartOf(path))) ? parentOf(path) : path;
}
