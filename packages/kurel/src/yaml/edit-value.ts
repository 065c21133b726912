import type { Json, Range } from '../model/index.ts';
import {
  afterBreak,
  afterIndicator,
  beforeBreak,
  entryBottom,
  lineEnd,
  lineStart,
  markOf,
  readDecoration,
  skipSpaces,
  withLineBreaks,
  withoutLastBreak,
  type Change,
  type Edit,
  type Sheet,
  type Splice,
  type Trail,
} from './edit-sheet.ts';
import type { CollectionMark, EntryMark, Marks } from './reading.ts';
import {
  canBeLiteral,
  HAS_BREAK,
  literalParts,
  NEEDS_ESCAPES,
  textTraits,
  writeDoubleQuoted,
  writeSingleQuoted,
} from './write-string.ts';
import type { LiteralPlace } from './write-string.ts';
import {
  isFilled,
  KUBECTL_LAYOUT,
  writeBlock,
  writeFlow,
  writeScalar,
  writeText,
  type BlockLayout,
  type FlowStyle,
} from './write-yaml.ts';
import { getOrAdd } from '../budget/index.ts';

type Found = { -readonly [Part in keyof BlockLayout]?: BlockLayout[Part] | undefined };

/**
 * How the document indents around a collection, judged by the collection itself, then its children, its parents', then any
 * other. Looked up on demand, because most edits only need the step.
 */
export function findLayout({ sheet }: Edit, trail: Trail): BlockLayout {
  const layout: Found = {};
  if (trail.up?.mark.style === 'block') note(layout, trail.up.mark, trail.mark);
  let isComplete = false;
  const find = (part: keyof BlockLayout): number => {
    if (layout[part] === undefined && !isComplete) {
      lookAround(sheet, trail, layout);
      isComplete = true;
    }
    return layout[part] ?? KUBECTL_LAYOUT[part];
  };
  return {
    get step() {
      return find('step');
    },
    get dash() {
      return find('dash');
    },
    get item() {
      return find('item');
    },
  };
}

function lookAround(sheet: Sheet, trail: Trail, layout: Found): void {
  const document = layoutOf(sheet.readAllMarks?.() ?? sheet.marks);
  for (let at: Trail | undefined = trail; at !== undefined; at = at.up) {
    if (at.up?.mark.style === 'block') note(layout, at.up.mark, at.mark);
    // Only the front of the document may have been read, so the root may lack some of its children.
    add(layout, childrenOf(document.byStart.get(at.mark.range.start) ?? at.mark, document));
  }
  document.anywhere ??= findAnywhere(document);
  add(layout, document.anywhere);
}

/** Cached findings about a document, because there may be thousands of edits. */
interface DocumentLayout {
  readonly byStart: ReadonlyMap<number, CollectionMark>;
  readonly children: WeakMap<CollectionMark, Found>;
  anywhere: Found | undefined;
}

const layouts = new WeakMap<Marks, DocumentLayout>();

function layoutOf(marks: Marks): DocumentLayout {
  return getOrAdd(layouts, marks, () => {
    const blocks = [...marks.values()].filter(({ style }) => style === 'block');
    const byStart = new Map(blocks.map((mark) => [mark.range.start, mark]));
    return { byStart, children: new WeakMap<CollectionMark, Found>(), anywhere: undefined };
  });
}

function findAnywhere(document: DocumentLayout): Found {
  const layout: Found = {};
  for (const mark of document.byStart.values()) {
    if (layout.step !== undefined && layout.dash !== undefined && layout.item !== undefined) break;
    add(layout, childrenOf(mark, document));
  }
  return layout;
}

function add(layout: Found, other: Found): void {
  layout.step ??= other.step;
  layout.dash ??= other.dash;
  layout.item ??= other.item;
}

function childrenOf(mark: CollectionMark, { byStart, children }: DocumentLayout): Found {
  return getOrAdd(children, mark, () => {
    const layout: Found = {};
    for (const entry of mark.style === 'block' ? mark.entries : []) {
      if (entry.value !== 'mapping' && entry.value !== 'list') continue;
      const child = entry.decorated ? undefined : byStart.get(entry.valueRange.start);
      if (child !== undefined) note(layout, mark, child);
    }
    return layout;
  });
}

