import type { TextOrigin } from '../model/index.ts';
import type { StreamDocument } from './stream-documents.ts';

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
export function startOf({ first }: StreamDocument): string {
  const text = leadOf(first);
  if (startsText(first)) return text;
  if (onlyMarkers.test(text)) return text.endsWith('---') ? '---' : '';
  return text.replace(endMarkers, '');
}

/** What stood behind the last document of a text. */
export function endOf({ last }: StreamDocument): string {
  return last?.tail === undefined ? '' : last.source.text.slice(last.tail.start, last.tail.end);
}

/**
 * What goes between two documents. Neighbours of a text keep what stood between them, and texts that follow one another as a
 * whole keep everything. A document that has left its place takes along the comments before it.
 */
export function separate(before: StreamDocument, document: StreamDocument): string {
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
