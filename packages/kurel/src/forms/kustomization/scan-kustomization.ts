import { DiagnosticError } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Diagnostic, FileSystem, Json, JsonObject, Location, Path, SourceFile } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { kustomizationNames } from '../forms.ts';
import { ifReadable } from '../../reads/index.ts';
import { findNearPath, joinPath, kindOfName, lastPartOf, normalisePath, parentOf } from '../paths.ts';
import { kustomizeProblems } from './problems.ts';

/** A kustomization file that is part of a build. */
export interface Kustomization {
  readonly directory: string;
  readonly source: SourceFile;
  readonly data: JsonObject;
}

export interface KustomizationScan {
  /** The kustomization to build, followed by those it refers to. */
  readonly kustomizations: readonly Kustomization[];
  /** Files and directories that they refer to. */
  readonly named: readonly NamedPath[];
}

export interface NamedPath {
  readonly path: string;
  readonly kind: 'file' | 'directory';
  /** Directory of the referring kustomization. */
  readonly root: string;
  readonly location: Location;
}

interface ScanOptions {
  readonly fileSystem: FileSystem;
  readonly allowNetwork: boolean;
  /** A file that will exist when kustomize runs. */
  readonly promised?: string | undefined;
}

/** Location of a reference. */
interface Origin {
  readonly root: string;
  readonly file: string;
  readonly document: number;
  /** Whether the objects created there configure plugins. */
  readonly makesPlugins: boolean;
}

/**
 * Follows a kustomization to every local file it refers to. Missing and remote resources are thrown together, each with its location;
 * kustomize itself reports one at a time and without a location.
 */
export async function scanKustomization(path: string, options: ScanOptions): Promise<KustomizationScan> {
  const { fileSystem, allowNetwork } = options;
  const kustomizations: Kustomization[] = [];
  const named: NamedPath[] = [];
  const problems: Diagnostic[] = [];
  const seen = new Set<string>();

  async function scan(kustomization: Kustomization, makesPlugins: boolean): Promise<void> {
    const { directory, data, source } = kustomization;
    const role = JSON.stringify([directory, makesPlugins]);
    if (seen.has(role)) return;
    seen.add(role);
    kustomizations.push(kustomization);
    const origin = { root: directory, file: source.path, document: 0, makesPlugins };
    for (const reference of listReferences(data)) await follow(reference, origin);
    if (!makesPlugins) return;
    // Other strings may end up in its objects, and those configure plugins.
    for (const [key, value] of Object.entries(data)) {
      if (fieldsOfData.has(foldKey(key))) continue;
      for (const text of listTexts(value)) await refuseNetwork({ text, path: [key], use: 'text' }, origin);
    }
  }

  /** Whether the reference is remote, which is reported unless the network is allowed. */
  async function refuseNetwork({ text, path, use }: Reference, { file, document, root }: Origin): Promise<boolean> {
    const isClone = (use === 'root' || use === 'plugin') && isRepository(text);
    if (use === 'text' ? !text.includes('://') : !isAddress(text) && !isClone) return false;
    if (allowNetwork) return true;
    const isThere = isClone && (await kindOfField(fileSystem, resolveReference(root, text))) !== undefined;
    const place = { location: { file, document, path } };
    problems.push(kustomizeProblems.create('kustomization-needs-network', { reference: text, isThere }, place));
    return true;
  }

  async function follow(reference: Reference, from: Origin): Promise<void> {
    const { text, use } = reference;
    const location = { file: from.file, document: from.document, path: reference.path };
    if ((await refuseNetwork(reference, from)) || use === 'text') return;
    const target = resolveReference(from.root, text);
    if (target === options.promised) return;
    const kind = await (use === 'field' ? kindOfField(fileSystem, target) : fileSystem.kindOf(target));
    if (kind === 'other')
      problems.push(kustomizeProblems.create('kustomization-not-a-file', { path: target }, { location }));
    else if (kind === 'file') {
      named.push({ path: target, kind, root: from.root, location });
      if (use === 'plugin' || (from.makesPlugins && use !== 'field')) await scanPlugins(target, { ...from, use });
    } else if (use === 'field') return;
    else if (kind === 'directory') {
      named.push({ path: target, kind, root: from.root, location });
      const kustomization = await openKustomization(fileSystem, target);
      if (kustomization !== undefined) await scan(kustomization, from.makesPlugins || use === 'plugin');
      else {
        const args = { path: target, isThere: true, near: undefined };
        problems.push(kustomizeProblems.create('kustomization-not-found', args, { location }));
      }
    } else if (!looksRemote(text)) {
      const near = await findNearPath(fileSystem, target);
      const meant = near === undefined ? undefined : joinPath(parentOf(text), lastPartOf(near));
      const args = { reference: text, near: meant };
      problems.push(kustomizeProblems.create('kustomization-reference-missing', args, { location }));
    } else if (!allowNetwork) {
      const args = { reference: text, isThere: false };
      problems.push(kustomizeProblems.create('kustomization-needs-network', args, { location }));
    }
  }

  /** Plugins load files too. Patches may change any of their strings, so every string counts. */
  async function scanPlugins(file: string, from: Origin & { readonly use: Reference['use'] }): Promise<void> {
    const { documents, diagnostics } = readYaml({ path: file, text: await fileSystem.readText(file) });
    for (const diagnostic of diagnostics) if (diagnostic.severity === 'error') problems.push(diagnostic);
    for (const { data = null, index } of documents) {
      const origin = { ...from, file, document: index };
      if (from.use === 'file') {
        for (const text of listTexts(data)) await refuseNetwork({ text, path: [], use: 'text' }, origin);
      } else for (const reference of listReferencesOfPlugin(data)) await follow(reference, origin);
    }
  }

  const root = await openKustomization(fileSystem, path);
  if (root === undefined) {
    const isThere = (await fileSystem.kindOf(path)) !== undefined;
    const near = isThere ? undefined : await findNearPath(fileSystem, path);
    throw kustomizeProblems.error('kustomization-not-found', { path, isThere, near });
  }
  await scan({ ...root, directory: normalisePath(path) }, false);
  if (problems.length > 0) throw new DiagnosticError(problems);
  return { kustomizations, named };
}

