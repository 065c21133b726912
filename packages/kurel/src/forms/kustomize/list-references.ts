import { isJsonArray, isJsonObject, type Json, type JsonObject, type Path } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';

/** A string in a kustomization or plugin configuration that refers to a file or directory. */
export interface Reference {
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

const lists: readonly (readonly [string, ReferenceUse])[] = [
  ['resources', 'root'],
  ['bases', 'root'],
  ['components', 'root'],
  ['crds', 'file'],
  ['configurations', 'file'],
];
// Entries may also be inline.
const listsOfConfigurations: readonly (readonly [string, ReferenceUse])[] = [
  ['patchesstrategicmerge', 'file'],
  ['generators', 'plugin'],
  ['transformers', 'plugin'],
  ['validators', 'plugin'],
];
const listsWithPath = ['patches', 'patchesjson6902', 'replacements'];
const listsOfGenerators = ['configmapgenerator', 'secretgenerator'];
const fieldsOfPlugins: ReadonlySet<string> = new Set(['path', 'paths', 'files', 'envs', 'env']);
/** Fields of a kustomization whose strings cannot become fields of its objects, other than labels and names. */
const fieldsOfData: ReadonlySet<string> = new Set(['metadata', 'commonannotations', 'commonlabels', 'labels']);

/** References in the fields that kustomize reads. */
export function* listReferences(kustomization: JsonObject): Iterable<Reference> {
  for (const [name, use] of lists) {
    for (const { value, path } of itemsOf(kustomization, name)) {
      if (typeof value === 'string') yield { text: value, path, use };
    }
  }
  for (const [name, use] of listsOfConfigurations) {
    for (const { value, path } of itemsOf(kustomization, name)) {
      if (typeof value !== 'string') continue;
      if (!isWrittenInPlace(value)) yield { text: value, path, use };
      else if (use === 'plugin') yield* listReferencesInPlace(value, path);
    }
  }
  for (const name of listsWithPath) {
    for (const item of itemsOf(kustomization, name)) yield* listFiles(item, 'path');
  }
  for (const name of listsOfGenerators) {
    for (const item of itemsOf(kustomization, name)) {
      for (const field of ['env', 'envs', 'files']) yield* listFiles(item, field);
    }
  }
  for (const openapi of fieldsOf({ value: kustomization, path: [] }, 'openapi')) yield* listFiles(openapi, 'path');
}

/** References in plugin configurations. Only built-in plugins run, and these are the fields that they load. */
export function* listReferencesOfPlugin(data: Json, path: Path = []): Iterable<Reference> {
  if (isJsonArray(data))
    for (const [index, item] of data.entries()) yield* listReferencesOfPlugin(item, [...path, index]);
  if (!isJsonObject(data)) return;
  for (const [key, value] of Object.entries(data)) {
    const at = [...path, key];
    if (fieldsOfPlugins.has(foldKey(key))) yield* listTextsOf({ value, path: at }, { key, use: 'field' });
    yield* listReferencesOfPlugin(value, at);
  }
}

/** Strings of a kustomization that may end up in its objects, which matters if those configure plugins. */
export function* listTextsOfObjects(kustomization: JsonObject): Iterable<Reference> {
  for (const [key, value] of Object.entries(kustomization)) {
    if (fieldsOfData.has(foldKey(key))) continue;
    for (const text of listTexts(value)) yield { text, path: [key], use: 'text' };
  }
}

/** Every string in the data, because other fields may refer to files too. */
export function* listTexts(data: Json): Iterable<string> {
  if (typeof data === 'string') yield data;
  else if (isJsonArray(data)) for (const item of data) yield* listTexts(item);
  else if (isJsonObject(data)) for (const item of Object.values(data)) yield* listTexts(item);
}

function* listReferencesInPlace(text: string, path: Path): Iterable<Reference> {
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
  for (const [item, at] of isJsonArray(value)
    ? value.map((one, index) => [one, [...path, index]] as const)
    : [[value, path] as const]) {
    if (typeof item === 'string') yield { text: isFiles ? item.slice(item.indexOf('=') + 1) : item, path: at, use };
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
function isWrittenInPlace(text: string): boolean {
  if (text.includes('\n') || /^\s*[{[]/.test(text)) return true;
  return /:\s/.test(text) && readYaml({ path: 'entry', text }).documents.some(({ data }) => isJsonObject(data));
}
