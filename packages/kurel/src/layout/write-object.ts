import { DiagnosticError } from '../diagnostics/index.ts';
import { describeObject } from '../kube/index.ts';
import { isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Origin, Range, SourceFile, TextOrigin } from '../model/index.ts';
import { cutItem, editDocument, writeJson, writeYaml } from '../yaml/index.ts';
import type { LayoutInput } from './layout.ts';
import { layoutProblems } from './problems.ts';

// Nearly as many as one string of V8 can hold, with the lines between documents.
const mostText = 500 * 1024 * 1024;

/** The text of one object in the format of the layout; what no manifest can hold (NaN from a jq program, say) is reported. */
export function writeObject(object: KubeObject, input: LayoutInput): string | undefined {
  const { origins, format } = input;
  return writeGuarded([object], input, () =>
    format === 'json' ? `${writeJson(object)}\n` : printObject(object, origins.get(object)),
  );
}

/** What `write` gives for the objects of one document; `undefined` when one of them cannot be written, which is reported. */
export function writeGuarded(
  objects: readonly KubeObject[],
  input: LayoutInput,
  write: () => string,
): string | undefined {
  const { report, written } = input;
  try {
    const text = write();
    if (written !== undefined && (written.length += text.length) > mostText) refuseMore(objects[0]!);
    return text;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const object = objects.find(isUnwritable) ?? objects[0]!;
    const args = { object: describeObject(object), reason: error.message };
    report(layoutProblems.create('object-unwritable', args, { subject: { object, path: [] } }));
    return undefined;
  }
}

function isUnwritable(object: KubeObject): boolean {
  try {
    writeJson(object);
    return false;
  } catch (error) {
    return isRefusal(error);
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError;
}

/** What a patch puts into thousands of objects grows beyond all bounds only here. */
function refuseMore(object: KubeObject): never {
  const args = { object: describeObject(object), limit: mostText };
  throw new DiagnosticError([layoutProblems.create('output-too-large', args, { subject: { object, path: [] } })]);
}

/** YAML documents as one text. */
export function joinDocuments(texts: readonly string[]): string {
  return texts.join('---\n');
}

/** JSON as it stands inside other JSON: no text in it has a line break of its own. */
export function indentJson(text: string, indent: string): string {
  return indent + text.trimEnd().replaceAll('\n', `\n${indent}`);
}

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

function keepText(object: KubeObject, { source, range, path, parsed }: TextOrigin): string {
  if (path === undefined) {
    return object === parsed
      ? source.text.slice(range.start, range.end)
      : editDocument(source, range, { wanted: object, parsed });
  }
  const item = cutItem(source, range, path);
  if (item === undefined) return writeYaml(object);
  const head = missingHead(object, item.parsed);
  // Items of a typed list get their kind from the list; what their text does not say belongs at its top.
  const text = head === '' || item.text.trimStart().startsWith('{') ? item.text : head + item.text;
  const known = text === item.text ? { parsed: item.parsed } : {};
  return editDocument({ path: source.path, text }, { start: 0, end: text.length }, { wanted: object, ...known });
}

function missingHead({ apiVersion, kind }: KubeObject, parsed: Json): string {
  const stated = isJsonObject(parsed) ? parsed : {};
  const missing = {
    ...('apiVersion' in stated ? {} : { apiVersion }),
    ...('kind' in stated ? {} : { kind }),
  };
  return Object.keys(missing).length === 0 ? '' : writeYaml(missing);
}

export function isJson(text: string): boolean {
  if (!startsAsJson(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What kubectl goes by when it guesses whether a stream is JSON. */
export function startsAsJson(text: string): boolean {
  return /^[ \t\r\n]*\{/.test(text);
}

/** The text with a line break at its end. That changes no value: kubectl adds one to a block scalar without it. */
export function endWithLineBreak(text: string): string {
  return text.endsWith('\n') ? text : text + lineBreakOf(text);
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
  return text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n';
}