export function resolveReference(directory: string, reference: string): string {
  return normalisePath(reference.startsWith('/') ? reference : joinPath(directory, reference));
}

/** Many fields are not paths, and the file system rejects some of them. */
export async function kindOfField(fileSystem: FileSystem, path: string) {
  return await ifReadable(() => fileSystem.kindOf(path), undefined);
}

/** Reads the kustomization file of a directory; `undefined` if it has none. */
async function openKustomization(fileSystem: FileSystem, directory: string): Promise<Kustomization | undefined> {
  if ((await fileSystem.kindOf(directory)) !== 'directory') return undefined;
  const paths: string[] = [];
  for (const name of kustomizationNames) {
    const path = joinPath(directory, name);
    const kind = await kindOfName(fileSystem, directory, name);
    if (kind === 'file') paths.push(path);
    // kustomize opens all of them, and a pipe would make it wait forever.
    if (kind === 'other')
      throw kustomizeProblems.error('kustomization-not-a-file', { path }, { location: { file: path } });
  }
  const [path] = paths;
  if (path === undefined) return undefined;
  const source = { path, text: await fileSystem.readText(path) };
  const { documents, diagnostics } = readYaml(source);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DiagnosticError(errors);
  const data = documents[0]?.data;
  return { directory, source, data: isJsonObject(data) ? data : {} };
}

