import type { KubeObject, OriginTable, TextOrigin } from '../model/index.ts';
import { writeYaml } from '../yaml/index.ts';
import type { Json } from '../model/index.ts';
import { isJson, startsAsJson } from './document-text.ts';
import { printAlone } from './print-object.ts';
import { editSourceDocument, stateSourceDocument, type SourceDocument } from './sources-document.ts';

/** What becomes one document of a stream. */
export interface StreamDocument {
  /** One object, or all items of a List in their order. */
  readonly objects: readonly KubeObject[];
  /** Where the first and the last of them were read; `undefined` for an object that never was text. */
  readonly first: TextOrigin | undefined;
  readonly last: TextOrigin | undefined;
  /** The document of the text that holds just these objects; `undefined` for an item whose List is not whole. */
  readonly whole: SourceDocument | undefined;
}

/** A List of which items are missing or elsewhere is opened; each of the items that are left is a document. */
export function groupDocuments(objects: readonly KubeObject[], origins: OriginTable): readonly StreamDocument[] {
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
    const { said } = origins.get(now)!.text!;
    return { said, before: said, now };
  });
  return { range, isList: path !== undefined, objects };
}

export function stateDocument({ objects, first, whole }: StreamDocument): Json {
  return whole === undefined ? objects[0]! : stateSourceDocument(first!.source, whole);
}

export interface WritingOptions {
  /** Whether the stream holds other texts as well: kubectl then reads JSON in it as YAML. */
  readonly isMixed: boolean;
}

/** The document as its text has it, without what stands around it; it need not end with a line break. */
export function writeDocument(document: StreamDocument, { isMixed }: WritingOptions): string {
  const { objects, first, whole } = document;
  if (whole === undefined) return printAlone(objects[0]!, first);
  const text = editSourceDocument(first!.source, whole)!;
  return isMixed && hasJsonEscapes(text) ? writeYaml(stateDocument(document)) : text;
}

/** `\/` and halves of surrogate pairs, which not every reader of YAML takes. */
function hasJsonEscapes(text: string): boolean {
  return startsAsJson(text) && /\\(?:\/|u[dD][89a-fA-F])/.test(text) && isJson(text);
}
