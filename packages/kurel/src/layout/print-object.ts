import type { KubeObject, Origin, TextOrigin } from '../model/index.ts';
import { cutItem, editDocument, writeYaml } from '../yaml/index.ts';

/**
 * The text of an object as one YAML document that ends with a line break. An object that was read from a text keeps that
 * text: copied when nothing changed it, with only the differences spliced in when something did.
 */
export function printObject(object: KubeObject, origin: Origin | undefined): string {
  const text = origin?.text;
  if (text === undefined) return writeYaml(object);
  const { preface = '', afterword = '' } = text;
  return preface + endWithLineBreak(keepText(object, text)) + (afterword === '' ? '' : endWithLineBreak(afterword));
}

function keepText(object: KubeObject, { source, range, path, said }: TextOrigin): string {
  if (path === undefined) {
    return object === said ? source.text.slice(range.start, range.end) : editDocument(source, range, object);
  }
  const item = cutItem(source, range, path);
  if (item === undefined) return writeYaml(object);
  return object === said
    ? item
    : editDocument({ path: source.path, text: item }, { start: 0, end: item.length }, object);
}

function endWithLineBreak(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
