import type { Json, KubeObject, OriginTable, OutputFile, TextOrigin } from '../model/index.ts';
import { writeJson, writeYaml } from '../yaml/index.ts';
import { endWithLineBreak, indentJson, isJson, printAlone, startsAsJson, writeGuarded } from './write-object.ts';
import type { LayoutInput } from './layout.ts';
import { editSourceDocument, stateSourceDocument } from './sources-document.ts';
import type { SourceDocument } from './sources-document.ts';

/**
 * All objects in one text. As YAML, texts that were read stay as they are, with `---` between them and only the changes of
 * their objects in them. As JSON, they are printed anew, in an array if there are several documents.
 */
export function layOutStream(input: LayoutInput): readonly OutputFile[] {
  const documents = groupDocuments(input.objects, input.origins);
  return input.format === 'yaml'
    ? [{ path: 'manifests.yaml', text: joinAsYaml(documents, input) }]
    : [{ path: 'manifests.json', text: joinAsJson(documents, input) }];
}

function joinAsYaml(documents: readonly StreamDocument[], input: LayoutInput): string {
  const isMixed = documents.some(({ first }) => first?.source !== documents[0]?.first?.source);
  const pieces: string[] = [];
  let before: StreamDocument | undefined;
  for (const [index, document] of documents.entries()) {
    const body = writeGuarded(document.objects, input, () => writeDocument(document, { isMixed }));
    if (body === undefined) continue;
    const isFollowed = index < documents.length - 1;
    const ended = isFollowed ? endWithLineBreak(body) : body;
    const lead = before === undefined ? startOf(document) : separate(before, document);
    // Without it, kubectl before 1.33 takes the whole stream for JSON, and fails at the next document.
    if (before === undefined && isMixed && startsAsJson(lead + ended)) pieces.push('---\n');
    // What is printed anew cannot always stand behind a marker on its line.
    const isOnMarkerLine = lead.endsWith('---') && !/^[ \t\r\n]/.test(ended);
    pieces.push(lead, isOnMarkerLine ? '\n' : '', ended);
    before = document;
  }
  if (before !== undefined) pieces.push(endOf(before));
  return pieces.join('');
}

function joinAsJson(documents: readonly StreamDocument[], input: LayoutInput): string {
  const [only] = documents;
  const keepsText = documents.length === 1 && only?.whole !== undefined && isJson(only.first!.source.text);
  const texts = documents
    .map((document) =>
      writeGuarded(document.objects, input, () =>
        keepsText ? writeDocument(document, { isMixed: false }) : `${writeJson(stateDocument(document))}\n`,
      ),
    )
    .filter((text) => text !== undefined);
  if (texts.length === 0) return '[]\n';
  return texts.length === 1 ? texts[0]! : `[\n${texts.map((text) => indentJson(text, '  ')).join(',\n')}\n]\n`;
}

// U+0085, U+2028 and U+2029 end a line for the YAML readers of Kubernetes.
const lineBreak = String.raw`(?:\r\n|[\n\r\u0085\u2028\u2029])`;
const marker = String.raw`---[ \t]*${lineBreak}`;
const startsWithMarker = new RegExp(String.raw`^---(?:[ \t]|${lineBreak}|$)`);
const endsWithMarker = new RegExp(`(?:${marker}|---)$`);
/** Markers and blank lines; a marker without a line break has the document on its line. */
const onlyMarkers = new RegExp(String.raw`^(?:(?:---|\.\.\.)?[ \t]*${lineBreak})*(?:---)?$`);
const endMarkers = new RegExp(String.raw`^(?:\.\.\.[ \t]*(?:${lineBreak}|(?=#)|$))+`);
const startsWithDirective = new RegExp(String.raw`^(?:[ \t]*(?:#[^\n\r\u0085\u2028\u2029]*)?${lineBreak})*%`);
const endsLine = new RegExp(`${lineBreak}$`);

/** What goes in front of the first document of a stream. */
function startOf({ first }: StreamDocument): string {
  const text = leadOf(first);
  if (startsText(first)) return text;
  if (onlyMarkers.test(text)) return text.endsWith('---') ? '---' : '';
  return text.replace(endMarkers, '');
}

/** What stood behind the last document of a text. */
function endOf({ last }: StreamDocument): string {
  return last?.tail === undefined ? '' : last.source.text.slice(last.tail.start, last.tail.end);
}

