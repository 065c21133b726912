import { isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Origin, Range, SourceFile, TextOrigin } from '../model/index.ts';
import { cutItem, editDocument, writeYaml } from '../yaml/index.ts';
import { endWithLineBreak, isJson, startsAsJson } from './document-text.ts';

/**
 * The text of an object as one YAML document that ends with a line break, with the comments around it. An object that was read
 * from a text keeps that text: copied when nothing changed it, with only the differences spliced in when something did. JSON is
 * the exception: it has no comments to keep, and YAML readers disagree about some of its escapes.
 */
export function printObject(object: KubeObject, origin: Origin | undefined): string {
  const text = origin?.text;
  if (text === undefined || isJsonText(text)) return writeYaml(object);
  return commentsIn(text.source, text.lead) + printAlone(object, text) + commentsIn(text.source, text.tail);
}

/** The same without what stands around the document. */
export function printAlone(object: KubeObject, text: TextOrigin | undefined): string {
  if (text === undefined || isJsonText(text)) return writeYaml(object);
  return endWithLineBreak(keepText(object, text));
}

function isJsonText({ source, range }: TextOrigin): boolean {
  return (
    startsAsJson(source.text.slice(range.start, range.start + 200)) && isJson(source.text.slice(range.start, range.end))
  );
}

function commentsIn({ text }: SourceFile, range: Range | undefined): string {
  if (range === undefined || range.end - range.start < 2) return '';
  const comments =
    text
      .slice(range.start, range.end)
      .match(/^[ \t]*#[^\n]*\n?/gm)
      ?.join('') ?? '';
  return comments === '' || comments.endsWith('\n') ? comments : `${comments}\n`;
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
