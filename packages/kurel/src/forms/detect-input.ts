import { nearest } from '../diagnostics/index.ts';
import { FileAccessError, isJsonObject } from '../model/index.ts';
import { readYaml } from '../yaml/index.ts';
import type { Form, InputRequest, Looking, Mark } from './form-types.ts';
import { forms as builtIn } from './forms.ts';
import { isGlob } from './manifests/glob.ts';
import { ifReadable } from '../reads/index.ts';
import { findNearPath, joinPath, kindOfName, lastPartOf, parentOf } from './paths.ts';
import { inputProblems } from './problems.ts';

export interface DetectedInput {
  readonly form: Form;
  /** The directory, if the input is a file that marks it; an Application with another file name is the input itself. */
  readonly path: string;
}

/** A form that `as` names is not detected; the last one of `forms` is the fallback. */
interface DetectionRequest extends Pick<InputRequest, 'fileSystem' | 'path' | 'as' | 'forms' | 'budget'> {
  /** A setting for applications was passed, so an Application of another tool is not a plain manifest. */
  readonly isForApplications?: boolean | undefined;
}

/** Detects the form of a path. No other code does. */
export async function detectInput(request: DetectionRequest): Promise<DetectedInput> {
  const { fileSystem, path, as, forms = builtIn } = request;
  const fallback = forms.at(-1)!;
  const wanted = forms.find(({ name }) => name === as);
  if (path === '-') {
    if (wanted === undefined || wanted === fallback) return { form: fallback, path };
    const reason = `standard input must be manifests, not a ${wanted.name}`;
    throw inputProblems.error('input-setting-refused', { reason });
  }
  if (wanted !== undefined) {
    const directory = markedDirectory(path, [wanted]);
    const isMark = directory !== path && (await fileSystem.kindOf(path)) !== 'directory';
    return { form: wanted, path: isMark ? directory : path };
  }
  const kind = await fileSystem.kindOf(path);
  if (kind === 'other') throw inputProblems.error('input-not-a-file', { path });
  if (kind === undefined) {
    if (isGlob(path)) return { form: fallback, path };
    throw inputProblems.error('input-not-found', { path, near: await findNearPath(fileSystem, path) });
  }
  const looking = { fileSystem, kind, holdsKind: (file: string, name: string) => holdsKind(file, name, request) };
  const marked =
    kind === 'directory' ? await detectMarked(path, forms, looking) : await detectMark(path, forms, looking);
  if (marked !== undefined) return marked;
  for (const form of forms) {
    // If the path cannot be read, the form reports why.
    if ((await ifReadable(() => form.recognise?.(path, looking), false)) === true) return { form, path };
  }
  return { form: fallback, path };
}

async function detectMarked(
  path: string,
  forms: readonly Form[],
  looking: Looking,
): Promise<DetectedInput | undefined> {
  const fileOf = new Map<Form, string>();
  for (const form of forms) {
    for (const mark of form.marks) {
      const isMarked = await bearsMark(joinPath(path, mark.file), mark, looking);
      if (isMarked && !fileOf.has(form)) fileOf.set(form, mark.file);
    }
  }
  const [form] = fileOf.keys();
  if (fileOf.size < 2) return form && { form, path };
  const candidates = Array.from(fileOf, ([{ name }, file]) => ({ form: name, file }));
  throw inputProblems.error('input-ambiguous', { path, candidates });
}

/** A file that marks its directory means the directory. */
async function detectMark(path: string, forms: readonly Form[], looking: Looking): Promise<DetectedInput | undefined> {
  const file = lastPartOf(path);
  for (const form of forms) {
    for (const mark of form.marks) {
      if (mark.file === file && (await bearsMark(path, mark, looking))) return { form, path: parentOf(path) };
    }
  }
  return undefined;
}

async function bearsMark(path: string, { kind }: Mark, { fileSystem, holdsKind: holds }: Looking): Promise<boolean> {
  const entry = await kindOfName(fileSystem, parentOf(path), lastPartOf(path));
  if (entry === undefined) return false;
  if (entry !== 'file') {
    const detail = entry === 'directory' ? 'is a directory' : 'is a device, a pipe, a socket or a broken link';
    throw new FileAccessError(path, 'not-a-file', { detail });
  }
  return kind === undefined || (await holds(path, kind));
}

const packageGroup = 'launcher.gokure.dev/';
const oamGroup = 'core.oam.dev/';
/** The first lines of nearly all documents of kurel, which need not be parsed for their kind. */
const usualHead = /^(?:(?:#.*|---)?\r?\n)*apiVersion: launcher\.gokure\.dev\/\w+\r?\nkind: (\w+)\r?\n(?=[a-z])/;
const blank = /^(?:[ \t]*(?:#.*|---)?\r?(?:\n|$))*$/;

async function holdsKind(path: string, kind: string, request: DetectionRequest): Promise<boolean> {
  const { fileSystem, isForApplications = false, budget } = request;
  // API groups of kurel documents, and of documents that kurel reads like its own.
  const groups = isForApplications ? [packageGroup, oamGroup] : [packageGroup];
  const text = await fileSystem.readText(path);
  // An empty file counts, so that it is reported as such.
  if (isForApplications && blank.test(text)) return true;
  if (!groups.some((group) => text.includes(group))) return false;
  if (usualHead.exec(text)?.[1] === kind) return true;
  const { documents, diagnostics } = readYaml({ path, text }, { memory: budget?.memory });
  const isMarked = documents.some(({ data }) => {
    if (!isJsonObject(data) || typeof data.kind !== 'string' || nearest(data.kind, [kind]) !== kind) return false;
    const { apiVersion } = data;
    return typeof apiVersion === 'string' && groups.some((group) => apiVersion.startsWith(group));
  });
  // A document with syntax errors still counts, so that its errors are reported for its form.
  return isMarked || (diagnostics.some(({ severity }) => severity === 'error') && namesKind(text, kind));
}

function namesKind(text: string, kind: string): boolean {
  const line = /^["']?kind["']?:[ \t]*["']?(\w+)/gm;
  return text.includes(packageGroup) && Array.from(text.matchAll(line), ([, word]) => word).includes(kind);
}

/** A file that marks its directory means the directory; any other path is kept. */
export function markedDirectory(path: string, forms: readonly Form[] = builtIn): string {
  const file = lastPartOf(path);
  return forms.some(({ marks }) => marks.some((mark) => mark.file === file)) ? parentOf(path) : path;
}
