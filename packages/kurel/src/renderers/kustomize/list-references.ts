import { isJsonArray, isJsonObject, type Json, type JsonObject, type Path } from '../../model/index.ts';

/** A text in a kustomization file that names a file or directory. */
export interface Reference {
  readonly text: string;
  readonly path: Path;
}

const lists = ['resources', 'bases', 'components', 'crds', 'configurations'];
// Their entries may also be written in place.
const listsOfConfigurations = ['patchesStrategicMerge', 'generators', 'transformers', 'validators'];
const listsWithPath = ['patches', 'patchesJson6902', 'replacements'];
const listsOfGenerators = ['configMapGenerator', 'secretGenerator'];

/** What kustomize will read, by the fields that say so. */
export function* listReferences(kustomization: JsonObject): Iterable<Reference> {
  for (const field of [...lists, ...listsOfConfigurations]) {
    for (const [index, item] of itemsOf(kustomization[field])) {
      if (typeof item !== 'string' || isWrittenInPlace(item)) continue;
      yield { text: item, path: [field, index] };
    }
  }
  for (const field of listsWithPath) {
    for (const [index, item] of itemsOf(kustomization[field])) {
      if (isJsonObject(item) && typeof item.path === 'string') yield { text: item.path, path: [field, index, 'path'] };
    }
  }
  for (const field of listsOfGenerators) {
    for (const [index, item] of itemsOf(kustomization[field])) yield* listFilesOfGenerator(item, [field, index]);
  }
  const { openapi } = kustomization;
  if (isJsonObject(openapi) && typeof openapi.path === 'string')
    yield { text: openapi.path, path: ['openapi', 'path'] };
}

/** Every text in the data, for what other fields and the configuration of plugins may name. */
export function* listTexts(data: Json): Iterable<string> {
  if (typeof data === 'string') yield data;
  else if (isJsonArray(data)) for (const item of data) yield* listTexts(item);
  else if (isJsonObject(data)) for (const item of Object.values(data)) yield* listTexts(item);
}

function* listFilesOfGenerator(generator: Json, at: Path): Iterable<Reference> {
  if (!isJsonObject(generator)) return;
  if (typeof generator.env === 'string') yield { text: generator.env, path: [...at, 'env'] };
  for (const field of ['envs', 'files']) {
    for (const [index, item] of itemsOf(generator[field])) {
      if (typeof item !== 'string') continue;
      const path = field === 'files' ? item.slice(item.indexOf('=') + 1) : item;
      yield { text: path, path: [...at, field, index] };
    }
  }
}

function itemsOf(list: Json | undefined): Iterable<[number, Json]> {
  return isJsonArray(list) ? list.entries() : [];
}

function isWrittenInPlace(text: string): boolean {
  return text.includes('\n') || /^\s*[{[]/.test(text) || /^\s*\w+:\s/.test(text);
}
