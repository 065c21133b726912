import type { Diagnostic, Range, Report, SourceFile } from '../../model/index.ts';
import type { FieldPatch } from '../patch.ts';
import { encodeSteps, findMisplaced, gatherItems, isInsertion } from './gather-items.ts';
import type { EntrySection, RawEntry } from './gather-items.ts';
import { kpatchProblems } from './problems.ts';
import { readLine } from './read-line.ts';
import type { EntryLine, HeaderLine, Line } from './read-line.ts';
import { addProblem, finishProblems, locate, refuseSyntax, startReading } from './reading.ts';
import type { Reading } from './reading.ts';

interface KpatchReading {
  readonly patches: readonly FieldPatch[];
  /** In file order. */
  readonly problems: readonly Diagnostic[];
}

/** Reads a .kpatch file; an invalid line does not hide problems in other lines. `visit` receives each line, in order. */
export function readKpatch(source: SourceFile, visit?: (line: Line) => void): KpatchReading {
  const reading = startReading(source);
  const patches: FieldPatch[] = [];
  let section = startSection(nowhere, true);
  while (reading.line < reading.lines.starts.length) {
    const line = readLine(reading);
    visit?.(line);
    if (line.type === 'entry') addEntry(reading, section, line);
    else if (line.type === 'header') {
      endSection(reading, section, patches);
      section = openSection(reading, line);
    }
  }
  endSection(reading, section, patches);
  return { patches, problems: finishProblems(reading) };
}

interface Section extends EntrySection {
  /** False if the header is invalid: its entries are checked, but their target is unknown. */
  readonly isUsable: boolean;
  readonly entries: RawEntry[];
  /** First place of each key; created with the first key because many sections have none. */
  seen: Map<string, Range> | undefined;
  /** The new item that the latest entry is part of, if its key adds one. */
  item: { readonly code: string; readonly number: number };
  /** The latest entry. */
  last: EntryLine | undefined;
}

/** Section of entries without a valid header. */
const nowhere: EntrySection = { target: { type: 'all' }, steps: [], text: '' };

const noItem = { code: '', number: 0 };

function startSection({ target, steps, text, location }: EntrySection, isUsable: boolean): Section {
  return { target, steps, text, location, isUsable, entries: [], seen: undefined, item: noItem, last: undefined };
}

function openSection(reading: Reading, { header }: HeaderLine): Section {
  if (header === undefined) return startSection(nowhere, false);
  const { target, steps, text, range } = header;
  const deletion = steps.find(({ type }) => type === 'delete');
  const problem =
    deletion === undefined
      ? findMisplaced(steps)
      : {
          reason: 'a deletion is not allowed in a header',
          hint: 'put it at the end of a key below the header: `paused[delete]:`',
          range: deletion.range,
        };
  if (problem !== undefined) {
    refuseSyntax(reading, problem);
    return startSection(nowhere, false);
  }
  const { range: targetRange, ...parts } = target;
  const location = locate(reading, range);
  return startSection({ target: { ...parts, location: locate(reading, targetRange) }, steps, text, location }, true);
}

function addEntry(reading: Reading, section: Section, line: EntryLine): void {
  refuseNested(reading, section.last, line);
  section.last = line;
  const { key, value } = line;
  if (key === undefined) return;
  const location = locate(reading, key.range);
  warnDuplicate(reading, section, key);
  if (value !== undefined) section.entries.push({ steps: key.steps, value, text: key.text, location });
}

/** Keys indented below a key without a value are YAML style; an empty string there would destroy the field. */
function refuseNested(reading: Reading, last: EntryLine | undefined, line: EntryLine): void {
  if (last?.key === undefined || last.value === undefined || last.written !== '' || line.indent <= last.indent) return;
  const { text: word, range, steps } = last.key;
  if (steps.at(-1)!.type === 'delete') return;
  addProblem(reading, range, (place) =>
    kpatchProblems.create('kpatch-value-not-scalar', { word, kind: 'nested' }, place),
  );
}

