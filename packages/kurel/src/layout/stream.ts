import type { Json, KubeObject, OriginTable, OutputFile, TextOrigin } from '../model/index.ts';
import { writeJson, writeYaml } from '../yaml/index.ts';
import { endWithLineBreak, indentJson, isJson, printAlone, startsAsJson, writeGuarded } from './write-object.ts';
import type { LayoutInput } from './layout.ts';
import { editSourceDocument, stateSourceDocument } from './sources.ts';
import type { SourceDocument } from './sources.ts';

/**
 * All objects in one text. As YAML, the original texts are kept, with `---` between them and only the changes of their objects
 * applied. As JSON, everything is printed again, in an array if there are several documents.
 */
export function layOutStream(input: LayoutInput): readonly OutputFile[] {
  const documents = groupDocuments(input.objects, input.origins);
  return input.format === 'yaml'
    ? [{ path: 'manifests.yaml', text: joinAsYaml(documents, input) }]
    : [{ path: 'manifests.json', text: joinAsJson(documents, input) }];
}

function joinAsYaml(documents: readonly StreamDocument[], input: LayoutInput): string {
  const isMixed = documents.some(({ first }) => first?.source !== documents[0]?.first?.source);
  /** Documents, each after the text before it. */
  const pieces: string[] = [];
  let before: StreamDocument | undefined;
  for (const document of documents) {
    const body = writeGuarded(document.objects, input, () => writeDocument(document, isMixed));
    if (body === undefined) continue;
    const lead = before === undefined ? startOf(document) : separate(before, document);
    // Without a marker, kubectl before 1.33 reads the whole stream as JSON and fails at the next document.
    const isMarked = before === undefined && isMixed && startsAsJson(lead + body);
    // Newly printed text cannot always follow a marker on the same line.
    const isOnMarkerLine = lead.endsWith('---') && !/^[ \t\r\n]/.test(body);
    pieces.push(`${isMarked ? '---\n' : ''}${lead}${isOnMarkerLine ? '\n' : ''}`, body);
    before = document;
  }
  const count = before === documents.at(-1) ? pieces.length - 2 : pieces.length;
  if (before !== undefined) pieces.push(endOf(before));
  return joinDocuments(pieces, count);
}

/**
 * The pieces, of which the first `count` end with a line break. Whether they do is looked up when they are joined, because V8 copies an
 * edited document to look at its end, and keeps the copy.
 */
function joinDocuments(pieces: string[], count: number): string {
  const text = pieces.join('');
  let isComplete = true;
  for (let at = 0, end = 0; at < count; at += 2) {
    end += pieces[at]!.length + pieces[at + 1]!.length;
    if (text.endsWith('\n', end)) continue;
    pieces[at + 1] = endWithLineBreak(pieces[at + 1]!);
    isComplete = false;
  }
  return isComplete ? text : pieces.join('');
}

function joinAsJson(documents: readonly StreamDocument[], input: LayoutInput): string {
  const [only] = documents;
  const keepsText = documents.length === 1 && only?.whole !== undefined && isJson(only.first!.source.text);
  const texts = documents
    .map((document) =>
      writeGuarded(document.objects, input, () =>
        keepsText ? writeDocument(document, false) : `${writeJson(stateDocument(document))}\n`,
      ),
    )
    .filter((text) => text !== undefined);
  if (texts.length === 0) return '[]\n';
  return texts.length === 1 ? texts[0]! : `[\n${texts.map((text) => indentJson(text, '  ')).join(',\n')}\n]\n`;
}

// U+0085, U+2028 and U+2029 are line breaks for the YAML readers of Kubernetes.
const lineBreak = String.raw`(?:\r\n|[\n\r\u0085\u2028\u2029])`;
const marker = String.raw`---[ \t]*${lineBreak}`;
const startsWithMarker = new RegExp(String.raw`^---(?:[ \t]|${lineBreak}|$)`);
const endsWithMarker = new RegExp(`(?:${marker}|---)$`);
/** Markers and blank lines; a marker without a line break is followed by its document. */
const onlyMarkers = new RegExp(String.raw`^(?:(?:---|\.\.\.)?[ \t]*${lineBreak})*(?:---)?$`);
const endMarkers = new RegExp(String.raw`^(?:\.\.\.[ \t]*(?:${lineBreak}|(?=#)|$))+`);
const startsWithDirective = new RegExp(String.raw`^(?:[ \t]*(?:#[^\n\r\u0085\u2028\u2029]*)?${lineBreak})*%`);
const endsLine = new RegExp(`${lineBreak}$`);

/** Text before the first document of a stream. */
function startOf({ first }: StreamDocument): string {
  const text = leadOf(first);
  if (startsText(first)) return text;
  if (onlyMarkers.test(text)) return text.endsWith('---') ? '---' : '';
  return text.replace(endMarkers, '');
}