function isAddress(text: string): boolean {
  return /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** References that kustomize clones even if a directory with that name exists. */
function isRepository(text: string): boolean {
  return /^(?:git::|gh:|[a-z][a-z0-9-]*@|(?:www\.)?github\.com[:/])/i.test(text);
}

/** References that kustomize treats as remote if no file with that name exists. */
function looksRemote(text: string): boolean {
  if (isAddress(text) || isRepository(text) || /[?&](?:ref|version)=/.test(text)) return true;
  // `user@host:path`
  const head = /^[^/\s]*/.exec(text)![0];
  const at = head.indexOf('@', 1);
  if (at !== -1 && head.includes(':', at + 2)) return true;
  return /^(?:[a-z0-9-]+\.)+[a-z]{2,}[/:][^/]+\/[^/]+/i.test(text);
}

/** A string in a kustomization or plugin configuration that refers to a file or directory. */
interface Reference {
  readonly text: string;
  readonly path: Path;
  readonly use: ReferenceUse;
}

/**
 * How kustomize uses it: `root` may be a file, a directory or a repository; `plugin` as well, and its objects configure plugins;
 * `file` is a file; `field` is a plugin field, which may not be a path; `text` may become such a field.
 */
type ReferenceUse = 'root' | 'plugin' | 'file' | 'field' | 'text';

interface Field {
  readonly value: Json;
  readonly path: Path;
}

/** Lists of references; entries of some may also be inline. */
const lists: readonly (readonly [field: string, use: ReferenceUse, mayBeInline?: true])[] = [
  ['resources', 'root'],
  ['bases', 'root'],
  ['components', 'root'],
  ['crds', 'file'],
  ['configurations', 'file'],
  ['patchesstrategicmerge', 'file', true],
  ['generators', 'plugin', true],
  ['transformers', 'plugin', true],
  ['validators', 'plugin', true],
];
/** Lists of objects, with the fields that name files. */
const listsOfObjects: readonly (readonly [field: string, ...files: readonly string[]])[] = [
  ['patches', 'path'],
  ['patchesjson6902', 'path'],
  ['replacements', 'path'],
  ['configmapgenerator', 'env', 'envs', 'files'],
  ['secretgenerator', 'env', 'envs', 'files'],
];
const fieldsOfPlugins: ReadonlySet<string> = new Set(['path', 'paths', 'files', 'envs', 'env']);
/** Fields of a kustomization whose strings cannot become fields of its objects, other than labels and names. */
const fieldsOfData: ReadonlySet<string> = new Set(['metadata', 'commonannotations', 'commonlabels', 'labels']);

/** References in the fields that kustomize reads. */
export function* listReferences(kustomization: JsonObject): Iterable<Reference> {
  for (const [name, use, mayBeInline] of lists) {
    for (const { value, path } of itemsOf(kustomization, name)) {
      if (typeof value !== 'string') continue;
      if (mayBeInline !== true || !isInline(value)) yield { text: value, path, use };
      else if (use === 'plugin') yield* listReferencesInline(value, path);
    }
  }
  for (const [name, ...files] of listsOfObjects) {
    for (const item of itemsOf(kustomization, name)) for (const field of files) yield* listFiles(item, field);
  }
  for (const openapi of fieldsOf({ value: kustomization, path: [] }, 'openapi')) yield* listFiles(openapi, 'path');
}

/** References in plugin configurations. Only built-in plugins run, and these are the fields that they load. */
function* listReferencesOfPlugin(data: Json, path: Path = []): Iterable<Reference> {
  if (isJsonArray(data))
    for (const [index, item] of data.entries()) yield* listReferencesOfPlugin(item, [...path, index]);
  if (!isJsonObject(data)) return;
  for (const [key, value] of Object.entries(data)) {
    const at = [...path, key];
    if (fieldsOfPlugins.has(foldKey(key))) yield* listTextsOf({ value, path: at }, { key, use: 'field' });
    yield* listReferencesOfPlugin(value, at);
  }
}

/** Every string in the data, because other fields may refer to files too. */
export function* listTexts(data: Json): Iterable<string> {
  if (typeof data === 'string') yield data;
  else if (isJsonArray(data)) for (const item of data) yield* listTexts(item);
  else if (isJsonObject(data)) for (const item of Object.values(data)) yield* listTexts(item);
}

function* listReferencesInline(text: string, path: Path): Iterable<Reference> {
  const { documents, diagnostics } = readYaml({ path: 'plugin', text });
  // kustomize may accept what kurel cannot parse, so the whole string counts.
  if (diagnostics.some(({ severity }) => severity === 'error')) yield { text, path, use: 'text' };
  for (const { data = null } of documents) {
    for (const reference of listReferencesOfPlugin(data)) yield { ...reference, path };
  }
}

function* listFiles(owner: Field, name: string): Iterable<Reference> {
  for (const field of fieldsOf(owner, name)) yield* listTextsOf(field, { key: name, use: 'file' });
}

function* listTextsOf(
  { value, path }: Field,
  { key, use }: { readonly key: string; readonly use: ReferenceUse },
): Iterable<Reference> {
  const isFiles = foldKey(key) === 'files';
  const items: readonly Field[] = isJsonArray(value)
    ? value.map((item, index) => ({ value: item, path: [...path, index] }))
    : [{ value, path }];
  for (const { value: text, path: at } of items) {
    if (typeof text === 'string') yield { text: isFiles ? text.slice(text.indexOf('=') + 1) : text, path: at, use };
  }
}

function* itemsOf(owner: JsonObject, name: string): Iterable<Field> {
  for (const { value, path } of fieldsOf({ value: owner, path: [] }, name)) {
    if (isJsonArray(value)) for (const [index, item] of value.entries()) yield { value: item, path: [...path, index] };
  }
}

/** kustomize matches keys case-insensitively, like Go. `name` is folded. */
function* fieldsOf({ value: owner, path }: Field, name: string): Iterable<Field> {
  if (!isJsonObject(owner)) return;
  for (const [key, value] of Object.entries(owner)) {
    if (foldKey(key) === name) yield { value, path: [...path, key] };
  }
}

/** Go folds the long s and the Kelvin sign to s and k. */
function foldKey(key: string): string {
  return key.replaceAll('\u{17F}', 's').toLowerCase();
}

/** Like kustomize: a string that can be parsed as objects is not a path. */
function isInline(text: string): boolean {
  if (text.includes('\n') || /^\s*[{[]/.test(text)) return true;
  return /:\s/.test(text) && readYaml({ path: 'entry', text }).documents.some(({ data }) => isJsonObject(data));
}