function note(layout: Found, mark: CollectionMark, child: CollectionMark): void {
  if (child.style !== 'block' || mark.entries.length === 0) return;
  const width = child.indent - mark.indent;
  if (isList(mark)) {
    if (width >= 2) layout.item ??= width;
  } else if (isList(child)) layout.dash ??= width;
  else if (width >= 1) layout.step ??= width;
}

function isList(mark: CollectionMark): boolean {
  return typeof mark.entries[0]?.key === 'number';
}

/** How a flow collection separates its entries; if it does not show that, the flow collections around it decide. */
export function findFlowStyle(sheet: Sheet, trail: Trail): FlowStyle {
  const { mark, up } = trail;
  const [first, second] = mark.entries;
  const around = up?.mark.style === 'flow' ? findFlowStyle(sheet, up) : { colon: ': ', comma: ', ' };
  const style = { json: isJson(sheet, trail), colon: around.colon, comma: 'lines' in around ? ', ' : around.comma };
  if (mark.style !== 'flow' || first === undefined) return style;
  const colon = sheet.text.slice(first.keyRange.end, first.valueRange.start);
  if (style.json && /^ ?: ?$/u.test(colon)) style.colon = colon;
  const opening = sheet.text.slice(mark.range.start + 1, first.range.start);
  const between = second === undefined ? '' : sheet.text.slice(first.range.end, second.range.start);
  if (/^\s*,\s*$/u.test(between)) style.comma = between;
  else if (opening.trim() === '' && opening.includes('\n')) style.comma = `,${opening}`;
  if (!style.comma.includes('\n')) return style;
  const pad = style.comma.slice(style.comma.lastIndexOf('\n') + 1);
  const closing = /^[ \t]*/u.exec(sheet.text.slice(lineStart(sheet, mark.range.end), mark.range.end))![0];
  return { ...style, lines: { pad, step: Math.max(1, pad.length - closing.length) } };
}

function isJson(sheet: Sheet, trail: Trail): boolean {
  for (let at: Trail | undefined = trail; at?.mark.style === 'flow'; at = at.up) {
    const first = at.mark.entries[0];
    if (first === undefined) continue;
    if (typeof first.key === 'string') return sheet.text[first.keyRange.start] === '"';
    if (first.value === 'double-quoted') return true;
    if (first.value === 'single-quoted') return false;
  }
  return false;
}

/** Replaces the value after a key or a dash; the key, the anchor and the comment on its line stay. */
export function replaceValue(edit: Edit, change: Change): void {
  const { entry, trail } = change;
  if (trail.mark.style === 'flow') replaceInFlow(edit, change);
  else if (entry.value === 'literal' || entry.value === 'folded') replaceBlockScalar(edit, change);
  else if (isBlockCollection(edit, change)) replaceBlockCollection(edit, change);
  else replaceInline(edit, change);
}

function isBlockCollection({ sheet }: Edit, { entry, parsed }: Change): boolean {
  return (entry.value === 'mapping' || entry.value === 'list') && markOf(sheet.marks, parsed)?.style !== 'flow';
}

function replaceInFlow({ sheet, splices }: Edit, { entry, trail, wanted }: Change): void {
  const { anchor } = readDecoration(sheet, entry);
  const style = findFlowStyle(sheet, trail);
  const keepsQuotes = typeof wanted === 'string' ? quoteLike(entry, wanted) : undefined;
  const text = `${anchor === '' ? '' : `${anchor} `}${keepsQuotes ?? withLineBreaks(sheet, writeFlow(wanted, style))}`;
  const { valueRange, keyRange } = entry;
  if (valueRange.start < valueRange.end) splices.push({ ...valueRange, text });
  else {
    const hasColon = sheet.text.slice(keyRange.end, valueRange.start).includes(':');
    splices.push({ ...valueRange, text: hasColon ? ` ${text}` : `: ${text}` });
  }
}