/** Text after the last document of a source text. */
function endOf({ last }: StreamDocument): string {
  return last?.tail === undefined ? '' : last.source.text.slice(last.tail.start, last.tail.end);
}

/**
 * Text between two documents. Adjacent documents of a source keep the original text between them, and complete consecutive sources
 * keep everything. A document that has moved takes the comments before it along.
 */
function separate(before: StreamDocument, document: StreamDocument): string {
  const { last } = before;
  const { first } = document;
  if (first === undefined && last === undefined) return '---\n';
  if (first?.lead !== undefined && last?.source === first.source && last.range.end === first.lead.start) {
    return leadOf(first);
  }
  const isJoint = endsText(last) && startsText(first);
  const tail = endOf(before);
  const kept = !isJoint && onlyMarkers.test(tail) ? '' : tail;
  const ended = kept === '' || endsLine.test(kept) ? kept : `${kept}\n`;
  return ended + separatorOf(first, isJoint);
}

function separatorOf(first: TextOrigin | undefined, isJoint: boolean): string {
  // A byte order mark inside a stream is an error.
  const lead = leadOf(first).replace(/^\uFEFF/, '');
  if (!isJoint && onlyMarkers.test(lead)) return endsWithMarker.exec(lead)?.[0] ?? '---\n';
  const own = isJoint ? lead : lead.replace(endMarkers, '');
  if (startsWithMarker.test(own)) return own;
  // The previous document must end explicitly before a directive.
  return (startsWithDirective.test(own) ? '...\n' : '---\n') + own;
}

function leadOf(text: TextOrigin | undefined): string {
  return text?.lead === undefined ? '' : text.source.text.slice(text.lead.start, text.lead.end);
}

/** Whether only its lead comes before the document. */
function startsText(text: TextOrigin | undefined): boolean {
  return text !== undefined && (text.lead?.start ?? text.range.start) === 0 && (text.item?.index ?? 0) === 0;
}

function endsText(text: TextOrigin | undefined): boolean {
  return text !== undefined && (text.tail ?? text.range).end === text.source.text.length;
}

/** One document of a stream. */
interface StreamDocument {
  /** One object, or all items of a List in order. */
  readonly objects: readonly KubeObject[];
  /** Origin of the first and the last object; `undefined` for an object without a text. */
  readonly first: TextOrigin | undefined;
  readonly last: TextOrigin | undefined;
  /** The source document with exactly these objects; `undefined` for an item of an incomplete List. */
  readonly whole: SourceDocument | undefined;
}

/** A List with missing or moved items is split, and each remaining item becomes a document. */
function groupDocuments(objects: readonly KubeObject[], origins: OriginTable): readonly StreamDocument[] {
  const textOf = (object: KubeObject | undefined) => object && origins.get(object)?.text;
  const documents: StreamDocument[] = [];
  for (let index = 0; index < objects.length;) {
    const first = textOf(objects[index]);
    const count = countItems(index, first);
    const members = objects.slice(index, index + count);
    const isWhole = first !== undefined && (first.path === undefined || first.item?.count === count);
    const whole = isWhole ? wholeDocument(members, first) : undefined;
    documents.push({ objects: members, first, last: textOf(members.at(-1)), whole });
    index += count;
  }
  return documents;

  /** Number of objects from `start` that form one document: all items of a List, or 1. */
  function countItems(start: number, first: TextOrigin | undefined): number {
    if (first?.item?.index !== 0) return 1;
    const { count } = first.item;
    for (let index = 1; index < count; index++) {
      const text = textOf(objects[start + index]);
      const isNext = text?.source === first.source && text.document === first.document && text.item?.index === index;
      if (!isNext) return 1;
    }
    return count;
  }

  function wholeDocument(members: readonly KubeObject[], { range, path }: TextOrigin): SourceDocument {
    const sources = members.map((now) => {
      const { parsed } = textOf(now)!;
      return { parsed, before: parsed, now };
    });
    return { range, isList: path !== undefined, objects: sources };
  }
}

function stateDocument({ objects, first, whole }: StreamDocument): Json {
  return whole === undefined ? objects[0]! : stateSourceDocument(first!.source, whole);
}

/**
 * The document as in its text, without surrounding text; may lack a final line break. If the stream is mixed, it contains other texts,
 * and kubectl then reads JSON in it as YAML.
 */
function writeDocument(document: StreamDocument, isMixed: boolean): string {
  const { objects, first, whole } = document;
  if (whole === undefined) return printAlone(objects[0]!, first);
  const { source } = first!;
  const text = editSourceDocument(source, whole)!;
  // Not every YAML reader accepts `\/` and unpaired surrogates, which only a text that is JSON has.
  const isJsonSource = isMixed && startsAsJson(source.text.slice(whole.range.start, whole.range.end));
  const hasEscapes = isJsonSource && startsAsJson(text) && /\\(?:\/|u[dD][89a-fA-F])/.test(text) && isJson(text);
  return hasEscapes ? writeYaml(stateDocument(document)) : text;
}
