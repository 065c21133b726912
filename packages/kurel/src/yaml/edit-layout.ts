import type { Edit, Trail } from './edit-context.ts';
import { lineStart, type Sheet } from './edit-sheet.ts';
import type { CollectionMark, Marks } from './marks.ts';
import type { FlowStyle } from './write-yaml.ts';
import { type BlockLayout, KUBECTL_LAYOUT } from './write-yaml.ts';

type Found = { -readonly [Part in keyof BlockLayout]?: BlockLayout[Part] | undefined };

/**
 * How the document indents around a collection, judged by the collection itself, then its children, its parents', then any
 * other. Looked up on demand, because most edits only need the step.
 */
export function findLayout({ sheet }: Edit, trail: Trail): BlockLayout {
  const found: Found = {};
  if (trail.up?.mark.style === 'block') note(found, trail.up.mark, trail.mark);
  let isComplete = false;
  const find = (part: keyof BlockLayout): number => {
    if (found[part] === undefined && !isComplete) {
      lookAround(sheet, trail, found);
      isComplete = true;
    }
    return found[part] ?? KUBECTL_LAYOUT[part];
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

function lookAround(sheet: Sheet, trail: Trail, found: Found): void {
  const document = layoutOf(sheet.readAllMarks?.() ?? sheet.marks);
  for (let at: Trail | undefined = trail; at !== undefined; at = at.up) {
    if (at.up?.mark.style === 'block') note(found, at.up.mark, at.mark);
    // Only the front of the document may have been read, so the root may lack some of its children.
    add(found, childrenOf(document.byStart.get(at.mark.range.start) ?? at.mark, document));
  }
  document.anywhere ??= findAnywhere(document);
  add(found, document.anywhere);
}

/** Cached findings about a document, because there may be thousands of edits. */
interface DocumentLayout {
  readonly byStart: ReadonlyMap<number, CollectionMark>;
  readonly children: WeakMap<CollectionMark, Found>;
  anywhere: Found | undefined;
}

const layouts = new WeakMap<Marks, DocumentLayout>();

function layoutOf(marks: Marks): DocumentLayout {
  const known = layouts.get(marks);
  if (known !== undefined) return known;
  const byStart = new Map<number, CollectionMark>();
  for (const mark of marks.values()) if (mark.style === 'block') byStart.set(mark.range.start, mark);
  const layout = { byStart, children: new WeakMap<CollectionMark, Found>(), anywhere: undefined };
  layouts.set(marks, layout);
  return layout;
}

function findAnywhere(document: DocumentLayout): Found {
  const found: Found = {};
  for (const mark of document.byStart.values()) {
    if (found.step !== undefined && found.dash !== undefined && found.item !== undefined) break;
    add(found, childrenOf(mark, document));
  }
  return found;
}

function add(found: Found, other: Found): void {
  found.step ??= other.step;
  found.dash ??= other.dash;
  found.item ??= other.item;
}

function childrenOf(mark: CollectionMark, { byStart, children }: DocumentLayout): Found {
  const known = children.get(mark);
  if (known !== undefined) return known;
  const found: Found = {};
  for (const entry of mark.style === 'block' ? mark.entries : []) {
    if (entry.value !== 'mapping' && entry.value !== 'list') continue;
    const child = entry.decorated ? undefined : byStart.get(entry.valueRange.start);
    if (child !== undefined) note(found, mark, child);
  }
  children.set(mark, found);
  return found;
}

function note(found: Found, mark: CollectionMark, child: CollectionMark): void {
  if (child.style !== 'block' || mark.entries.length === 0) return;
  const width = child.indent - mark.indent;
  if (isList(mark)) {
    if (width >= 2) found.item ??= width;
  } else if (isList(child)) found.dash ??= width;
  else if (width >= 1) found.step ??= width;
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