/** Replaces a value on the line of its key, or on its own lines if it is not in block style. */
function replaceInline(edit: Edit, change: Change): void {
  const { sheet, splices } = edit;
  const { entry } = change;
  const { anchor } = readDecoration(sheet, entry);
  const { start, end } = entry.valueRange;
  const text = writeInline(edit, change);
  if (text !== undefined) {
    splices.push({ start, end, text: `${start === end ? ' ' : ''}${anchor === '' ? '' : `${anchor} `}${text}` });
    return;
  }
  const from = afterIndicator(sheet, entry);
  const to = lineEnd(sheet, end);
  const value = writeBelow(edit, change, { anchor, comment: sheet.text.slice(end, to) });
  splices.push({ start: from, end: to, text: value });
}

function replaceBlockScalar(edit: Edit, change: Change): void {
  const { sheet, splices } = edit;
  const { entry, trail, wanted } = change;
  const { anchor, start } = readDecoration(sheet, entry);
  if (typeof wanted === 'string') {
    const splice = editBlockScalar(sheet, { entry, start, parent: trail.mark.indent, text: wanted });
    if (splice !== undefined) {
      splices.push(splice);
      return;
    }
  }
  const comment = readBlockScalar(sheet, { start, end: entry.valueRange.end })?.comment.trimEnd() ?? '';
  const text = writeBelow(edit, change, { anchor, comment });
  splices.push({ start: afterIndicator(sheet, entry), end: beforeBreak(sheet, entry.valueRange.end), text });
}