/**
 * What goes between two documents. Neighbours of a text keep what stood between them, and texts that follow one another as a
 * whole keep everything. A document that has left its place takes along the comments before it.
 */
function separate(before: StreamDocument, document: StreamDocument): string {
  const { last } = before;
  const { first } = document;
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
  // A byte order mark in the middle of a stream is an error.
  const lead = leadOf(first).replace(/^\uFEFF/, '');
  if (!isJoint && onlyMarkers.test(lead)) return endsWithMarker.exec(lead)?.[0] ?? '---\n';
  const own = isJoint ? lead : lead.replace(endMarkers, '');
  if (startsWithMarker.test(own)) return own;
  // Before a directive the document above it has to end.
  return (startsWithDirective.test(own) ? '...\n' : '---\n') + own;
}

function leadOf(text: TextOrigin | undefined): string {
  return text?.lead === undefined ? '' : text.source.text.slice(text.lead.start, text.lead.end);
}

/** Whether nothing but its lead stands before the document. */
function startsText(text: TextOrigin | undefined): boolean {
  return text !== undefined && (text.lead?.start ?? text.range.start) === 0 && (text.item?.index ?? 0) === 0;
}

function endsText(text: TextOrigin | undefined): boolean {
  return text !== undefined && (text.tail ?? text.range).end === text.source.text.length;
}

/** What becomes one document of a stream. */
interface StreamDocument {
  /** One object, or all items of a List in their order. */
  readonly objects: readonly KubeObject[];
  /** Where the first and the last of them were read; `undefined` for an object that never was text. */
  readonly first: TextOrigin | undefined;
  readonly last: TextOrigin | undefined;
  /** The document of the text that holds just these objects; `undefined` for an item whose List is not whole. */
  readonly whole: SourceDocument | undefined;
}

/** A List of which items are missing or elsewhere is opened; each of the items that are left is a document. */
function groupDocuments(objects: readonly KubeObject[], origins: OriginTable): readonly StreamDocument[] {
  const documents: StreamDocument[] = [];
  let index = 0;
  while (index < objects.length) {
    const first = origins.get(objects[index]!)?.text;
    const count = countItems(objects, index, { first, origins });
    const members = objects.slice(index, index + count);
    const last = count === 1 ? first : origins.get(members.at(-1)!)?.text;
    const isWhole = first !== undefined && (first.path === undefined || first.item?.count === count);
    const whole = isWhole ? wholeDocument(members, first, origins) : undefined;
    documents.push({ objects: members, first, last, whole });
    index += count;
  }
  return documents;
}

interface Items {
  readonly first: TextOrigin | undefined;
  readonly origins: OriginTable;
}

/** How many objects from `start` on are one document: all items of a List, or 1. */
function countItems(objects: readonly KubeObject[], start: number, { first, origins }: Items): number {
  if (first?.item?.index !== 0) return 1;
  const { count } = first.item;
  for (let index = 1; index < count; index++) {
    const object = objects[start + index];
    const text = object === undefined ? undefined : origins.get(object)?.text;
    const isNext = text?.source === first.source && text.document === first.document && text.item?.index === index;
    if (!isNext) return 1;
  }
  return count;
}

function wholeDocument(members: readonly KubeObject[], first: TextOrigin, origins: OriginTable): SourceDocument {
  const { range, path } = first;
  const objects = members.map((now) => {
    const { parsed } = origins.get(now)!.text!;
    return { parsed, before: parsed, now };
  });
  return { range, isList: path !== undefined, objects };
}

function stateDocument({ objects, first, whole }: StreamDocument): Json {
  return whole === undefined ? objects[0]! : stateSourceDocument(first!.source, whole);
}

interface WritingOptions {
  /** Whether the stream holds other texts as well: kubectl then reads JSON in it as YAML. */
  readonly isMixed: boolean;
}

/** The document as its text has it, without what stands around it; it need not end with a line break. */
function writeDocument(document: StreamDocument, { isMixed }: WritingOptions): string {
  const { objects, first, whole } = document;
  if (whole === undefined) return printAlone(objects[0]!, first);
  const text = editSourceDocument(first!.source, whole)!;
  return isMixed && hasJsonEscapes(text) ? writeYaml(stateDocument(document)) : text;
}

/** `\/` and halves of surrogate pairs, which not every reader of YAML takes. */
function hasJsonEscapes(text: string): boolean {
  return startsAsJson(text) && /\\(?:\/|u[dD][89a-fA-F])/.test(text) && isJson(text);
}
