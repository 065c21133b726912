import { describeObject } from '../kube/index.ts';
import { isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Origin, Range, Report, SourceFile, TextOrigin } from '../model/index.ts';
import { cutItem, editDocument, writeJson, writeYaml } from '../yaml/index.ts';
import type { LayoutInput } from './layout.ts';
import { layoutProblems } from './problems.ts';

// Slightly less than the maximum string length of V8, to leave room for separators.
const mostText = 500 * 1024 * 1024;

/** The text of an object in the output format; a value that no manifest can contain, such as NaN from jq, is reported. */
export function writeObject(object: KubeObject, input: LayoutInput): string | undefined {
  const { origins, format } = input;
  return writeGuarded([object], input, () =>
    format === 'json' ? `${writeJson(object)}\n` : printObject(object, origins.get(object)),
  );
}

/** Result of `write` for the objects of one document; `undefined` if one cannot be written, which is reported. */
export function writeGuarded(
  objects: readonly KubeObject[],
  input: LayoutInput,
  write: () => string,
): string | undefined {
  const { report, written } = input;
  try {
    const text = write();
    // A large value that a patch adds to thousands of objects takes memory only here.
    if (written !== undefined && (written.length += text.length) > mostText) {
      const [object] = objects as readonly [KubeObject];
      const args = { object: describeObject(object), limit: mostText };
      throw layoutProblems.error('output-too-large', args, { subject: { object, path: [] } });
    }
    return text;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    reportUnwritable(objects.find(isUnwritable) ?? objects[0]!, error.message, report);
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

export function reportUnwritable(object: KubeObject, reason: string, report: Report): void {
  const args = { object: describeObject(object), reason };
  report(layoutProblems.create('object-unwritable', args, { subject: { object, path: [] } }));
}

/** Whether a writer has refused a value, rather than failed. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError;
}

/** Indents JSON for nesting in other JSON; strings in it contain no literal line breaks. */
export function indentJson(text: string, indent: string): string {
  return indent + text.trimEnd().replaceAll('\n', `\n${indent}`);
}

/**
 * The text of an object as one YAML document with a final line break, including surrounding comments. An object that was read from
 * a text keeps that text: unchanged, or with only the differences applied. JSON is printed again, because it has no comments to
 * keep and YAML readers disagree about some of its escapes.
 */
export function printObject(object: KubeObject, origin: Origin | undefined): string {
  const text = origin?.text;
  if (text === undefined || isJsonText(text)) return writeYaml(object);
  return commentsIn(text.source, text.lead) + printAlone(object, text) + commentsIn(text.source, text.tail);
}

/** The same without surrounding text. */
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
  // Items of a typed list get their kind from the list; a kind that the text lacks is added at its top.
  const text = head === '' || item.text.trimStart().startsWith('{') ? item.text : head + item.text;
  const ownData = text === item.text ? { parsed: item.parsed } : {};
  return editDocument({ path: source.path, text }, { start: 0, end: text.length }, { wanted: object, ...ownData });
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

/** The rule by which kubectl guesses whether a stream is JSON. */
export function startsAsJson(text: string): boolean {
  return /^[ \t\r\n]*\{/.test(text);
}

/** Adds a missing final line break. This changes no value, because kubectl adds one to a block scalar as well. */
export function endWithLineBreak(text: string): string {
  return text.endsWith('\n') ? text : text + lineBreakOf(text);
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
  return text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n';
}