function warnDuplicate(reading: Reading, section: Section, key: NonNullable<EntryLine['key']>): void {
  const end = key.isPlain ? 0 : key.steps.findLastIndex(isInsertion) + 1;
  const item = end === 0 ? '' : encodeSteps(key.steps.slice(0, end));
  if (item !== section.item.code) section.item = { code: item, number: section.item.number + (end === 0 ? 0 : 1) };
  // Each of these keys adds a separate item.
  if (isInsertion(key.steps.at(-1)!)) return;
  const whole = key.isPlain ? key.text : encodeSteps(key.steps);
  const code = end === 0 ? whole : `${whole} ${section.item.number}`;
  section.seen ??= new Map();
  const first = section.seen.get(code);
  if (first === undefined) {
    section.seen.set(code, key.range);
    return;
  }
  const inItem = section.steps.some(isInsertion) || key.steps.some(isInsertion);
  const related = [{ message: 'first set here', location: locate(reading, first) }];
  addProblem(reading, key.range, (place) =>
    kpatchProblems.create('kpatch-duplicate-key', { word: key.text, inItem }, { ...place, related }),
  );
}

function endSection(reading: Reading, section: Section, patches: FieldPatch[]): void {
  const insertion = section.steps.find(isInsertion);
  if (insertion !== undefined && section.last === undefined) {
    refuseSyntax(reading, {
      reason: 'the section adds an item, but has no entries',
      hint: 'add the fields of the new item below the header, such as `name: value`',
      range: section.location!.range!,
    });
  }
  const gathered = gatherItems(section.entries, { section, refuse: (problem) => refuseSyntax(reading, problem) });
  if (section.isUsable) for (const patch of gathered) patches.push(patch);
}

/**
 * Formats a .kpatch file, with all comments. The result means the same and is already formatted. Returns `undefined` if the
 * file has errors, which are reported.
 */
export function formatSections(source: SourceFile, report: Report): string | undefined {
  const lines: Line[] = [];
  const { problems } = readKpatch(source, (line) => void lines.push(line));
  const errors = problems.filter(({ severity }) => severity === 'error');
  for (const error of errors) report(error);
  if (errors.length > 0) return undefined;
  const leading = findLeading(lines);
  const output: string[] = [];
  let previous: Line | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.type === 'blank') continue;
    const above = lines[index - 1];
    const isApart =
      leading[index] === true ? above?.type !== 'comment' : above?.type === 'blank' && previous?.type !== 'header';
    if (previous !== undefined && isApart && !keepsBlankLines(previous)) output.push('');
    for (const written of writeLine(line)) output.push(written);
    previous = line;
  }
  return output.map((line) => `${line}\n`).join('');
}

/** Marks headers and the comment lines directly above them, which belong to the header. */
function findLeading(lines: readonly Line[]): readonly boolean[] {
  const leading = lines.map(({ type }) => type === 'header');
  for (let index = lines.length - 2; index >= 0; index -= 1) {
    if (lines[index]!.type === 'comment') leading[index] = leading[index + 1]!;
  }
  return leading;
}

/** Blank lines after such a block are part of its value, so none may be added. */
function keepsBlankLines(line: Line): boolean {
  return line.type === 'entry' && line.block?.chomp === '+';
}

function writeLine(line: Exclude<Line, { readonly type: 'blank' }>): readonly string[] {
  if (line.type === 'comment') return [line.text];
  if (line.type === 'header') return [withComment(line.header!.text, line.comment)];
  const { block } = line;
  const value =
    block === undefined ? line.written : `${line.written.charAt(0)}${block.chomp}${block.indent > 0 ? '2' : ''}`;
  const first = withComment(`${line.key!.text}:${value === '' ? '' : ` ${value}`}`, line.comment);
  return [first, ...(block?.lines ?? []).map((text) => (text === '' ? '' : `  ${text}`))];
}

function withComment(text: string, comment: string): string {
  return comment === '' ? text : `${text}  ${comment}`;
}
