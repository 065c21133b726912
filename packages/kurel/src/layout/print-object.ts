import { isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Origin, TextOrigin } from '../model/index.ts';
import { cutItem, editDocument, readYaml, writeYaml } from '../yaml/index.ts';

/**
 * The text of an object as one YAML document that ends with a line break. An object that was read from a text keeps that
 * text: copied when nothing changed it, with only the differences spliced in when something did. JSON is the exception: it
 * has no comments to keep, and YAML readers disagree about some of its escapes.
 */
export function printObject(object: KubeObject, origin: Origin | undefined): string {
  const text = origin?.text;
  if (text === undefined || isJson(text)) return writeYaml(object);
  const { preface = '', afterword = '' } = text;
  const kept = endDocument(keepText(object, text), object);
  return preface + kept + (afterword === '' ? '' : endWithLineBreak(afterword));
}

function isJson({ source, range }: TextOrigin): boolean {
  const first = source.text.slice(range.start, range.start + 200).trimStart()[0];
  if (first !== '{') return false;
  try {
    JSON.parse(source.text.slice(range.start, range.end));
    return true;
  } catch {
    return false;
  }
}

function keepText(object: KubeObject, { source, range, path, said }: TextOrigin): string {
  if (path === undefined) {
    return object === said
      ? source.text.slice(range.start, range.end)
      : editDocument(source, range, { wanted: object, said });
  }
  const item = cutItem(source, range, path);
  if (item === undefined) return writeYaml(object);
  const head = missingHead(object, item.said);
  // Items of a typed list get their kind from the list; what their text does not say belongs at its top.
  const text = head === '' || item.text.trimStart().startsWith('{') ? item.text : head + item.text;
  const known = text === item.text ? { said: item.said } : {};
  return editDocument({ path: source.path, text }, { start: 0, end: text.length }, { wanted: object, ...known });
}

function missingHead({ apiVersion, kind }: KubeObject, said: Json): string {
  const stated = isJsonObject(said) ? said : {};
  const missing = {
    ...('apiVersion' in stated ? {} : { apiVersion }),
    ...('kind' in stated ? {} : { kind }),
  };
  return Object.keys(missing).length === 0 ? '' : writeYaml(missing);
}

/** A line break more would become part of a block of text that ends the file without one. */
function endDocument(text: string, object: KubeObject): string {
  if (text.endsWith('\n')) return text;
  const ended = `${text}\n`;
  const [before] = readYaml({ path: '', text }).documents;
  const [after] = readYaml({ path: '', text: ended }).documents;
  return writeYaml(before?.data ?? null) === writeYaml(after?.data ?? null) ? ended : writeYaml(object);
}

function endWithLineBreak(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
