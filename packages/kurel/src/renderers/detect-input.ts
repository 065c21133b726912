import { DiagnosticError } from '../diagnostics/index.ts';
import { FileAccessError, type FileSystem, isJsonObject } from '../model/index.ts';
import { readYaml } from '../yaml/index.ts';
import { findNearPath } from './find-near-path.ts';
import { kustomizationNames } from './kustomize/scan-kustomization.ts';
import { isGlob } from './manifests/compile-glob.ts';
import { joinPath, lastPartOf, parentOf } from './paths.ts';
import { inputProblems } from './problems.ts';

/** What kurel can build, as `--as` names it. */
export type InputForm = 'manifests' | 'kustomization' | 'chart' | 'patch-package' | 'application';

export interface DetectedInput {
  readonly form: InputForm;
  /** The directory where a file was given that only marks what its directory is. */
  readonly path: string;
}

interface Mark {
  readonly form: InputForm;
  /** A directory with one of these files is of the form. */
  readonly files: readonly string[];
  /** Where the name of the file alone does not tell. */
  readonly kind?: string;
}

const packageGroup = 'launcher.gokure.dev/';

const marks: readonly Mark[] = [
  { form: 'application', files: ['kurel.yaml'], kind: 'Package' },
  { form: 'application', files: ['app.yaml'], kind: 'Application' },
  { form: 'patch-package', files: ['parameters.yaml'] },
  { form: 'kustomization', files: kustomizationNames },
  { form: 'chart', files: ['Chart.yaml'] },
];

/** Looks at what a path is; whatever has no mark of another form is plain manifests. */
export async function detectInput(fileSystem: FileSystem, path: string): Promise<DetectedInput> {
  const kind = await fileSystem.kindOf(path);
  if (kind === 'directory') return await detectDirectory(fileSystem, path);
  if (kind === 'file') return await detectFile(fileSystem, path);
  if (kind === 'other') throw new DiagnosticError([inputProblems.create('input-not-a-file', { path })]);
  if (isGlob(path)) return { form: 'manifests', path };
  const near = await findNearPath(fileSystem, path);
  throw new DiagnosticError([inputProblems.create('input-not-found', { path, near })]);
}

async function detectDirectory(fileSystem: FileSystem, path: string): Promise<DetectedInput> {
  const found: { readonly form: Mark['form']; readonly file: string }[] = [];
  for (const mark of marks) {
    for (const file of mark.files) {
      const isMarked = await bearsMark(fileSystem, joinPath(path, file), mark);
      if (isMarked && !found.some(({ form }) => form === mark.form)) found.push({ form: mark.form, file });
    }
  }
  const [first, second] = found;
  if (second !== undefined) throw new DiagnosticError([inputProblems.create('input-ambiguous', { path, found })]);
  if (first === undefined) return { form: 'manifests', path };
  return { form: first.form, path };
}

/** A file that marks its directory stands for the directory; a packed chart is a chart. */
async function detectFile(fileSystem: FileSystem, path: string): Promise<DetectedInput> {
  if (path.endsWith('.tgz')) return { form: 'chart', path };
  const file = lastPartOf(path);
  for (const mark of marks) {
    if (!mark.files.includes(file) || !(await bearsMark(fileSystem, path, mark))) continue;
    return { form: mark.form, path: parentOf(path) };
  }
  return { form: 'manifests', path };
}

async function bearsMark(fileSystem: FileSystem, path: string, { kind }: Mark): Promise<boolean> {
  const entry = await fileSystem.kindOf(path);
  if (entry === undefined) return false;
  if (entry !== 'file') {
    const detail =
      entry === 'directory' ? 'is a directory' : 'is a device, a pipe, a socket or a link that leads nowhere';
    throw new FileAccessError(path, 'not-a-file', { detail });
  }
  if (kind === undefined) return true;
  const text = await fileSystem.readText(path);
  const { documents, diagnostics } = readYaml({ path, text });
  const isMarked = documents.some(({ data }) => {
    if (!isJsonObject(data) || data.kind !== kind) return false;
    return typeof data.apiVersion === 'string' && data.apiVersion.startsWith(packageGroup);
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