function replaceBlockCollection(edit: Edit, change: Change): void {
  const { sheet, splices } = edit;
  const { entry, trail } = change;
  const { anchor, start } = readDecoration(sheet, entry);
  const from = afterIndicator(sheet, entry);
  const firstLine = sheet.text.slice(from, Math.min(lineEnd(sheet, from), start));
  const hash = firstLine.search(/(?:^|\s)#/u);
  const comment = hash === -1 ? '' : firstLine.slice(firstLine.slice(0, hash).trimEnd().length);
  const text = writeBelow(edit, change, { anchor, comment });
  splices.push({ start: from, end: entryBottom(sheet, entry, trail.mark), text });
}

interface Below {
  readonly anchor: string;
  /** With the blanks before it; empty if the line has no comment. */
  readonly comment: string;
}

/** Everything after the colon or dash, without the last line break: a value on the line, or lines below it. */
function writeBelow(edit: Edit, change: Change, { anchor, comment }: Below): string {
  const { sheet } = edit;
  const { wanted } = change;
  const { mark } = change.trail;
  const lead = anchor === '' ? '' : ` ${anchor}`;
  const inline = writeInline(edit, change);
  if (inline !== undefined) return `${lead} ${inline}${comment}`;
  const layout = findLayout(edit, change.trail);
  const isItem = typeof change.entry.key === 'number';
  if (typeof wanted === 'string') {
    const column = mark.indent + (isItem ? layout.item : layout.step);
    const text = withoutLastBreak(sheet, writeText(wanted, { parent: mark.indent, column, keep: false }));
    const header = lineEnd({ ...sheet, text, range: { start: 0, end: text.length } }, 0);
    return `${lead} ${text.slice(0, header)}${comment}${text.slice(header)}`;
  }
  const column = mark.indent + (isItem ? layout.item : Array.isArray(wanted) ? layout.dash : layout.step);
  const lines = withoutLastBreak(sheet, writeBlock(wanted as Json & object, { column, layout }));
  if (isItem && lead === '' && comment.trim() === '') return `${' '.repeat(layout.item - 1)}${lines.trimStart()}`;
  return `${lead}${comment.trimEnd()}${sheet.eol}${lines}`;
}

/** The value on one line, in the quotes of the old one if it had any; undefined when it needs several lines. */
function writeInline(edit: Edit, { trail, entry, parsed, wanted }: Change): string | undefined {
  if (typeof wanted === 'string') {
    const quoted = quoteLike(entry, wanted);
    if (quoted !== undefined) return quoted;
    const isOneLine = (textTraits(wanted) & HAS_BREAK) === 0;
    return isOneLine ? writeScalar(wanted) : undefined;
  }
  if (!isFilled(wanted)) return writeScalar(wanted);
  // An empty flow collection reveals nothing about style, because `{}` is the only way to write it.
  const mark = markOf(edit.sheet.marks, parsed);
  if (mark?.style !== 'flow' || mark.entries.length === 0) return undefined;
  const { json, colon, comma, lines } = findFlowStyle(edit.sheet, { mark, up: trail });
  return writeFlow(wanted, lines === undefined ? { json, colon, comma } : { json, colon: ': ', comma: ', ' });
}

function quoteLike(entry: EntryMark, text: string): string | undefined {
  if (entry.value === 'double-quoted') return writeDoubleQuoted(text);
  if (entry.value !== 'single-quoted') return undefined;
  const isCarried = (textTraits(text) & (HAS_BREAK | NEEDS_ESCAPES)) === 0;
  return isCarried ? writeSingleQuoted(text) : writeDoubleQuoted(text);
}

const HEADER = /([|>])([1-9]?)([-+]?)([1-9]?)([ \t]*(?:#[^\r\n]*)?)/uy;

interface BlockScalar {
  readonly style: string;
  readonly indicator: string;
  readonly chomping: string;
  /** With the blanks before it. */
  readonly comment: string;
  /** Column of the text; undefined if it is empty. */
  readonly column: number | undefined;
}

/** The header of a block scalar in a range, and the column of its text. */
function readBlockScalar(sheet: Sheet, { start, end }: Range): BlockScalar | undefined {
  HEADER.lastIndex = start;
  const header = HEADER.exec(sheet.text);
  if (header === null) return undefined;
  const [, style = '', before = '', chomping = '', after = '', comment = ''] = header;
  let line = afterBreak(sheet, lineEnd(sheet, start));
  let content = skipSpaces(sheet, line);
  while (content < end && lineEnd(sheet, content) === content) {
    line = afterBreak(sheet, content);
    content = skipSpaces(sheet, line);
  }
  const indicator = before === '' ? after : before;
  return { style, indicator, chomping, comment, column: content < end ? content - line : undefined };
}

/** New text in a block scalar that keeps its header, comment and column; undefined when that is impossible. */
function editBlockScalar(
  sheet: Sheet,
  { entry, start, parent, text }: { entry: EntryMark; start: number; parent: number; text: string },
): Splice | undefined {
  const { end } = entry.valueRange;
  const old = readBlockScalar(sheet, { start, end });
  if (old?.column === undefined || !canBeLiteral(text, textTraits(text))) return undefined;
  const column = old.indicator === '' ? old.column : parent + Number(old.indicator);
  // Blank lines below would become part of a text that keeps its trailing line breaks.
  const keep = lineEnd(sheet, end) > end;
  const written = writeInStyle(text, old, { parent, column, keep });
  if (written === undefined) return undefined;
  const lines = withoutLastBreak(sheet, written.lines);
  const header = `${written.style}${written.indicator}${written.chomping}${old.comment}`;
  return { start, end: beforeBreak(sheet, end), text: `${header}${sheet.eol}${lines}` };
}

function writeInStyle(text: string, old: BlockScalar, place: LiteralPlace) {
  const folds = old.style === '>' && !/(?:^|\n)[ \t]/u.test(text) && !text.startsWith('\n');
  // A line break inside folded text is written as an empty line.
  const inner = folds ? text.replaceAll(/(?<!\n)\n+(?!\n|$)/gu, (breaks) => `${breaks}\n`) : text;
  const parts = literalParts(inner, place);
  if (parts === undefined) return undefined;
  const keepsAll = old.chomping === '+' && text.endsWith('\n') && place.keep;
  return {
    style: folds ? '>' : '|',
    indicator: old.indicator === '' ? parts.indicator : old.indicator,
    chomping: keepsAll ? '+' : parts.chomping,
    lines: parts.lines,
  };
}
